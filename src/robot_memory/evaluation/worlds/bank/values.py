"""Names, and the values of attributes: what a fact records, and the forms of it that phrases use.

A value is made of one row of each of its attribute's parts (what × day × time). Draws follow the given random.Random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from robot_memory.evaluation.worlds.bank import tables
from robot_memory.evaluation.worlds.bank.filling import put
from robot_memory.evaluation.worlds.bank.tables import BankInvalid

NUMBER = {  # a column `number` says whether a word is singular or plural, and gives these slots
    "s": {"is": "is", "isnt": "isn't", "was": "was", "has": "has", "it": "it", "it_is": "it's", "them": "it"},
    "p": {
        "is": "are",
        "isnt": "aren't",
        "was": "were",
        "has": "have",
        "it": "they",
        "it_is": "they're",
        "them": "them",
    },
}
PRONOUNS = {"f": ("she", "her", "her"), "m": ("he", "him", "his")}


@dataclass(frozen=True)
class Name:
    """A given name. `gender` f or m; names with the same `sounds` sound alike (empty: like no other here)."""

    text: str
    gender: str
    sounds: str = ""

    def as_subject(self) -> dict[str, str]:
        """The slots of whom a phrase is about: subject, he, him, his."""
        he, him, his = PRONOUNS[self.gender]
        return {"subject": self.text, "he": he, "him": him, "his": his}


@dataclass(frozen=True)
class Row:
    """One row of a part: the slots it fills, and tags about it that no phrase shows (weekday, hour, gender, kind)."""

    slots: Mapping[str, str]
    tags: Mapping[str, str]


@dataclass(frozen=True)
class Value:
    """What a fact records (`text`), the slots it fills, its tags, and the row of each part it is made of."""

    text: str
    slots: Mapping[str, str]
    tags: Mapping[str, str]
    rows: Mapping[str, Row] = field(repr=False)

    def as_old(self) -> dict[str, str]:
        """The slots of a value that no longer holds: old, old_np, old_day …"""
        return {old(slot): text for slot, text in self.slots.items()}


def old(slot: str) -> str:
    """The slot of the value before: value -> old, value_np -> old_np, day -> old_day."""
    return "old" if slot == "value" else f"old_{slot.removeprefix('value_')}"


@dataclass(frozen=True)
class Values:
    """All values of an attribute. `pattern` makes a fact's text of the slots; `given` slots come from the caller.

    A change or correction keeps the parts in `kept`; a tag named in `holds` stays as it is (a sister becomes a wife,
    not a husband), one named in `flips` does not. `usual`: the tags of a draw that does not ask for others; `voices`:
    the tags a value needs to be said in some voices (only some relations can end).
    """

    attribute: str
    pattern: str
    parts: Mapping[str, tuple[Row, ...]]
    given: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    holds: str = ""
    flips: str = ""
    usual: Mapping[str, str] = field(default_factory=dict)
    voices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def slots(self) -> frozenset[str]:
        """Every slot that a value or the caller fills."""
        return frozenset(slot for part in self.parts.values() for slot in part[0].slots) | frozenset(self.given)

    def draw(self, rng: Random, where: Mapping[str, str] | None = None, voice: str = "", **given: str) -> Value:
        """A value whose tags are as in `where` (a row without the tag, or with `*`, fits) and as the voice needs."""
        wanted = {**self.usual, **self.voices.get(voice, {}), **(where or {})}
        chosen: dict[str, Row] = {}
        for name in self.parts:
            chosen[name] = rng.choice(self._fitting(name, self._agreeing(chosen) | wanted))
        return self._of(chosen, given)

    def another(
        self, rng: Random, value: Value, where: Mapping[str, str] | None = None, voice: str = "", **given: str
    ) -> Value:
        """What `value` became or should have been: the kept parts stay, every other part differs."""
        wanted = {**self.voices.get(voice, {}), **(where or {})}
        chosen = {name: value.rows[name] for name in self.kept}
        for name in (part for part in self.parts if part not in self.kept):
            before, fitting = value.rows[name], self._fitting(name, self._agreeing(chosen) | wanted)
            chosen[name] = rng.choice([row for row in fitting if row is not before and self._follows(row, before)])
        return self._of(chosen, {slot: value.slots[slot] for slot in self.given} | given)

    def find(self, text: str) -> Value | None:
        """The value recorded as `text`, where the attribute has one part."""
        (name,) = self.parts
        return next((one for row in self.parts[name] if (one := self._of({name: row}, {})).text == text), None)

    def all(self, **given: str) -> Iterator[Value]:
        """Every product of the parts, tags or no tags."""
        for rows in product(*self.parts.values()):
            yield self._of(dict(zip(self.parts, rows)), given)

    def _agreeing(self, chosen: Mapping[str, Row]) -> dict[str, str]:
        """The tags that the next part must share with the parts already chosen: a big thing wants a big place."""
        return {tag: text for row in chosen.values() for tag, text in row.tags.items() if text != "*"}

    def _fitting(self, name: str, wanted: Mapping[str, str]) -> list[Row]:
        rows = [row for row in self.parts[name] if all(row.tags.get(tag, "*") in ("*", wanted[tag]) for tag in wanted)]
        if not rows:
            raise BankInvalid(f"values of {self.attribute}: no {name} has {dict(wanted)} — ask for tags it has")
        return rows

    def _follows(self, row: Row, before: Row) -> bool:
        held = self.holds not in row.tags or row.tags[self.holds] in ("*", before.tags[self.holds])
        return held and (self.flips not in row.tags or row.tags[self.flips] != before.tags[self.flips])

    def _of(self, rows: Mapping[str, Row], given: Mapping[str, str]) -> Value:
        slots = {slot: text for row in rows.values() for slot, text in row.slots.items()} | dict(given)
        tags = {tag: text for row in rows.values() for tag, text in row.tags.items()}
        return Value(put(self.pattern, slots), slots, tags, rows)


def read_values(attribute: str, calendar: Mapping[str, Any]) -> Values:
    """The table values/ATTRIBUTE.yaml. Raises BankInvalid."""
    where = f"values/{attribute}.yaml"
    table = tables.read(f"values/{attribute}")
    parts = {}
    for name, part in table["parts"].items():
        source = calendar[part["table"]] if "table" in part else part
        parts[name] = read_rows(source, f"{where}, {name}")
    return Values(
        attribute,
        table["text"],
        parts,
        tuple(table.get("given", "").split()),
        tuple(table.get("kept", "").split()),
        table.get("holds", ""),
        table.get("flips", ""),
        table.get("usual", {}),
        table.get("voices", {}),
    )


def read_rows(part: Mapping[str, Any], where: str) -> tuple[Row, ...]:
    """Rows with their `columns`: plain ones are slots, those with a leading underscore tags."""
    return tuple(_row(cells, where) for cells in tables.rows(part["rows"], tuple(part["columns"].split()), where))


def _row(cells: Mapping[str, str], where: str) -> Row:
    slots = {column: cell for column, cell in cells.items() if column[0] != "_" and column != "number"}
    number = cells.get("number", "")
    if "number" in cells and number not in NUMBER:
        raise BankInvalid(f"{where}: the number of {slots} is {number!r} — write s (singular) or p (plural)")
    tags = {column[1:]: cell for column, cell in cells.items() if column[0] == "_"}
    return Row({**slots, **NUMBER.get(number, {})}, tags)
