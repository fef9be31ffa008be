"""Whom a question means: as People.called has it, with those nearly called so kept, and at once among a thousand."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from reading_cast import Cast

from robot_memory.control.clock import Zone
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.understanding.reading import ALIAS, ASKER, NAME, SOUND, TOKEN, Mention, Reading
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store

NOW_NS = 1_772_452_800_000_000_000
ALIKE = {
    1: ("Ann",),
    2: ("Anne",),
    3: ("Anna Schmidt",),
    4: ("Anna",),
    5: ("Sean",),
    6: ("Shawn Miller",),
    7: ("Dr. Weiss", "Tom"),
    8: ("Tom",),
}  # Ann and Anne sound the same; Anna is another name


def read(people: People, text: str, asker: str = "") -> Reading:
    return Reader(people).read(text, NOW_NS, Zone(), asker)


def only(reading: Reading) -> Mention:
    (mention,) = reading.mentions
    return mention


@pytest.mark.parametrize(
    "name", ["Ann", "Anne", "Anna", "Anna Schmidt", "Anna Meyer", "Sean", "Shaun", "Shawn", "Tom", "Dr. Weiss", "Jo"]
)
def test_it_is_whom_people_called_means(tmp_path: Path, name: str) -> None:
    with Cast(tmp_path / "memory.sqlite", ALIKE) as people:
        reading = read(people, f"What did {name} say?")
        assert reading.persons == tuple(person.id for person in people.called(name))


def test_those_nearly_called_so_are_kept(tmp_path: Path) -> None:
    with Cast(tmp_path / "memory.sqlite", ALIKE) as people:
        ann = only(read(people, "When was Ann here?"))
        assert (ann.persons, ann.how, ann.alike) == ((1,), NAME, (2,))
        shaun = only(read(people, "When was Shaun here?"))
        assert (shaun.persons, shaun.how, shaun.alike) == ((5,), SOUND, (6,))


def test_who_is_called_so_comes_before_who_was_called_so(tmp_path: Path) -> None:
    with Cast(tmp_path / "memory.sqlite", {1: ("Thomas", "Tom"), 2: ("Tom",), 3: ("Katherine", "Kat")}) as people:
        tom, kat = only(read(people, "Where is Tom?")), only(read(people, "Where is Kat?"))
        assert (tom.persons, tom.how, tom.alike) == ((2,), NAME, (1,))
        assert (kat.persons, kat.how) == ((3,), ALIAS)


def test_a_former_id_and_the_tokens_of_faces_and_voices(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with Cast(path, {1: ("Anna",), 2: ("Ben",)}):
        pass
    with Store(path) as store:
        with store.write() as db:
            db.execute("INSERT INTO persons(id, merged_into) VALUES (9, 2)")
        people = People(store.reader())
        for token in ("person_9", "<person_9>", "Person 9", "face_3", "<voice_4>"):
            mention = only(read(people, f"When was {token} here?"))
            assert (mention.persons, mention.how) == ((2,), TOKEN)
        assert read(people, "What did <voice_4> say?").wording == "What did Ben say?"
        assert read(people, "Who is face_99?").unknown_names == ("face_99",)


def test_the_asker_is_whoever_asks_and_may_be_unknown(tmp_path: Path) -> None:
    with Cast(tmp_path / "memory.sqlite", {1: ("Anna",), 2: ("Ben",)}) as people:
        for asker in ("person_2", "<person_2>", "face_3", "voice_4"):
            assert only(read(people, "Where are my keys?", asker)).persons == (2,)
        for nobody in ("", "person_77", "operator", "’"):
            mention = only(read(people, "Where are my keys?", nobody))
            assert (mention.persons, mention.how) == ((), ASKER)


def test_who_only_tells_when_is_not_asked_about(tmp_path: Path) -> None:
    with Cast(tmp_path / "memory.sqlite", {1: ("Anna",), 2: ("Ben",)}) as people:
        reading = read(people, "What did Anna do after Ben left?")
        assert reading.persons == (1,) and [one.in_time for one in reading.mentions] == [False, True]
        assert read(people, "After Ben left, what did he say?").persons == (2,)
        assert read(people, "After Ben left, what did Ben say to Anna?").persons == (2, 1)


def test_a_thousand_people_cost_no_more_than_a_few(tmp_path: Path) -> None:
    """Meant: under 2 ms. The limit is loose, for a machine that does other things as well."""
    first = ["ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su"]
    last = ["bel", "dan", "fon", "gar", "lim", "mon", "nas", "pet", "rik", "tov"]
    names = [(a + b + c).capitalize() for a in first for b in first for c in last]
    with Cast(tmp_path / "memory.sqlite", dict(enumerate(((name,) for name in names), start=1))) as people:
        reader = Reader(people)
        question = f"What did {names[700]} and Xiu say about {names[3].lower()} and the blue chair next to the window?"
        assert reader.read(question, NOW_NS, Zone()).persons == (701, 4)
        took = []
        for _ in range(30):
            start = time.perf_counter()
            reader.read(question, NOW_NS, Zone())
            took.append(time.perf_counter() - start)
    assert min(took) < 0.005
