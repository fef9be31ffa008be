"""Memory on a terminal, read straight from the store: works while a robot is running and when none is."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from robot_memory.config import AnswerSettings, PerceptionSettings
from robot_memory.control import roster
from robot_memory.control.agent import Agent, now_for, zone_of
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.clock import say, say_date, say_span
from robot_memory.control.policy import ReflexPolicy
from robot_memory.control.service import models_of, profile_of
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store
from robot_memory.memory.tokens import with_names
from robot_memory.streams.working import WorkingMemory


def ask(path: Path, text: str, wall_ns: int, as_json: bool) -> int:
    """Answer a question from the store; exit code 0 if answered, 2 if not."""
    with Store(path, readonly=True) as store:
        answer = Asking(store).answer(text, wall_ns)
        print(
            json.dumps({**asdict(answer), "outcome": answer.outcome.name}, indent=1, ensure_ascii=False)
            if as_json
            else "\n".join(answer_lines(answer))
        )
    return 0 if answer.outcome is Outcome.ANSWERED else 2


class Asking:
    """Answers questions from a store that nobody need be writing, with the models that it was made with."""

    def __init__(self, store: Store) -> None:
        """Raises ModelMissing."""
        self._store, self._settings = store, AnswerSettings()
        profile = profile_of(store.reader())
        embedder = open_text_embedder(profile.model("text_embedding"))
        graph = MemoryGraph(store, models_of(profile))
        self._agent = Agent(graph, embedder, ReflexPolicy(), WorkingMemory(), self._settings.force_answer)

    def answer(self, text: str, wall_ns: int) -> Answer:
        question = Question("terminal", text, now_for(self._store.reader(), wall_ns))
        return self._agent.answer(question, self._settings.max_rounds, self._settings.budget_s)


def answer_lines(answer: Answer) -> Iterator[str]:
    """An answer with its evidence, for reading."""
    yield answer.text or answer.message
    if answer.message and answer.message != answer.text and answer.text:
        yield f"  ({answer.message})"
    for one in answer.evidence[:5]:
        yield f"  evidence: memory {one.memory}, clip {one.clip}: {one.text}"
    if len(answer.evidence) > 5:
        yield f"  and {len(answer.evidence) - 5} more"


def who(path: Path, crops: Path | None) -> int:
    """Print everyone known; write their pictures into `crops` if given."""
    with _view(path) as db:
        print("\n".join(people_lines(db, crops)) or "nobody yet")
    return 0


def who_is(path: Path, file: Path) -> int:
    """Print whose the faces in a picture or the voices in a recording are; 2 where nobody known is among them."""
    from robot_memory.control.recognise import recognise

    with _view(path) as db:
        found = recognise(db, file, PerceptionSettings())
    print("\n".join(one.line() for one in found) or f"nobody is to be seen or heard in {file}")
    return 0 if any(one.person for one in found) else 2


def people_lines(db: sqlite3.Connection, crops: Path | None) -> Iterator[str]:
    """A line a person: id, name, faces and voices, when there, and where the picture was written."""
    zone = zone_of(db)
    for one in roster.people(db):
        members = ", ".join((*one.faces, *one.voices))
        first, last = say_date(one.first_ns, zone), say_date(one.last_ns, zone)
        times = say_span(one.first_ns, one.last_ns, zone)
        if first != last:
            times = f"{first} {say(one.first_ns, zone)} to {last} {say(one.last_ns, zone)}"
        elif first:
            times = f"{first}, {times}"
        line = f"{one.id}: {one.description} ({members}), {times}"
        if crops is not None and one.crop_uri:
            line += f", picture {write_crop(db, one.crop_uri, crops / f'{one.id}.jpg')}"
        yield line


def write_crop(db: sqlite3.Connection, uri: str, path: Path) -> Path:
    """Write a face's best picture, readable by its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(roster.crop(db, uri))
    return path


def timeline(path: Path) -> int:
    """Print everything remembered, in order of time."""
    with _view(path) as db:
        print("\n".join(timeline_lines(db)) or "nothing yet")
    return 0


def timeline_lines(db: sqlite3.Connection) -> Iterator[str]:
    """A line a memory: when, and the sentence with names as known now."""
    zone, people, day = zone_of(db), People(db), ""
    for row in db.execute("SELECT start_ns, text FROM memories ORDER BY start_ns, id"):
        if (date := say_date(row["start_ns"], zone)) != day:
            day = date
            yield day
        yield f"{say(row['start_ns'], zone)}  {with_names(row['text'], people.name_of)}"


@contextmanager
def _view(path: Path) -> Iterator[sqlite3.Connection]:
    with Store(path, readonly=True) as store, store.snapshot() as db:
        yield db
