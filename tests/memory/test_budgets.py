"""Pictures and quotes are kept for some days and within some bytes; a wrong clock does not wipe a memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import SECOND, add_clip

from robot_memory.memory import budgets
from robot_memory.memory.budgets import Budget, keep_within
from robot_memory.memory.days import DAY_NS
from robot_memory.memory.storage.store import Store

DAY = DAY_NS
YEAR_2060 = 90 * 365 * DAY


class Kept:
    """A store to which clips are added, each with one picture and one turn, and what is left of them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._sequences: dict[str, int] = {}

    def clip(self, start_ns: int, session: str = "s", jpeg: bytes = b"x" * 100, text: str = "Good morning") -> None:
        self._sequences[session] = sequence = self._sequences.get(session, -1) + 1
        clip = add_clip(self.db, sequence, session, start_ns)
        self.db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (?, ?, ?)", (clip, start_ns, jpeg))
        self.db.execute(
            "INSERT INTO turns(clip, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, 1)",
            (clip, start_ns, start_ns + SECOND, text),
        )

    def pictures(self) -> list[int]:
        return [row[0] for row in self.db.execute("SELECT stamp_ns FROM snapshots ORDER BY id")]

    def quotes(self) -> list[str]:
        return [row[0] for row in self.db.execute("SELECT text FROM turns ORDER BY id")]

    def evicted(self, kind: str) -> tuple[int, ...]:
        return tuple(self.db.execute("SELECT items, bytes, until_ns FROM evicted WHERE kind = ?", (kind,)).fetchone())


@contextmanager
def kept_at(path: Path) -> Iterator[Kept]:
    with Store(path) as store, store.write() as db:
        yield Kept(db)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    with kept_at(tmp_path / "memory.sqlite") as kept:
        yield kept


def test_nothing_goes_without_a_limit_or_within_it(kept: Kept) -> None:
    for day in range(40):
        kept.clip(day * DAY)
    for budget in (Budget(0, 0), Budget(39, 0), Budget(0, 4_000)):
        assert keep_within(kept.db, "snapshots", budget) == budgets.Evicted(0, 0, None)
    assert len(kept.pictures()) == 40


def test_what_is_too_old_goes_and_is_counted(kept: Kept) -> None:
    for day in range(40):
        kept.clip(day * DAY)
    assert keep_within(kept.db, "snapshots", Budget(30, 0)) == budgets.Evicted(9, 900, 8 * DAY)
    assert kept.pictures() == [day * DAY for day in range(9, 40)]
    assert kept.evicted("snapshots") == (9, 900, 8 * DAY)
    kept.clip(40 * DAY)
    keep_within(kept.db, "snapshots", Budget(30, 0))
    assert kept.evicted("snapshots") == (10, 1_000, 9 * DAY)


def test_what_is_too_much_goes_the_oldest_first(kept: Kept) -> None:
    for at in range(10):
        kept.clip(at * SECOND)
    keep_within(kept.db, "snapshots", Budget(0, 350))
    assert kept.pictures() == [at * SECOND for at in (7, 8, 9)]
    assert budgets.held(kept.db, "snapshots") == 300


def test_a_quote_loses_its_words_but_not_its_turn(kept: Kept) -> None:
    for at, text in enumerate(["first", "", "zweitens, schön", "third"]):
        kept.clip(at * SECOND, text=text)
    assert budgets.held(kept.db, "quotes") == len("firstzweitens, schönthird".encode())
    assert keep_within(kept.db, "quotes", Budget(0, 10)).items == 2
    assert kept.quotes() == ["", "", "", "third"]
    assert len(kept.pictures()) == 4, "pictures have a budget of their own"


def test_one_call_takes_a_bounded_piece_and_the_next_ones_the_rest(kept: Kept) -> None:
    for at in range(1_200):
        kept.clip(at * SECOND)
    taken = [keep_within(kept.db, "quotes", Budget(0, 1)).items for _ in range(4)]
    assert taken == [500, 500, 200, 0]


def test_large_pictures_go_a_few_at_a_time_but_faster_than_they_come(kept: Kept) -> None:
    for at in range(20):
        kept.clip(at * SECOND, jpeg=b"x" * 400_000)
    assert keep_within(kept.db, "snapshots", Budget(0, 1)).items == budgets.LEAST_ITEMS


