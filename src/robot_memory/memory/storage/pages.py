"""The pages of an SQLite file, and the rows on them, read without SQLite.

Pages that a write-ahead log holds in a newer version are taken from there, up to its last commit. Layout and names:
sqlite.org/fileformat2.html, sections 1.3 to 1.6, 2.1 and 4.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import Self

MAGIC = b"SQLite format 3\0"
WAL_MAGICS = (0x377F0682, 0x377F0683)
WAL_HEAD, FRAME_HEAD, FILE_HEAD = 32, 24, 100
LEAF = 0x0D  # a page of rows; other pages that begin so are none, since all others begin with 0x02, 0x05, 0x0A or a
# page number, and that would have to be above 200 million
DEFAULT_SIZE = 4096
LOCK_BYTE = 1 << 30  # SQLite leaves the page unused that it lies on
WINDOW = 1 << 22


@dataclass(frozen=True)
class Cell:
    """A row as it lies on its page: `local` is the beginning of its `length` bytes, the rest is on pages from
    `overflow` on.
    """

    offset: int
    rowid: int
    length: int
    local: bytes
    overflow: int


@dataclass(frozen=True)
class Row:
    """The columns of a row: SQLite's serial types, and where each column's bytes lie."""

    data: bytes
    kinds: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def number(self, column: int) -> int:
        """An integer column."""
        kind = self.kinds[column]
        return (
            kind - 8
            if kind in (8, 9)
            else int.from_bytes(self.data[self.starts[column] : self.ends[column]], "big", signed=True)
        )


class Pages:
    """The file's pages by number, from 1 on; use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self.path, self._bytes = path, path.stat().st_size
        wal = path.with_name(path.name + "-wal")
        self._file: BinaryIO = path.open("rb")
        self._wal: BinaryIO | None = wal.open("rb") if wal.is_file() else None
        head = self._file.read(FILE_HEAD)
        log = self._wal.read(WAL_HEAD) if self._wal else b""
        self.size = _page_size(head, log)
        self.usable = self.size - (head[20] if head.startswith(MAGIC) and len(head) > 20 else 0)
        self._newer = self._frames(log)  # page -> where the log holds it
        self._whole = self._bytes // self.size
        self.last = max([self._whole, *self._newer])
        self.missing = max(0, _pages_promised(head) - self.last) + bool(self._bytes % self.size)
        self._next = np.zeros(self.last + 1, np.uint32)  # of a page: its first four bytes, the next one of its row
        self._zeros: set[int] = set()  # pages of nothing but zeros that no row is known to go on in

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if self._wal is not None:
            self._wal.close()

    def leaves(self) -> Iterator[tuple[int, bytes]]:
        """The pages that hold rows. Each page's link to the next is noted on the way, before any is given out."""
        found: list[int] = []
        count = max(1, WINDOW // self.size)
        for first in range(0, self._whole, count):
            self._file.seek(first * self.size)
            data = self._file.read(min(count, self._whole - first) * self.size)
            pages = np.frombuffer(data[: len(data) // self.size * self.size], np.uint8).reshape(-1, self.size)
            self._next[first + 1 : first + 1 + len(pages)] = pages[:, :4].copy().view(">u4")[:, 0]
            found += (np.flatnonzero(pages[:, 0] == LEAF) + first + 1).tolist()
            maybe = np.flatnonzero(self._next[first + 1 : first + 1 + len(pages)] == 0)
            self._zeros.update((maybe[~pages[maybe].any(axis=1)] + first + 1).tolist())
        self._zeros -= {LOCK_BYTE // self.size + 1, *self._newer}
        for number in self._newer:
            self._next[number] = int.from_bytes((self.page(number) or b"")[:4], "big")
        leaf = {number for number in found if number not in self._newer}
        leaf |= {number for number in self._newer if self._next[number] >> 24 == LEAF}
        for number in sorted(leaf):
            if page := self.page(number):
                yield number, page

    def first_byte(self, number: int) -> int:
        """What kind of page it is. For after `leaves`."""
        return int(self._next[number]) >> 24

    def page(self, number: int) -> bytes | None:
        """A page's bytes; None where the file does not hold it as a whole."""
        if (at := self._newer.get(number)) is not None and self._wal is not None:
            self._wal.seek(at)
            data = self._wal.read(self.size)
        elif 1 <= number <= self._whole:
            self._file.seek((number - 1) * self.size)
            data = self._file.read(self.size)
        else:
            return None
        return data if len(data) == self.size else None

    def complete(self, cell: Cell) -> bool:
        """Are all the pages of a row there? For after `leaves`."""
        chain = self._chain(cell)
        self._zeros.difference_update(chain or ())
        return chain is not None

    @property
    def blank(self) -> int:
        """Pages that were lost to zeros: of a whole file, only a row's last page may be. For after `complete`."""
        return len(self._zeros)

    def payload(self, cell: Cell) -> bytes | None:
        """A row's bytes, put together from its pages; None where one is missing."""
        if len(cell.local) == cell.length:
            return cell.local
        if cell.length > self.last * self.usable:  # else pages in a circle would be followed for ever
            return None
        parts, number, left = [cell.local], cell.overflow, cell.length - len(cell.local)
        while left > 0:
            page = self.page(number)
            if page is None:
                return None
            parts.append(page[4 : min(self.usable, 4 + left)])
            left -= len(parts[-1])
            number = int.from_bytes(page[:4], "big")
        return b"".join(parts)

    def _chain(self, cell: Cell) -> list[int] | None:
        numbers, number = [], cell.overflow
        if cell.length > self.last * self.usable:
            return None
        for _ in range(-(-(cell.length - len(cell.local)) // (self.usable - 4))):
            if not 2 <= number <= self.last or (number > self._whole and number not in self._newer):
                return None
            numbers.append(number)
            number = int(self._next[number])
        return None if number else numbers

    def _frames(self, log: bytes) -> dict[int, int]:
        """The log's committed pages. Frames of an earlier use of the log carry another salt."""
        if self._wal is None or len(log) < WAL_HEAD or int.from_bytes(log[:4], "big") not in WAL_MAGICS:
            return {}
        committed: dict[int, int] = {}
        open_: dict[int, int] = {}
        at, size = WAL_HEAD, self.path.with_name(self.path.name + "-wal").stat().st_size
        last = self._bytes // self.size + size // self.size  # no page can have a higher number
        while at + FRAME_HEAD + self.size <= size:
            self._wal.seek(at)
            frame = self._wal.read(FRAME_HEAD)
            number, commit = int.from_bytes(frame[:4], "big"), int.from_bytes(frame[4:8], "big")
            if frame[8:16] != log[16:24] or not 0 < number <= last:
                break
            open_[number] = at + FRAME_HEAD
            if commit:
                committed |= open_
                open_ = {}
            at += FRAME_HEAD + self.size
        return committed


def cells(page: bytes, usable: int, only: Sequence[int] = (), first: int = 0) -> Iterator[Cell]:
    """The rows of a page; those that make no sense are passed over. `only`: the offsets of those that are wanted;
    `first`: where the page's own head begins, behind the file's on page 1.
    """
    count, places = int.from_bytes(page[first + 3 : first + 5], "big"), first + 8
    if count > (usable - 8) // 4:
        return
    for offset in only or [int.from_bytes(page[at : at + 2], "big") for at in range(places, places + 2 * count, 2)]:
        if not 8 <= offset <= usable - 4:
            continue
        length, at = _varint(page, offset)
        rowid, at = _varint(page, at)
        if length < 0:
            continue
        local = _local(length, usable)
        overflow = int.from_bytes(page[at + local : at + local + 4], "big") if local < length else 0
        if at + local + (4 if local < length else 0) <= usable:
            yield Cell(offset, rowid, length, page[at : at + local], overflow)


def entries(page: bytes, usable: int) -> Iterator[Cell]:
    """The rows of a page of a table without row ids; they lie on the upper pages of its tree, too."""
    upper = page[0] == 0x02
    places, count = 12 if upper else 8, int.from_bytes(page[3:5], "big")
    if count > (usable - 8) // 3:
        return
    for offset in [int.from_bytes(page[at : at + 2], "big") for at in range(places, places + 2 * count, 2)]:
        if not 8 <= offset <= usable - 4:
            continue
        length, at = _varint(page, offset + (4 if upper else 0))
        local = _local(length, usable, (usable - 12) * 64 // 255 - 23)
        overflow = int.from_bytes(page[at + local : at + local + 4], "big") if local < length else 0
        if length >= 0 and at + local + (4 if local < length else 0) <= usable:
            yield Cell(offset, 0, length, page[at : at + local], overflow)


def row(data: bytes) -> Row | None:
    """The columns of a row, from its beginning; None where it cannot be one."""
    if not data:
        return None
    end, at = _varint(data, 0)
    if not at <= end <= len(data) or end > 100:
        return None
    kinds, starts, ends, place = [], [], [], end
    while at < end:
        kind, at = _varint(data, at)
        if kind < 0:
            return None
        kinds.append(kind)
        starts.append(place)
        place += _length(kind)
        ends.append(place)
    return Row(data, tuple(kinds), tuple(starts), tuple(ends)) if at == end else None


def columns(data: bytes) -> list[str | None]:
    """The columns of a row of texts; None for those of another type."""
    held = row(data)
    if held is None:
        return []
    return [
        data[low:high].decode("utf-8", "replace") if kind >= 13 and kind % 2 else None
        for kind, low, high in zip(held.kinds, held.starts, held.ends, strict=True)
    ]


def _length(kind: int) -> int:
    """The bytes of a column of a serial type."""
    return (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _local(length: int, usable: int, most: int = 0) -> int:
    """How many of a row's bytes lie on its own page."""
    most, least = most or usable - 35, (usable - 12) * 32 // 255 - 23
    if length <= most:
        return length
    fitting = least + (length - least) % (usable - 4)
    return fitting if fitting <= most else least


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """SQLite's number of one to nine bytes, and where it ends; signed as 64 bits."""
    value = 0
    for used in range(9):
        if at + used >= len(data):
            return 0, at + used
        byte = data[at + used]
        if used == 8:
            value = value << 8 | byte
            return value - (1 << 64) if value >> 63 else value, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + used + 1
    raise AssertionError("unreachable")


def _page_size(head: bytes, log: bytes) -> int:
    """As the file says, else its log, else the usual one."""
    said = [int.from_bytes(head[16:18], "big")] if head.startswith(MAGIC) else []
    said.append(int.from_bytes(log[8:12], "big"))
    for size in (1 << 16 if one == 1 else one for one in said):
        if 512 <= size <= 1 << 16 and not size & (size - 1):
            return size
    return DEFAULT_SIZE


def _pages_promised(head: bytes) -> int:
    """How many pages the file says it has; 0 where it does not say, or an old SQLite let it go stale."""
    if not head.startswith(MAGIC) or len(head) < FILE_HEAD or head[24:28] != head[92:96]:
        return 0
    return int.from_bytes(head[28:32], "big")
