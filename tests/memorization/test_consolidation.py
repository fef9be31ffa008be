"""What repeats becomes a rule: with its counts and what it rests on, ended when it stops, and never against what
somebody said.
"""

from __future__ import annotations

import pytest
from days_lived import DAY, MONDAY, Days

from robot_memory.errors import Cancelled
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.consolidation.consolidate import consolidate
from robot_memory.memorization.consolidation.derived import NOTHING
from robot_memory.memorization.consolidation.falling import fall
from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame

KITCHEN = "be in the kitchen in the morning on weekdays"
WEEK = range(7)


@pytest.fixture
def days(graph: MemoryGraph, embedder: TextEmbedder) -> Days:
    return Days(graph, embedder, "Anna", "Ben")


def weekday_mornings(days: Days, until: int, away: tuple[int, ...] = (), since: int = 0) -> None:
    """The robot looks into the kitchen each morning, and into the study each afternoon; Anna comes on weekdays."""
    for day in range(since, until):
        came = ("Anna",) if day % 7 < 5 and day not in away else ()
        days.look(day, 8 + day % 3 / 4, "kitchen", *came)
        days.look(day, 15, "study")


def test_who_comes_on_most_weekday_mornings_has_a_routine(days: Days) -> None:
    weekday_mornings(days, 15, away=(3, 9))
    done = days.consolidate()
    assert done.made == 1
    text, count, holds = days.derived()[KITCHEN]
    assert text == (
        f"<{days.faces['Anna']}> is usually in the kitchen in the morning on weekdays "
        "(9 of the 11 weekday mornings on which I looked there or saw them, between 8:00 and 8:30)."
    )
    assert (count, holds) == (9, True)