def test_a_clip_stamped_in_2060_by_mistake_costs_a_day(kept: Kept) -> None:
    for day in range(20):
        kept.clip(day * DAY)
    kept.clip(YEAR_2060, session="wrong")
    keep_within(kept.db, "snapshots", Budget(30, 0))
    assert len(kept.pictures()) == 21
    for day in range(20, 30):
        kept.clip(day * DAY, session="s")
        keep_within(kept.db, "snapshots", Budget(30, 0))
    assert 0 in kept.pictures(), "29 days lived, and one for the leap"
    kept.clip(30 * DAY)
    keep_within(kept.db, "snapshots", Budget(30, 0))
    assert 0 not in kept.pictures()


def test_the_mistaken_picture_itself_does_not_stay_for_ever(kept: Kept) -> None:
    kept.clip(YEAR_2060, session="wrong")
    for day in range(33):
        kept.clip(day * DAY)
    keep_within(kept.db, "snapshots", Budget(30, 0))
    assert YEAR_2060 not in kept.pictures()


def test_a_bag_of_years_ago_is_as_young_as_its_arrival(kept: Kept) -> None:
    for day in range(1_000, 1_010):
        kept.clip(day * DAY, session="live")
    for minute in range(5):
        kept.clip(minute * 60 * SECOND, session="old bag")
    kept.clip(1_010 * DAY, session="live")
    keep_within(kept.db, "snapshots", Budget(10.5, 0))
    assert len(kept.pictures()) == 16


def test_sessions_whose_clips_alternate_do_not_age_each_other_by_their_clocks(kept: Kept) -> None:
    for minute in range(100):
        kept.clip(minute * 60 * SECOND, session="1970")
        kept.clip(YEAR_2060 + minute * 60 * SECOND, session="2060")
    keep_within(kept.db, "snapshots", Budget(2, 0))
    assert len(kept.pictures()) == 200


def test_a_long_pause_does_not_empty_the_memory_at_the_first_clip_after_it(kept: Kept) -> None:
    for day in range(5):
        kept.clip(day * DAY)
    kept.clip(200 * DAY)
    keep_within(kept.db, "snapshots", Budget(30, 0))
    assert len(kept.pictures()) == 6


@pytest.mark.parametrize("stamp", [0, -(2**62), 2**63 - 31 * SECOND])
def test_stamps_at_the_ends_of_time(kept: Kept, stamp: int) -> None:
    kept.clip(0)
    kept.clip(stamp, session="odd")
    kept.clip(SECOND)
    keep_within(kept.db, "snapshots", Budget(2, 0))
    assert len(kept.pictures()) == 3
    assert {row[0] for row in kept.db.execute("SELECT typeof(lived_ns) FROM clips")} == {"integer"}


STEPS = st.tuples(
    st.sampled_from(["add", "words", "picture", "forget", "evict"]), st.integers(0, 40), st.text(max_size=5)
)


@settings(max_examples=25, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_the_running_totals_are_what_is_there(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, str]]
) -> None:
    with kept_at(tmp_path_factory.mktemp("totals") / "memory.sqlite") as kept:
        for what, number, text in steps:
            if what == "add":
                kept.clip(number * DAY // 4, session=f"s{number % 3}", jpeg=b"x" * number, text=text)
            elif what == "words":
                kept.db.execute("UPDATE turns SET text = ? WHERE id = ?", (text, number))
            elif what == "picture":
                kept.db.execute("UPDATE snapshots SET jpeg = ? WHERE id = ?", (b"y" * number, number // 2))
            elif what == "forget":
                kept.db.execute("DELETE FROM snapshots WHERE id = ?", (number,))
                kept.db.execute("DELETE FROM turns WHERE id = ?", (number,))
            else:
                keep_within(kept.db, "snapshots" if number % 2 else "quotes", Budget(number / 10, number))
        assert dict(kept.db.execute("SELECT id, lived_ns FROM clips")) == lived(kept.db)
        held = {row["kind"]: (row["items"], row["bytes"]) for row in kept.db.execute("SELECT * FROM held")}
        words = [quote.encode() for quote in kept.quotes() if quote]
        pictures = [row[0] for row in kept.db.execute("SELECT jpeg FROM snapshots")]
        assert held == {
            "quotes": (len(words), sum(map(len, words))), "snapshots": (len(pictures), sum(map(len, pictures))),
            "memories": (0, 0), "archive": (0, 0),
        }  # fmt: skip


def lived(db: sqlite3.Connection) -> dict[int, int]:
    """Clip -> how long the robot had lived by then: a clip comes after the one before it in its session."""
    found, total, last = dict[int, int](), 0, dict[str, int]()
    for clip, session, start_ns in db.execute("SELECT id, session, start_ns FROM clips ORDER BY id"):
        before = last.get(session, last.get("any", start_ns))
        total += max(0, min(DAY, start_ns - before))
        found[clip] = total
        last[session] = last["any"] = start_ns
    return found
