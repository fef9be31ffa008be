"""What belongs together after a rescue: rows whose partner is lost get it anew where their meaning can be kept.

A sentence, a face or a voice is worth more than the row it hangs on. So lost clips, sessions, persons, entities and
entries of the journal are made again under their own numbers, with what can be told of them; a sentence whose turn is
lost keeps its text; only what says nothing without its partner (an edge to a lost sentence) is dropped, and counted.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from robot_memory.memory.storage.sense import LOST, VECTORS, in_a_circle
from robot_memory.memory.storage.tables import Link, Table

MEANT = {("votes", "face")}  # columns where NULL says something of its own: there, the row goes
DROPPED = {("journal_subjects", "change")}  # rows that say nothing of a partner made anew
TOKEN = re.compile(r"<(face|voice|person)_(\d{1,18})>")
KINDS = (("votes", "voice"), ("votes", "face"))
TIMES = (("memories", "start_ns", "end_ns"), ("turns", "start_ns", "end_ns"), ("sightings", "start_ns", "end_ns"),
         ("snapshots", "stamp_ns", "stamp_ns"), ("votes", "at_ns", "at_ns"))  # fmt: skip


@dataclass(frozen=True)
class Repaired:
    """Rows made anew, rows dropped, and rows mended in part."""

    remade: int
    dropped: int
    mended: int


def repair(db: sqlite3.Connection, tables: Mapping[str, Table], sequences: Mapping[str, int]) -> dict[str, Repaired]:
    """Let every row find its partner, and no number be given out twice. Inside the caller's transaction."""
    mentioned = _mentioned(db)
    taken = _taken(db, tables, sequences, mentioned)
    _keep_numbers(db, tables, taken)
    remade = dict.fromkeys(tables, 0)
    for parent, remake in (
        ("journal", _journal),
        ("entities", _entity(mentioned)),
        ("persons", _person),
        ("clips", _clip),
        ("sessions", _session),
    ):
        for number in sorted(set(_missing(db, tables, parent, DROPPED)), key=str):
            remade[parent] += remake(db, tables, number)
    dropped, mended = Counter(_drop(db, tables)), Counter(persons=_open_circles(db))
    for table in VECTORS:
        gone, emptied = _of_one_length(db, table)
        dropped[table] += gone
        mended[table] += emptied
    _keep_numbers(db, tables, taken)
    return {name: Repaired(remade[name], dropped[name], mended[name]) for name in tables}


def _open_circles(db: sqlite3.Connection) -> int:
    """Who is merged into others in a circle is nobody: one of them is somebody again."""
    merged = dict(db.execute("SELECT id, merged_into FROM persons WHERE merged_into IS NOT NULL").fetchall())
    first = in_a_circle(merged)
    db.executemany("UPDATE persons SET merged_into = NULL WHERE id = ?", [(person,) for person in first])
    return len(first)


def _of_one_length(db: sqlite3.Connection, table: str) -> tuple[int, int]:
    """Of each model's vectors, those of another length than most are damaged: embeddings are dropped, and memories wait
    to be embedded anew. Returns how many of either.
    """
    column = VECTORS[table]
    counted = db.execute(
        f"SELECT model, length({column}) AS bytes FROM {table} WHERE model != '' GROUP BY 1, 2 ORDER BY count(*), 2"
    )
    dropped = mended = 0
    for model, usual in dict(counted.fetchall()).items():
        if table == "memories":
            mended += db.execute(
                "UPDATE memories SET model = '', embedding = x'' WHERE model = ? AND length(embedding) != ?",
                (model, usual),
            ).rowcount
        else:
            dropped += db.execute(
                f"DELETE FROM {table} WHERE model = ? AND length({column}) != ?", (model, usual)
            ).rowcount
    return dropped, mended


def count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


Key = int | str
Remake = Callable[[sqlite3.Connection, Mapping[str, Table], Key], bool]


def _links(tables: Mapping[str, Table], parent: str) -> Iterator[tuple[Table, Link]]:
    for table in tables.values():
        for link in table.links:
            if link.parent == parent:
                yield table, link


def _orphans(link: Link, parent: Table) -> str:
    return f"{link.column} IS NOT NULL AND {link.column} NOT IN (SELECT {parent.key[0]} FROM {parent.name})"


def _missing(
    db: sqlite3.Connection, tables: Mapping[str, Table], parent: str, but: set[tuple[str, str]]
) -> Iterator[Key]:
    for table, link in _links(tables, parent):
        if (table.name, link.column) not in but:
            where = _orphans(link, tables[parent])
            yield from (row[0] for row in db.execute(f"SELECT DISTINCT {link.column} FROM {table.name} WHERE {where}"))


def _drop(db: sqlite3.Connection, tables: Mapping[str, Table]) -> dict[str, int]:
    """Rows lose the partner they can do without, or go. One that goes may leave others alone: until all is well."""
    dropped = dict.fromkeys(tables, 0)
    changed = True
    while changed:
        changed = False
        for parent in tables.values():
            for table, link in _links(tables, parent.name):
                column = next(column for column in table.columns if column.name == link.column)
                where = _orphans(link, parent)
                if column.nullable and (table.name, link.column) not in MEANT:
                    db.execute(f"UPDATE {table.name} SET {link.column} = NULL WHERE {where}")
                elif gone := db.execute(f"DELETE FROM {table.name} WHERE {where}").rowcount:
                    dropped[table.name] += gone
                    changed = True
    return dropped


