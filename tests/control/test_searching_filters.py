"""A search is cut exactly: by person, kind, time, place and session, and says what it understood."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from searched import DAY, SECOND, START, Told, found, look, pose, tell, told_at

from robot_memory.control.operator import Merge, correct
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.corrections import PersonUnknown
from robot_memory.memory.people.journal import Word
from robot_memory.memory.retrieval.query import Place

Shared = tuple[Told, dict[str, int]]


@pytest.fixture
def told(graph: MemoryGraph, embedder: TextEmbedder) -> Told:
    return Told(graph, embedder)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[Shared]:
    with told_at(tmp_path_factory.mktemp("shared") / "memory.sqlite", embedder) as both:
        yield both


def test_without_a_text_the_newest_comes_first(shared: Shared) -> None:
    told, known = shared
    assert found(look(told)) == sorted(known.values(), reverse=True)


def test_the_best_comes_first_and_says_why(shared: Shared) -> None:
    told, known = shared
    best = look(told, "Who likes tea?").evidence[0]
    assert best.memory == known["tea"] and best.text == "Anna said: “I like green tea.”"
    channels = dict(best.channels)
    assert channels["vector"] > 0.3 and channels["keyword"] > 0
    assert 0 < best.score <= 1


def test_the_person_asked_about_comes_first_without_being_a_filter(shared: Shared) -> None:
    told, known = shared
    page = look(told, "What does Ben drink?")
    assert found(page)[0] == known["coffee"] and set(found(page)) > {known["coffee"], known["garden"]}
    assert page.read["persons"] == ["Ben (person_2)"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"persons": ("person_1",)}, {"tea", "seen", "chess"}),
        ({"persons": ("person_1", "person_2")}, {"chess"}),
        ({"persons": ("person_1", "person_3")}, set()),
        ({"kind": "semantic"}, {"chess", "home"}),
        ({"kind": "episodic"}, {"tea", "garden", "seen", "coffee"}),
        ({"start_ns": START + DAY * SECOND}, {"seen", "coffee", "chess", "home"}),
        ({"end_ns": START + DAY * SECOND}, {"tea", "garden"}),
        ({"start_ns": START + DAY * SECOND, "end_ns": START + 2 * DAY * SECOND}, {"seen", "coffee"}),
        ({"place": Place(1, 2, 1.5)}, {"seen", "coffee"}),
        ({"place": Place(1, 2, 0.5)}, {"seen"}),
        ({"place": Place(1, 2, 5, map_id="ground floor")}, {"tea", "garden"}),
        ({"place": Place(1, 2, 4.9, map_id="ground floor")}, {"tea"}),
        ({"place_name": "Garden"}, {"garden"}),
        ({"session": "s", "kind": "semantic"}, {"chess", "home"}),
    ],
    ids=str,
)
def test_what_passes_is_all_that_is_found(shared: Shared, wanted: dict[str, object], expected: set[str]) -> None:
    told, known = shared
    assert set(found(look(told, **wanted))) == {known[name] for name in expected}
    hits = set(found(look(told, "tea and coffee", limit=100, **wanted)))
    assert hits == {known[name] for name in expected}, "a text orders, it does not cut"


def test_a_time_in_the_text_cuts_unless_a_range_is_given(shared: Shared) -> None:
    told, known = shared
    page = look(told, "What was said on Tuesday?")
    assert set(found(page)) == {known["seen"], known["coffee"]}
    assert page.read["time"] == {
        "words": "on Tuesday",
        "from": "2026-03-03T00:00:00+00:00",
        "until": "2026-03-04T00:00:00+00:00",
    }
    told_of = look(told, "Who drank coffee on Tuesday?")
    assert found(told_of)[0] == known["coffee"]
    assert set(found(told_of)) == {known[one] for one in ("seen", "coffee", "chess", "home")}, "or was told later"
    given = look(told, "What was said on Tuesday?", end_ns=START + DAY * SECOND)
    assert set(found(given)) == {known["tea"], known["garden"]}


def test_a_keyword_search_takes_the_words_as_they_stand(shared: Shared) -> None:
    told, known = shared
    assert found(look(told, "coffee on Monday", mode="keyword")) == [known["coffee"]]
    assert found(look(told, "Tee", mode="keyword")) == []
    assert dict(look(told, "gardens", mode="keyword").evidence[0].channels).keys() == {"keyword"}
    assert "keyword" not in dict(look(told, "a hot drink", mode="vector").evidence[0].channels)


def test_a_merged_person_is_found_by_the_former_id(told: Told) -> None:
    known = tell(told)
    correct(told.graph.store, Merge("person_2", "person_3"), Word("olga", "", START))
    for one in ("person_2", "person_3"):
        page = look(told, persons=(one,))
        assert set(found(page)) == {known[name] for name in ("garden", "coffee", "chess", "home")}
        assert page.evidence[0].people == (2,)
        assert page.read["about"] == ["Ben (person_2)"]
    with pytest.raises(PersonUnknown, match="person_9"):
        look(told, persons=("person_9",))


def test_i_am_who_asks(shared: Shared) -> None:
    told, _ = shared
    assert look(told, "What do I like?", asker="person_1").read["persons"] == ["I: Anna (person_1)"]
    with pytest.raises(PersonUnknown):
        look(told, "What do I like?", asker="person_9")


def test_a_place_without_a_map_is_good_within_its_session_alone(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    of_session = {}
    for session in ("monday", "tuesday"):
        told = Told(graph, embedder, session)
        voice = told.person("Anna", "voice")[0]
        of_session[session] = told.remember(f"<{voice}> waved.", [voice], 0, where=pose(1, 1, frame="odom"))
    here = Place(1, 1, 1, "odom")
    page = look(told, place=here)
    assert found(page) == [of_session["tuesday"]] and page.read["place"].endswith("in odom of the session tuesday")
    assert found(look(told, place=here, session="monday")) == [of_session["monday"]]


def test_what_is_archived_is_found_on_demand(told: Told) -> None:
    known = tell(told)
    with told.graph.change() as change:
        change.archive([known["coffee"]])
    assert known["coffee"] not in found(look(told, "coffee"))
    again = look(told, "coffee", archived=True, mode="keyword").evidence
    assert [one.memory for one in again] == [known["coffee"]] and again[0].archived


def test_evidence_says_all_that_is_known_of_a_memory(shared: Shared) -> None:
    told, known = shared
    home = look(told, persons=("person_3",)).evidence[0]
    assert home.memory == known["home"] and home.text == "Clara lives in Berlin."
    fact = home.facts[0]
    assert (fact.subject, fact.attribute, fact.value, fact.negated) == ("person_3", "home", "Berlin", False)
    assert (home.count, home.session, home.valid_from_ns, home.valid_until_ns) == (1, "s", home.start_ns, None)
