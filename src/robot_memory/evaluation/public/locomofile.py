"""Reads a LoCoMo file (Maharana et al. 2024): conversations of two people over months, and questions about them.

Understands the file as published (locomo10.json) and the plainer form `[{id, speakers, sessions, qa}]`. What is
missing or of the wrong kind is reported with its place; evidence ids that name no turn are counted, not fatal: the
published file has some.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import jsonfile
from robot_memory.evaluation.jsonfile import Wrong, listing, mapping, text
from robot_memory.streams.media import SECOND

DATES = ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %B %Y", "%H:%M on %d %B, %Y")
CATEGORIES = range(1, 6)
ADVERSARIAL = 5
TURN_ID = re.compile(r"D:?(\d{1,9}):(\d{1,9})(?!\d)")
PUBLISHED_SESSION = re.compile(r"session_(\d{1,9})")


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
    known = jsonfile.load(path, LocomoUnreadable, "give locomo10.json as published: --data FILE")
    try:
        if not isinstance(known, list) or not known:
            raise Wrong("the file holds no list of conversations")
        found = tuple(_conversation(one, n) for n, one in enumerate(known, start=1))
        _check_ids("conversation", (one.id for one in found))
        return found
    except Wrong as wrong:
        raise LocomoUnreadable(f"{path}: {wrong} — is this a LoCoMo file (locomo10.json)?") from None


def _conversation(one: Any, number: int) -> Conversation:
    fields = mapping(one, f"conversation {number}")
    name = text(fields, "id" if "id" in fields else "sample_id", f"conversation {number}")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise Wrong(f"conversation {number}: the id {name[:40]!r} is not 1 to 40 letters, digits, _ and -")
    listed = fields["sessions"] if "sessions" in fields else _published(fields, name)
    sittings = tuple(_sitting(s, f"{name}, session {n}") for n, s in enumerate(listing(listed, f"{name}: sessions"), 1))
    turns = [turn.id for sitting in sittings for turn in sitting.turns]
    if not turns:
        raise Wrong(f"{name}: nobody says anything")
    _check_ids(f"{name}: turn", turns)
    rows = listing(fields.get("qa"), f"{name}: qa")
    askings = tuple(_asking(row, f"{name}, question {n}", frozenset(turns)) for n, row in enumerate(rows, start=1))
    return Conversation(name, tuple(sorted(sittings, key=lambda sitting: sitting.date)), askings)


def _published(fields: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """The sessions of the file as published: numbered keys, captions and ids under other names."""
    talk = mapping(fields.get("conversation"), f"{where}: conversation")
    numbered = sorted((int(match[1]), key) for key in talk if (match := PUBLISHED_SESSION.fullmatch(key)))
    sessions = []
    for number, key in numbered:
        rows = [mapping(row, f"{where}, session {number}") for row in listing(talk[key], f"{where}: {key}")]
        turns = [{**row, "id": row.get("dia_id"), "image": row.get("blip_caption")} for row in rows]
        sessions.append({"date": talk.get(f"{key}_date_time"), "turns": turns})
    return [session for session in sessions if session["turns"]]


def _sitting(one: Any, where: str) -> Sitting:
    fields = mapping(one, where)
    rows = listing(fields.get("turns"), f"{where}: turns")
    return Sitting(
        _date(text(fields, "date", where), where), tuple(_turn(r, f"{where}, turn {n}") for n, r in enumerate(rows, 1))
    )


def _turn(row: Any, where: str) -> Turn:
    fields = mapping(row, where)
    speaker = text(fields, "speaker", where).strip()
    if not speaker:
        raise Wrong(f"{where}: 'speaker' is empty")
    return Turn(text(fields, "id", where), speaker, text(fields, "text", where), text(fields, "image", where, ""))


def _asking(row: Any, where: str, turns: frozenset[str]) -> Asking:
    fields = mapping(row, where)
    category = fields.get("category")
    if type(category) is not int or category not in CATEGORIES:
        raise Wrong(f"{where}: 'category' is {category!r}, not a whole number from 1 to 5")
    evidence, lost = _evidence(listing(fields.get("evidence", []), f"{where}: evidence"), turns)
    answer = text(fields, "answer", where, "" if category == ADVERSARIAL else None)
    trap = text(fields, "adversarial_answer", where, "")
    return Asking(text(fields, "question", where), answer, trap, category, evidence, lost)


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
    raise Wrong(f"{where}: 'date' is {written!r}, not like '1:56 pm on 8 May, 2023'")


def nanoseconds(moment: datetime) -> int:
    """Since 1970."""
    return int(moment.timestamp()) * SECOND


def _check_ids(what: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise Wrong(f"{what} {one!r} is there twice")
        seen.add(one)