def _mentioned(db: sqlite3.Connection) -> dict[tuple[str, int], None]:
    """The entities and persons that remembered sentences speak of."""
    found: dict[tuple[str, int], None] = {}
    for (text,) in db.execute("SELECT text FROM memories WHERE text LIKE '%<%'"):
        for kind, number in TOKEN.findall(text):
            found[kind, int(number)] = None
    return found


def _taken(
    db: sqlite3.Connection,
    tables: Mapping[str, Table],
    sequences: Mapping[str, int],
    mentioned: Mapping[tuple[str, int], None],
) -> dict[str, int]:
    """The highest number that has been given out, or is spoken of: a lost face's number must not become another's."""
    taken: dict[str, int] = {}
    for table in tables.values():
        if table.number is None:
            continue
        names = [(table.name, table.key[0]), *((other.name, link.column) for other, link in _links(tables, table.name))]
        numbers = [db.execute(f"SELECT max({column}) FROM {name}").fetchone()[0] or 0 for name, column in names]
        taken[table.name] = max([*numbers, sequences.get(table.name, 0)])
    for kind, number in mentioned:
        parent = "persons" if kind == "person" else "entities"
        taken[parent] = max(taken[parent], number)
    return taken


def _keep_numbers(db: sqlite3.Connection, tables: Mapping[str, Table], taken: Mapping[str, int]) -> None:
    for name, number in taken.items():
        if not tables[name].counts:
            continue
        known = db.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (name,)).fetchone()
        if known is None:
            db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", (name, number))
        else:
            db.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (number, name))


def _journal(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> bool:
    """What was decided stays decided and what was undone stays undone, though nobody knows any more by whom."""
    db.execute(
        "INSERT INTO journal(id, at_ns, actor, action, detail, reason) VALUES (?, 0, '', 'lost', '{}', ?)",
        (number, LOST),
    )
    return True


def _entity(mentioned: Mapping[tuple[str, int], None]) -> Remake:
    def remake(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> bool:
        """A face or voice keeps its embeddings and its sentences; whose it is, the votes will say again."""
        kind = next((kind for kind, n in mentioned if n == number and kind != "person"), "") or _kind(
            db, tables, number
        )
        clip = _first_clip(db, tables, number)
        if not kind or clip is None:
            return False
        person = db.execute("INSERT INTO persons DEFAULT VALUES").lastrowid
        db.execute("INSERT INTO entities(id, kind, person, clip) VALUES (?, ?, ?, ?)", (number, kind, person, clip))
        return True

    return remake


def _kind(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> str:
    """Face or voice: by its votes, its turns, its embeddings' model, its sightings."""
    for table, kind in KINDS:
        if table in tables and db.execute(f"SELECT 1 FROM {table} WHERE {kind} = ?", (number,)).fetchone():
            return kind
    if db.execute("SELECT 1 FROM turns WHERE entity = ?", (number,)).fetchone():
        return "voice"
    alike = db.execute(
        "SELECT kind FROM entities JOIN embeddings ON entity = entities.id WHERE model ="
        " (SELECT model FROM embeddings WHERE entity = ?) LIMIT 1",
        (number,),
    ).fetchone()
    if alike:
        return str(alike[0])
    return "face" if db.execute("SELECT 1 FROM sightings WHERE entity = ?", (number,)).fetchone() else ""


def _first_clip(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> int | None:
    clips = [
        db.execute(f"SELECT min(clip) FROM {table.name} WHERE {link.column} = ?", (number,)).fetchone()[0]
        for table, link in _links(tables, "entities")
        if "clip" in table.names
    ]
    clips = [clip for clip in clips if clip is not None]
    clips = clips or [db.execute("SELECT min(id) FROM clips").fetchone()[0]]
    return min((clip for clip in clips if clip is not None), default=None)


def _person(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> bool:
    db.execute("INSERT INTO persons(id) VALUES (?)", (number,))
    return True


def _clip(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> bool:
    """Its times are those of what it holds; its place in the session is unknown, and a number that no clip to come
    has is put there, or that clip would be taken for one already stored.
    """
    spans = [
        db.execute(f"SELECT min({start}), max({end}) FROM {table} WHERE clip = ?", (number,)).fetchone()
        for table, start, end in TIMES
    ]
    before = db.execute("SELECT session, end_ns FROM clips WHERE id < ? ORDER BY id DESC LIMIT 1", (number,)).fetchone()
    after = db.execute("SELECT session, start_ns FROM clips WHERE id > ? ORDER BY id LIMIT 1", (number,)).fetchone()
    session, near = (before or after or (LOST, 0))[:2]
    starts, ends = ([one for one in side if one is not None] for side in zip(*spans, strict=True))
    db.execute(
        "INSERT INTO clips(id, session, sequence, start_ns, end_ns, frames, audio_s, skipped)"
        " VALUES (?, ?, ?, ?, ?, 0, 0, ?)",
        (number, session, -int(number), min(starts, default=near), max(ends, default=near), LOST),
    )
    if "lived_ns" in tables["clips"].names:  # how long the robot had lived by then: as long as by the clip before
        lived = "SELECT max(lived_ns) FROM clips WHERE id < ?"
        db.execute(f"UPDATE clips SET lived_ns = coalesce(({lived}), 0) WHERE id = ?", (number, number))
    return True


def _session(db: sqlite3.Connection, tables: Mapping[str, Table], number: Key) -> bool:
    """The robot is most likely where it has been before: the zone is another session's."""
    near = db.execute("SELECT utc_offset_s, zone, clock FROM sessions ORDER BY rowid DESC LIMIT 1").fetchone()
    db.execute(
        "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock, finished)"
        " VALUES (?, ?, '', ?, ?, '', ?, 1)",
        (number, f"({LOST})", *(near or (0, "", ""))),
    )
    return True
