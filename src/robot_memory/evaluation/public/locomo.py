"""LoCoMo (Maharana et al. 2024) as trials: months of talk between two people, each turn a turn of speech.

A conversation becomes one trial and each of its sittings a session of its own, on a grid of 30 s clips from its date;
turns follow one another, each as long as its words take. Voices are perfect, faces there are none. A picture that is
shared is heard as its caption, "[shares a picture: …]", unless `captions` is off: much of the evidence lies there.
All questions are asked when all is said. LoCoMo is for research use only (CC BY-NC).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from robot_memory.evaluation.cells import direction
from robot_memory.evaluation.public.locomofile import ADVERSARIAL, Asking, Conversation, Turn, load, nanoseconds
from robot_memory.evaluation.trial import HEARD, Clip, Expected, Moment, Question, Trial
from robot_memory.evaluation.truth import Said, Truth
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, SpeechTurn, Vector
from robot_memory.streams.sessions import Session

CLIP_NS = 30 * SECOND
WORD_NS = 2 * SECOND // 5  # 150 words a minute
PAUSE_NS = SECOND // 2
ZONE = "UTC"  # the files name none
DIMENSION, NOISE = 256, 0.25  # a speaker's turns are 0.94 alike
# LoCoMo's categories in our words; 5 is mostly a question of category 4 about the wrong person
TYPES = {1: "multi-hop", 2: "time", 3: "general", 4: "multi-detail", ADVERSARIAL: "multi-detail"}


@dataclass(frozen=True)
class _Sat:
    """A session and what was said in it: (turn, line) in order of time, no two at once."""

    session: Session
    said: tuple[tuple[Turn, Said], ...]


@dataclass(frozen=True)
class LocomoSource:
    """One conversation of a file, opened when it is needed."""

    path: Path
    id: str
    captions: bool = True

    @property
    def name(self) -> str:
        return f"locomo {self.id}"

    def open(self) -> Trial:
        """Raises LocomoUnreadable."""
        return next(trial(one, self.captions) for one in load(self.path) if one.id == self.id)


def sources(path: Path, captions: bool = True) -> list[LocomoSource]:
    """A source for each conversation of the file. Raises LocomoUnreadable."""
    return [LocomoSource(path, one.id, captions) for one in load(path)]


def trials(path: Path, captions: bool = True) -> list[Trial]:
    """Every conversation of the file as a trial. Raises LocomoUnreadable."""
    return [trial(one, captions) for one in load(path)]


def trial(talk: Conversation, captions: bool = True) -> Trial:
    sat = _timed(talk, captions)
    lines = {turn.id: line for one in sat for turn, line in one.said}
    ordered = tuple(lines.values())
    people = tuple(sorted({line.who for line in ordered}))
    end_ns = _end_ns(ordered[-1], sat[-1].session)
    truth = Truth(f"locomo-{talk.id}", ZONE, ordered[0].start_ns, end_ns, people, (), ordered)
    questions = tuple(
        _question(asking, f"{talk.id}-{n}", truth.end_ns, lines) for n, asking in enumerate(talk.askings, start=1)
    )
    models = {"transcription": "oracle (the text as published)", "speaker_embedding": "oracle"}
    return Trial(f"locomo {talk.id}", truth, questions, partial(_clips, talk.id, sat), models, by_words=True)


def _end_ns(last: Said, session: Session) -> int:
    """When the last clip is closed and its last turn over."""
    assert session.origin_ns is not None
    return max(last.end_ns, session.origin_ns + ((last.start_ns - session.origin_ns) // CLIP_NS + 1) * CLIP_NS)


def words_of(turn: Turn, captions: bool = True) -> str:
    """What is heard of a turn."""
    shared = f"[shares a picture: {turn.image}]" if captions and turn.image else ""
    return " ".join(part for part in (turn.text.strip(), shared) if part)


def _timed(talk: Conversation, captions: bool) -> tuple[_Sat, ...]:
    """Every turn at its time. A sitting that would begin before the last one ended begins right after it."""
    sat, free_ns = [], 0
    for number, sitting in enumerate(talk.sittings, start=1):
        start_ns = at_ns = max(nanoseconds(sitting.date), free_ns)
        said = []
        for turn in sitting.turns:
            text = words_of(turn, captions)
            end_ns = at_ns + max(SECOND, len(text.split()) * WORD_NS)
            said.append((turn, Said(turn.speaker, at_ns, end_ns, text)))
            at_ns = end_ns + PAUSE_NS
        free_ns = at_ns + CLIP_NS
        name = f"{talk.id}-s{number}"
        session = Session(name, f"locomo/{name}", name, zone=ZONE, clock="locomo", origin_ns=start_ns)
        sat.append(_Sat(session, tuple(said)))
    return tuple(sat)


def _question(asking: Asking, name: str, at_ns: int, lines: dict[str, Said]) -> Question:
    """Nothing supports an answer to an adversarial question, so it has no evidence, only the trap."""
    kind = TYPES[asking.category]
    if asking.category == ADVERSARIAL:
        traps = (asking.trap,) if asking.trap else ()
        return Question(name, asking.question, at_ns, kind, Expected("none", traps=traps))
    moments = tuple(Moment(lines[one].start_ns, lines[one].end_ns, HEARD) for one in asking.evidence)
    return Question(name, asking.question, at_ns, kind, Expected("text", (asking.answer,)), moments)


def _clips(talk: str, sat: Sequence[_Sat]) -> Iterator[Clip]:
    for one in sat:
        assert one.session.origin_ns is not None
        slots: dict[int, list[Said]] = {}
        for _, line in one.said:
            slots.setdefault((line.start_ns - one.session.origin_ns) // CLIP_NS, []).append(line)
        for slot in range(max(slots, default=-1) + 1):
            yield _clip(talk, one.session, slot, slots.get(slot, []))


def _clip(talk: str, session: Session, slot: int, said: Sequence[Said]) -> Clip:
    """A turn belongs whole to the clip in which it begins."""
    assert session.origin_ns is not None
    start_ns = session.origin_ns + slot * CLIP_NS
    speakers = list(dict.fromkeys(line.who for line in said))
    turns = tuple(
        SpeechTurn(line.start_ns, line.end_ns, line.text, speakers.index(line.who), _voice(talk, line), 1.0, 0.0)
        for line in said
    )
    observation = ClipObservation(session.id, slot, start_ns, start_ns + CLIP_NS, turns=turns, audio_s=30.0)
    return Clip(observation, session, (), tuple(line.who for line in said), tuple(line.text for line in said))


def _voice(talk: str, line: Said) -> Vector:
    own = direction(f"{talk}/{line.who}", "voice", DIMENSION)
    turned = own + NOISE * direction(f"{talk}/{line.who}/{line.start_ns}", "voice", DIMENSION)
    unit: Vector = (turned / np.linalg.norm(turned)).astype(np.float32)
    return unit
