"""The stream of a life: its world as perfect perception gives it, but that turns are heard more or less well, and that
some of what is heard was never said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from robot_memory.evaluation.lives.life import Garbage, Life
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.likeness import Likenesses
from robot_memory.evaluation.worlds.oracle import PERFECT, Oracle, oracle
from robot_memory.streams.observation import SpeechTurn

BEST, WORST = 0.97, 0.6  # confidence of what was really said; most of it near the best
LIKELY_SPEECH, LESS_LIKELY = 0.02, 0.35  # no_speech of what was really said


def stream(life: Life, how: Oracle = PERFECT) -> Iterator[Clip]:
    """The clips of a life in order of time. Of garbage, `Clip.voices` and `Clip.words` are empty."""
    likenesses = Likenesses(life.world.seed, how.face_dimension, how.voice_dimension)
    left = list(reversed(life.garbage))
    for clip in oracle(life.world, how):
        seen = clip.observation
        misheard = []
        while left and left[-1].start_ns < seen.end_ns:
            if (one := left.pop()).start_ns >= seen.start_ns:
                misheard.append(one)
        yield _with(life, _as_heard(life, clip), misheard, likenesses)


def _as_heard(life: Life, clip: Clip) -> Clip:
    turns = tuple(_worse(life, turn) for turn in clip.observation.turns)
    return replace(clip, observation=replace(clip.observation, turns=turns))


def _worse(life: Life, turn: SpeechTurn) -> SpeechTurn:
    throw = dice(life.name, "heard", turn.start_ns)
    confidence = BEST - (BEST - WORST) * throw.random() ** 3
    no_speech = LIKELY_SPEECH + (LESS_LIKELY - LIKELY_SPEECH) * throw.random() ** 4
    return replace(turn, confidence=round(confidence, 3), no_speech=round(no_speech, 3))


def _with(life: Life, clip: Clip, misheard: list[Garbage], likenesses: Likenesses) -> Clip:
    """The clip with what was misheard among its turns, in order of time."""
    if not misheard:
        return clip
    voices = {who: turn.voice for who, turn in zip(clip.voices, clip.observation.turns, strict=True)}
    heard = list(zip(clip.observation.turns, clip.voices, clip.words, strict=True))
    for one in misheard:
        voice = voices.setdefault(one.like or f"noise {one.start_ns}", len(voices))
        look = dice(life.world.seed, "tone", one.like, one.start_ns).randrange(2)
        vector = likenesses.voice(one.like, look, one.start_ns) if one.like else None
        turn = SpeechTurn(one.start_ns, one.end_ns, one.text, voice, vector, one.confidence, one.no_speech)
        heard.append((turn, "", ""))
    heard.sort(key=lambda one: one[0].start_ns)
    turns, who, words = zip(*heard, strict=True)
    return replace(clip, observation=replace(clip.observation, turns=turns), voices=who, words=words)
