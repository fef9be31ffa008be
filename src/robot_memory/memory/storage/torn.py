"""The rows of a memory that SQLite cannot read any more, page by page, past its trees where those are broken.

A page belongs to the table or index whose tree leads to it. Where no tree does, its rows tell by their types whose they
are; pages that could be of two tables, or of a table and an index, and rows that make no sense, are left: rather too
little is saved than anything made up.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path

from robot_memory.memory.storage.pages import FILE_HEAD, MAGIC, Cell, Pages, cells, entries, row
from robot_memory.memory.storage.schema import APPLICATION_ID, STEPS, VERSION
from robot_memory.memory.storage.tables import Root, Table, Value, roots, tables

INTERIOR, INDEX_INTERIOR, LEAF, INDEX_LEAF = 0x05, 0x02, 0x0D, 0x0A
MEMORIES = ("episodic", "semantic")  # what the third column of a memory says
SHORT = 12  # bytes: the heads of rows of SQLite's lists of tables and of numbers are shorter
Found = tuple[Value, ...]


def _decides(values: Found) -> bool:
    return values[4] in (0, 1) and _number(values[2]) < _number(values[3])


# Tables of the same types: what a row of one of them looks like, and one of the other does not.
LOOKS: Mapping[str, Callable[[Found], bool]] = {
    "decisions": _decides,
    "sightings": lambda values: _number(values[4]) > 1 and _number(values[4]) >= _number(values[3]),
    "persons": lambda values: len(values) == 2 and values[1] is None,
    "windows": lambda values: len(values) == 1,
    "heard": lambda values: values[1] is not None,
}


class TornFile:
    """A damaged memory. `version` is its format as far as that can be told; use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        """Reads the file once. Raises OSError."""
        self._pages = Pages(path)
        self.page_size = self._pages.size
        self._guesses: dict[int, str] = {}
        self._entries: Counter[str] | None = None
        self._leaves, self._short = self._look_at_leaves()
        numbers = range(2, self._pages.last + 1)
        self._index_pages = [n for n in numbers if self._pages.first_byte(n) in (INDEX_LEAF, INDEX_INTERIOR)]
        self._made = self._list_of_roots()
        self.version = self._said() or self._version()
        self.tables = tables(self.version)
        self._owners = self._walk()

    def __enter__(self) -> TornFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._pages.__exit__(None, None, None)

    @property
    def ours(self) -> bool:
        """Is this certainly a memory? By its list of tables, or a remembered sentence."""
        if {"memories", "clips", "entities"} <= set(self._made):
            return True
        memories = self.tables["memories"]
        return any(
            found[2] in MEMORIES
            for number in self._leaves
            if number not in self._owners or self._owners[number] == "memories"
            for found in self._rows_of(number, memories)
        )

    def rows(self, table: Table, there: Container[int] = ()) -> Iterator[Found]:
        """Every row of the table that is still whole, in no order, but for those of the numbers that are `there`; a
        row may come twice.
        """
        if table.rowid:
            for number in self._leaves:
                if self._owner(number) == table.name:
                    yield from self._rows_of(number, table, there)
            return
        for number in self._index_pages:
            if self._owners.get(number) == table.name or number not in self._owners:
                yield from self._entries_of(number, table)

    def counted(self, table: Table) -> int:
        """How many rows the table had at least, by what is left of its indexes: they are on other pages."""
        if self._entries is None:
            self._entries = Counter()
            for number in self._index_pages:
                if (owner := self._owners.get(number)) and (page := self._pages.page(number)):
                    self._entries[owner] += sum(1 for _ in entries(page, self._pages.usable))
        own = () if table.rowid else (table.name,)
        return max((self._entries[name] for name in (*own, *table.indexes)), default=0)

    @property
    def missing(self) -> int:
        """Pages that the file says it has and has not: it was cut off."""
        return self._pages.missing

    def sequences(self) -> dict[str, int]:
        """The highest number each table has ever given out, where the file still says so."""
        found: dict[str, int] = {}
        for number in self._short:
            for cell in self._cells(number):
                match self._values(cell):
                    case (str(name), int(count)) if name in self.tables and self.tables[name].counts:
                        found[name] = max(found.get(name, 0), count)
        return found

    def _list_of_roots(self) -> dict[str, Root]:
        """What is left of SQLite's list: our tables and indexes, and where each begins."""
        found: dict[str, Root] = {}
        known = {name: root for version in range(1, len(STEPS) + 1) for name, root in roots(version).items()}
        for number in self._short:
            for cell in self._cells(number):
                match self._values(cell):
                    case ("table" | "index", str(name), str(), int(root), str() | None) if name in known and root > 0:
                        found[name] = Root(root, known[name].rows)
        return found

    def _said(self) -> int:
        """The format as the file's head has it; 0 where it is lost."""
        head = (self._pages.page(1) or b"")[:FILE_HEAD]
        ours = head.startswith(MAGIC) and int.from_bytes(head[68:72], "big") == APPLICATION_ID
        said = int.from_bytes(head[60:64], "big")
        return said if ours and said <= VERSION else 0

    def _version(self) -> int:
        """The format by what is left: that of the newest table that is named, or one that has room for the memories."""
        version = _newest(set(self._made))
        rows = (self._values(cell) for number in self._leaves for cell in self._cells(number))
        widest = max((len(one) for one in rows if one and len(one) > 2 and one[2] in MEMORIES), default=0)
        while version < VERSION and len(tables(version)["memories"].columns) < widest:
            version += 1
        return version

    def _look_at_leaves(self) -> tuple[list[int], list[int]]:
        """The pages that hold rows, and those of them with rows of few columns: SQLite's own lists are among these."""
        leaves, short = [], [1]
        for number, page in self._pages.leaves():
            leaves.append(number)
            head = next((cell.local[0] for cell in cells(page, self._pages.usable) if cell.local), SHORT)
            if head < SHORT and number > 1:
                short.append(number)
        return leaves, short

    def _walk(self) -> dict[int, str]:
        """Which table's or index's tree leads to a page. Where their list is lost, a new file's order is tried."""
        owners: dict[int, str] = {}
        new = roots(self.version, self.page_size)
        for name, root in {**(new if self._laid_out_as(new) else {}), **self._made}.items():
            waiting = [root.page]
            while waiting:
                number = waiting.pop()
                page = self._pages.page(number) if 1 < number <= self._pages.last else None
                if number in owners or page is None or page[0] not in _kinds(root):
                    continue
                owners[number] = name
                if page[0] in (INTERIOR, INDEX_INTERIOR):
                    waiting += _children(page, self._pages.usable)
        return owners

    def _laid_out_as(self, new: Mapping[str, Root]) -> bool:
        """Is there nothing at these pages that could not be there? A vacuum or an upgrade lays a file out anew."""
        for name, root in new.items():
            page = self._pages.page(root.page) if 1 < root.page <= self._pages.last else None
            if page is None or page[0] not in (INTERIOR, LEAF, INDEX_INTERIOR, INDEX_LEAF):
                continue
            if page[0] not in _kinds(root) or (page[0] == LEAF and self._guess(root.page) not in (name, "")):
                return False
        return True

    def _owner(self, number: int) -> str:
        if number in self._owners:
            return self._owners[number]
        if number not in self._guesses:
            self._guesses[number] = self._guess(number)
        return self._guesses[number]

    def _guess(self, number: int) -> str:
        """The one table whose rows these could be; empty where it is none, or more than one."""
        found = [values for cell in self._cells(number) if (values := self._values(cell)) is not None]
        if not found:
            return ""
        names = [
            name
            for name, table in self.tables.items()
            if table.rowid
            and all(_numbered(table, values) and table.fits(_filled(table, values, 1)) for values in found)
        ]
        if len(names) > 1:
            names = [name for name in names if name in LOOKS and all(LOOKS[name](values) for values in found)]
        return names[0] if len(names) == 1 else ""

    def _cells(self, number: int) -> Iterator[Cell]:
        page = self._pages.page(number)
        if page is None:
            return
        if number == 1:  # its rows begin behind the file's header
            yield from cells(page, self._pages.usable, first=100)
        else:
            yield from cells(page, self._pages.usable)

    def _rows_of(self, number: int, table: Table, there: Container[int] = ()) -> Iterator[Found]:
        for cell in self._cells(number):
            if cell.rowid not in there and (values := self._values(cell)) and _numbered(table, values):
                yield _filled(table, values, cell.rowid)

    def _entries_of(self, number: int, table: Table) -> Iterator[Found]:
        """Rows of a table that is kept in order of its key, which comes first."""
        page = self._pages.page(number)
        if page is None or page[0] not in (INDEX_LEAF, INDEX_INTERIOR):
            return
        order = [*table.key, *(name for name in table.names if name not in table.key)]
        found = [values for cell in entries(page, self._pages.usable) if (values := self._values(cell)) is not None]
        if number not in self._owners and not _telling(table, found):
            return
        for values in found:
            if len(values) == len(order):
                by_name = dict(zip(order, values, strict=True))
                yield tuple(by_name[name] for name in table.names)

    def _values(self, cell: Cell) -> Found | None:
        data = self._pages.payload(cell)
        held = row(data) if data else None
        if data is None or held is None or (held.ends and held.ends[-1] > len(data)):
            return None
        return tuple(
            _value(kind, data[low:high]) for kind, low, high in zip(held.kinds, held.starts, held.ends, strict=True)
        )


