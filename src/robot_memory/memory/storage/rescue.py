"""A damaged memory is kept aside and everything readable in it goes into a new file, counted table by table.

SQLite reads what it still can, from both ends of each table; what it cannot is read page by page (`torn`). The new
file is whole before it takes the old one's place, so a kill or a full disk on the way leaves the damaged file where it
was, and the next start begins again.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from robot_memory.memory.storage import files
from robot_memory.memory.storage.filling import carried, new_file
from robot_memory.memory.storage.readable import Readable
from robot_memory.memory.storage.repair import Repaired, count, repair
from robot_memory.memory.storage.sense import VECTORS, mended, nonsense
from robot_memory.memory.storage.tables import Table, Value
from robot_memory.memory.storage.torn import Found, TornFile
from robot_memory.memory.storage.trouble import telling

LOG = logging.getLogger("robot_memory.memory")
ACTION = "rescue"  # of the journal's entry


@dataclass(frozen=True)
class Loss:
    """What became of one table: rows that were saved, and rows known to be lost. Of the latter, some were made anew
    because others belong to them, and some could be read but were dropped, because what they belong to is lost or they
    make no sense. Of the former, some were mended in part.
    """

    table: str
    kept: int
    lost: int
    remade: int = 0
    dropped: int = 0
    mended: int = 0


@dataclass(frozen=True)
class Damage:
    """What was found damaged and what was saved of it. `kept_aside` is the damaged file; `pages`: how many of its pages
    are gone, cut off or zeros, whatever was on them.
    """

    found: str
    kept_aside: str
    at_ns: int
    tables: tuple[Loss, ...]
    pages: int = 0

    @property
    def kept(self) -> int:
        return sum(table.kept for table in self.tables)

    @property
    def lost(self) -> int:
        return sum(table.lost for table in self.tables)

    def __str__(self) -> str:
        """In words for a person."""
        when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.at_ns / 1e9))
        lost, dropped, remade, mended = (
            ", ".join(f"{number:,} {table.table}" for table in self.tables if (number := getattr(table, what)))
            for what in ("lost", "dropped", "remade", "mended")
        )
        return (
            f"The memory was found damaged on {when} ({self.found}). {self.kept:,} rows were saved; "
            + (f"known to be lost: {lost}" if lost else "none is known to be lost")
            + (f"; of these, dropped because their partner or their sense is lost: {dropped}" if dropped else "")
            + (f"; made anew because others belong to them: {remade}" if remade else "")
            + (f"; mended in part: {mended}" if mended else "")
            + (f"; {self.pages:,} pages of the file are gone, with what was on them" if self.pages else "")
            + (
                f". The damaged file is kept: {self.kept_aside}; delete it when you need it no longer"
                if self.kept_aside
                else ""
            )
        )


def rescue(path: Path, found: str) -> Damage:
    """Put a new file in the place of the damaged memory. For the holder of the lock.

    Raises DiskTrouble where there is no room; nothing has changed then.
    """
    LOG.error("the memory %s is damaged (%s): saving what is readable", path, found)
    made = files.beside(path, ".rescuing")
    try:
        with telling(path):
            files.make_private(made)
            damage = _salvage(path, made, found)
            files.exchange(made, path, "damaged")
    except BaseException:
        files.sweep(path)
        raise
    LOG.error("%s", damage)
    return damage


def rescues(db: sqlite3.Connection) -> list[Damage]:
    """What has been found damaged in the life of this memory, the newest first; for status and the doctor."""
    rows = db.execute("SELECT detail FROM journal WHERE action = ? ORDER BY id DESC", (ACTION,))
    return [_told(detail) for row in rows if "tables" in (detail := json.loads(row[0]))]


def _told(detail: dict[str, object]) -> Damage:
    losses = detail["tables"]
    assert isinstance(losses, list)
    return Damage(
        str(detail["found"]),
        str(detail["kept_aside"]),
        int(str(detail["at_ns"])),
        tuple(Loss(**one) for one in losses),
        int(str(detail.get("pages", 0))),
    )


def _salvage(path: Path, made: Path, found: str) -> Damage:
    with TornFile(path) as torn, new_file(made, torn.version, torn.page_size) as new:
        tables = carried(torn.version)
        seen = _Seen()
        had, sequences = _copy(path, torn, tables, new, seen)
        _one_row_of_meta(new, tables["meta"])
        kept = {name: count(new, name) for name in tables}
        repaired = repair(new, tables, sequences)
        losses = tuple(_loss(name, kept[name], had[name], one, seen) for name, one in repaired.items())
        aside = str(files.beside(path, f".damaged-{files.moment()}"))
        told = tuple(loss for loss in losses if loss.kept or loss.lost)
        damage = Damage(found, aside, time.time_ns(), told, torn.missing)
        _enter(new, tables["journal"], damage)
    return damage


def _copy(
    path: Path, torn: TornFile, tables: Mapping[str, Table], new: sqlite3.Connection, seen: _Seen
) -> tuple[dict[str, int], dict[str, int]]:
    """Every row that can be read; returns how many each table is known to have had, and the numbers given."""
    had: dict[str, int] = {}
    sequences = torn.sequences()
    with Readable(path) as readable:
        sequences |= readable.sequences()
        for table in tables.values():
            _take(new, table, readable.rows(table), seen)
            if not readable.complete(table):
                _take(new, table, torn.rows(table, _Numbers(new, table)), seen)
            known = readable.known(table)
            had[table.name] = torn.counted(table) if known is None else known
    return had, sequences


@dataclass(frozen=True)
class _Seen:
    """The rows, by table and key, that made no sense: mended, or left out. A row may be met more than once."""

    mended: defaultdict[str, set[Found]] = field(default_factory=lambda: defaultdict(set))
    dropped: defaultdict[str, set[Found]] = field(default_factory=lambda: defaultdict(set))


class _Numbers(Container[int]):
    """The row numbers of a table that are there already: a byte each, since there may be millions."""

    def __init__(self, new: sqlite3.Connection, table: Table) -> None:
        highest = new.execute(f"SELECT max({table.key[0]}) FROM {table.name}").fetchone()[0] if table.counts else None
        self._there = np.zeros((highest or 0) + 1, bool)
        if highest:
            for (number,) in new.execute(f"SELECT {table.key[0]} FROM {table.name} WHERE {table.key[0]} > 0"):
                self._there[number] = True

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 0 < number < len(self._there) and bool(self._there[number])


def _loss(table: str, kept: int, had: int, repaired: Repaired, seen: _Seen) -> Loss:
    """Only what something says was there counts as lost; a number that nobody has may be one that was forgotten."""
    senseless = len(seen.dropped[table])
    lost = max(max(had - kept, senseless) + repaired.dropped, repaired.remade)
    mended = len(seen.mended[table]) + repaired.mended
    return Loss(table, kept - repaired.dropped, lost, repaired.remade, senseless + repaired.dropped, mended)


def _take(new: sqlite3.Connection, table: Table, rows: Iterator[Found], seen: _Seen) -> None:
    """Put in what fits. A row that is there already stays as it is: what SQLite read comes first."""
    marks = ", ".join("?" * len(table.columns))
    new.executemany(
        f"INSERT OR IGNORE INTO {table.name}({', '.join(table.names)}) VALUES ({marks})", _sound(table, rows, seen)
    )


def _sound(table: Table, rows: Iterator[Found], seen: _Seen) -> Iterator[Found]:
    """The rows that can be of this table, mended where they make no sense as they are."""
    for values in rows:
        if not table.fits(values):
            continue
        row = dict(zip(table.names, values, strict=True))
        if not nonsense(table.name, row) and _is_near_unit(row.get(VECTORS.get(table.name, ""), b"")):
            yield values
            continue
        key = tuple(row[name] for name in table.key)
        if better := mended(table.name, row):
            seen.mended[table.name].add(key)
            yield tuple(better[name] for name in table.names)
        else:
            seen.dropped[table.name].add(key)


def _is_near_unit(value: Value) -> bool:
    """A damaged vector is not of about unit length; one of zeros is a sentence of unknown words."""
    if not isinstance(value, bytes) or len(value) % 2:
        return False
    with np.errstate(all="ignore"):
        length = float(np.linalg.norm(np.frombuffer(value, np.float16).astype(np.float32)))
    return length == 0 or 0.9 < length < 1.1


def _one_row_of_meta(new: sqlite3.Connection, meta: Table) -> None:
    """The newest of what was found; one more change has been made to the memory."""
    newest = new.execute(f"SELECT {', '.join(f'max({name})' for name in meta.names)} FROM meta").fetchone()
    new.execute("DELETE FROM meta")
    new.execute(f"INSERT INTO meta({', '.join(meta.names)}) VALUES ({', '.join('?' * len(newest))})", newest)
    new.execute("UPDATE meta SET generation = generation + 1")


def _enter(new: sqlite3.Connection, journal: Table, damage: Damage) -> None:
    """The journal explains every state, this one too."""
    reason = {"reason": "the file was damaged"} if "reason" in journal.names else {}
    entry = {"at_ns": damage.at_ns, "actor": "", "action": ACTION, "detail": json.dumps(asdict(damage)), **reason}
    new.execute(f"INSERT INTO journal({', '.join(entry)}) VALUES ({', '.join('?' * len(entry))})", [*entry.values()])
