"""Speech for scripted worlds: Debian's `flite` says each line, faintly echoing in a room with a tone of its own.

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
from robot_memory.evaluation.story.script import Line, Script
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.streams.media import SAMPLE_RATE

TONE = 4.0  # root mean square of the room tone, of 32767: -78 dB
TONE_LOOP = 30 * SAMPLE_RATE
PEAK = 14000.0  # loudest sample of a line at 0 dB
ECHOES = ((0.013, 0.22), (0.029, 0.14), (0.047, 0.08))  # seconds late, loudness: a small furnished room


class SpeechToolMissing(RobotMemoryError):
    """The speech synthesiser is not installed, or does not know a voice."""


def soundtrack(script: Script) -> NDArray[np.int16]:
    """Everything heard in a script, [duration x 16000]. Raises ScriptInvalid for a line that outlasts the script."""
    rng = np.random.default_rng((script.seed, 2))
    sound = _room_tone(rng, round(script.duration_s * SAMPLE_RATE))
    for line in script.lines:
        spoken = _in_room(_levelled(say(line.text, script.person(line.who).voice, line.pace), line, rng))
        start = round(line.at_s * SAMPLE_RATE)
        if start + len(spoken) > len(sound):
            end = line.at_s + len(spoken) / SAMPLE_RATE
            raise ScriptInvalid(
                f"{script.name}: {line.text!r} at {line.at_s:g} s ends at {end:.1f} s, after the script "
                f"({script.duration_s:g} s) — say it earlier or lengthen 'duration'"
            )
        sound[start : start + len(spoken)] += spoken
    return np.clip(np.round(sound), -32768, 32767).astype(np.int16)


def say(text: str, voice: str, pace: float = 1.0) -> NDArray[np.float32]:
    """A text as flite says it, 16 kHz, -1..1; pace 2 is twice as slow. Raises SpeechToolMissing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "line.wav"
        command = ["flite", "-voice", voice, "--setf", f"duration_stretch={pace}", "-t", text, "-o", str(path)]
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
                f"flite: could not say {text!r} as {voice} ({reason}) — `flite -lv` lists its voices"
            )
        return _read(path)


def _read(path: Path) -> NDArray[np.float32]:
    with wave.open(str(path)) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2")
    sound = samples.astype(np.float32) / 32768.0
    return sound if rate == SAMPLE_RATE else _resampled(sound, rate)


def _resampled(sound: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """The same sound at 16 kHz: its spectrum is cut or filled up with silence."""
    count = len(sound) * SAMPLE_RATE // rate
    spectrum = np.fft.rfft(sound)[: count // 2 + 1]
    return (np.fft.irfft(spectrum, count) * (count / len(sound))).astype(np.float32)


def _levelled(sound: NDArray[np.float32], line: Line, rng: np.random.Generator) -> NDArray[np.float32]:
    """The line at its level, with the slow swell of a speaker who moves."""
    swell_db = 1.5 * np.sin(np.arange(len(sound)) / SAMPLE_RATE * rng.uniform(0.8, 1.6) + rng.uniform(0, 6.28))
    gain = 10.0 ** ((line.level_db + swell_db) / 20.0)
    return (sound / max(float(np.abs(sound).max()), 1e-6) * PEAK * gain).astype(np.float32)


def _in_room(sound: NDArray[np.float32]) -> NDArray[np.float32]:
    delays = [round(late * SAMPLE_RATE) for late, _ in ECHOES]
    heard = np.zeros(len(sound) + max(delays), np.float32)
    heard[: len(sound)] = sound
    for delay, (_, loudness) in zip(delays, ECHOES, strict=True):
        heard[delay : delay + len(sound)] += loudness * sound
    return heard


def _room_tone(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Air and a distant fan: noise with more low than high, a seamless loop of half a minute."""
    spectrum = np.fft.rfft(rng.normal(0.0, 1.0, TONE_LOOP))
    loop = np.fft.irfft(spectrum / (1.0 + np.linspace(0, 12, len(spectrum))), TONE_LOOP)
    return np.resize(loop * (TONE / float(loop.std())), count).astype(np.float32)
