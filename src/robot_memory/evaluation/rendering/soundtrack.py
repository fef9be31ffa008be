"""What a microphone hears of an episode: its lines, near or far, the echo of the room and the room's own tone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.rendering import speech
from robot_memory.evaluation.story.script import Episode, Line, Script
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.streams.media import SAMPLE_RATE

Wave = NDArray[np.float32]

TONE = 4.0  # root mean square of the room tone, of 32767: -78 dB
TONE_LOOP = 30 * SAMPLE_RATE
PEAK = 14000.0  # loudest sample of a line at 0 dB
ECHOES = ((0.013, 0.22), (0.029, 0.14), (0.047, 0.08))  # seconds late, loudness: a small furnished room
TAIL_S = max(late for late, _ in ECHOES)
FAR_DB, FAR_ECHO = -6.0, 2.0  # someone out of view
FASTEST, SLOWEST = 0.75, 1.3  # how much of its usual time a line may take


@dataclass(frozen=True, eq=False)
class Sounding:
    """A line and how it sounds before the room has it: 16 kHz, -1..1. `seconds`: how long the voice lasts."""

    line: Line
    sound: Wave

    @property
    def end_s(self) -> float:
        return self.line.at_s + len(self.sound) / SAMPLE_RATE


def voiced(script: Script, episode: Episode) -> tuple[Sounding, ...]:
    """Every line as it is said. Raises ScriptInvalid for one that outlasts the episode."""
    return tuple(_voiced(script, episode, line) for line in episode.lines)


def _voiced(script: Script, episode: Episode, line: Line) -> Sounding:
    said = Sounding(line, speech.recorded(line.sound) if line.sound else _spoken(line, script.person(line.who).voice))
    if said.end_s + TAIL_S > episode.duration_s:
        raise ScriptInvalid(
            f"{script.name}: {line.text!r} at {line.at_s:g} s ends at {said.end_s + TAIL_S:.1f} s, after the end "
            f"({episode.duration_s:g} s) — say it earlier or lengthen 'duration'"
        )
    return said


def _spoken(line: Line, voice: str) -> Wave:
    usual = speech.say(line.text, voice, line.pace)
    if not line.lasts_s:
        return usual
    stretch = line.lasts_s * SAMPLE_RATE / len(usual)
    return speech.say(line.text, voice, line.pace * min(max(stretch, FASTEST), SLOWEST))


def mixed(episode: Episode, lines: tuple[Sounding, ...], seed: tuple[int, ...]) -> NDArray[np.int16]:
    """Everything heard in an episode, [duration x 16000]."""
    rng = np.random.default_rng(seed)
    tone = TONE * 10.0 ** (episode.room.noise_db / 20.0)
    sound = _room_tone(rng, round(episode.duration_s * SAMPLE_RATE), tone)
    for said in lines:
        far = is_far(episode, said.line)
        echo = episode.room.echo * (FAR_ECHO if far else 1.0)
        spoken = _in_room(_levelled(said.sound, said.line.level_db + (FAR_DB if far else 0.0), rng), echo)
        start = round(said.line.at_s * SAMPLE_RATE)
        sound[start : start + len(spoken)] += spoken
    return np.clip(np.round(sound), -32768, 32767).astype(np.int16)


def is_far(episode: Episode, line: Line) -> bool:
    """Whether a line comes from out of view."""
    if line.far is not None:
        return line.far
    return not any(scene.who == line.who and scene.start_s <= line.at_s <= scene.end_s for scene in episode.scenes)


def _levelled(sound: Wave, level_db: float, rng: np.random.Generator) -> Wave:
    """The line at its level, with the slow swell of a speaker who moves."""
    swell_db = 1.5 * np.sin(np.arange(len(sound)) / SAMPLE_RATE * rng.uniform(0.8, 1.6) + rng.uniform(0, 6.28))
    gain = 10.0 ** ((level_db + swell_db) / 20.0)
    return (sound / max(float(np.abs(sound).max()), 1e-6) * PEAK * gain).astype(np.float32)


def _in_room(sound: Wave, echo: float) -> Wave:
    delays = [round(late * SAMPLE_RATE) for late, _ in ECHOES]
    heard = np.zeros(len(sound) + max(delays), np.float32)
    heard[: len(sound)] = sound
    for delay, (_, loudness) in zip(delays, ECHOES, strict=True):
        heard[delay : delay + len(sound)] += min(echo * loudness, 0.9) * sound
    return heard


def _room_tone(rng: np.random.Generator, count: int, loud: float) -> Wave:
    """Air and a distant fan: noise with more low than high, a seamless loop of half a minute."""
    spectrum = np.fft.rfft(rng.normal(0.0, 1.0, TONE_LOOP))
    loop = np.fft.irfft(spectrum / (1.0 + np.linspace(0, 12, len(spectrum))), TONE_LOOP)
    return np.resize(loop * (loud / float(loop.std())), count).astype(np.float32)
