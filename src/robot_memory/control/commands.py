"""The operator's verbs: finding memories (`search`), who is who (`name`, `merge`, `split`, `undo`, `changes`, `why`),
and the memory's file (`backup`, `restore`, `export`, `import`, `reembed`, `reindex`, `consolidate`).

This only names them: what they do is imported when they run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from robot_memory.config import PerceptionSettings
from robot_memory.control.options import Running, add_namespace, add_said, add_store, memory_of, said_in, store_of

PERSON = "person_4, or a name that only one person goes by"
MODEL_PROFILE = "model profile (default: %(default)s)"
Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def register(verbs: Verbs, running: Running) -> None:
    """Add the verbs. Each sets `func`, which takes the arguments and returns an exit code."""
    _register_search(verbs)
    _register_corrections(verbs, running)
    _register_reading(verbs)
    _register_copies(verbs, running)


def _register_search(verbs: Verbs) -> None:
    verb = _add(verbs, "search", _search, "find memories: by what they say, about whom, when and where")
    verb.add_argument("text", metavar="TEXT", nargs="*", help="what to look for, in words; none: the newest first")
    add = verb.add_argument
    add("--person", action="append", default=[], metavar="PERSON", help=f"about this person, too: {PERSON}")
    add("--kind", choices=("episodic", "semantic"), default="", help="what happened, or what it means")
    add("--since", default="", metavar="TIME", help='not before: 2026-03-02T09:30, yesterday, "last Tuesday"')
    add("--until", default="", metavar="TIME", help="not after")
    add("--when", default="", metavar="WORDS", help='at a time in words, e.g. "last Tuesday", "two weeks ago"')
    add("--at", nargs=2, type=float, metavar=("X", "Y"), help="where the robot was: a point, in metres; with --within")
    add("--within", type=float, metavar="M", help="at most so many metres from --at")
    add("--frame", default="map", help="the frame of --at (default: %(default)s)")
    add("--place", default="", metavar="NAME", help="what names a place, e.g. kitchen")
    add("--session", default="", metavar="ID", help="of one session")
    add("--mode", choices=("hybrid", "vector", "keyword"), default="hybrid", help="what finds (default: %(default)s)")
    add("--as-of", default="", metavar="TIME", help="as it was recorded by then")
    add("--before-clip", type=int, metavar="N", help="as it was recorded up to clip N")
    add("--archived", action="store_true", help="also what was compressed away")
    add("--asker", default="", metavar="PERSON", help='who is "I" in the text')
    add("--limit", type=int, default=10, metavar="N", help="at most so many (default: %(default)s)")
    add("--cursor", default="", metavar="CURSOR", help="go on after a page: its next_cursor in --json")
    add("--explain", action="store_true", help="more on each result: scores, clip, claims")
    add("--json", action="store_true", help="everything as JSON")
    add_store(verb)


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
    verb = _add(verbs, "page", _page, "write the memory as one HTML page: people, the days, what was told, answers")
    verb.add_argument("out", type=Path, metavar="OUT.html", help="the file to write; one that is there is replaced")
    verb.add_argument("--ask", action="append", default=[], metavar="QUESTION", help="a question to answer on it, too")
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
    for name, renew, about in (
        ("reembed", _reembed, "make vectors of other models anew with the profile's"),
        ("reindex", _reindex, "make the index of vectors anew"),
        ("consolidate", _consolidate, "make rules of what repeats: who is where when, what is kept where"),
    ):
        verb = _add(verbs, name, partial(renew, running), about)
        verb.add_argument("--profile", default=PerceptionSettings().profile, help=MODEL_PROFILE)
        add_store(verb)
        add_namespace(verb)


def _add(verbs: Verbs, name: str, func: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
    verb.set_defaults(func=func)
    return verb


def _search(args: argparse.Namespace) -> int:
    from robot_memory.control import searching_terminal as terminal
    from robot_memory.control.searchrequest import SearchInvalid, SearchRequest
    from robot_memory.memory.retrieval.query import Place

    if (args.at is None) != (args.within is None):
        raise SearchInvalid("--at X Y and --within M go together: give both, or neither")
    if args.limit < 1:
        raise SearchInvalid(f"--limit {args.limit}: give a number above 0")
    request = SearchRequest(
        text=" ".join(args.text),
        mode=args.mode,
        kind=args.kind,
        before_clip=args.before_clip,
        session=args.session,
        place=Place(args.at[0], args.at[1], args.within, args.frame) if args.at is not None else None,
        place_name=args.place,
        archived=args.archived,
        limit=args.limit,
        cursor=args.cursor,
    )
    wanted = terminal.Wanted(request, tuple(args.person), args.asker, args.since, args.until, args.when, args.as_of)
    return terminal.search(store_of(args), wanted, terminal.Show(args.explain, args.json), time.time_ns())


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


def _page(args: argparse.Namespace) -> int:
    from robot_memory.control import page_terminal

    return page_terminal.page(store_of(args), args.out, args.ask, time.time_ns())


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


def _reindex(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.reindex(memory_of(args, running), args.profile)


def _consolidate(running: Running, args: argparse.Namespace) -> int:
    from robot_memory.control import copies

    return copies.consolidate(memory_of(args, running), args.profile)
