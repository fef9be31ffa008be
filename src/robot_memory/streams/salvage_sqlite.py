"""Every message that a bag's SQLite file still holds, wherever it is torn or damaged, a -wal beside it included.

The file is read page by page (layout: sqlite.org/fileformat2.html), past its trees and indexes: a page that holds rows
is known by its first byte, a message by its columns. So it does not matter which pages are lost; a message counts when
all of its own bytes are there. Opening such a file with SQLite itself could write to it; this only ever reads.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.storage.pages import Cell, Pages, Row, cells, columns, row
from robot_memory.streams.bagstorage import Kind, StoredMessage

TYPE_NAME = re.compile(r"\w+/(msg/)?\w+")
LONGEST_TEXT = 1 << 20  # a row of anything but messages is no longer


class SqliteSalvage:
    """A torn or damaged .db3. `damage` says what is wrong with it; empty where nothing is."""

    def __init__(self, path: Path) -> None:
        """Reads the file once. Raises OSError."""
        self.path = path
        self._topics: dict[int, tuple[str, str]] = {}
        self._definitions: dict[str, str] = {}
        self._stamps, self._rows, self._of = array("q"), array("q"), array("q")  # time, row id, topic id
        self._where = array("q")  # page << 16 | offset of the row within it
        self._broken = 0
        with Pages(path) as pages:
            for number, page in pages.leaves():
                for cell in cells(page, pages.usable):
                    self._sort(pages, number, cell)
            self._short, self._blank = pages.missing, pages.blank
        self._order = self._sorted()
        self._counts = Counter(np.frombuffer(self._of, np.int64)[self._order].tolist()) if len(self._of) else Counter()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        counts: Counter[tuple[str, str]] = Counter()
        for number, kind in self._topics.items():
            counts[kind] += self._counts[number]
        return tuple(Kind(topic, type_, n, self._definitions.get(type_, "")) for (topic, type_), n in counts.items())

    @property
    def count(self) -> int:
        return sum(n for number, n in self._counts.items() if number in self._topics)

    @property
    def start_ns(self) -> int:
        return int(self._stamps[self._order[0]]) if len(self._order) else 0

    @property
    def end_ns(self) -> int:
        return int(self._stamps[self._order[-1]]) if len(self._order) else 0

    @property
    def damage(self) -> str:
        found = [f"lacks {self._short:,} pages at its end"] if self._short else []
        if self._blank:
            found.append(f"holds pages of nothing but zeros ({self._blank:,})")
        if self._broken:
            found.append(f"holds broken messages ({self._broken})")
        if lost := sum(n for number, n in self._counts.items() if number not in self._topics):
            found.append(f"holds messages whose topic is lost ({lost})")
        return ", ".join(found)

    def messages(self, kinds: Collection[tuple[str, str]]) -> Iterator[StoredMessage]:
        """The messages of the given (topic, type) pairs in order of recording. Raises OSError."""
        wanted = {number: kind for number, kind in self._topics.items() if kind in kinds}
        with Pages(self.path) as pages:
            for at in self._order:
                if (kind := wanted.get(self._of[at])) is None:
                    continue
                number, offset = self._where[at] >> 16, self._where[at] & 0xFFFF
                page = pages.page(number)
                found = next((one for one in cells(page, pages.usable, (offset,))), None) if page else None
                if found and (payload := pages.payload(found)) and (held := row(payload)):
                    yield StoredMessage(*kind, self._stamps[at], bytes(payload[held.starts[3] : held.ends[3]]))

    def _sort(self, pages: Pages, number: int, cell: Cell) -> None:
        """Is the row a message, a topic, a definition, or nothing of ours?"""
        held = row(cell.local)
        if held is None:
            return
        if _is_message(held) and held.ends[3] == cell.length:
            if not pages.complete(cell):
                self._broken += 1
                return
            topic, stamp = held.number(1), held.number(2)
            for column, value in ((self._stamps, stamp), (self._rows, cell.rowid), (self._of, topic)):
                column.append(value)
            self._where.append(number << 16 | cell.offset)
        elif (
            len(held.kinds) >= 4
            and held.kinds[0] == 0
            and cell.length < LONGEST_TEXT
            and (payload := pages.payload(cell))
        ):
            self._learn(cell.rowid, columns(payload))

    def _learn(self, number: int, texts: list[str | None]) -> None:
        """A row of the table of topics, or of that of definitions."""
        name, type_, form = texts[1], texts[2], texts[3]
        if name and type_ and name.startswith("/") and TYPE_NAME.fullmatch(type_) and form == "cdr":
            self._topics[number] = name, type_
        elif name and TYPE_NAME.fullmatch(name) and type_ == "ros2msg" and form:
            self._definitions[name] = form

    def _sorted(self) -> NDArray[np.int64]:
        """The messages' places in order of recording, each row once: rows that SQLite moved may lie about twice."""
        if not len(self._rows):
            return np.zeros(0, np.int64)
        rows, stamps = np.frombuffer(self._rows, np.int64), np.frombuffer(self._stamps, np.int64)
        _, once = np.unique(rows, return_index=True)
        order: NDArray[np.int64] = once[np.lexsort((rows[once], stamps[once]))]
        return order


def _is_message(held: Row) -> bool:
    """NULL (the row's id stands for it), topic id, time, bytes."""
    kinds = held.kinds
    return len(kinds) == 4 and kinds[0] == 0 and _integer(kinds[1]) and _integer(kinds[2]) and _bytes(kinds[3])


def _integer(kind: int) -> bool:
    return 1 <= kind <= 6 or kind in (8, 9)


def _bytes(kind: int) -> bool:
    return kind >= 12 and kind % 2 == 0
