"""Questions over ROS: the Answer action with feedback and cancel, Ask, the question topic, BUSY and NOT_READY."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from operated import caller
from ros_graph import Robot, new_robot


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory, short_bag: Path) -> Iterator[Robot]:
    """A running memory server that has met Grace."""
    robot = new_robot(tmp_path_factory.mktemp("answering") / "home")
    assert robot.replay(short_bag).returncode == 0
    robot.start("up", "--store", robot.store, "--set", "answers.queue=1")
    yield robot
    robot.end()


@pytest.fixture(scope="module")
def client(answering: Robot) -> Iterator[Any]:
    """A node in the robot's domain, spinning in a thread of its own."""
    with caller(answering) as node:
        yield node


def _ask(node: Any, text: str) -> Any:
    from robot_memory_msgs.msg import Question
    from robot_memory_msgs.srv import Ask

    from robot_memory.ros.client import call

    return call(node, Ask, "ask", Ask.Request(question=Question(id="q", text=text)), 20.0).result


def test_ask_answers_with_evidence(client: Any) -> None:
    from robot_memory_msgs.msg import AnswerResult

    result = _ask(client, "Who was here?")
    assert result.outcome == AnswerResult.ANSWERED
    assert "Grace" in result.text
    assert result.question_id == "q"
    first = result.evidence[0]
    assert first.memory_id > 0 and first.clip_id == 1 and first.snapshot_uri and first.has_pose
    assert first.start.sec < first.end.sec
    assert first.pose.header.frame_id == "odom"


def test_the_words_said_are_quoted_and_attributed(client: Any) -> None:
    result = _ask(client, "What did Grace say about the moth?")
    assert "moth" in result.evidence[0].quote
    assert result.evidence[0].speaker_id.startswith("person_")


@pytest.mark.parametrize(
    "question",
    [
        "What did Grace say about her holidays?",
        "When did you see Bob?",
        "Who was here yesterday?",
        "What will the weather be like?",
        "",
        "?" * 5000,
        "Who was here last Whitsun week?",
    ],
)
def test_what_is_not_known_is_not_answered(client: Any, question: str) -> None:
    from robot_memory_msgs.msg import AnswerResult

    result = _ask(client, question)
    assert result.outcome == AnswerResult.ABSTAINED
    assert not result.evidence
    assert result.message


def test_the_action_reports_each_round(client: Any) -> None:
    from robot_memory_msgs.action import Answer
    from robot_memory_msgs.msg import AnswerResult, Question

    from robot_memory.ros.client import act

    steps: list[Any] = []
    result = act(
        client, Answer, "answer", Answer.Goal(question=Question(text="When did you see Grace?")), steps.append, 20.0
    ).result
    assert result.outcome == AnswerResult.ANSWERED
    assert result.rounds == 2
    time.sleep(0.2)  # feedback travels apart from the result
    assert [step.action for step in steps][:1] == ["search"]
    assert steps[0].round == 1 and steps[0].hits >= 1


def test_one_round_is_too_few_and_says_so(client: Any) -> None:
    from robot_memory_msgs.action import Answer
    from robot_memory_msgs.msg import AnswerResult, Question

    from robot_memory.ros.client import act

    goal = Answer.Goal(question=Question(text="Who was here?"), max_rounds=1)
    result = act(client, Answer, "answer", goal, lambda step: None, 20.0).result
    assert result.outcome == AnswerResult.ABSTAINED
    assert "rounds" in result.message


def test_many_at_once_are_answered_or_told_busy_and_a_cancel_is_honoured(client: Any) -> None:
    from rclpy.action import ActionClient
    from robot_memory_msgs.action import Answer
    from robot_memory_msgs.msg import AnswerResult, Question

    from robot_memory.ros import qos
    from robot_memory.ros.client import wait

    action = ActionClient(client, Answer, "answer", **qos.ACTIONS)
    assert action.wait_for_server(10.0)
    sent = [action.send_goal_async(Answer.Goal(question=Question(text="Who was here?"))) for _ in range(30)]
    handles = [wait(one, "the goal to be accepted", 20.0) for one in sent]
    assert all(handle.accepted for handle in handles)
    handles[-1].cancel_goal_async()
    outcomes = [wait(handle.get_result_async(), "the result", 20.0).result.result.outcome for handle in handles]
    assert set(outcomes) <= {AnswerResult.ANSWERED, AnswerResult.BUSY, AnswerResult.CANCELLED}
    assert AnswerResult.ANSWERED in outcomes
    action.destroy()


def test_a_question_on_the_topic_is_answered_on_the_topic(client: Any) -> None:
    from robot_memory_msgs.msg import AnswerResult, Question

    from robot_memory.ros import qos

    heard: list[Any] = []
    subscription = client.create_subscription(AnswerResult, "answers", heard.append, qos.EVENTS)
    publisher = client.create_publisher(Question, "question", qos.EVENTS)
    deadline = time.monotonic() + 15
    while not [one for one in heard if one.question_id == "spoken-1"]:
        assert time.monotonic() < deadline
        publisher.publish(Question(id="spoken-1", text="Who was here?", source=Question.SPOKEN))
        time.sleep(0.5)
    client.destroy_subscription(subscription)
    client.destroy_publisher(publisher)


def test_people_are_listed_with_names_and_ids(client: Any) -> None:
    from robot_memory_msgs.srv import ListPeople

    from robot_memory.ros.client import call

    people = call(client, ListPeople, "list_people", ListPeople.Request(), 10.0).people
    grace = next(person for person in people if person.name == "Grace")
    assert grace.id == "person_1" and grace.faces == ["face_1"] and grace.voices == ["voice_2"] and grace.crop_uri


def test_services_of_later_versions_say_not_ready(client: Any) -> None:
    from robot_memory_msgs.action import Forget
    from robot_memory_msgs.msg import AnswerResult

    from robot_memory.ros.client import act, call
    from robot_memory.ros.later import SERVICES

    for name, kind in SERVICES.items():
        reply = call(client, kind, name, kind.Request(), 10.0)
        assert reply.outcome == AnswerResult.NOT_READY and name in reply.message
    assert act(client, Forget, "forget", Forget.Goal(), lambda step: None, 10.0).outcome == AnswerResult.NOT_READY


def test_status_is_there_for_whoever_comes_later(answering: Robot) -> None:
    shown = answering.run("status")
    assert shown.returncode == 0, shown.stderr
    assert "remembering" in shown.stdout
