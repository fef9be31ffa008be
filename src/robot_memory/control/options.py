"""What the verbs of an operator share: which memory, through which robot, and in whose name."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from robot_memory.config import StoreSettings
from robot_memory.errors import StoreLocked

if TYPE_CHECKING:
    from robot_memory.control.operator import Corrected, Correction
    from robot_memory.control.upkeep import Finished, Report
    from robot_memory.memory.people.journal import Word

STORE = "the memory (default: memory.sqlite in the robot_memory home)"


class Robot(Protocol):
    """A running robot's memory as its services offer it; `store` is the file that it must be the writer of."""

    def correct(self, store: Path, namespace: str, wanted: Correction, word: Word) -> Corrected: ...

    def reembed(self, store: Path, namespace: str, report: Report) -> Finished: ...

    def reindex(self, store: Path, namespace: str, report: Report) -> Finished: ...

    def consolidate(self, store: Path, namespace: str, report: Report) -> Finished: ...


Running = Callable[[StoreLocked], Robot]  # how to reach whoever holds the lock; raises StoreLocked where that cannot be


@dataclass(frozen=True)
class Memory:
    """Where a memory lies, and how its robot is reached while one runs."""

    path: Path
    namespace: str
    running: Running


@dataclass(frozen=True)
class Said:
    """In whose name a correction is made, and why; an empty actor is who sits at the terminal."""

    actor: str
    reason: str


def add_store(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--store", default="", metavar="FILE", help=STORE)


def add_namespace(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--namespace", default="", help="ROS namespace of the robot, where one is running")


def add_said(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--actor", default="", metavar="NAME", help="who says so, for the journal (default: your login)")
    verb.add_argument("--reason", default="", metavar="WORDS", help="why, for the journal")


def store_of(args: argparse.Namespace) -> Path:
    return StoreSettings(path=args.store).store_path()


def memory_of(args: argparse.Namespace, running: Running) -> Memory:
    return Memory(store_of(args), args.namespace, running)


def said_in(args: argparse.Namespace) -> Said:
    return Said(args.actor, args.reason)
