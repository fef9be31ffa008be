"""A whole memory as text: a line of what it is, then one JSON object a row. Import makes the same memory of it.

The first line: {"robot_memory": 1, "format": ..., "generation": ..., "page_size": ..., "counts": {table: rows},
"numbers": {table: highest id ever given out}}. Each other line: {"table": ..., "row": {column: value}}; bytes are
{"base64": ...}, infinite numbers {"real": "inf"}. Tables come in the order of the steps, rows in that of their keys;
those that only sum up others are left out. Both ways hold a row at a time: a memory of years fits through.
"""

from __future__ import annotations

import base64
import json
import math
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeGuard

from robot_memory.errors import RobotMemoryError, StoreUnreadable
from robot_memory.memory.storage import files, lock
from robot_memory.memory.storage.checking import State, judge
from robot_memory.memory.storage.filling import carried, new_file
from robot_memory.memory.storage.schema import VERSION
from robot_memory.memory.storage.sense import Across, nonsense
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.tables import Column, Table, Value, wrong
from robot_memory.memory.storage.trouble import telling

LINES = 1  # the version of this way of writing
LONGEST = 1 << 28  # bytes of a line: a row with its pictures is far below
TELL_EVERY = 1000  # rows
SIZES = (4096, 8192, 16384, 32768, 65536)
Told = Callable[[float], None]


class ImportRefused(RobotMemoryError):
    """The file is not a memory's export, or something in it is wrong: the message names the line."""


def export_lines(source: Store | Path, target: Path, on_progress: Told | None = None) -> int:
    """Write a memory to `target`, as it is at this moment; returns the rows. It is 0600 and appears when it is whole.

    `on_progress` is told the share done; it may raise Cancelled. Raises StoreUnreadable, DiskTrouble, Cancelled.
    """
    path = files.followed(source if isinstance(source, Path) else source.path)
    target = files.followed(target)
    with Store(path, readonly=True) as store, telling(target):
        if target.exists() and target.samefile(path):
            raise StoreUnreadable(f"{target} is the memory itself: give the export another name")
        with files.being_made(target) as made, store.snapshot() as db:
            with made.open("wb") as file:
                rows = _write(db, file, on_progress or (lambda share: None))
            files.put(made, target)
    return rows


def import_lines(source: Path, path: Path, on_progress: Told | None = None) -> int:
    """Make a new memory at `path` of an export; returns the rows. All or nothing; `path` must be new or empty.

    Raises ImportRefused naming the line, StoreUnreadable, StoreLocked, DiskTrouble; Cancelled if `on_progress` does.
    """
    told = on_progress or (lambda share: None)
    path = files.followed(path)
    made = files.beside(path, ".importing")
    with lock.held(path), telling(path):
        files.finish_exchange(path)
        files.sweep(path)
        if path.exists() and judge(path)[0] is not State.BLANK:
            raise StoreUnreadable(f"{path} holds a memory already: import into a new file")
        try:
            with _opened(source) as file:
                rows = _read(_Lines(file, told), made)
                files.exchange(made, path, "replaced")
        except BaseException:
            files.sweep(path)
            raise
    return rows


def _opened(source: Path) -> BinaryIO:
    try:
        return source.open("rb")
    except FileNotFoundError as error:
        raise ImportRefused(f"there is no file {source}: name an export") from error
    except OSError as error:
        raise ImportRefused(f"{source} cannot be read ({error.strerror}): name an export") from error


