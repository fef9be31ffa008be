"""The logical hash: equal for what is the same but for row ids, different for any difference that matters."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from remembering import SECOND, Story, add_clip, graph_at, random_unit, remember, sentence

from robot_memory.memory.entities.pairs import note_alike, note_apart
from robot_memory.memory.fingerprint import fingerprint, lines
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.people.corrections import merge_persons
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.people import hear_name
from robot_memory.memory.people.settling import new_person
from robot_memory.memory.people.votes import Turn, cast
from robot_memory.memory.storage.store import Store


def tell(graph: MemoryGraph, faces: int = 3, session: str = "s") -> None:
    """A short story with something in every table; the order of what is told within a clip is the same each time."""
    with graph.change() as change:
        db = change.db
        clip = add_clip(db, 0, session)
        tokens = []
        for n in range(faces):
            face = change.new_entity("face", clip)
            change.learn("face", face, random_unit(n, 2), clip)
            tokens.append(face)
            db.execute(
                "INSERT INTO sightings(clip, entity, start_ns, end_ns) VALUES (?, ?, ?, ?)", (clip, face, n, n + 5)
            )
        voice = change.new_entity("voice", clip)
        turn = db.execute(
            "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (?, ?, 1, 2, 'I am Anna', 0.7)",
            (clip, voice),
        ).lastrowid
        for face in tokens:  # the same time and kind, so only the texts tell them apart
            remember(change, clip, f"<face_{face}> was in view.", face, about={f"face_{face}": 1.0})
        claim = sentence(
            f"<voice_{voice}> is called Anna.",
            about={f"voice_{voice}": 1.0},
            frame=Frame(f"<voice_{voice}>", "name", "Anna"),
        )
        for _ in range(2):
            change.remember(clip, claim, random_unit(50)[0])
        home = Frame(f"<voice_{voice}>", "home", "Rome"), Frame(f"<voice_{voice}>", "home", "Oslo")
        for n, frame in enumerate(home):
            change.remember(clip, sentence(f"Home {n}", n, frame=frame), random_unit(52 + n)[0])
        if faces > 2:
            note_apart(db, tokens[0], tokens[1], clip)
            note_alike(db, tokens[0], tokens[2], 0.6, clip)
            merge_persons(db, f"face_{tokens[1]}", f"face_{tokens[2]}", Word("ops", "", 5))
        person = db.execute("SELECT person FROM entities WHERE id = ?", (tokens[1],)).fetchone()[0]
        remember(change, clip, f"<person_{person}> left.", 51)
        for n in range(2):
            cast(db, Turn(voice, (tokens[0],)), clip, n * SECOND)
            hear_name(db, voice, "Anna", "introduction", clip, n)
        db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (?, 7, x'00')", (clip,))
        db.execute("INSERT INTO derivations SELECT max(id), min(id) + 1 FROM memories")
        assert turn


def burn_ids(graph: MemoryGraph, count: int) -> None:
    """Use up row ids, as an interrupted earlier run would, and leave nothing."""
    with graph.change() as change:
        clip = add_clip(change.db, 0, "gone")
        story = Story(change.db)
        for n in range(count):
            story.entity(f"face_{n}")
            new_person(change.db)
            change.db.execute(
                "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, model, embedding) "
                "VALUES (?, 'episodic', 'x', 0, 0, 'seen', 'm', x'')",
                (clip,),
            )
        for table in ("memories", "entities", "persons", "clips", "sessions"):
            change.db.execute(f"DELETE FROM {table}")


@pytest.fixture
def make(tmp_path: Path):  # type: ignore[no-untyped-def]
    opened: list[MemoryGraph] = []

    def made() -> MemoryGraph:
        opened.append(graph_at(tmp_path / f"{len(opened)}.sqlite"))
        return opened[-1]

    yield made
    for graph in opened:
        graph.store.close()


Make = Callable[[], MemoryGraph]


def test_the_same_story_twice(make: Make) -> None:
    one, other = make(), make()
    tell(one)
    tell(other)
    assert fingerprint(one.store.reader()) == fingerprint(other.store.reader())
    assert len(fingerprint(one.store.reader())) == 64


@pytest.mark.parametrize("burnt", [1, 7, 8, 9, 97, 98])
def test_other_row_ids_change_nothing(make: Make, burnt: int) -> None:
    """Ids of one digit here and of two there sort differently as text."""
    one, other = make(), make()
    tell(one)
    burn_ids(other, burnt)
    tell(other, session="another name")
    assert list(lines(one.store.reader())) == list(lines(other.store.reader()))


def test_an_empty_store_has_a_hash(tmp_path: Path) -> None:
    with Store(tmp_path / "m") as store:
        assert len(fingerprint(store.reader())) == 64


CHANGES = {
    "a word": "UPDATE memories SET text = text || '!' WHERE id = 1",
    "a memory's start": "UPDATE memories SET start_ns = start_ns + 1 WHERE id = 1",
    "a memory's end": "UPDATE memories SET end_ns = end_ns + 1 WHERE id = 1",
    "a kind": "UPDATE memories SET kind = 'semantic' WHERE id = 1",
    "a source": "UPDATE memories SET source = 'heard' WHERE id = 1",
    "a count": "UPDATE memories SET count = 2 WHERE id = 1",
    "a frame's value": "UPDATE memories SET value = 'Hannah' WHERE value = 'Anna'",
    "a polarity": "UPDATE memories SET polarity = -1 WHERE value = 'Anna'",
    "archived": "UPDATE memories SET archived = 1 WHERE id = 1",
    "valid until": "UPDATE memories SET valid_until_ns = 5 WHERE id = 1",
    "valid from": "UPDATE memories SET valid_from_ns = 5 WHERE id = 1",
    "a memory less": "DELETE FROM memories WHERE id = 2",
    "a link less": "DELETE FROM edges WHERE memory = 1",
    "a link to another": "UPDATE edges SET entity = 2 WHERE memory = 1",
    "a weight": "UPDATE edges SET weight = 0.5 WHERE memory = 1",
    "a person": "UPDATE entities SET person = (SELECT person FROM entities WHERE id = 1) WHERE id = 2",
    "a token": "UPDATE memories SET text = '<face_2> was in view.' WHERE id = 1",
    "a person's token": "UPDATE memories SET text = replace(text, '<person_2>', '<person_1>')",
    "an embedding less": "DELETE FROM embeddings WHERE id = 1",
    "a name": "UPDATE names SET name = 'Hannah' WHERE id = 1",
    "a name's source": "UPDATE names SET source = 'operator' WHERE id = 1",
    "a vote's share": "UPDATE votes SET share = 0.5 WHERE id = 1",
    "an operator's word": "DELETE FROM decisions",
    "an operator's word taken back": "UPDATE journal SET undone_by = id WHERE action = 'merge'",
    "two who met": "DELETE FROM apart",
    "two who look alike": "DELETE FROM alike",
    "an observation less": "DELETE FROM supports WHERE id = 1",
    "a relation less": "DELETE FROM relations",
    "what a memory rests on": "UPDATE derivations SET support = support + 1",
    "a vote's time": "UPDATE votes SET at_ns = at_ns + 1 WHERE id = 1",
    "a turn's words": "UPDATE turns SET text = 'I am Hannah.'",
    "a turn's time": "UPDATE turns SET start_ns = 0",
    "a turn's speaker": "UPDATE turns SET entity = NULL",
    "a sighting": "UPDATE sightings SET end_ns = end_ns + 1 WHERE id = 1",
    "a sighting less": "DELETE FROM sightings WHERE id = 1",
    "a clip's end": "UPDATE clips SET end_ns = end_ns + 1",
    "a clip skipped": "UPDATE clips SET skipped = 'perception fell behind'",
    "a snapshot": "UPDATE snapshots SET stamp_ns = 8",
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_difference_that_matters(make: Make, what: str) -> None:
    graph = make()
    tell(graph)
    before = fingerprint(graph.store.reader())
    with graph.store.write() as db:
        assert db.execute(CHANGES[what]).rowcount > 0, "the test itself changes nothing"
    assert fingerprint(graph.store.reader()) != before


NOTHING = {
    "what was asked": "INSERT INTO dialogue(question_id, asked_ns, asker, question, outcome, answer, confidence, "
    "evidence) VALUES ('q', 1, '', '?', 'ANSWERED', '', 1.0, '[]')",
    "when it was worked on": "UPDATE journal SET at_ns = at_ns + 1",
    "a float's last digit": "UPDATE turns SET confidence = confidence + 1e-9",
    "what a memory is worth": "UPDATE memories SET keep = 0.5",
    "a float of a link": "UPDATE edges SET weight = weight + 1e-9",
}


@pytest.mark.parametrize("what", NOTHING)
def test_a_difference_that_does_not(make: Make, what: str) -> None:
    graph = make()
    tell(graph)
    before = fingerprint(graph.store.reader())
    with graph.store.write() as db:
        assert db.execute(NOTHING[what]).rowcount > 0
    assert fingerprint(graph.store.reader()) == before


def test_a_change_anywhere_can_be_found_in_the_lines(make: Make) -> None:
    graph = make()
    tell(graph)
    before = list(lines(graph.store.reader()))
    with graph.store.write() as db:
        db.execute(CHANGES["a word"])
    after = list(lines(graph.store.reader()))
    assert len([line for line in after if line not in before]) == 1
    assert isinstance(graph.store.reader(), sqlite3.Connection)
