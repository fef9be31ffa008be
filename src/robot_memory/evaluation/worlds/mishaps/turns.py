"""Mishaps of ears: turns glued together, voices unheard or taken for another's, words lost.

A clip's voices are counted as perception counts them, by grouping what is left of their embeddings; so blur alone
makes one voice two, or two one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from robot_memory.config import PerceptionSettings
from robot_memory.evaluation.worlds.mishaps.rates import Mishaps
from robot_memory.models.manifest import load_profile
from robot_memory.models.model import Model
from robot_memory.perception.voices import group_turns
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import SpeechTurn, Vector

NEAR_NS = SECOND  # a change of speaker within this time may be heard as none


@dataclass(frozen=True, eq=False)
class Said:
    """A turn, who said most of it (empty: nobody), and what was really said."""

    turn: SpeechTurn
    who: str
    words: str


def spoiled(said: Sequence[Said], mishaps: Mishaps, throw: random.Random) -> list[Said]:
    """What is heard of a clip's turns, in order of time."""
    heard = _glued(said, mishaps, throw)
    heard = [_unembedded(one) if throw.random() < mishaps.voice_unembedded else one for one in heard]
    heard = _confused(_grouped(heard), mishaps, throw)
    return [_with_words_lost(one, mishaps, throw) for one in heard]


def _glued(said: Sequence[Said], mishaps: Mishaps, throw: random.Random) -> list[Said]:
    heard: list[Said] = []
    free = False  # is the last turn one alone?
    for one in said:
        last = heard[-1] if heard else None
        near = last is not None and one.who != last.who and one.turn.start_ns - last.turn.end_ns < NEAR_NS
        if free and near and last is not None and throw.random() < mishaps.turns_glued:
            heard[-1], free = _joined(last, one), False
        else:
            heard.append(one)
            free = True
    return heard


def _joined(one: Said, other: Said) -> Said:
    """One turn of both; its embedding is that of a mixture, and it is whose has more of it."""
    first, last = one.turn, other.turn
    main = one if first.duration_s >= last.duration_s else other
    turn = replace(
        main.turn,
        start_ns=min(first.start_ns, last.start_ns),
        end_ns=max(first.end_ns, last.end_ns),
        text=f"{first.text} {last.text}".strip(),
        embedding=_mixed(first, last),
        confidence=min(first.confidence, last.confidence),
    )
    return Said(turn, main.who, f"{one.words} {other.words}".strip())


def _mixed(first: SpeechTurn, last: SpeechTurn) -> Vector | None:
    parts = [(turn.duration_s, turn.embedding) for turn in (first, last) if turn.embedding is not None]
    if not parts:
        return None
    total = np.sum([seconds * embedding for seconds, embedding in parts], axis=0)
    unit: Vector = (total / np.linalg.norm(total)).astype(np.float32)
    return unit


def _unembedded(one: Said) -> Said:
    return replace(one, turn=replace(one.turn, embedding=None))


def _grouped(said: Sequence[Said]) -> list[Said]:
    """With the clip's voices counted anew, as perception does."""
    turns = [one.turn for one in said]
    voices = group_turns([turn.embedding for turn in turns], [turn.duration_s for turn in turns], _Thresholds())
    return [replace(one, turn=replace(one.turn, voice=voice)) for one, voice in zip(said, voices, strict=True)]


def _confused(said: Sequence[Said], mishaps: Mishaps, throw: random.Random) -> list[Said]:
    """Turns without an embedding stay out of it: each is a voice of its own, as perception has it."""
    voices = sorted({one.turn.voice for one in said if one.turn.embedding is not None})
    heard = []
    for one in said:
        others = [voice for voice in voices if voice != one.turn.voice]
        if others and throw.random() < mishaps.speaker_confused and one.turn.embedding is not None:
            one = replace(one, turn=replace(one.turn, voice=throw.choice(others)))
        heard.append(one)
    return heard


def _with_words_lost(one: Said, mishaps: Mishaps, throw: random.Random) -> Said:
    words = one.turn.text.split()
    left = [word for word in words if throw.random() >= mishaps.words_lost]
    confidence = one.turn.confidence * len(left) / max(len(words), 1) if words else one.turn.confidence
    return replace(one, turn=replace(one.turn, text=" ".join(left), confidence=confidence))


class _Thresholds:
    """A speaker embedder that only knows its thresholds: grouping asks for nothing else."""

    def __init__(self) -> None:
        self._model = _speaker_model()
        self.name, self.dimension = self._model.name, self._model.dimension or 256

    def embed(self, samples: object) -> Vector | None:
        raise NotImplementedError("there is no sound in a world's stream, only what was made of it")

    def accept(self, seconds: float) -> float:
        return self._model.threshold("group", seconds)


@lru_cache(maxsize=1)
def _speaker_model() -> Model:
    return load_profile(PerceptionSettings().profile).model("speaker_embedding")
