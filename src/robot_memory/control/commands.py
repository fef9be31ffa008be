"""The operator's verbs: who is who (`name`, `merge`, `split`, `undo`, `changes`, `why`), and the memory's file
(`backup`, `restore`, `export`, `import`, `reembed`).

This only names them: what they do is imported when they run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from robot_memory.config import PerceptionSettings
from robot_memory.control.options import Running, add_namespace, add_said, add_store, memory_of, said_in, store_of

PERSON = "person_4, or a name that only one person goes by"
Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def register(verbs: Verbs, running: Running) -> None:
    """Add the verbs. Each sets `func`, which takes the arguments and returns an exit code."""
    _register_corrections(verbs, running)
    _register_reading(verbs)
    _register_copies(verbs, running)


def _register_corrections(verbs: Verbs, running: Running) -> None:
    verb = _add(verbs, "name", partial(_name, running), "give a person a name, or take it away")
    verb.add_argument("person", metavar="PERSON", help=PERSON)
    verb.add_argument("name", metavar="NAME", help="an empty one, '', takes the name away")
    other = _add(verbs, "merge", partial(_merge, running), "say that two persons are one human")
    other.add_argument("keep", metavar="KEEP", help=PERSON)
    other.add_argument("other", metavar="OTHER", help="the same; its id becomes another one of KEEP's")
    parted = _add(verbs, "split", partial(_split, running), "say that one person is two humans")
    parted.add_argument("person", metavar="PERSON", help=PERSON)
    parted.add_argument("entities", metavar="ENTITY", nargs="+", help="a face or voice that leaves: face_3, voice_7")
    undone = _add(verbs, "undo", partial(_undo, running), "take a change of who is who back")
    undone.add_argument("change", metavar="CHANGE", help="its number: `robot-memory changes` lists them")
    for one in (verb, other, parted, undone):
        add_store(one)
        add_said(one)
        add_namespace(one)


def _register_reading(verbs: Verbs) -> None:
    verb = _add(verbs, "changes", _changes, "list what was changed about people, by whom and why, newest first")
    verb.add_argument("subject", metavar="SUBJECT", nargs="?", default="", help=f"{PERSON}, or face_3, voice_7")
    verb.add_argument("--limit", type=int, default=20, metavar="N", help="at most so many (default: %(default)s)")
    add_store(verb)
    verb = _add(verbs, "why", _why, "explain why a face, a voice or a person is who they are")
    verb.add_argument("token", metavar="TOKEN", help="face_3, voice_7, person_4, or a name")
    add_store(verb)


def _register_copies(verbs: Verbs, running: Running) -> None:
    for name, func, about, file in (
        ("backup", _backup, "copy the memory to a file, while the robot runs, too", "a new file"),
        ("restore", _restore, "put a backup in the memory's place; what was there is kept aside", "a backup"),
        ("export", _export, "write the memory as JSON lines", "a new file"),
        ("import", _import, "make a memory of exported JSON lines", "what `robot-memory export` wrote"),
    ):
        verb = _add(verbs, name, func, about)
        verb.add_argument("file", type=Path, metavar="FILE", help=file)
        add_store(verb)
    verb = _add(verbs, "reembed", partial(_reembed, running), "make vectors of other models anew with the profile's")
    verb.add_argument("--profile", default=PerceptionSettings().profile, help="model profile (default: %(default)s)")
    add_store(verb)
    add_namespace(verb)


def _add(verbs: Verbs, name: str, func: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
    verb.set_defaults(func=func)
    return verb


def _name(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import operator_terminal

    return operator_terminal.name(memory_of(args, running), said_in(args), args.person, args.name)


def _merge(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import operator_terminal

    return operator_terminal.merge(memory_of(args, running), said_in(args), args.keep, args.other)


def _split(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import operator_terminal

    return operator_terminal.split(memory_of(args, running), said_in(args), args.person, args.entities)


def _undo(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import operator_terminal

    return operator_terminal.undo(memory_of(args, running), said_in(args), args.change)


def _changes(args: argparse.Namespace) -> int:
    from robot_memory.control import operator_terminal

    return operator_terminal.changes(store_of(args), args.subject, args.limit)


def _why(args: argparse.Namespace) -> int:
    from robot_memory.control import operator_terminal

    return operator_terminal.why(store_of(args), args.token)


def _backup(args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.backup(store_of(args), args.file)


def _restore(args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.restore(store_of(args), args.file)


def _export(args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.export(store_of(args), args.file)


def _import(args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.take_in(store_of(args), args.file)


def _reembed(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.reembed(memory_of(args, running), args.profile)