def test_a_rule_lists_what_it_rests_on(days: Days) -> None:
    weekday_mornings(days, 12)
    days.consolidate()
    rows = days.graph.store.reader().execute(
        "SELECT support.start_ns, support.bearing, support.source FROM derivations JOIN memories AS support "
        "ON support.id = support ORDER BY 1"
    )
    found = [((row[0] - MONDAY) // DAY, row[1], row[2]) for row in rows]
    assert found == [(day, 1, "seen") for day in range(12) if day % 7 < 5]


def test_two_days_are_no_routine_and_neither_is_every_other_day(days: Days) -> None:
    for day in range(12):
        days.look(day, 8, "kitchen", *(["Anna"] if day in (0, 1) else []), *(["Ben"] if day % 2 else []))
    days.consolidate()
    assert not [value for value in days.derived() if "kitchen" in value]


def test_to_do_it_twice_changes_nothing(days: Days) -> None:
    weekday_mornings(days, 15, away=(3,))
    assert days.consolidate() != NOTHING
    with days.graph.store.snapshot() as db:
        before, generation = fingerprint(db), days.graph.store.generation()
    assert days.consolidate() == NOTHING
    with days.graph.store.snapshot() as db:
        assert fingerprint(db) == before
    assert days.graph.store.generation() == generation


def test_more_days_make_it_stronger_and_keep_the_memory(days: Days) -> None:
    weekday_mornings(days, 12)
    days.consolidate()
    one = days.graph.store.reader().execute("SELECT id FROM memories WHERE source = 'derived'").fetchall()
    weekday_mornings(days, 19, since=12)
    done = days.consolidate()
    assert (done.made, done.strengthened) == (0, 1)
    assert days.derived()[KITCHEN][1] == 15
    assert days.graph.store.reader().execute("SELECT id FROM memories WHERE source = 'derived'").fetchall() == one


def test_a_routine_that_stops_has_ended_within_a_week(days: Days) -> None:
    weekday_mornings(days, 26)
    days.consolidate()
    assert days.derived()[KITCHEN][2]
    noticed = None
    for day in range(28, 35):
        weekday_mornings(days, day + 1, away=(day,), since=day)
        days.consolidate()
        if not days.derived()[KITCHEN][2]:
            noticed = day
            break
    assert noticed is not None
    text, count, _ = days.derived()[KITCHEN]
    assert "used to be in the kitchen in the morning on weekdays (20 of the 20" in text and count == 20
    row = days.graph.store.reader().execute("SELECT valid_until_ns FROM memories WHERE value = ?", (KITCHEN,))
    assert (row.fetchone()[0] - MONDAY) // DAY == 25, "it was so until the last time"


def test_one_missed_morning_ends_nothing(days: Days) -> None:
    weekday_mornings(days, 26)
    days.consolidate()
    weekday_mornings(days, 29, away=(28,), since=26)
    days.consolidate()
    assert days.derived()[KITCHEN][2]


def test_days_on_which_the_robot_did_not_look_end_nothing(days: Days) -> None:
    weekday_mornings(days, 12)
    days.consolidate()
    for day in range(12, 40):
        days.look(day, 15, "study")
    days.consolidate()
    assert days.derived()[KITCHEN][1:] == (10, True)


def test_what_pictures_showed_is_known_when_they_are_gone(days: Days) -> None:
    weekday_mornings(days, 15, away=(3, 9))
    days.consolidate()
    with days.graph.store.write() as db:
        db.execute("DELETE FROM snapshots")
    assert days.consolidate() == NOTHING
    assert "9 of the 11" in days.derived()[KITCHEN][0]


def test_archived_memories_count(days: Days) -> None:
    weekday_mornings(days, 12)
    with days.graph.change() as change:
        change.archive([row[0] for row in change.db.execute("SELECT id FROM memories WHERE source = 'seen'")])
    days.consolidate()
    assert days.derived()[KITCHEN][1] == 10


def test_a_rule_falls_with_what_it_rests_on(days: Days) -> None:
    weekday_mornings(days, 12)
    days.consolidate()
    seen = [row[0] for row in days.graph.store.reader().execute("SELECT support FROM derivations ORDER BY 1")]
    with days.graph.store.write() as db:
        assert fall(db, seen[:4]) == ()
        db.executemany("DELETE FROM memories WHERE id = ?", [(one,) for one in seen[:4]])
    text, count, _ = days.derived()[KITCHEN]
    assert "(at least 6 days)" in text and count == 6
    with days.graph.store.write() as db:
        db.executemany("DELETE FROM memories WHERE id = ?", [(one,) for one in seen[4:8]])
        assert len(fall(db, seen[4:8])) == 1, "two days are no rule; also after they have gone"
    assert days.derived() == {}


def test_a_rule_that_never_was_one_falls(days: Days) -> None:
    weekday_mornings(days, 12)
    days.consolidate()
    with days.graph.store.write() as db:
        db.execute("DELETE FROM memories WHERE source = 'seen' AND start_ns < ?", (MONDAY + 11 * DAY,))
    assert days.consolidate().fallen == 1
    assert days.derived() == {}


def test_what_was_told_stays_and_holds(days: Days) -> None:
    anna = f"<{days.faces['Anna']}>"
    swims = days.tell(0, 9, "Anna", Frame(anna, "routine", "go swimming on Tuesdays"))
    denied = days.tell(0, 9.1, "Anna", Frame(anna, "routine", "be in the kitchen", -1))
    weekday_mornings(days, 12)
    days.consolidate()
    db = days.graph.store.reader()
    for told in (swims, denied):
        assert db.execute("SELECT valid_until_ns FROM memories WHERE id = ?", (told,)).fetchone()[0] is None
    derived = db.execute("SELECT id FROM memories WHERE source = 'derived'").fetchone()[0]
    assert [tuple(row) for row in db.execute("SELECT * FROM relations WHERE kind = 'contradicts'")] == [
        (derived, denied, "contradicts")
    ]


def test_who_is_mostly_seen_together_is_told_so(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    days = Days(graph, embedder, "Anna", "Ben", "Clara", "Dan")
    for day in range(14):
        days.look(day, 16, "study", *(("Anna", "Ben") if day % 4 else ("Anna",)))
        days.look(
            day, 17, "balcony", *(("Ben",), ("Clara",), ("Clara", "Dan") if day < 4 else ("Dan",), ("Dan",))[day % 4]
        )
    days.consolidate()
    together = {value: text for value, (text, _, _) in days.derived().items() if value.startswith("be with")}
    assert len(together) == 1
    (text,) = together.values()
    assert "are often together (10 of the " in text
    assert all(f"<{days.faces[name]}>" in text for name in ("Anna", "Ben"))


def test_where_a_thing_was_told_to_be_on_three_days_is_its_usual_place(days: Days) -> None:
    for day, place in enumerate(("in the drawer", "in the drawer", "on the shelf", "in the drawer", "in the drawer")):
        days.tell(day, 10, "Anna", Frame("car keys", "place", place))
    days.tell(6, 10, "Anna", Frame("scarf", "place", "on the hook"))
    days.consolidate()
    assert {value: text for value, (text, _, _) in days.derived().items()} == {
        "in the drawer": "The car keys are in the drawer as a rule (told on 4 of the 5 days on which I heard of it)."
    }


def test_kinship_that_two_people_tell_is_stronger(days: Days) -> None:
    anna = f"<{days.faces['Anna']}>"
    for day, teller in enumerate(("Anna", "Anna")):
        days.tell(day, 10, teller, Frame(anna, "relation", "sister Clara"))
    days.consolidate()
    assert days.derived() == {}
    days.tell(3, 10, "Ben", Frame(anna, "relation", "sister Clara"))
    days.consolidate()
    assert days.derived()["sister Clara"][:2] == (f"Clara is {anna}'s sister (told by 2 people).", 2)


def test_a_robot_without_names_of_places_knows_when_somebody_comes(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    days = Days(graph, embedder, "Anna", rooms=())
    days.rooms = ("somewhere",)
    for day in range(12):
        days.look(day, 8, "somewhere", *(("Anna",) if day % 7 < 5 else ()))
        days.look(day, 15, "somewhere")
    days.consolidate()
    ((value, (text, _, _)),) = days.derived().items()
    assert value == "be here in the morning on weekdays"
    assert "(10 of the 10 weekday mornings on which I looked, at 8:00)" in text


def test_it_can_be_stopped_and_goes_on_later(days: Days) -> None:
    weekday_mornings(days, 12)
    told = list[float]()

    def step(share: float) -> None:
        told.append(share)
        if share > 0.3:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        consolidate(days.graph, days.embedder, step)
    assert days.consolidate().changes <= 1
    assert KITCHEN in days.derived() and told == sorted(told)


def test_a_derived_memory_is_searched_by_meaning_until_it_falls(days: Days) -> None:
    weekday_mornings(days, 12)
    days.consolidate()
    query = days.embedder.embed(["someone is usually in the kitchen in the morning on weekdays."])[0]
    memory = int(days.graph.index.search(query, 1)[0][0])
    row = days.graph.store.reader().execute("SELECT source FROM memories WHERE id = ?", (memory,)).fetchone()
    assert row[0] == "derived"
    with days.graph.store.write() as db:
        db.execute("DELETE FROM memories WHERE source = 'seen' AND start_ns < ?", (MONDAY + 11 * DAY,))
    days.consolidate()
    assert memory not in days.graph.index.search(query, 5)[0].tolist()
