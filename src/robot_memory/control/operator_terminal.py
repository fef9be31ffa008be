"""An operator's word on a terminal: a change goes into the store's file where nobody else writes it, else through the
services of the robot that does. Reading looks into the file, beside a running robot as well.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from robot_memory.control import history, operator
from robot_memory.control.agent import zone_of
from robot_memory.control.clock import Zone, say, say_date
from robot_memory.control.history import person_meant
from robot_memory.control.operator import TOKEN, Correction, Merge, Name, Split, Undo, login_name
from robot_memory.control.options import Memory, Said
from robot_memory.errors import RobotMemoryError, StoreLocked
from robot_memory.memory.people import explain, votes
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.trouble import StoreDamaged


def name(memory: Memory, said: Said, person: str, name: str) -> int:
    """Give a person a name; an empty one takes it away."""
    return _correct(memory, said, lambda people: Name(person_meant(people, person), name))


def merge(memory: Memory, said: Said, keep: str, other: str) -> int:
    """Two persons are one human."""
    return _correct(memory, said, lambda people: Merge(person_meant(people, keep), person_meant(people, other)))


def split(memory: Memory, said: Said, person: str, entities: Sequence[str]) -> int:
    """Faces and voices of a person are another human's."""
    return _correct(memory, said, lambda people: Split(person_meant(people, person), tuple(entities)))


def undo(memory: Memory, said: Said, change: str) -> int:
    """Take a change back."""
    return _correct(memory, said, lambda people: Undo(change))


def changes(path: Path, subject: str, limit: int) -> int:
    """Print the journal, newest first."""
    if limit < 1:
        raise RobotMemoryError(f"--limit {limit}: give a number above 0")
    with Store(path, readonly=True) as store, store.snapshot() as db:
        if subject and not TOKEN.fullmatch(subject):
            subject = person_meant(People(db), subject)
        page, zone = history.page(store, subject, limit=limit), zone_of(db)
        print("\n".join(_line(entry, zone) for entry in page.entries) or "no changes yet")
        if page.next:
            print(f"… and older ones: --limit {2 * limit}")
    return 0


def why(path: Path, token: str) -> int:
    """Print why a face, a voice or a person is who they are."""
    with Store(path, readonly=True) as store, store.snapshot() as db:
        about = token if TOKEN.fullmatch(token) else person_meant(People(db), token)
        print("\n".join(explain.why(db, about)))
    return 0


@contextmanager
def writing(path: Path) -> Iterator[Store]:
    """A memory that is there, for writing, its votes counted; on standard error what had to be mended. Raises
    StoreLocked.
    """
    if not path.exists():
        Store(path, readonly=True)  # says what is missing, and makes nothing
    with Store(path) as store:
        if store.damage:
            print(f"robot-memory: {store.damage}", file=sys.stderr)
        if votes.uncounted(store.reader()):  # else a correction would part whom they have joined
            with store.write() as db:
                votes.recount(db)
        yield store


def _correct(memory: Memory, said: Said, meant: Callable[[People], Correction]) -> int:
    _heal(memory.path)
    with Store(memory.path, readonly=True) as store, store.snapshot() as db:
        wanted = meant(People(db))
    word = Word(said.actor or login_name(), said.reason, time.time_ns())
    try:
        with writing(memory.path) as store:
            done = operator.correct(store, wanted, word)
    except StoreLocked as locked:
        done = memory.running(locked).correct(memory.path, memory.namespace, wanted, word)
    print(f"change {done.change}: {done.message}" + (f"; new: {done.new_person}" if done.new_person else ""))
    return 0


def _heal(path: Path) -> None:
    """A damaged memory is saved before somebody is looked for in it. Raises StoreLocked where a robot has it open."""
    try:
        with Store(path, readonly=True):
            pass
    except StoreDamaged:
        with writing(path):
            pass


def _line(entry: history.Entry, zone: Zone) -> str:
    one = entry.change
    reason = f" ({one.reason})" if one.reason else ""
    undone = f", taken back by change {one.undone_by}" if one.undone else ""
    return f"{one.id:>5}  {say_date(one.at_ns, zone)} {say(one.at_ns, zone)}  {entry.summary}{reason}{undone}"
