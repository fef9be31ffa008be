"""The Bank: every table of words that a generated world draws from, checked when it is loaded.

Loading raises BankInvalid where a phrase uses a slot that nobody fills.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from robot_memory.evaluation.truth import ATTRIBUTES
from robot_memory.evaluation.worlds.bank import tables
from robot_memory.evaluation.worlds.bank.filling import slots_of
from robot_memory.evaluation.worlds.bank.values import NUMBER, Name, Row, Values, old, read_rows, read_values

SUBJECT = frozenset(("subject", "he", "him", "his"))  # Name.as_subject() gives them
NUMBERED = frozenset(NUMBER["s"])  # {is}, {it} … come with a thing or a topic
VOICES: Mapping[str, frozenset[str]] = {  # voice -> slots beyond those of the value
    "first": frozenset(),
    "third": SUBJECT,
    "negated": frozenset(),  # not so, and perhaps never was
    "negated_third": SUBJECT,
    "ended": frozenset(),  # was so once, is no more
    "corrected": frozenset(),  # right after a wrong value; also takes the old slots, as `changed` does
    "changed": frozenset(),
    "reported": SUBJECT | {"speaker2"},  # the speaker passes on what speaker2 said about subject
}
KINDS_OF_NOT = ("question", "hypothetical", "sarcasm")


@dataclass(frozen=True)
class Bank:
    """Words by table. Phrases are templates for `fill`; the head of each YAML table says what its slots are.

    `statements` [attribute][voice], `not_statements` [attribute][kind of not], `questions` [kind], `question_slots`
    [kind] the slots a caller must give for it, `fillers` [where: inline, opening, closing, restart], `introductions`
    [of: self, other], `rooms` with slots room and room_in, `room_phrases` naming a room to the robot, `days` and
    `clock` with tags weekday (Monday 0), hour and minute.
    """

    names: tuple[Name, ...]
    values: Mapping[str, Values]
    statements: Mapping[str, Mapping[str, tuple[str, ...]]]
    not_statements: Mapping[str, Mapping[str, tuple[str, ...]]]
    questions: Mapping[str, tuple[str, ...]]
    question_slots: Mapping[str, tuple[str, ...]]
    small_talk: tuple[str, ...]
    small_talk_replies: tuple[str, ...]
    acknowledgements: tuple[str, ...]
    greetings: tuple[str, ...]
    farewells: tuple[str, ...]
    fillers: Mapping[str, tuple[str, ...]]
    introductions: Mapping[str, tuple[str, ...]]
    rooms: tuple[Row, ...]
    room_phrases: tuple[str, ...]
    days: tuple[Row, ...]
    clock: tuple[Row, ...]


@cache
def load() -> Bank:
    """The bank that comes with the package, read once. Raises BankInvalid."""
    calendar = tables.read("calendar")
    values = {attribute: read_values(attribute, calendar) for attribute in ATTRIBUTES}
    talk, meeting, rooms = tables.read("small_talk"), tables.read("introductions"), tables.read("rooms")
    questions, slots = _questions()
    return Bank(
        names=_names(),
        values=values,
        statements={attribute: _statements(attribute, values[attribute]) for attribute in ATTRIBUTES},
        not_statements={attribute: _not_statements(attribute, values[attribute]) for attribute in ATTRIBUTES},
        questions=questions,
        question_slots=slots,
        small_talk=tables.phrases(talk, "small_talk", "small_talk.yaml"),
        small_talk_replies=tables.phrases(talk, "small_talk_replies", "small_talk.yaml"),
        acknowledgements=tables.phrases(talk, "acknowledgements", "small_talk.yaml"),
        greetings=tables.phrases(meeting, "greetings", "introductions.yaml", ("name",)),
        farewells=tables.phrases(meeting, "farewells", "introductions.yaml", ("name",)),
        fillers={where: tables.phrases(talk["fillers"], where, "small_talk.yaml") for where in talk["fillers"]},
        introductions={
            "self": tables.phrases(meeting, "self", "introductions.yaml", ("name", "spelled")),
            "other": tables.phrases(meeting, "other", "introductions.yaml", ("name", "he", "him", "his")),
        },
        rooms=read_rows(rooms["rooms"], "rooms.yaml"),
        room_phrases=tables.phrases(rooms, "phrases", "rooms.yaml", ("room", "room_in")),
        days=read_rows(calendar["days"], "calendar.yaml"),
        clock=read_rows(calendar["clock"], "calendar.yaml"),
    )


def _names() -> tuple[Name, ...]:
    table = tables.read("names")["names"]
    rows = tables.rows(table["rows"], ("text", "gender", "sounds"), "names.yaml")
    for row in rows:
        if row["gender"] not in ("f", "m"):
            raise tables.BankInvalid(f"names.yaml: the gender of {row['text']} is {row['gender']!r} — write f or m")
    return tuple(Name(**row) for row in rows)


def _statements(attribute: str, values: Values) -> dict[str, tuple[str, ...]]:
    where = f"statements/{attribute}.yaml"
    table = tables.read(f"statements/{attribute}")
    before = frozenset(old(slot) for slot in values.slots)
    known = {
        voice: values.slots | more | (before if voice in ("corrected", "changed") else frozenset())
        for voice, more in VOICES.items()
    }
    return {voice: tables.phrases(table, voice, where, known[voice]) for voice in VOICES}


def _not_statements(attribute: str, values: Values) -> dict[str, tuple[str, ...]]:
    table = tables.read(f"statements/{attribute}")["not_statements"]
    where = f"statements/{attribute}.yaml, not_statements"
    return {kind: tables.phrases(table, kind, where, values.slots) for kind in KINDS_OF_NOT}


def _questions() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Phrasings by kind, and the slots to give for each kind."""
    found, slots = {}, {}
    for file in ("facts", "own", "sight", "speech"):
        for kind, table in tables.read(f"questions/{file}").items():
            slots[kind] = tuple(str(table["slots"] or "").split())
            found[kind] = _phrasings(table, slots[kind], f"questions/{file}.yaml, {kind}")
    return found, slots


def _phrasings(table: Mapping[str, Any], slots: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Pronouns may stand beside a name or a thing, never in its stead: each question names all it asks about."""
    beside = (SUBJECT if "subject" in slots else frozenset()) | (NUMBERED if "thing" in slots else frozenset())
    found = tables.phrases(table, "phrasings", where, beside.union(slots))
    for template in found:
        named = {_stem(slot) for slot in slots_of(template)}
        if lacking := {_stem(slot) for slot in slots} - named:
            raise tables.BankInvalid(f"{where}: {template!r} lacks {', '.join(sorted(lacking))} — name all it asks for")
    return found


def _stem(slot: str) -> str:
    return slot.removesuffix("_np")  # a question names its relation with or without an article
