"""Reads a LoCoMo file (Maharana et al. 2024): conversations of two people over months, and questions about them.

Understands the file as published (locomo10.json) and the plainer form `[{id, speakers, sessions, qa}]`. What is
missing or of the wrong kind is reported with its place; evidence ids that name no turn are counted, not fatal: the
published file has some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.streams.media import SECOND

DATES = ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %B %Y", "%H:%M on %d %B, %Y")
CATEGORIES = range(1, 6)
ADVERSARIAL = 5
TURN_ID = re.compile(r"D:?(\d+):(\d+)")
PUBLISHED_SESSION = re.compile(r"session_(\d+)")


class LocomoUnreadable(RobotMemoryError):
    """A LoCoMo file is missing, is no JSON, or lacks what a conversation needs."""


@dataclass(frozen=True)
class Turn:
    """Something said. `image` is the caption of a picture shared with it, or empty."""

    id: str
    speaker: str
    text: str
    image: str


@dataclass(frozen=True)
class Sitting:
    """What LoCoMo calls a session: the turns of one meeting. `date` is UTC, the file names no zone."""

    date: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Asking:
    """A question. `evidence` holds ids of turns that exist; `lost` counts those that do not."""

    question: str
    answer: str
    trap: str
    category: int
    evidence: tuple[str, ...]
    lost: int


@dataclass(frozen=True)
class Conversation:
    id: str
    sittings: tuple[Sitting, ...]
    askings: tuple[Asking, ...]

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(turn for sitting in self.sittings for turn in sitting.turns)


def load(path: Path) -> tuple[Conversation, ...]:
    """Every conversation of the file. Raises LocomoUnreadable."""
    try:
        known = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise LocomoUnreadable(f"{path}: cannot be read ({error.strerror}) — give a LoCoMo file: --data") from error
    except ValueError as error:
        raise LocomoUnreadable(f"{path}: is no JSON ({error}) — download locomo10.json of LoCoMo again") from error
    try:
        if not isinstance(known, list) or not known:
            raise _Wrong("the file holds no list of conversations")
        found = tuple(_conversation(one, n) for n, one in enumerate(known, start=1))
        _check_ids("conversation", (one.id for one in found))
        return found
    except _Wrong as wrong:
        raise LocomoUnreadable(f"{path}: {wrong} — is this a LoCoMo file (locomo10.json)?") from None


class _Wrong(ValueError):
    """What is wrong, and where."""


def _conversation(one: Any, number: int) -> Conversation:
    fields = _object(one, f"conversation {number}")
    name = _text(fields, "id" if "id" in fields else "sample_id", f"conversation {number}")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise _Wrong(f"conversation {number}: the id {name[:40]!r} is not 1 to 40 letters, digits, _ and -")
    listed = fields["sessions"] if "sessions" in fields else _published(fields, name)
    sittings = tuple(_sitting(s, f"{name}, session {n}") for n, s in enumerate(_list(listed, f"{name}: sessions"), 1))
    turns = [turn.id for sitting in sittings for turn in sitting.turns]
    if not turns:
        raise _Wrong(f"{name}: nobody says anything")
    _check_ids(f"{name}: turn", turns)
    rows = _list(fields.get("qa"), f"{name}: qa")
    askings = tuple(_asking(row, f"{name}, question {n}", frozenset(turns)) for n, row in enumerate(rows, start=1))
    return Conversation(name, tuple(sorted(sittings, key=lambda sitting: sitting.date)), askings)


def _published(fields: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """The sessions of the file as published: numbered keys, captions and ids under other names."""
    talk = _object(fields.get("conversation"), f"{where}: conversation")
    numbers = sorted(int(match[1]) for key in talk if (match := PUBLISHED_SESSION.fullmatch(key)))
    sessions = []
    for number in numbers:
        rows = [_object(row, f"{where}, session {number}") for row in _list(talk[f"session_{number}"], where)]
        turns = [{**row, "id": row.get("dia_id"), "image": row.get("blip_caption")} for row in rows]
        sessions.append({"date": talk.get(f"session_{number}_date_time"), "turns": turns})
    return [session for session in sessions if session["turns"]]


def _sitting(one: Any, where: str) -> Sitting:
    fields = _object(one, where)
    rows = _list(fields.get("turns"), f"{where}: turns")
    return Sitting(
        _date(_text(fields, "date", where), where), tuple(_turn(r, f"{where}, turn {n}") for n, r in enumerate(rows, 1))
    )


def _turn(row: Any, where: str) -> Turn:
    fields = _object(row, where)
    speaker = _text(fields, "speaker", where).strip()
    if not speaker:
        raise _Wrong(f"{where}: 'speaker' is empty")
    return Turn(_text(fields, "id", where), speaker, _text(fields, "text", where), _text(fields, "image", where, ""))


def _asking(row: Any, where: str, turns: frozenset[str]) -> Asking:
    fields = _object(row, where)
    category = fields.get("category")
    if type(category) is not int or category not in CATEGORIES:
        raise _Wrong(f"{where}: 'category' is {category!r}, not a whole number from 1 to 5")
    evidence, lost = _evidence(_list(fields.get("evidence", []), f"{where}: evidence"), turns)
    answer = _text(fields, "answer", where, "" if category == ADVERSARIAL else None)
    trap = _text(fields, "adversarial_answer", where, "")
    return Asking(_text(fields, "question", where), answer, trap, category, evidence, lost)


def _evidence(listed: Iterable[Any], turns: frozenset[str]) -> tuple[tuple[str, ...], int]:
    """Ids that exist, each once, and how many did not. "D8:6; D9:17" is two, "D:11:26" and "D11:026" are D11:26."""
    found: dict[str, None] = {}
    lost = 0
    for entry in listed:
        ids = [f"D{int(session)}:{int(turn)}" for session, turn in TURN_ID.findall(str(entry))] or [str(entry)]
        found |= {one: None for one in ids if one in turns}
        lost += sum(one not in turns for one in ids)
    return tuple(found), lost


def _date(written: str, where: str) -> datetime:
    for form in DATES:
        try:
            return datetime.strptime(written.strip(), form).replace(tzinfo=timezone.utc)
        except ValueError:
            continue
    raise _Wrong(f"{where}: 'date' is {written!r}, not like '1:56 pm on 8 May, 2023'")


def nanoseconds(moment: datetime) -> int:
    """Since 1970."""
    return int(moment.timestamp()) * SECOND


def _check_ids(what: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise _Wrong(f"{what} {one!r} is there twice")
        seen.add(one)


def _object(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise _Wrong(f"{where} is {_kind(found)}, not an object")
    return found


def _list(found: Any, where: str) -> list[Any]:
    if not isinstance(found, list):
        raise _Wrong(f"{where} is {_kind(found)}, not a list")
    return found


def _text(fields: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A text; numbers, which some answers are, become text."""
    found = fields.get(key)
    if found is None:
        found = default
    if found is None:
        raise _Wrong(f"{where}: {key!r} is missing")
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        raise _Wrong(f"{where}: {key!r} is {_kind(found)}, not text")
    return str(found)


def _kind(found: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return "missing" if found is None else names.get(type(found), type(found).__name__)
