"""Search and GetEvidence over ROS: what is found, in pages; pictures; outcomes and words for everything else."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from operated import caller, serve
from ros_graph import Robot, new_robot

from robot_memory.config import PerceptionSettings
from robot_memory.control.service import models_of
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from told import Story, at

JPEG = b"\xff\xd8 the view"
POSE: dict[str, Any] = {"stamp_ns": 1, "frame_id": "map", "map_id": "home", "position": [1, 2, 0]}
POSE |= {"orientation": [0, 0, 0, 1], "covariance": [0] * 36}


def tell(robot: Robot) -> None:
    """Anna likes tea, Ben coffee; the robot took a picture, and knew where it was."""
    profile = load_profile(PerceptionSettings().profile)
    with Store(robot.store) as store:
        graph = MemoryGraph(store, models_of(profile))
        story = Story(graph, open_text_embedder(profile.model("text_embedding")))
        said = [("anna", 2.0, 8.0, "My name is Anna."), ("anna", 12.0, 18.0, "I am Anna, and I like green tea.")]
        story.clip({"anna": (0, 20)}, said)
        story.clip(
            {"ben": (31, 50)}, [("ben", 33.0, 38.0, "My name is Ben."), ("ben", 40.0, 45.0, "Coffee is better.")]
        )
        with store.write() as db:
            db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (1, ?, ?)", (at(12), JPEG))
            db.execute("UPDATE memories SET pose = ? WHERE clip = 1", (json.dumps(POSE),))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robot]:
    robot = new_robot(tmp_path_factory.mktemp("searched") / "home")
    robot.home.mkdir()
    tell(robot)
    serve(robot)
    yield robot
    robot.end()


@pytest.fixture(scope="module")
def client(served: Robot) -> Iterator[Any]:
    with caller(served) as node:
        yield node


def search(client: Any, **request: Any) -> Any:
    from robot_memory_msgs.srv import Search

    return answer_of(client, Search, "search", Search.Request(**request))


def evidence(client: Any, **request: Any) -> Any:
    from robot_memory_msgs.srv import GetEvidence

    return answer_of(client, GetEvidence, "get_evidence", GetEvidence.Request(**request))


def answer_of(client: Any, kind: Any, name: str, request: Any) -> Any:
    """The first reply to a client may be lost while the two still discover each other: it is asked again."""
    from robot_memory.ros.client import NoAnswer, call

    with suppress(NoAnswer):
        return call(client, kind, name, request, 5.0)
    return call(client, kind, name, request, 20.0)


def outcome(name: str) -> int:
    from robot_memory_msgs.msg import Outcome

    return int(getattr(Outcome, name))


def test_the_best_comes_first_with_all_that_is_known_of_it(client: Any) -> None:
    from robot_memory_msgs.msg import Evidence

    done = search(client, text="Who likes tea?")
    assert done.outcome == outcome("DONE") and done.message == ""
    assert done.results[0].text == "Anna likes green tea."  # what she said means it
    best = next(one for one in done.results if one.kind == Evidence.EPISODIC)
    assert best.text == "Anna said: “I am Anna, and I like green tea.”"
    assert (best.kind, best.source) == (Evidence.EPISODIC, Evidence.HEARD)
    assert (best.author, best.speaker_id) == ("person_1", "person_1")
    assert (best.count, best.session, best.clip_id, best.person_ids) == (1, "story", 1, ["person_1"])
    assert best.quote and 0 < best.confidence <= 1 and best.valid_until.sec == 0
    assert "vector" in best.channels and len(best.channels) == len(best.channel_scores)
    assert best.has_pose and best.map_id == "home" and best.pose.pose.pose.position.y == 2.0
    assert best.snapshot_uri == "snapshot/1" and not best.provisional and not best.archived
    scores = [one.score for one in done.results]
    assert scores == sorted(scores, reverse=True)


def test_a_claim_has_facts_for_programs(client: Any) -> None:
    from robot_memory_msgs.srv import Search

    claims = search(client, kind=Search.Request.SEMANTIC).results
    assert {(one.facts[0].subject, one.facts[0].attribute, one.facts[0].value) for one in claims} >= {
        ("person_1", "name", "Anna")
    }
    assert all(one.valid_from.sec > 0 for one in claims)


def test_filters_cut_and_pages_show_everything_once(client: Any) -> None:
    from builtin_interfaces.msg import Time
    from geometry_msgs.msg import Point
    from robot_memory_msgs.srv import Search

    every = [one.memory_id for one in search(client).results]
    assert every == sorted(every, reverse=True) and len(every) >= 6, "newest first"
    shown, cursor = list[int](), ""
    while not shown or cursor:
        page = search(client, limit=2, cursor=cursor)
        shown, cursor = shown + [one.memory_id for one in page.results], page.next_cursor
    assert shown == every
    half = Time(sec=at(30) // 10**9)
    assert {one.clip_id for one in search(client, end=half).results} == {1}
    assert {one.clip_id for one in search(client, start=half).results} == {2}
    assert {one.clip_id for one in search(client, as_of=half).results} == {1}
    assert {one.clip_id for one in search(client, place=Point(x=1.0, y=2.5), place_radius=1.0).results} == {1}
    assert {one.clip_id for one in search(client, person_ids=["person_1"]).results} == {1}
    words = search(client, text="coffee", mode=Search.Request.KEYWORD).results
    assert ["Coffee" in one.text for one in words] == [True] and words[0].channels == ["keyword"]
    nothing = search(client, text="xylophone", mode=Search.Request.KEYWORD)
    assert nothing.outcome == outcome("DONE") and nothing.results == [] and nothing.message


def test_a_memory_is_shown_with_its_pictures(client: Any) -> None:
    best = search(client, text="Who likes tea?").results[0]
    shown = evidence(client, memory_id=best.memory_id)
    assert shown.outcome == outcome("DONE"), shown.message
    assert shown.evidence.text == best.text
    assert (bytes(shown.crop.data), shown.crop.format) == (b"jpeg of anna", "jpeg")
    assert bytes(shown.snapshot.data) == JPEG and shown.snapshot.header.stamp.sec == at(12) // 10**9
    alone = evidence(client, uri=best.snapshot_uri)
    assert alone.outcome == outcome("DONE") and bytes(alone.snapshot.data) == JPEG
    assert alone.evidence.memory_id == 0 and not alone.crop.data


def nonsense() -> list[tuple[dict[str, Any], str]]:
    try:
        from builtin_interfaces.msg import Time
    except ImportError:
        return []
    return [
        ({"text": "x" * 10_000_000}, "INVALID"),
        ({"text": "tea\x1b[31m"}, "INVALID"),
        ({"mode": 9}, "INVALID"),
        ({"kind": 9}, "INVALID"),
        ({"person_ids": ["Anna"]}, "INVALID"),
        ({"person_ids": ["person_1"] * 100_000}, "INVALID"),
        ({"person_ids": ["person_99"]}, "NOT_FOUND"),
        ({"asker_id": "person_99"}, "NOT_FOUND"),
        ({"asker_id": "x" * 10_000_000}, "INVALID"),
        ({"start": Time(sec=9), "end": Time(sec=5)}, "INVALID"),
        ({"place_radius": -1.0}, "INVALID"),
        ({"place_radius": math.nan}, "INVALID"),
        ({"place_radius": math.inf}, "INVALID"),
        ({"place_radius": 1.0, "place_frame": "moon"}, "NOT_FOUND"),
        ({"place_name": "cellar"}, "NOT_FOUND"),
        ({"place_name": "x" * 10_000_000}, "INVALID"),
        ({"session": "nowhere"}, "NOT_FOUND"),
        ({"cursor": "x" * 10_000_000}, "INVALID"),
        ({"limit": 2**32 - 1}, "DONE"),
        ({"start": Time(sec=-(2**31)), "end": Time(sec=2**31 - 1, nanosec=2**32 - 1)}, "DONE"),
        ({"as_of": Time(sec=-(2**31)), "text": "yesterday"}, "DONE"),
    ]


@pytest.mark.parametrize(("request_", "expected"), nonsense(), ids=lambda one: str(one)[:50])
def test_nonsense_is_told_in_words(client: Any, request_: dict[str, Any], expected: str) -> None:
    done = search(client, **request_)
    assert done.outcome == outcome(expected), done.message
    assert len(done.message) < 500 and done.message.isprintable() and (done.message or expected == "DONE")


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({}, "NOT_FOUND"),
        ({"memory_id": 999}, "NOT_FOUND"),
        ({"memory_id": -(2**63)}, "NOT_FOUND"),
        ({"uri": "snapshot/999"}, "NOT_FOUND"),
        ({"uri": "../memory.sqlite"}, "NOT_FOUND"),
        ({"uri": "x" * 10_000_000}, "NOT_FOUND"),
        ({"memory_id": 1, "asker_id": "person_99"}, "NOT_FOUND"),
    ],
    ids=lambda one: str(one)[:50],
)
def test_what_is_not_there_is_told_in_words(client: Any, request_: dict[str, Any], expected: str) -> None:
    done = evidence(client, **request_)
    assert done.outcome == outcome(expected) and 0 < len(done.message) < 300
    assert not done.crop.data and not done.snapshot.data


def test_many_at_once_are_served_or_told_busy(client: Any) -> None:
    from robot_memory_msgs.srv import Search

    from robot_memory.ros import qos
    from robot_memory.ros.client import wait

    service = client.create_client(Search, "search", qos_profile=qos.SERVICES)
    assert service.wait_for_service(10.0)
    sent = [service.call_async(Search.Request(text="Who likes tea?")) for _ in range(45)]  # a client's queue holds 50
    outcomes = [wait(one, "a search", 20.0).outcome for one in sent]
    assert set(outcomes) <= {outcome("DONE"), outcome("BUSY")} and outcome("DONE") in outcomes
    client.destroy_client(service)


def test_a_terminal_searches_beside_the_running_robot(client: Any, served: Robot) -> None:
    done = served.run("search", "tea", "--limit", "1", "--store", served.store)
    assert done.returncode == 0 and "green tea" in done.stdout and done.stderr == ""


def test_before_it_is_configured_it_is_not_ready(tmp_path: Any) -> None:
    robot = new_robot(tmp_path / "home")
    try:
        robot.home.mkdir()
        robot.start("--ros-args", "-p", "autostart:=false", executable="memory_server")
        with caller(robot) as node:
            for done in (search(node, text="tea"), evidence(node, memory_id=1)):
                assert done.outcome == outcome("NOT_READY") and "not active" in done.message
    finally:
        robot.end()
