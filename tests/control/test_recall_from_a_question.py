"""What a question makes memory look for: the persons as persons, its time, its sort of evidence, and its words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from reading_cast import Cast

from robot_memory.control.clock import Zone
from robot_memory.control.recall import DAY_NS, TOLD_LATER_NS, first_person, query_of, understood
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Order, Query, Standing

NOW = 1_772_443_800_000_000_000  # Monday 2 March 2026, 09:30 UTC
UTC = Zone("UTC")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with Cast(tmp_path_factory.mktemp("cast") / "memory.sqlite") as everyone:
        yield everyone


def looked_for(text: str, people: People, embedder: TextEmbedder, asker: str = "") -> Query:
    return query_of(understood(text, people, asker, NOW, UTC), people, embedder, NOW, None)


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("What does Anna paint?", "What does I paint?"),
        ("What is Ben's favourite soup?", "What is my favourite soup?"),
        ("Where did Anna meet Ben?", "Where did I meet I?"),
        ("What do I like?", "What do I like?"),
        ("Where are the keys?", "Where are the keys?"),
    ],
)
def test_who_is_asked_about_speaks_for_themselves(people: People, question: str, compared: str) -> None:
    assert first_person(understood(question, people, "person_1", NOW, UTC)) == compared


def test_persons_are_looked_for_as_persons_and_not_as_words(people: People, embedder: TextEmbedder) -> None:
    query = looked_for("What does Anna like to drink?", people, embedder)
    assert query.asked == ((1, 2),) and "Anna" not in query.text and "drink" in query.text
    assert looked_for("What do I like?", people, embedder, "person_2").asked == ((3, 4),)


def test_a_whole_day_may_be_told_of_later_and_an_hour_not(people: People, embedder: TextEmbedder) -> None:
    day = looked_for("What did Anna do yesterday?", people, embedder)
    assert day.during_ns != (None, None) and day.told_later_ns == TOLD_LATER_NS
    for text in ("What did Anna do at 9:15?", "What did Anna say yesterday?", "What does Anna do?"):
        query = looked_for(text, people, embedder)
        span = query.during_ns
        assert not query.told_later_ns or span == (None, None), text
    assert DAY_NS < 24 * 3600 * 1_000_000_000, "the day on which the clocks go forward is a whole one"


@pytest.mark.parametrize(
    ("question", "sight"),
    [
        ("Who was here yesterday?", True),
        ("Who came in silently this morning?", True),
        ("When did you last see Anna?", True),
        ("Who was together with Ben?", True),
        ("What did Anna say when Ben came?", False),
        ("What does Anna like?", False),
        ("Where does Ben work?", False),
    ],
)
def test_sightings_are_looked_for_where_presence_is_asked_about(
    people: People, embedder: TextEmbedder, question: str, sight: bool
) -> None:
    assert looked_for(question, people, embedder).of_sight == sight


def test_order_standing_and_when(people: People, embedder: TextEmbedder) -> None:
    assert looked_for("When did Anna last go swimming?", people, embedder).order is Order.LAST
    assert looked_for("When did Anna last go swimming?", people, embedder).asks_when
    assert looked_for("Does Anna still like tea?", people, embedder).standing is Standing.LATEST
    assert looked_for("Where did Ben use to live?", people, embedder).standing is Standing.EARLIER


def test_a_time_that_is_not_understood_does_not_hide_the_rest(people: People, embedder: TextEmbedder) -> None:
    query = looked_for("What did Anna eat last season?", people, embedder)
    assert query.asked == ((1, 2),) and query.during_ns == (None, None) and query.vector is not None


def test_nothing_to_look_for(people: People, embedder: TextEmbedder) -> None:
    query = looked_for("", people, embedder)
    assert query.text == "" and query.vector is None and query.asked == ()
