"""The archive: what goes there leaves the index and the search table and is counted; it comes back when it is observed
again, and beyond its budget the least is let go with all that hangs on it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import DIM, add_clip, graph_at, random_unit, remember, sentence, unit

from robot_memory.memory.budgets import Evicted
from robot_memory.memory.compression.archive import MOST_ITEMS, ArchiveBudget, archive, bring_back, trim
from robot_memory.memory.graph import Change, MemoryGraph
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search
from robot_memory.memory.storage.checking import check_pages, check_search

LIMITLESS = ArchiveBudget(0, 0)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    graph = graph_at(tmp_path / "memory.sqlite")
    with graph.change() as change:
        clip = add_clip(change.db)
        face = change.new_entity("face", clip)
        for n in range(1, 11):
            remember(change, clip, f"Marker{n} was seen.", n, start_s=n, about={f"face_{face}": 1.0})
        change.db.execute("UPDATE memories SET keep = id")
    yield graph
    graph.store.close()


def words(db: sqlite3.Connection) -> list[int]:
    return [row[0] for row in db.execute("SELECT rowid FROM memories_fts('seen') ORDER BY rowid")]


def table(db: sqlite3.Connection, name: str) -> dict[str, tuple[int, int]]:
    """held, or evicted."""
    return {row["kind"]: (row["items"], row["bytes"]) for row in db.execute(f"SELECT * FROM {name}")}


def ids(db: sqlite3.Connection, archived: int) -> list[int]:
    return [row[0] for row in db.execute("SELECT id FROM memories WHERE archived = ? ORDER BY id", (archived,))]


def test_what_is_archived_is_found_by_nothing_and_counted(graph: MemoryGraph) -> None:
    db = graph.store.reader()
    with graph.change() as change:
        assert archive(change.db, [2, 4, 99]) == Evicted(2, 2 * (len("Marker2 was seen.") + 2 * DIM), 5 * 10**9)
        assert archive(change.db, [2]) == Evicted(0, 0, None), "it is there already"
        change.archive([6])
    assert words(db) == ids(db, 0) == [1, 3, 5, 7, 8, 9, 10]
    assert table(db, "held")["archive"] == table(db, "evicted")["memories"]
    assert search(db, graph.index, Query("Marker6", random_unit(6)[0]), 1)[0].memory != 6
    with graph.store.write() as db:
        assert check_search(db, None).whole
        db.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        assert words(db) == ids(db, 0) and check_search(db, None).whole
    assert check_pages(graph.store.path, None).whole


def test_a_reopened_memory_has_it_in_the_archive_still(graph: MemoryGraph) -> None:
    with graph.change() as change:
        change.archive([1, 2, 3])
    graph.store.close()
    again = graph_at(graph.store.path)
    assert again.store.damage is None and len(again.index) == 7 and len(words(again.store.reader())) == 7
    again.store.close()


def test_words_changed_in_the_archive_stay_out_of_the_search_table(graph: MemoryGraph) -> None:
    with graph.store.write() as db:
        archive(db, [1])
        db.execute("UPDATE memories SET text = 'It was seen twice.' WHERE id = 1")
        assert words(db) == list(range(2, 11)) and check_search(db, None).whole
        db.execute("UPDATE memories SET archived = 0 WHERE id = 1")
        assert words(db) == list(range(1, 11)) and check_search(db, None).whole
        assert [row[0] for row in db.execute("SELECT rowid FROM memories_fts('twice')")] == [1]


def test_it_comes_back_with_all_that_is_linked_to_it(graph: MemoryGraph) -> None:
    with graph.store.write() as db:
        db.execute("INSERT INTO supports(memory, clip, start_ns, end_ns, source) VALUES (2, 1, 0, 1, 'seen')")
        db.execute("INSERT INTO relations VALUES (2, 1, 'similar'), (3, 2, 'similar')")
        db.execute("INSERT INTO derivations VALUES (2, 5), (7, 2)")
        db.execute("INSERT INTO answered(memory, at_ns, cited) VALUES (2, 3, 1)")
        before = db.execute("SELECT text, start_ns, count, embedding FROM memories WHERE id = 2").fetchone()
        archive(db, [2, 3])
        new = bring_back(db, 2)
        assert new == 11 and ids(db, 0) == words(db) == [1, *range(4, 12)]
        row = "SELECT text, start_ns, count, embedding FROM memories WHERE id = 11 AND keep IS NULL"
        assert tuple(db.execute(row).fetchone()) == tuple(before)
        for name, wanted in (
            ("SELECT memory, entity FROM edges WHERE memory IN (2, 11)", {(11, 1)}),
            ("SELECT memory FROM supports", {(11,)}),
            ("SELECT memory, other FROM relations", {(11, 1), (3, 11)}),
            ("SELECT memory, support FROM derivations", {(11, 5), (7, 11)}),
            ("SELECT id, bearing FROM memories WHERE bearing != 0", {(5, 1), (11, 1)}),
            ("SELECT memory FROM answered", {(11,)}),
        ):
            assert set(map(tuple, db.execute(name))) == wanted
        assert table(db, "held")["archive"] == table(db, "evicted")["memories"] and ids(db, 1) == [3]
        assert check_search(db, None).whole and db.execute("PRAGMA foreign_key_check").fetchall() == []


CLAIM = Frame("<face_1>", "likes", "tea")


def say(change: Change, polarity: int = 1) -> tuple[int, bool]:
    frame = Frame("<face_1>", "likes", "tea", polarity)
    return change.remember(1, sentence("<face_1> on tea.", frame=frame), unit(1.0, polarity))


def test_a_claim_heard_again_is_searched_again_with_its_count(graph: MemoryGraph) -> None:
    with graph.change() as change:
        first = say(change)[0]
        assert say(change) == (first, False)
        against = say(change, -1)[0]
        change.archive([first, against])
    with graph.change() as change:
        again, new = say(change)
        assert new and [memory for memory, _, _ in change.memories] == [again]
    db = graph.store.reader()
    assert db.execute("SELECT count FROM memories WHERE id = ?", (again,)).fetchone()[0] == 3
    assert db.execute("SELECT count(*) FROM supports WHERE memory = ?", (again,)).fetchone()[0] == 3
    found = [hit.memory for hit in search(db, graph.index, Query("tea", unit(1.0, 1)), 20)]
    assert found[0] == again and first not in found and against not in found
    assert [tuple(row) for row in db.execute("SELECT * FROM relations")] == [(against, again, "contradicts")]


def test_the_archive_lets_go_of_the_least_first(graph: MemoryGraph) -> None:
    with graph.store.write() as db:
        archive(db, range(1, 9))
        db.execute("UPDATE memories SET keep = -keep WHERE id IN (5, 6)")
        db.execute("INSERT INTO relations VALUES (6, 1, 'similar')")
        assert trim(db, LIMITLESS) == trim(db, ArchiveBudget(8, 10_000)) == Evicted(0, 0, None)
        assert trim(db, ArchiveBudget(6, 0)).items == 2 and ids(db, 1) == [1, 2, 3, 4, 7, 8]
        each = len("Marker1 was seen.") + 2 * DIM
        assert trim(db, ArchiveBudget(0, 4 * each)) == Evicted(2, 2 * each, 3 * 10**9)
        assert ids(db, 1) == [3, 4, 7, 8] and words(db) == [9, 10]
        assert table(db, "evicted") == {"memories": (8, 8 * each), "archive": (4, 4 * each)}
        assert table(db, "held")["archive"] == (4, 4 * each)
        for rest in ("edges", "relations"):
            gone = f"SELECT 1 FROM {rest} WHERE memory NOT IN (SELECT id FROM memories)"
            assert db.execute(gone).fetchone() is None
        assert check_search(db, None).whole


def test_what_a_derived_memory_rests_on_goes_last(graph: MemoryGraph) -> None:
    with graph.store.write() as db:
        db.execute("INSERT INTO derivations VALUES (10, 1), (9, 1), (10, 2), (10, 4)")
        archive(db, range(1, 6))
        trim(db, ArchiveBudget(3, 0))
        assert ids(db, 1) == [1, 2, 4]
        db.execute("DELETE FROM derivations WHERE support = 4")
        trim(db, ArchiveBudget(2, 0))
        assert ids(db, 1) == [1, 2]
        trim(db, ArchiveBudget(1, 0))
        assert ids(db, 1) == [1], "the budget is the law; least goes that least rests on"
        assert [tuple(row) for row in db.execute("SELECT * FROM derivations ORDER BY memory")] == [(9, 1), (10, 1)]


def test_one_call_does_a_bounded_piece_of_work(graph: MemoryGraph) -> None:
    with graph.store.write() as db:
        db.executemany(
            "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, archived, model, embedding, keep) "
            "VALUES (1, 'episodic', 'old', 0, 0, 'seen', 1, 'm', x'', ?)",
            [(n,) for n in range(3 * MOST_ITEMS)],
        )
        assert [trim(db, ArchiveBudget(1, 0)).items for _ in range(4)] == [*[MOST_ITEMS] * 2, MOST_ITEMS - 1, 0]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("archive"), st.lists(st.integers(1, 12), max_size=4)),
        st.tuples(st.just("back"), st.integers(1, 12)),
        st.tuples(st.just("trim"), st.integers(1, 6)),
        st.tuples(st.just("derive"), st.tuples(st.integers(1, 12), st.integers(1, 12))),
        st.tuples(st.just("say"), st.integers(0, 3)),
    ),
    max_size=20,
)


class Undone(Exception):
    """What ends a change without keeping it."""


@given(steps=STEPS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_the_books_are_right(graph: MemoryGraph, steps: list[tuple[str, object]]) -> None:
    with suppress(Undone), graph.change() as change:
        db = change.db
        for what, value in steps:
            match what, value:
                case "archive", list(some):
                    change.archive(some)
                case "back", int(one) if one in ids(db, 1):
                    bring_back(db, one)
                case "trim", int(most):
                    trim(db, ArchiveBudget(most, 0))
                case "derive", (int(one), int(other)) if {one, other} <= {*ids(db, 0), *ids(db, 1)}:
                    db.execute("INSERT OR IGNORE INTO derivations VALUES (?, ?)", (one, other))
                case "say", int(n):
                    frame = Frame("<face_1>", "likes", f"thing {n}")
                    change.remember(1, sentence(f"Thing {n}.", frame=frame), random_unit(n)[0])
        held = {"memories": (0, 0), "archive": (0, 0)}
        for archived, size in db.execute("SELECT archived, length(text) + length(embedding) FROM memories").fetchall():
            kind = "archive" if archived else "memories"
            held[kind] = (held[kind][0] + 1, held[kind][1] + size)
        assert {kind: table(db, "held")[kind] for kind in held} == held
        gone = table(db, "evicted")
        for n in (0, 1):  # of items, and of bytes
            assert gone.get("memories", (0, 0))[n] == held["archive"][n] + gone.get("archive", (0, 0))[n]
        bearing = "SELECT count(*) FROM derivations WHERE support = memories.id"
        assert db.execute(f"SELECT 1 FROM memories WHERE bearing != ({bearing})").fetchone() is None
        assert check_search(db, None).whole and db.execute("PRAGMA foreign_key_check").fetchall() == []
        raise Undone
