"""The names that are heard in a clip, put down with their sources: by whom and of whom they were said.

Who is meant by a name may show a little later, when somebody answers or a voice finds its face: so the lines of the
last minutes are read again until each is decided. Everything it takes is in the store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from robot_memory.memorization.naming.addressed import addressed
from robot_memory.memorization.naming.meant import REPLY_NS, addressed_one, introduced_one, speaking_one
from robot_memory.memorization.naming.others import presented
from robot_memory.memorization.naming.own import introduced
from robot_memory.memorization.naming.recent import decided, lines_before, stretch_of
from robot_memory.memorization.naming.spelling import spells, spelt
from robot_memory.memorization.naming.stretch import Spoken, Stretch
from robot_memory.memorization.scene import Scene
from robot_memory.memory.people.names import ADDRESSED, INTRODUCED, INTRODUCTION, SPELLING, one_name
from robot_memory.memory.people.people import hear_name
from robot_memory.streams.media import SECOND

JUST_NS = 60 * SECOND  # a name is spelt within a minute


@dataclass(frozen=True)
class _Heard:
    entity: int
    name: str
    source: str
    line: Spoken


def hear_names(db: sqlite3.Connection, scene: Scene) -> None:
    """Put down every name that is clear by the end of a clip, each line's once."""
    lines = lines_before(db, scene)
    new = {said.row for said in scene.utterances}
    if not any(_names(line, line.row in new) for line in lines):
        return
    talk = stretch_of(db, scene, lines)
    known = decided(db, talk)
    for one in _heard(talk, {(row, source) for row, source, _ in known}, new):
        if (one.line.row, one.source, one.name) not in known:
            known.add((one.line.row, one.source, one.name))
            hear_name(db, one.entity, one.name, one.source, scene.clip, one.line.start_ns, one.line.row)


def _names(line: Spoken, new: bool) -> bool:
    """Whether anybody may be named in a line: a quick look, since most lines name nobody."""
    own = new and (bool(introduced(line.text)) or spells(line.text))
    return own or (line.voice is not None and bool(presented(line.text) or addressed(line.text)))


def _heard(talk: Stretch, done: set[tuple[int, str]], new: set[int]) -> Iterator[_Heard]:
    for line in talk.spoken:
        if line.row in new:
            yield from _own(line, talk)
    for line in talk.spoken:
        if line.voice is None or line.end_ns + REPLY_NS > talk.end_ns:  # an answer may come yet
            continue
        if (line.row, INTRODUCED) not in done:
            yield from _others(line, talk)
        if (line.row, ADDRESSED) not in done:
            yield from _addressed(line, talk)


def _own(line: Spoken, talk: Stretch) -> Iterator[_Heard]:
    names = [name for name in introduced(line.text) if not _just_given(name, line, talk)]
    for name in names:
        if (entity := speaking_one(line, name, talk)) is not None:
            yield _Heard(entity, name, INTRODUCTION, line)
    if not spells(line.text):
        return
    if line.voice is not None:
        before = talk.heard(line.start_ns - JUST_NS, line.start_ns)
        names += [name for one in before if one.voice == line.voice for name in introduced(one.text)]
    for name in spelt(line.text, names):
        if (entity := speaking_one(line, name, talk)) is not None:
            yield _Heard(entity, name, SPELLING, line)


def _just_given(name: str, line: Spoken, talk: Stretch) -> bool:
    """Somebody else has just given this name: "Anna, nice to meet you" is said to them."""
    before = talk.heard(line.start_ns - JUST_NS, line.start_ns)
    others = (one for one in before if talk.speaker(one) != talk.speaker(line))
    return any(one_name(name, other) for one in others for other in introduced(one.text))


def _others(line: Spoken, talk: Stretch) -> Iterator[_Heard]:
    given = presented(line.text)
    if len(given) == 1 and (entity := introduced_one(line, given[0], talk)) is not None:
        yield _Heard(entity, given[0].name, INTRODUCED, line)
        for name in spelt(line.text, [given[0].name]) if spells(line.text) else ():
            yield _Heard(entity, name, SPELLING, line)


def _addressed(line: Spoken, talk: Stretch) -> Iterator[_Heard]:
    names = addressed(line.text)
    if len(names) == 1 and (entity := addressed_one(line, names[0], talk)) is not None:
        yield _Heard(entity, names[0], ADDRESSED, line)
