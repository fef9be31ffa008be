"""Claims looked up by subject and attribute: exact, under any token or name, and only what was known then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from remembering import SECOND, Story, add_clip, graph_at, random_unit, sentence

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.retrieval.claims import EXACT, NEAR, claims


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    """face_1 and voice_2 are one person."""
    made = graph_at(tmp_path / "memory.sqlite")
    with made.change() as change:
        story = Story(change.db)
        story.entity("face_1")
        story.say("voice_2", "face_1", times=2)
        story.say("voice_2", "face_1", times=2, later=True)
        assert story.together("face_1", "voice_2")
    yield made
    made.store.close()


def told(graph: MemoryGraph, subject: str, attribute: str, value: str, at_s: float = 0) -> int:
    with graph.change() as change:
        clip = add_clip(change.db, int(at_s) + 1, start_ns=int(at_s * SECOND))
        line = sentence(f"{subject} {attribute} {value}", at_s, frame=Frame(subject, attribute, value))
        return change.remember(clip, line, random_unit(1)[0])[0]


def look(
    graph: MemoryGraph, subjects: Sequence[str] | None, *attributes: str, as_of_s: float | None = None
) -> list[int]:
    as_of_ns = None if as_of_s is None else int(as_of_s * SECOND)
    return [hit.memory for hit in claims(graph.store.reader(), subjects, attributes, as_of_ns)]


def test_a_person_is_meant_by_any_token_and_a_name_is_a_subject_of_its_own(graph: MemoryGraph) -> None:
    face = told(graph, "<face_1>", "job", "nurse")
    voice = told(graph, "<voice_2>", "likes", "tea", 40)
    name = told(graph, "Anna", "home", "Leeds", 80)
    assert look(graph, ["<voice_2>"]) == [face, voice]
    assert look(graph, ["<person_1>", "Anna"]) == [face, voice, name]
    assert look(graph, ["anna"]) == [name]
    assert look(graph, ["Ben"]) == []


def test_somebody_of_a_person_is_meant_by_any_token_of_theirs(graph: MemoryGraph) -> None:
    brother = told(graph, "<voice_2>'s brother", "home", "Leeds")
    assert look(graph, ["<face_1>'s brother"], "home") == [brother]
    assert look(graph, ["<face_1>"], "home") == []


def test_attributes_by_any_of_their_words_and_all_where_none_is_named(graph: MemoryGraph) -> None:
    job, home = told(graph, "Anna", "job", "nurse"), told(graph, "Anna", "home", "Leeds", 40)
    assert look(graph, ["Anna"], "job") == [job]
    assert look(graph, ["Anna"], "occupation") == [job]
    assert look(graph, ["Anna"], "job", "home") == [job, home]
    assert look(graph, ["Anna"]) == [job, home]
    assert look(graph, ["Anna"], "age") == []


def test_of_anybody_in_the_order_of_what_happened(graph: MemoryGraph) -> None:
    late = told(graph, "Ben", "home", "York", 900)
    early = told(graph, "<face_1>", "home", "Leeds", 60)
    told(graph, "Ben", "job", "baker", 300)
    assert look(graph, None, "home") == [early, late]
    assert len(look(graph, None)) == 3


def test_a_thing_by_its_last_words_or_other_number_where_only_one_is_meant(graph: MemoryGraph) -> None:
    keys = told(graph, "the car keys", "place", "in the drawer")
    found = claims(graph.store.reader(), ["keys"], ["place"])
    assert [(hit.memory, hit.score) for hit in found] == [(keys, NEAR)]
    assert claims(graph.store.reader(), ["car keys"], ["place"])[0].score == EXACT
    assert look(graph, ["car key"], "place") == [keys]
    assert look(graph, ["car"], "place") == []
    told(graph, "the house keys", "place", "on the hook", 40)
    assert look(graph, ["keys"], "place") == []
    own = told(graph, "keys", "place", "in the bowl", 80)
    assert look(graph, ["keys"], "place") == [own]


def test_a_name_is_never_a_part_of_another(graph: MemoryGraph) -> None:
    told(graph, "Mary Ann", "job", "nurse")
    assert look(graph, ["Ann"], "job") == []


def test_as_of_a_moment_only_what_was_recorded_by_then(graph: MemoryGraph) -> None:
    first, second = told(graph, "Anna", "home", "York", 60), told(graph, "Anna", "home", "Leeds", 600)
    assert look(graph, ["Anna"], "home", as_of_s=300) == [first]
    assert look(graph, ["Anna"], "home", as_of_s=700) == [first, second]


def test_what_is_archived_is_left_out(graph: MemoryGraph) -> None:
    memory = told(graph, "Anna", "home", "York")
    with graph.store.write() as db:
        db.execute("UPDATE memories SET archived = 1 WHERE id = ?", (memory,))
    assert look(graph, ["Anna"], "home") == []


def test_many_claims_are_found_by_index(graph: MemoryGraph) -> None:
    plan = graph.store.reader().execute(
        "EXPLAIN QUERY PLAN SELECT id FROM memories WHERE subject = ? AND attribute IN (?) AND archived = 0", ("a", "b")
    )
    assert "USING INDEX" in plan.fetchone()["detail"]
