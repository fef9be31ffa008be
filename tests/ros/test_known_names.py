"""Known names on their way to the transcriber: told when they change, heard when that is wanted, never in lockstep."""

from __future__ import annotations

import shutil
import subprocess
import wave
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from listening import listening, state
from operated import caller, serve, tell_a_morning
from ros_graph import Robot, wait_for

RATE = 16_000
CHUNK = RATE // 10
START_NS = 1_800_000_000 * 10**9  # later than anything in the told morning
BAG = "ab" * 32


def ask(client: Any, kind: Any, name: str, /, **request: Any) -> Any:
    from robot_memory_msgs.msg import Outcome

    from robot_memory.ros.client import call

    answer = call(client, kind, name, kind.Request(**request), 20.0)
    assert answer.outcome == Outcome.DONE, answer.message
    return answer


def give_name(client: Any, name: str) -> Any:
    """An operator's word on who was only seen."""
    from robot_memory_msgs.srv import ListPeople, NamePerson

    people = ask(client, ListPeople, "list_people").people
    stranger = next(one for one in people if one.faces and not one.voices and not one.name)
    return ask(client, NamePerson, "name_person", person_id=stranger.id, name=name)


def test_sure_names_are_told_and_told_again_when_they_change(robot: Robot) -> None:
    from robot_memory_msgs.srv import UndoChange
    from std_msgs.msg import String

    robot.home.mkdir()
    tell_a_morning(robot.store)
    server = serve(robot)
    with late_listener(robot, String) as lists, caller(robot) as client:
        wait_for("the names", lambda: lists == ["Anna"])  # Ben was heard once only
        change = give_name(client, "Carl Berg").change_id
        wait_for("one more", lambda: lists == ["Anna", "Carl\nAnna"])
        ask(client, UndoChange, "undo_change", change_id=change)
        wait_for("one less", lambda: lists == ["Anna", "Carl\nAnna", "Anna"])
    assert not [name for name in ("Anna", "Carl", "Ben") if name in server.errors()]


@contextmanager
def late_listener(robot: Robot, kind: Any) -> Iterator[list[str]]:
    """The texts on known_names, from the newest that was told before anybody listened."""
    from robot_memory.ros import qos

    lists: list[str] = []
    with caller(robot) as node:
        node.create_subscription(kind, "known_names", lambda message: lists.append(message.data), qos.LATCHED)
        yield lists


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """A name that the transcriber alone takes for another word, and a second of silence."""
    if not shutil.which("flite"):
        pytest.skip("flite is not installed")
    path = tmp_path_factory.mktemp("spoken") / "said.wav"
    subprocess.run(["flite", "-voice", "slt", "-t", "Hello, my name is Thabo.", "-o", path], check=True)
    with wave.open(str(path)) as file:
        assert file.getframerate() == RATE
        said = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    return np.concatenate([np.zeros(RATE // 2, np.int16), said, np.zeros(RATE + -len(said) % CHUNK, np.int16)])


def say(speaker: Any, spoken: np.ndarray, start_ns: int, first: int) -> None:
    from robot_memory_msgs.msg import AudioChunk
    from std_msgs.msg import Header

    from robot_memory.ros import convert

    for n in range(0, len(spoken), CHUNK):
        stamp = convert.to_time(start_ns + n * 10**9 // RATE)
        data = array("h", spoken[n : n + CHUNK].tobytes())
        speaker.publish(
            AudioChunk(header=Header(stamp=stamp), first_sample=first + n, sample_rate=RATE, channels=1, data=data)
        )


def start(robot: Robot, *settings: str) -> None:
    """A whole robot, which has met Thabo."""
    robot.home.mkdir()
    tell_a_morning(robot.store)
    values = (f"store.path:={robot.store}", "streams.silence_s:=1.0", *settings)
    running = robot.start("--ros-args", *(word for one in values for word in ("-p", one)), executable="main")
    wait_for("the robot", lambda: running.errors().count("ready") or running.process.poll() is not None)


@pytest.mark.parametrize("hint", [True, False], ids=["asked for", "by default"])
def test_a_known_name_is_heard_only_when_that_is_wanted_and_never_in_lockstep(
    robot: Robot, spoken: np.ndarray, hint: bool
) -> None:
    from robot_memory_msgs.msg import AudioChunk, Memory, VoiceTurn, Watermark
    from robot_memory_msgs.srv import CloseSession, OpenSession

    from robot_memory.ros import qos

    start(robot, *["perception.hint_names:=true"] * hint)
    with listening(robot, turns=VoiceTurn, memories=Memory, watermark=Watermark) as heard, caller(robot) as client:
        give_name(client, "Thabo")
        assert client.count_subscribers("known_names") == int(hint)
        speaker = client.create_publisher(AudioChunk, "audio", qos.stream(qos.AUDIO_DEPTH, reliable=True))
        wait_for(
            "ears, and that we hear of them", lambda: speaker.get_subscription_count() and state(heard, "perception")[0]
        )

        say(speaker, spoken, START_NS, 0)
        wait_for("a live clip", lambda: live(heard) and quoted(heard))
        assert [("Thabo" in words) for words in (*live(heard), *quoted(heard))] == [hint, hint]

        opened = ask(client, OpenSession, "open_session", bag_uri="bag", bag_fingerprint=BAG, lockstep=True, into=True)
        wait_for("the session", lambda: heard["watermark"][-1].run == opened.run)
        say(speaker, spoken, START_NS + 600 * 10**9, len(spoken))
        wait_for("all of it", lambda: heard["watermark"][-1].received[1] == len(spoken) // CHUNK)
        ask(client, CloseSession, "close_session", flush=True)
        wait_for("its clip", lambda: len(live(heard)) == len(quoted(heard)) == 2)
        assert "Thabo" not in live(heard)[1] and "Thabo" not in quoted(heard)[1]


def live(heard: dict[str, list[Any]]) -> list[str]:
    return [turn.text for turn in heard["turns"]]


def quoted(heard: dict[str, list[Any]]) -> list[str]:
    """What was said, as it is remembered."""
    return [one.text for one in heard["memories"] if "Hello" in one.text]
