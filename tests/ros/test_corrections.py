"""Corrections over ROS: people are named, merged, parted; changes are listed and undone; nonsense gets words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from operated import caller, serve, tell_a_morning
from ros_graph import Robot, new_robot


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robot]:
    robot = new_robot(tmp_path_factory.mktemp("corrected") / "home")
    robot.home.mkdir()
    tell_a_morning(robot.store)
    serve(robot)
    yield robot
    robot.end()


@pytest.fixture(scope="module")
def client(served: Robot) -> Iterator[Any]:
    with caller(served) as node:
        yield node


def ask(client: Any, name: str, /, **request: Any) -> Any:
    """The response of a service: ask(client, "NamePerson", person_id=...)."""
    import re

    from robot_memory_msgs import srv

    from robot_memory.ros.client import call

    kind = getattr(srv, name)
    snake = re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
    return call(client, kind, snake, kind.Request(**request), 20.0)


def outcome(name: str) -> int:
    from robot_memory_msgs.msg import Outcome

    return int(getattr(Outcome, name))


def people(client: Any) -> dict[str, Any]:
    return {one.id: one for one in ask(client, "ListPeople").people}


def stranger(client: Any) -> Any:
    """Who was only seen."""
    return next(one for one in people(client).values() if one.faces and not one.voices and not one.name)


def test_a_person_is_named_by_an_operators_word(client: Any) -> None:
    from robot_memory_msgs.msg import Person

    who = stranger(client)
    assert who.name_state == Person.NAME_NONE
    done = ask(client, "NamePerson", person_id=who.id, name="Carl", actor="olga", reason="he told me")
    assert done.outcome == outcome("DONE"), done.message
    assert "olga" in done.message and who.id in done.message and "Carl" in done.message
    now = people(client)[who.id]
    assert (now.name, now.name_state, now.description) == ("Carl", Person.NAME_GIVEN, "Carl")
    undone = ask(client, "UndoChange", change_id=done.change_id, actor="olga")
    assert undone.outcome == outcome("DONE") and int(undone.new_change_id) > int(done.change_id)
    assert people(client)[who.id].name == ""


def test_names_are_told_with_how_sure_they_are(client: Any) -> None:
    from robot_memory_msgs.msg import Person

    states = {one.name: one.name_state for one in people(client).values() if one.name}
    assert states["Anna"] == Person.NAME_CONFIRMED and states["Ben"] == Person.NAME_HEARD


def test_two_are_merged_and_parted_and_it_is_in_the_journal(client: Any) -> None:
    faces = [one for one in people(client).values() if one.faces]
    keep, other = faces[0], faces[-1]
    merged = ask(client, "MergePersons", keep_id=keep.id, merge_id=other.id, reason="twins? no: one")
    assert merged.outcome == outcome("DONE"), merged.message
    now = people(client)
    assert other.id not in now and other.id in now[keep.id].aliases
    assert set(other.faces) <= set(now[keep.id].faces)
    parted = ask(client, "SplitPerson", person_id=keep.id, entities=list(other.faces))
    assert parted.outcome == outcome("DONE"), parted.message
    assert people(client)[parted.new_person_id].faces == other.faces
    newest = ask(client, "ListChanges", limit=2).changes
    assert [(one.id, one.action, one.undoable) for one in newest] == [
        (parted.change_id, "split", True),
        (merged.change_id, "merge", False),
    ]
    assert newest[1].reason == "twins? no: one" and newest[1].actor == "operator" and newest[1].summary
    assert {keep.id, *other.faces} <= {*newest[1].subjects}
    refused = ask(client, "UndoChange", change_id=merged.change_id)
    assert refused.outcome == outcome("REFUSED") and parted.change_id in refused.message
    for change in (parted, merged):
        assert ask(client, "UndoChange", change_id=change.change_id).outcome == outcome("DONE")
    assert people(client)[other.id].faces == other.faces


def test_pages_of_the_journal_miss_nothing(client: Any) -> None:
    every = [one.id for one in ask(client, "ListChanges").changes]
    found, cursor = list[str](), ""
    while not found or cursor:
        page = ask(client, "ListChanges", limit=2, cursor=cursor)
        found, cursor = found + [one.id for one in page.changes], page.next_cursor
    assert found == every and len(every) > 3
    who = stranger(client)
    about = ask(client, "ListChanges", subject=who.id).changes
    assert about and all(who.id in one.subjects for one in about)


def test_changes_since_a_moment(client: Any) -> None:
    from builtin_interfaces.msg import Time

    ask(client, "NamePerson", person_id=stranger(client).id, name="Carl")
    newest = ask(client, "ListChanges", limit=1).changes[0]
    assert [one.id for one in ask(client, "ListChanges", since=newest.stamp).changes] == [newest.id]
    assert ask(client, "ListChanges", since=Time(sec=2**31 - 1)).changes == []
    ask(client, "UndoChange", change_id=newest.id)


NONSENSE = [
    ("NamePerson", {"person_id": "person_x", "name": "A"}, "INVALID"),
    ("NamePerson", {"person_id": "", "name": "A"}, "INVALID"),
    ("NamePerson", {"person_id": "person_99", "name": "A"}, "NOT_FOUND"),
    ("NamePerson", {"person_id": "person_" + "9" * 30, "name": "A"}, "INVALID"),
    ("NamePerson", {"person_id": "x" * 10_000_000, "name": "A"}, "INVALID"),
    ("NamePerson", {"person_id": "person_1", "name": "A" * 10_000_000}, "INVALID"),
    ("NamePerson", {"person_id": "person_1", "name": "A", "reason": "r" * 10_000_000}, "INVALID"),
    ("NamePerson", {"person_id": "person_1", "name": "A", "actor": "\x1b[31mroot"}, "INVALID"),
    ("NamePerson", {"person_id": "person_1", "name": "A\nB"}, "INVALID"),
    ("NamePerson", {"person_id": "person_1\0", "name": "A\0B"}, "DONE"),  # ROS ends a text there
    ("MergePersons", {"keep_id": "person_1", "merge_id": "person_1"}, "INVALID"),
    ("MergePersons", {"keep_id": "person_1", "merge_id": "voice_1"}, "INVALID"),
    ("MergePersons", {"keep_id": "person_1", "merge_id": "person_٣"}, "INVALID"),
    ("SplitPerson", {"person_id": "person_1", "entities": []}, "INVALID"),
    ("SplitPerson", {"person_id": "person_1", "entities": ["face_99"]}, "INVALID"),
    ("SplitPerson", {"person_id": "person_1", "entities": ["face_1"] * 100_000}, "INVALID"),
    ("UndoChange", {"change_id": ""}, "NOT_FOUND"),
    ("UndoChange", {"change_id": "-1"}, "NOT_FOUND"),
    ("UndoChange", {"change_id": "9" * 30}, "NOT_FOUND"),
    ("UndoChange", {"change_id": "99999"}, "NOT_FOUND"),
    ("ListChanges", {"subject": "person_x"}, "INVALID"),
    ("ListChanges", {"subject": "person_99"}, "NOT_FOUND"),
    ("ListChanges", {"subject": "memory_99999"}, "NOT_FOUND"),
    ("ListChanges", {"cursor": "x" * 10_000_000}, "INVALID"),
    ("ListChanges", {"limit": 2**32 - 1}, "DONE"),
    ("ListPeople", {"ids": ["x" * 10_000_000]}, "NOT_FOUND"),
    ("ListPeople", {"cursor": "\x07" * 1_000_000}, "INVALID"),
]


@pytest.mark.parametrize(("name", "request_", "expected"), NONSENSE, ids=lambda one: str(one)[:60])
def test_nonsense_is_told_in_words(client: Any, name: str, request_: dict[str, Any], expected: str) -> None:
    answer = ask(client, name, **request_)
    assert answer.outcome == outcome(expected), answer.message
    assert len(answer.message) < 500 and (answer.message or expected == "DONE")
    assert answer.message.isprintable()


def test_the_status_grows_with_a_correction(client: Any, served: Robot) -> None:
    def generation() -> int:
        return int(served.run("status").stdout.split("generation ")[1].split()[0])

    before = generation()
    ask(client, "NamePerson", person_id=stranger(client).id, name="Carl")
    assert generation() > before
    assert str(served.store) in served.run("status").stdout


# ---- the same from a terminal, while the robot runs


def test_a_terminal_corrects_through_the_running_robot(client: Any, served: Robot) -> None:
    who = next(one for one in people(client).values() if one.name == "Ben")
    done = served.run("name", "Ben", "Benjamin", "--store", served.store, "--actor", "olga")
    assert done.returncode == 0, done.stderr
    assert f"olga named {who.id} Benjamin" in done.stdout and done.stderr == ""
    assert people(client)[who.id].name == "Benjamin"
    change = done.stdout.split()[1].rstrip(":")
    assert served.run("undo", change, "--store", served.store).returncode == 0
    assert people(client)[who.id].name == "Ben"
    wrong = served.run("merge", who.id, who.id, "--store", served.store)
    assert wrong.returncode == 1 and "one person already" in wrong.stderr


def test_another_robots_people_are_left_alone(served: Robot) -> None:
    """A memory that some other process writes is not the one the running server answers for."""
    from robot_memory.memory.storage.store import Store

    other = served.home / "other.sqlite"
    tell_a_morning(other)
    with Store(other):
        done = served.run("name", "person_1", "Zoe", "--store", other)
        assert done.returncode == 1 and f"writes {served.store}" in done.stderr, done.stderr
        lost = served.run("name", "person_1", "Zoe", "--store", other, "--namespace", "/nowhere")
        assert lost.returncode == 1 and "no memory server answered" in lost.stderr
    assert "Zoe" not in served.run("who", "--store", served.store).stdout
