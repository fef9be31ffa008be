"""The microphone node: every sample of a file arrives, counted and stamped; what is lost is counted; what is missing is
said in one line.
"""

from __future__ import annotations

import io
import signal
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from listening import listening, serving, state
from ros_graph import Robot, wait_for

RATE = 16_000


def noise(seconds: float) -> np.ndarray:
    """Sound of which no two samples need be alike, so that a missing or a doubled one is noticed."""
    return np.random.default_rng(1).integers(-30_000, 30_000, int(seconds * RATE), dtype=np.int16)


def wav(samples: np.ndarray) -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return data.getvalue()


def settings(**values: object) -> list[str]:
    return ["--ros-args", *(word for name, value in values.items() for word in ("-p", f"microphone.{name}:={value}"))]


def stamp_ns(message: Any) -> int:
    return int(message.header.stamp.sec) * 10**9 + int(message.header.stamp.nanosec)


def test_a_file_arrives_to_the_sample_at_its_own_pace(robot: Robot, tmp_path: Path) -> None:
    from robot_memory_msgs.msg import AudioChunk

    file, said = tmp_path / "said.wav", noise(1.25)
    file.write_bytes(wav(said))
    with listening(robot, audio=AudioChunk) as heard:
        microphone = robot.start(*settings(source=file), executable="microphone")
        wait_for("the end of the file", lambda: "has ended" in microphone.errors())
        chunks = list(heard["audio"])
        wait_for("the diagnostics", lambda: "has ended" in state(heard, "microphone")[0])
    assert np.array_equal(np.concatenate([chunk.data for chunk in chunks]), said)
    assert [chunk.first_sample for chunk in chunks] == list(range(0, len(said), RATE // 10))
    assert {(chunk.sample_rate, chunk.channels) for chunk in chunks} == {(RATE, 1)}
    places = [stamp_ns(chunk) - chunk.first_sample * 10**9 // RATE for chunk in chunks]
    assert max(places) - min(places) <= 20  # ns: rounding
    assert 0 <= time.time_ns() - stamp_ns(chunks[0]) < 20e9
    microphone.process.send_signal(signal.SIGINT)
    assert microphone.process.wait(10) == 0, microphone.errors()


def test_a_stream_that_breaks_off_is_taken_up_again_and_the_counter_knows_what_is_missing(robot: Robot) -> None:
    from robot_memory_msgs.msg import AudioChunk

    data = wav(noise(0.6))

    def half_a_second(write: Callable[[bytes], Any]) -> None:
        write(data)

    with serving("audio/wav", half_a_second) as url, listening(robot, audio=AudioChunk) as heard:
        microphone = robot.start(*settings(source=url), executable="microphone")
        wait_for("the stream to come twice", lambda: len(heard["audio"]) >= 8)
        wait_for("the loss to be reported", lambda: int(state(heard, "microphone")[1].get("gaps", 0)) >= 1)
        microphone.process.send_signal(signal.SIGTERM)
        assert microphone.process.wait(10) == 0, microphone.errors()
        chunks = heard["audio"]
    assert f"{url} cannot be read on" in microphone.errors() and f"{url} is there again" in microphone.errors()
    ends = [chunk.first_sample + len(chunk.data) for chunk in chunks]
    holes = [chunk.first_sample - end for chunk, end in zip(chunks[1:], ends)]
    assert all(hole >= 0 for hole in holes) and max(holes) > 0.3 * RATE
    for chunk in chunks:  # the counter and the stamps tell the same story
        passed_s = (stamp_ns(chunk) - stamp_ns(chunks[0])) / 1e9
        assert abs(passed_s - (chunk.first_sample - chunks[0].first_sample) / RATE) < 0.05


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"source": "nothing-here.wav"}, "there is no file"),
        ({"source": "''"}, "microphone.source is empty"),
        ({"source": "file:///etc/passwd"}, "write a file as a path, /etc/passwd"),
        ({"source": __file__}, "cannot be opened"),
        ({"source": Path(__file__).parents[1] / "media/astronaut.jpg"}, "has no sound"),
        ({"source": "default", "chunk_s": 90.0}, "chunk_s"),
    ],
)
def test_what_cannot_be_listened_to_is_said_in_one_line(robot: Robot, values: dict[str, object], words: str) -> None:
    microphone = robot.start(*settings(**values), executable="microphone")
    assert microphone.process.wait(20) == 1
    said = [line for line in microphone.errors().splitlines() if "cannot start" in line]
    assert len(said) == 1 and words in said[0]
    assert "Traceback" not in microphone.errors()


def test_a_missing_portaudio_or_microphone_is_said_with_what_to_do(robot: Robot) -> None:
    microphone = robot.start(*settings(source="no such microphone"), executable="microphone")
    assert microphone.process.wait(20) == 1
    (said,) = [line for line in microphone.errors().splitlines() if "cannot start" in line]
    remedies = ("pip install sounddevice", "apt install libportaudio2", "there is no microphone")
    assert any(words in said for words in remedies), said
