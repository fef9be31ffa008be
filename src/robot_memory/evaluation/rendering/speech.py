"""Speech for scripted worlds: Debian's `flite` says each line, or a recording is played, in a room with an echo.

Deterministic for one version of flite. Audio is mono int16 at 16 kHz, as everywhere in the house.
"""

from __future__ import annotations

import subprocess
import tempfile
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.assets import Voice, voices
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.streams.media import SAMPLE_RATE

Wave = NDArray[np.float32]


class SpeechToolMissing(RobotMemoryError):
    """The speech synthesiser is not installed, or does not know a voice."""


def say(text: str, voice: Voice | str, pace: float = 1.0) -> Wave:
    """A text as a voice says it, 16 kHz, -1..1; pace 2 is twice as slow. Raises SpeechToolMissing."""
    voice = voices()[voice] if isinstance(voice, str) else voice
    aims = [f"duration_stretch={pace * voice.speed}"]
    if voice.pitch_hz:
        aims.append(f"int_f0_target_mean={voice.pitch_hz}")
    options = [word for aim in aims for word in ("--setf", aim)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "line.wav"
        command = ["flite", "-voice", voice.base, *options, "-t", text, "-o", str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        except FileNotFoundError as error:
            remedy = "install it: apt-get install flite"
            raise SpeechToolMissing(f"flite: not found, and scripted people need it to speak — {remedy}") from error
        except subprocess.TimeoutExpired as error:
            raise SpeechToolMissing(f"flite: still busy with {text!r} after 60 s — shorten the line") from error
        if done.returncode or not path.is_file():
            reason = done.stderr.strip() or f"exit status {done.returncode}"
            raise SpeechToolMissing(
                f"flite: could not say {text!r} as {voice.base} ({reason}) — `flite -lv` lists its voices"
            )
        with wave.open(str(path)) as file:
            rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2")
    return at_our_rate(samples.astype(np.float32) / 32768.0, rate * voice.speed)


def recorded(path: Path) -> Wave:
    """A recording, mono, 16 kHz, -1..1. Raises ScriptInvalid where it cannot be read."""
    import av

    try:
        with av.open(str(path)) as container:
            stream = container.streams.audio[0]
            rate = int(stream.rate)
            resampler = av.AudioResampler(format="flt", layout="mono", rate=rate)
            frames = [
                heard.to_ndarray().reshape(-1)
                for frame in container.decode(stream)
                for heard in resampler.resample(frame)
            ]
    except (OSError, ValueError, IndexError) as error:
        raise ScriptInvalid(f"{path}: cannot be heard ({error}) — give a .wav or .flac file") from error
    if not frames:
        raise ScriptInvalid(f"{path}: holds no sound — give a .wav or .flac file")
    return at_our_rate(np.concatenate(frames).astype(np.float32), rate)


def at_our_rate(sound: Wave, rate: float) -> Wave:
    if rate == SAMPLE_RATE:
        return sound
    import soxr

    resampled: Wave = soxr.resample(sound, rate, SAMPLE_RATE)
    return resampled
