"""Maintain: a backup, vectors of another model made anew, and their index, beside a robot that goes on answering."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from operated import caller, serve, tell_a_morning
from ros_graph import Robot, new_robot

from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.storage.store import Store

MANY = 10_000  # memories: some seconds of work


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robot]:
    """A memory server whose memories have vectors of a model that is gone."""
    robot = new_robot(tmp_path_factory.mktemp("maintained") / "home")
    robot.home.mkdir()
    tell_a_morning(robot.store)
    with Store(robot.store) as store, store.write() as db:
        db.executemany(
            "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, model, embedding) "
            "VALUES (1, 'episodic', ?, 1, 2, 'heard', '', '')",
            [(f"Somebody spoke of the weather of day {n}.",) for n in range(MANY)],
        )
        db.execute("UPDATE memories SET model = 'an older one', embedding = zeroblob(6)")
    serve(robot)
    yield robot
    robot.end()


@pytest.fixture(scope="module")
def client(served: Robot) -> Iterator[Any]:
    with caller(served) as node:
        yield node


def maintain(client: Any, task: str, path: str | Path = "", heard: list[Any] | None = None) -> Any:
    from robot_memory_msgs.action import Maintain

    from robot_memory.ros.client import act

    goal = Maintain.Goal(task=getattr(Maintain.Goal, task), path=str(path), actor="olga")
    return act(client, Maintain, "maintain", goal, (heard if heard is not None else []).append, 120.0)


def outcome(name: str) -> int:
    from robot_memory_msgs.msg import Outcome

    return int(getattr(Outcome, name))


def begin(client: Any, task: str) -> Any:
    """A goal under way, and the client that holds it."""
    from rclpy.action import ActionClient
    from robot_memory_msgs.action import Maintain

    from robot_memory.ros import qos
    from robot_memory.ros.client import wait

    action = ActionClient(client, Maintain, "maintain", **qos.ACTIONS)
    assert action.wait_for_server(10.0)
    return action, wait(action.send_goal_async(Maintain.Goal(task=getattr(Maintain.Goal, task))), "the goal", 20.0)


def foreign(served: Robot) -> int:
    with Store(served.store, readonly=True) as store:
        return int(store.reader().execute("SELECT count(*) FROM memories WHERE model = 'an older one'").fetchone()[0])


def test_a_backup_is_the_memory_of_that_moment(client: Any, served: Robot, tmp_path: Path) -> None:
    heard: list[Any] = []
    done = maintain(client, "BACKUP", tmp_path / "saved.sqlite", heard)
    assert done.outcome == outcome("DONE"), done.message
    assert done.done == (tmp_path / "saved.sqlite").stat().st_size
    prints = []
    for path in (served.store, tmp_path / "saved.sqlite"):
        with Store(path, readonly=True) as store, store.snapshot() as db:
            prints.append(fingerprint(db))
    assert prints[0] == prints[1]
    time.sleep(0.2)  # feedback travels apart from the result
    assert {one.stage for one in heard} == {"backup"} and heard[-1].fraction == 1.0


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "INVALID"),
        ("saved.sqlite", "INVALID"),
        ("/nowhere/at/all/saved.sqlite", "INVALID"),
        ("/" + "x" * 5000, "INVALID"),
        ("x" * 10_000_000, "INVALID"),
        ("/", "INVALID"),
        ("{home}/memory.sqlite", "REFUSED"),
        ("{home}/letter", "REFUSED"),
        ("/proc/saved.sqlite", "ERROR"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_a_backup_goes_to_a_new_file_or_nowhere(client: Any, served: Robot, path: str, expected: str) -> None:
    letter = served.home / "letter"
    letter.write_text("Dear Grace")
    done = maintain(client, "BACKUP", path.replace("{home}", str(served.home)))
    assert done.outcome == outcome(expected), done.message
    assert done.message and len(done.message) < 500 and done.done == 0
    assert letter.read_text() == "Dear Grace"


def test_what_repeats_is_made_into_rules(client: Any) -> None:
    heard: list[Any] = []
    done = maintain(client, "CONSOLIDATE", heard=heard)
    assert done.outcome == outcome("DONE"), done.message
    assert "rules" in done.message and heard[-1].fraction == 1.0
    assert maintain(client, "CONSOLIDATE").done == 0, "doing it twice changes nothing"


def test_a_task_that_does_not_exist_is_invalid(client: Any) -> None:
    from robot_memory_msgs.action import Maintain

    from robot_memory.ros.client import act

    assert act(client, Maintain, "maintain", Maintain.Goal(task=77), print, 20.0).outcome == outcome("INVALID")


def test_vectors_are_made_anew_stopped_and_finished_while_questions_are_answered(client: Any, served: Robot) -> None:
    from robot_memory_msgs.msg import AnswerResult, Question
    from robot_memory_msgs.srv import Ask

    from robot_memory.ros.client import call, wait

    assert "memories have vectors of another model: robot-memory reembed" in served.run("status").stdout
    before = foreign(served)
    action, handle = begin(client, "REEMBED")
    result = handle.get_result_async()
    try:
        assert maintain(client, "REEMBED").outcome == outcome("BUSY")
        answer = call(client, Ask, "ask", Ask.Request(question=Question(text="Who was here?")), 20.0).result
        assert answer.outcome == AnswerResult.ANSWERED and "Anna" in answer.text
        wait(handle.cancel_goal_async(), "the cancel", 20.0)
        stopped = wait(result, "the result", 20.0).result
    finally:
        action.destroy()
    assert stopped.outcome == outcome("CANCELLED"), stopped.message
    left = foreign(served)
    assert 0 < left < before, "what was done stays"

    done = served.run("reembed", "--store", served.store)
    assert done.returncode == 0, done.stderr
    assert f"{left:,} memories have new vectors" in done.stdout
    assert foreign(served) == 0
    assert "vectors of another model" not in served.run("status").stdout
    answer = call(client, Ask, "ask", Ask.Request(question=Question(text="What did Anna say about her name?")), 20.0)
    assert answer.result.outcome == AnswerResult.ANSWERED


def test_the_index_is_made_anew_and_the_status_says_which_it_is(client: Any, served: Robot) -> None:
    heard: list[Any] = []
    done = maintain(client, "REBUILD_INDEX", heard=heard)
    assert done.outcome == outcome("DONE") and "indexed anew: exact (" in done.message, done.message
    assert done.done > 0
    time.sleep(0.2)
    assert {one.stage for one in heard} == {"rebuild_index"} and heard[-1].fraction == 1.0
    asked = served.run("reindex", "--store", served.store)
    assert asked.returncode == 0 and asked.stdout.strip() == done.message, asked.stderr
    assert f"index {done.message.partition('anew: ')[2]}" in served.run("status").stdout


def test_a_server_that_is_stopped_ends_its_work(tmp_path: Path) -> None:
    import signal

    robot = new_robot(tmp_path / "home")
    robot.home.mkdir()
    tell_a_morning(robot.store)
    with Store(robot.store) as store, store.write() as db:
        db.executemany(
            "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, model, embedding) "
            "VALUES (1, 'episodic', ?, 1, 2, 'heard', 'an older one', '')",
            [(f"Somebody spoke of the weather of day {n}.",) for n in range(MANY)],
        )
    try:
        running = serve(robot)
        with caller(robot) as client:
            from robot_memory.ros.client import wait

            action, handle = begin(client, "REEMBED")
            result = handle.get_result_async()
            running.process.send_signal(signal.SIGINT)
            assert running.process.wait(20) == 0
            assert wait(result, "the result", 5.0).result.outcome == outcome("NOT_READY")
            action.destroy()
        assert "Traceback" not in running.errors()
    finally:
        robot.end()
