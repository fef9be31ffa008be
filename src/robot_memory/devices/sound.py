"""Sound from a microphone, a file or a URL, as blocks of equal length."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import MicrophoneSettings
from robot_memory.devices import media, portaudio
from robot_memory.devices.sources import Kind, Source, SourceRefused

LAYOUTS = {1: "mono", 2: "stereo"}
HOLE_S = 0.05  # stamps of a file that jump by less are only rough


@dataclass(frozen=True)
class Block:
    """Interleaved int16 `samples`. `lost`: samples (per channel) missing before it; `age_s`: how long ago its first
    sample was heard, None where the sound is not heard now but played.
    """

    samples: NDArray[np.int16]
    rate: int
    channels: int
    lost: int = 0
    age_s: float | None = None

    @property
    def count(self) -> int:
        """Samples per channel."""
        return len(self.samples) // self.channels


def blocks(source: Source, settings: MicrophoneSettings) -> Generator[Block, None, None]:
    """The sound of a source, until it ends. Raises SourceLost or SourceRefused. Close the iterator to let go of it."""
    if source.kind is Kind.DEVICE:
        for samples, rate, channels, lost, age_s in portaudio.listen(source, settings):
            yield Block(samples, rate, channels, lost, age_s)
        return
    with media.opened(source, "audio") as (box, stream):
        yield from _played(source, box, stream, settings)


def check(source: Source) -> None:
    """Raise SourceRefused for what can never be listened to."""
    if source.kind is Kind.DEVICE:
        portaudio.find(source.address)
    elif source.kind is Kind.FILE:
        with media.opened(source, "audio"):
            pass


def _played(source: Source, box: Any, stream: Any, settings: MicrophoneSettings) -> Generator[Block, None, None]:
    import av

    channels = settings.channels or stream.channels
    if channels != stream.channels and channels not in LAYOUTS:
        words = f"{source} has {stream.channels} channels, not {channels}"
        raise SourceRefused(f"{words}: set microphone.channels to 1 or 0")
    rate = settings.rate or stream.rate
    layout = None if channels == stream.channels else LAYOUTS[channels]
    resampler = av.AudioResampler(format="s16", layout=layout, rate=rate)
    size, held = max(1, round(settings.chunk_s * rate)) * channels, np.empty(0, np.int16)
    next_s: float | None = None
    for packet in media.packets(box, stream):
        for frame in media.frames(packet):
            hole_s = frame.time - next_s if next_s is not None and frame.time is not None else 0.0
            if hole_s > HOLE_S:
                if len(held):
                    yield Block(held, rate, channels)
                held = np.empty(0, np.int16)
            lost = round(hole_s * rate) if hole_s > HOLE_S else 0
            if frame.time is not None:
                next_s = frame.time + frame.samples / frame.sample_rate
            held = np.concatenate([held, *_samples(resampler.resample(frame))])
            while len(held) >= size:
                yield Block(held[:size], rate, channels, lost)
                held, lost = held[size:], 0
    held = np.concatenate([held, *_samples(resampler.resample(None))])
    for first in range(0, len(held), size):
        yield Block(held[first : first + size], rate, channels)


def _samples(resampled: list[Any]) -> list[NDArray[np.int16]]:
    return [np.asarray(frame.to_ndarray(), np.int16).reshape(-1) for frame in resampled]
