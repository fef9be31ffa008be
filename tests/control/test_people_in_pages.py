"""Everyone known: all, some by their ids, and one page after the other, which costs what the page holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_memory.control import roster
from robot_memory.memory.people.corrections import CorrectionInvalid, PersonUnknown
from robot_memory.memory.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Five people with a face and a voice each; person_3 was person_6 and person_7 as well."""
    with Store(tmp_path / "memory.sqlite") as store:
        meet(store, 5)
        with store.write() as db:
            db.execute("INSERT INTO persons(id, merged_into) VALUES (6, 3), (7, 6)")
        yield store


def meet(store: Store, people: int) -> None:
    """So many people more."""
    with store.write() as db:
        db.execute(
            "INSERT OR IGNORE INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
            "VALUES ('s', '', '', 0, '', '', '')"
        )
        for _ in range(people):
            sequence = db.execute("SELECT count(*) FROM clips").fetchone()[0]
            clip = db.execute(
                "INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s) VALUES ('s', ?, 0, 9, 0, 0)",
                (sequence,),
            ).lastrowid
            person = db.execute("INSERT INTO persons DEFAULT VALUES").lastrowid
            for kind in ("face", "voice"):
                db.execute("INSERT INTO entities(kind, person, clip) VALUES (?, ?, ?)", (kind, person, clip))


def ids(page: roster.Page) -> list[str]:
    return [one.known.id for one in page.entries]


def test_pages_follow_one_another_and_miss_nobody(store: Store) -> None:
    pages = [roster.page(store, limit=2)]
    while pages[-1].next:
        pages.append(roster.page(store, limit=2, cursor=pages[-1].next))
    assert [ids(page) for page in pages] == [["person_1", "person_2"], ["person_3", "person_4"], ["person_5"]]
    assert ids(roster.page(store)) == [f"person_{n}" for n in range(1, 6)] and roster.page(store).next == ""


def test_some_are_found_by_their_ids_and_former_ids(store: Store) -> None:
    found = roster.page(store, ids=["person_4", "person_7", "person_6"])
    assert ids(found) == ["person_3", "person_4"]
    assert found.entries[0].known.aliases == ("person_6", "person_7")
    assert ids(roster.page(store, ids=["person_4", "person_7"], limit=1, cursor="person_4")) == ["person_4"]


def test_only_those_with_a_name(store: Store) -> None:
    with store.write() as db:
        db.execute("INSERT INTO names(entity, name, source, at_ns) VALUES (3, 'Anna', 'spelling', 1)")
    assert ids(roster.page(store, only_named=True)) == ["person_2"]
    with pytest.raises(PersonUnknown):
        roster.page(store, ids=["person_1"], only_named=True)


def test_what_does_not_exist_is_said(store: Store) -> None:
    with pytest.raises(PersonUnknown, match="nobody is known as 'person_99'"):
        roster.page(store, ids=["person_1", "person_99"])
    with pytest.raises(CorrectionInvalid, match="no cursor"):
        roster.page(store, cursor="person_99")


def test_a_page_asks_no_more_of_the_memory_however_many_people_there_are(store: Store) -> None:
    def statements() -> int:
        asked = list[str]()
        store.reader().set_trace_callback(asked.append)
        roster.page(store, limit=2)
        store.reader().set_trace_callback(None)
        return len(asked)

    few = statements()
    meet(store, 50)
    assert statements() == few
