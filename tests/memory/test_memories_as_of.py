"""What had been recorded of a memory by a moment: count, span and validity folded back from its observations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from remembering import SECOND, add_clip, add_entity, graph_at, remember

from robot_memory.memory.compression.archive import ArchiveBudget, trim
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.retrieval.asof import Then, folded


class Life:
    """One voice whose home is told, a clip a day; `at`: the day that is spoken of, where it is not today."""

    def __init__(self, graph: MemoryGraph) -> None:
        self.graph = graph
        with graph.store.write() as db:
            self.voice = add_entity(db, "voice", add_clip(db, 0))

    def lives_in(self, town: str, day: int, at: int | None = None, polarity: int = 1) -> int:
        about = day if at is None else at
        frame = Frame(f"<voice_{self.voice}>", "home", town, polarity)
        with self.graph.change() as change:
            clip = add_clip(change.db, day, start_ns=day * 86_400 * SECOND)
            text, seconds = f"<voice_{self.voice}> lives in {town}.", about * 86_400.0
            return remember(change, clip, text, start_s=seconds, frame=frame, about={f"voice_{self.voice}": 1.0})

    def then(self, day: int, *memories: int) -> list[Then]:
        """As of the end of a day."""
        with self.graph.store.snapshot() as db:
            found = folded(db, memories, (day * 86_400 + 86_399) * SECOND)
        return [found[memory] for memory in memories]


def days(number: int | None) -> int | None:
    return None if number is None else number * 86_400 * SECOND


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    graph = graph_at(tmp_path / "memory.sqlite")
    yield Life(graph)
    graph.close()
    graph.store.close()


def test_a_memory_observed_again_was_shorter_and_rarer(life: Life) -> None:
    berlin = life.lives_in("Berlin", 1)
    assert [life.lives_in("Berlin", day) for day in (3, 5)] == [berlin, berlin]
    counts = [(one.count, one.end_ns) for day in (1, 3, 5) for one in life.then(day, berlin)]
    assert counts == [(1, days(1) + SECOND), (2, days(3) + SECOND), (3, days(5) + SECOND)]  # type: ignore[operator]


def test_what_was_superseded_later_was_still_true(life: Life) -> None:
    berlin, rome = life.lives_in("Berlin", 1), life.lives_in("Rome", 4)
    assert life.then(3, berlin)[0].valid_until_ns is None
    assert [one.valid_until_ns for one in life.then(4, berlin, rome)] == [days(4), None]


def test_an_end_learnt_late_was_another_one_before(life: Life) -> None:
    """On day 9 it turns out that she moved to Oslo on day 2, before Rome."""
    berlin, rome = life.lives_in("Berlin", 1), life.lives_in("Rome", 5)
    oslo = life.lives_in("Oslo", 9, at=2)
    assert [one.valid_until_ns for one in life.then(9, berlin, oslo, rome)] == [days(2), days(5), None]
    assert [one.valid_until_ns for one in life.then(8, berlin, rome)] == [days(5), None]


def test_an_interval_parted_later_was_whole(life: Life) -> None:
    """On day 9 it turns out that she was in Oslo between two claims of Berlin."""
    berlin = life.lives_in("Berlin", 1)
    assert life.lives_in("Berlin", 6) == berlin
    life.lives_in("Oslo", 9, at=3)
    assert life.then(8, berlin)[0].valid_until_ns is None
    assert life.then(9, berlin)[0].valid_until_ns == days(3)


def test_a_denial_ends_a_claim_when_it_is_known(life: Life) -> None:
    berlin = life.lives_in("Berlin", 1)
    life.lives_in("Berlin", 4, polarity=-1)
    assert [life.then(day, berlin)[0].valid_until_ns for day in (3, 4)] == [None, days(4)]


def test_what_ended_it_may_be_archived_or_gone(life: Life) -> None:
    berlin, rome = life.lives_in("Berlin", 1), life.lives_in("Rome", 4)
    with life.graph.change() as change:
        change.archive([rome])
    assert [life.then(day, berlin)[0].valid_until_ns for day in (3, 4, 9)] == [None, days(4), days(4)]
    pisa = life.lives_in("Pisa", 6)
    with life.graph.change() as change:
        change.archive([pisa])
        assert trim(change.db, ArchiveBudget(1, 0)).items == 1
    assert [life.then(day, berlin)[0].valid_until_ns for day in (3, 4, 9)] == [None, days(4), days(4)]


def test_now_nothing_is_folded_away(life: Life) -> None:
    """Folded up to the present, every memory is as its row says."""
    ids = [life.lives_in(town, day) for day, town in enumerate(("Berlin", "Rome", "Rome", "Oslo", "Berlin"), start=1)]
    with life.graph.store.snapshot() as db:
        rows = db.execute("SELECT id, count, start_ns, end_ns, valid_until_ns FROM memories WHERE subject IS NOT NULL")
        asked = {row["id"]: Then(*tuple(row)[1:]) for row in rows.fetchall()}
        assert set(ids) == set(asked) and folded(db, list(asked), days(99)) == asked
