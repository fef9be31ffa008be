"""What our tables are like, read from the steps themselves, so that no second list of columns can go stale."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache

from robot_memory.memory.storage.schema import STEPS, VERSION

SHADOWS = ("_data", "_idx", "_docsize", "_config")  # what FTS5 keeps a search table in
Value = int | float | str | bytes | None
TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "REAL": (float, int), "TEXT": (str,), "BLOB": (bytes,)}


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    nullable: bool
    default: Value


@dataclass(frozen=True)
class Link:
    """A column that names a row of another table."""

    column: str
    parent: str


@dataclass(frozen=True)
class Table:
    """`key` orders the rows; `number` is the column that stands for SQLite's row id, if one does."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    number: int | None
    rowid: bool
    counts: bool
    links: tuple[Link, ...]
    indexes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def fits(self, values: Sequence[Value]) -> bool:
        """Could this be a row of the table, by its types?"""
        return len(values) == len(self.columns) and not any(
            wrong(column, value) for column, value in zip(self.columns, values, strict=True)
        )


def wrong(column: Column, value: object) -> bool:
    """True for a value of a type that the column never holds."""
    if value is None:
        return not column.nullable
    return type(value) not in TYPES[column.type] or (isinstance(value, int) and not -(1 << 63) <= value < 1 << 63)


@lru_cache
def tables(version: int = VERSION) -> Mapping[str, Table]:
    """The tables of a format by name, in the order they are made in; those of full-text search are not among them."""
    from sqlite_utils import Database

    with closing(_made(version)) as connection:
        db = Database(connection)
        searches = [table.name for table in db.tables if table.virtual_table_using]
        own = {f"{search}{ending}" for search in searches for ending in ("", *SHADOWS)} | {"sqlite_sequence"}
        return {table.name: _described(connection, table) for table in db.tables if table.name not in own}


@lru_cache
def layout(version: int = VERSION) -> frozenset[tuple[str, str]]:
    """The tables of a format with their columns, as `layout_in` tells them."""
    with closing(_made(version)) as connection:
        return layout_in(connection)


def layout_in(db: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """(table, column) of all tables that are there; what is kept elsewhere (full-text search, views) has no columns of
    its own, and is told as (table, ""). Raises sqlite3.Error.
    """
    return frozenset(
        (row[0], row[1])
        for row in db.execute(
            "SELECT name, '' FROM sqlite_master WHERE type IN ('table', 'view') UNION ALL "
            "SELECT made.name, own.name FROM sqlite_master AS made JOIN pragma_table_info(made.name) AS own "
            "WHERE made.type = 'table' AND made.rootpage > 0"
        )
    )


@dataclass(frozen=True)
class Root:
    """The page at which a table or an index begins. `rows`: it is a table with row ids; all else is kept by its key."""

    page: int
    rows: bool


@lru_cache
def roots(version: int, page_size: int = 4096) -> Mapping[str, Root]:
    """Where the tables and indexes of a new file begin: SQLite lays the same steps out in the same way."""
    with closing(_made(version, page_size)) as connection:
        return {
            name: Root(page, kind == "table" and "WITHOUT ROWID" not in sql.upper())
            for name, page, kind, sql in connection.execute(
                "SELECT name, rootpage, type, coalesce(sql, '') FROM sqlite_master WHERE rootpage > 0"
            )
        }


def _made(version: int, page_size: int = 4096) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"PRAGMA page_size={page_size}")
    for step in STEPS[:version]:
        connection.executescript(step)
    return connection


def _described(connection: sqlite3.Connection, table: object) -> Table:
    from sqlite_utils.db import Table as Known

    assert isinstance(table, Known)
    number = next((n for n, one in enumerate(table.columns) if one.is_pk and one.type == "INTEGER"), None)
    sql = table.schema.upper()
    rowid = "WITHOUT ROWID" not in sql
    return Table(
        table.name,
        tuple(
            Column(
                one.name,
                one.type,
                not one.notnull and not one.is_pk,
                connection.execute(f"SELECT {one.default_value or 'NULL'}").fetchone()[0],
            )
            for one in table.columns
        ),
        tuple(table.pks),
        number if rowid and len(table.pks) == 1 else None,
        rowid,
        "AUTOINCREMENT" in sql,
        tuple(Link(link.column, link.other_table) for link in table.foreign_keys if link.column),
        tuple(one.name for one in table.indexes if not one.partial),
    )
