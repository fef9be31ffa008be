"""Microphones through PortAudio (the sounddevice package). Neither is needed until a microphone is asked for."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import MicrophoneSettings
from robot_memory.devices.sources import Source, SourceLost, SourceRefused

SILENT_S = 2.0  # a microphone always sends something, silence included: then it has gone
PACKAGE = "microphones need the package sounddevice — run: pip install sounddevice"
LIBRARY = "microphones need PortAudio — run: sudo apt install libportaudio2"
Heard = tuple[NDArray[np.int16], int, int, int, float]
Raw = queue.SimpleQueue[tuple[bytes, float, float, bool]]  # samples, when (ours), when (the card's), overflow


def library() -> Any:
    """The sounddevice module. Raises SourceRefused with the command that brings what is missing."""
    try:
        import sounddevice
    except ImportError as error:
        raise SourceRefused(PACKAGE) from error
    except OSError as error:  # the module loads the library when it is imported
        raise SourceRefused(LIBRARY) from error
    return sounddevice


def names() -> list[str]:
    """The microphones of this machine. Raises SourceRefused without PortAudio."""
    return [f"{one['index']}: {one['name']}" for one in library().query_devices() if one["max_input_channels"] > 0]


def find(address: str) -> dict[str, Any]:
    """What PortAudio knows about a microphone: "default", a number, or part of a name. Raises SourceRefused."""
    sounddevice = library()
    wanted = None if address == "default" else int(address) if address.isdigit() else address
    try:
        return dict(sounddevice.query_devices(wanted, "input"))
    except (ValueError, sounddevice.PortAudioError) as error:
        known = "; ".join(names()) or "none"
        why = f" ({error})" if isinstance(error, ValueError) else ""  # several fit, or none does
        raise SourceRefused(f"there is no microphone {address!r}{why}; found: {known}") from error


def listen(source: Source, settings: MicrophoneSettings) -> Iterator[Heard]:
    """(samples, rate, channels, lost before, age in s) for ever. Raises SourceLost when the device has gone."""
    sounddevice = library()
    device = _again(source.address, sounddevice)
    rate = settings.rate or int(device["default_samplerate"])
    channels = settings.channels or int(device["max_input_channels"])
    heard: Raw = queue.SimpleQueue()

    def on_block(data: Any, count: int, moment: Any, status: Any) -> None:
        latency_s = max(0.0, moment.currentTime - moment.inputBufferAdcTime)
        heard.put((bytes(data), time.monotonic() - latency_s, moment.inputBufferAdcTime, status.input_overflow))

    asked = {"device": device["index"], "channels": channels, "dtype": "int16", "samplerate": rate}
    try:
        sounddevice.check_input_settings(**asked)
    except (ValueError, sounddevice.PortAudioError) as error:
        raise SourceRefused(
            f"the microphone {device['name']} does not give {channels} channels at {rate} Hz ({error}): "
            "set microphone.rate and microphone.channels to 0 for its own"
        ) from error
    try:
        with sounddevice.RawInputStream(blocksize=round(settings.chunk_s * rate), callback=on_block, **asked):
            yield from _blocks(heard, device["name"], rate, channels)
    except sounddevice.PortAudioError as error:
        raise SourceLost(f"the microphone {device['name']} cannot be opened: {error}") from error


def _blocks(heard: Raw, name: str, rate: int, channels: int) -> Iterator[Heard]:
    end_s = 0.0  # on the sound card's clock
    while True:
        try:
            data, began_s, first_s, overflow = heard.get(timeout=SILENT_S)
        except queue.Empty:
            raise SourceLost(f"the microphone {name} sends nothing: was it unplugged?") from None
        samples = np.frombuffer(data, np.int16)
        lost = max(0, round((first_s - end_s) * rate)) if overflow and end_s else 0
        end_s = first_s + len(samples) / channels / rate
        yield samples, rate, channels, lost, time.monotonic() - began_s


def _again(address: str, sounddevice: Any) -> dict[str, Any]:
    """The device as it is now: PortAudio only sees what was plugged in when it started."""
    try:
        return find(address)
    except SourceRefused:
        sounddevice._terminate()
        sounddevice._initialize()
    try:
        return find(address)
    except SourceRefused as gone:
        raise SourceLost(str(gone)) from gone