def _write(db: sqlite3.Connection, file: BinaryIO, told: Told) -> int:
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    counts = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in carried(version)}
    head = {
        "robot_memory": LINES,
        "format": version,
        "generation": db.execute("SELECT generation FROM meta").fetchone()[0],
        "page_size": db.execute("PRAGMA page_size").fetchone()[0],
        "counts": counts,
        "numbers": dict(db.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name").fetchall()),
    }
    file.write(_line(head))
    done, of = 0, max(1, sum(counts.values()))
    for table in carried(version).values():
        for row in db.execute(f"SELECT {', '.join(table.names)} FROM {table.name} ORDER BY {', '.join(table.key)}"):
            file.write(_line({"table": table.name, "row": dict(zip(table.names, map(_written, row), strict=True))}))
            done += 1
            if done % TELL_EVERY == 0:
                told(done / of)
    told(1.0)
    return done


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _written(value: Value) -> object:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    return {"real": repr(value)} if isinstance(value, float) and not math.isfinite(value) else value


class _Lines:
    """The lines of an export, each a JSON object; `number` is that of the line read last."""

    def __init__(self, file: BinaryIO, told: Told) -> None:
        self._file, self._told, self.number = file, told, 0
        self._size = max(1, os.fstat(file.fileno()).st_size)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        while line := self._file.readline(LONGEST):
            self.number += 1
            if not line.endswith(b"\n"):
                raise self.refused("is cut off" if len(line) < LONGEST else "is too long")
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise self.refused(f"is not JSON ({error})") from error
            if not isinstance(value, dict):
                raise self.refused("is not a JSON object")
            yield value
            if self.number % TELL_EVERY == 0:
                self._told(self._file.tell() / self._size)

    def refused(self, what: str) -> ImportRefused:
        return ImportRefused(f"line {self.number:,} {what}: nothing was imported")


def _read(lines: _Lines, made: Path) -> int:
    rest = iter(lines)
    head = next(rest, {})
    version, counts, numbers = _checked_head(head, lines)
    files.make_private(made)
    with new_file(made, version, head["page_size"]) as new:
        for name in carried(version):  # the steps put some rows there
            new.execute(f"DELETE FROM {name}")
        _fill(new, rest, carried(version), lines)
        _keep_promises(new, counts, numbers)
    return sum(counts.values())


def _checked_head(head: dict[str, Any], lines: _Lines) -> tuple[int, dict[str, int], dict[str, int]]:
    if head.get("robot_memory") != LINES:
        raise lines.refused(f'does not say "robot_memory": {LINES}, so this is no export of ours')
    version, counts, numbers = head.get("format"), head.get("counts"), head.get("numbers")
    if type(version) is not int or version < 1 or head.get("page_size") not in SIZES:
        raise lines.refused("names no format or page size")
    if version > VERSION:
        raise ImportRefused(f"the export has format {version}; this robot_memory knows up to {VERSION}: upgrade it")
    known = carried(version)
    if not _is_counts(counts, known) or set(counts) != set(known):
        raise lines.refused("does not count the rows of each table")
    if not _is_counts(numbers, {name: table for name, table in known.items() if table.counts}):
        raise lines.refused("names wrong highest numbers")
    return version, counts, numbers


def _is_counts(value: object, known: Mapping[str, Table]) -> TypeGuard[dict[str, int]]:
    return (
        isinstance(value, dict)
        and set(value) <= set(known)
        and all(type(number) is int and 0 <= number < 1 << 63 for number in value.values())
    )


def _fill(new: sqlite3.Connection, rest: Iterator[dict[str, Any]], known: Mapping[str, Table], lines: _Lines) -> None:
    """Put the rows in, table by table; SQLite's own refusals name the line as well."""
    from sqlite_utils import Database

    db, across = Database(new), Across()
    line = next(rest, None)
    while line is not None:
        table = known.get(str(line.get("table")))
        if table is None or set(line) != {"table", "row"}:
            raise lines.refused("is not a row of a table of ours")
        first, line = line, None

        def of_one_table(first: dict[str, Any] = first, table: Table = table) -> Iterator[dict[str, Value]]:
            nonlocal line
            yield _row(table, first["row"], lines, across)
            for line in rest:
                if line.get("table") != table.name or set(line) != {"table", "row"}:
                    return
                yield _row(table, line["row"], lines, across)
            line = None

        try:
            db.table(table.name).insert_all(of_one_table(), batch_size=1000)
        except sqlite3.IntegrityError as error:
            raise lines.refused(f"or one of the 1,000 before it does not fit ({error})") from error
    known_models = new.execute("SELECT name, dimension FROM embedders") if "embedders" in known else ()
    if wrong_row := across.wrong_in_all(dict(known_models)):
        lines.number, words = wrong_row
        raise lines.refused(f"has {words}")


def _row(table: Table, row: object, lines: _Lines, across: Across) -> dict[str, Value]:
    if not isinstance(row, dict) or set(row) != set(table.names):
        raise lines.refused(f"has not the columns of {table.name}: {', '.join(table.names)}")
    values = {column.name: _value(table, column, row[column.name], lines) for column in table.columns}
    if words := nonsense(table.name, values) or across.wrong(table.name, values, lines.number):
        raise lines.refused(f"has {words}")
    return values


def _value(table: Table, column: Column, value: object, lines: _Lines) -> Value:
    match value:
        case {"base64": str(text), **rest} if not rest:
            try:
                value = base64.b64decode(text, validate=True)
            except ValueError as error:
                raise lines.refused(f"has bytes in {table.name}.{column.name} that are no base64") from error
        case {"real": "inf" | "-inf" as text, **rest} if not rest:
            value = float(text)
    if wrong(column, value) or (isinstance(value, str) and _unwritable(value)):
        raise lines.refused(f"has a {type(value).__name__} in {table.name}.{column.name}, which holds {column.type}")
    assert value is None or isinstance(value, (int, float, str, bytes))
    return value


def _unwritable(text: str) -> bool:
    """Halves of characters are valid in JSON, and in no file."""
    return any(0xD800 <= ord(letter) < 0xE000 for letter in text)


def _keep_promises(new: sqlite3.Connection, counts: dict[str, int], numbers: dict[str, int]) -> None:
    """What the first line promised is there, and no number is given out twice."""
    for name, promised in counts.items():
        if (there := new.execute(f"SELECT count(*) FROM {name}").fetchone()[0]) != promised:
            raise ImportRefused(f"the export promises {promised:,} {name} and holds {there:,}: nothing was imported")
    if counts["meta"] != 1:
        raise ImportRefused("the export must hold one row of meta: nothing was imported")
    if lone := new.execute("PRAGMA foreign_key_check").fetchone():
        raise ImportRefused(f"row {lone[1]} of {lone[0]} belongs to a row of {lone[2]} that is not there")
    for name, number in numbers.items():
        if not new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (number, name)).rowcount:
            new.execute("INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", (name, number))