def _newest(named: set[str]) -> int:
    """The newest format that some of the tables are of; today's where none is known."""
    named = {name for name in named if any(name in tables(version) for version in range(1, VERSION + 1))}
    new = {version: set(tables(version)) - set(tables(version - 1)) for version in range(2, VERSION + 1)}
    version = max((version for version, names in new.items() if names & named), default=1 if named else VERSION)
    while version < VERSION and tables(version + 1) == tables(version):  # a step that only adds an index
        version += 1
    return version


def _filled(table: Table, values: Found, rowid: int) -> Found:
    """The row with its number, and with the columns that later steps have added."""
    whole = [*values, *(column.default for column in table.columns[len(values) :])]
    if table.number is not None and len(whole) > table.number and whole[table.number] is None:
        whole[table.number] = rowid
    return tuple(whole)


def _kinds(root: Root) -> tuple[int, int]:
    return (INTERIOR, LEAF) if root.rows else (INDEX_INTERIOR, INDEX_LEAF)


def _numbered(table: Table, values: Found) -> bool:
    """Is the number of a row, if it has one, where SQLite keeps it: not among its values?"""
    return table.number is None or (len(values) > table.number and values[table.number] is None)


def _telling(table: Table, found: list[Found]) -> bool:
    """Can the rows of a page without a tree be of no other table, and of no index? Numbers alone do not tell, and the
    relations of two memories look the same from either end.
    """
    if not found or any(len(values) != len(table.columns) for values in found):
        return False
    return table.name == "edges" and any(isinstance(values[2], float) for values in found)


def _children(page: bytes, usable: int) -> list[int]:
    count = int.from_bytes(page[3:5], "big")
    if count > (usable - 12) // 2:
        return []
    places = [int.from_bytes(page[at : at + 2], "big") for at in range(12, 12 + 2 * count, 2)]
    return [int.from_bytes(page[at : at + 4], "big") for at in (*places, 8)]


def _value(kind: int, data: bytes) -> Value:
    """A column of a serial type. Text that was damaged keeps what can be read of it."""
    if kind >= 12:
        return data.decode("utf-8", "replace") if kind % 2 else data
    if kind == 7:
        return float(struct.unpack(">d", data)[0]) if len(data) == 8 else None
    if kind in (0, 10, 11):
        return None
    return kind - 8 if kind >= 8 else int.from_bytes(data, "big", signed=True)


def _number(value: Value) -> float:
    return value if isinstance(value, (int, float)) else -1.0
