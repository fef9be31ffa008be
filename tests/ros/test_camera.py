"""The camera node: a film arrives as JPEG pictures in its own time, a broken stream is taken up again, and one command
makes a robot of a machine.
"""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from listening import listening, serving, state
from ros_graph import Robot, wait_for
from test_microphone import noise, stamp_ns, wav

MEDIA = Path(__file__).parents[1] / "media"
TOPIC = "camera/image_raw/compressed"


def film(path: Path, greys: list[int], fps: int) -> None:
    """A film whose every picture is of one grey."""
    import av

    with av.open(str(path), "w") as box:
        stream = box.add_stream("mpeg4", rate=fps)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = 320, 240, "yuv420p", 4_000_000
        for grey in greys:
            picture = np.full((240, 320, 3), grey, np.uint8)
            box.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        box.mux(stream.encode(None))


def settings(**values: object) -> list[str]:
    return ["--ros-args", *(word for name, value in values.items() for word in ("-p", f"camera.{name}:={value}"))]


def image(message: Any) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(message.data, np.uint8), cv2.IMREAD_COLOR)


def test_a_film_arrives_in_its_own_time(robot: Robot, tmp_path: Path) -> None:
    from sensor_msgs.msg import CompressedImage

    greys = list(range(20, 240, 10))  # 22 pictures, 1.1 s
    film(tmp_path / "film.mp4", greys, 20)
    with listening(robot, **{TOPIC: CompressedImage}) as heard:
        camera = robot.start(*settings(source=tmp_path / "film.mp4", width=160), executable="camera")
        wait_for("the end of the film", lambda: "has ended" in camera.errors())
        wait_for("the diagnostics", lambda: "has ended" in state(heard, "camera")[0])
        seen = list(heard[TOPIC])
    assert [one.format for one in seen] == ["jpeg"] * 11  # ten a second of twenty
    assert {image(one).shape for one in seen} == {(120, 160, 3)}
    assert np.abs(np.array([image(one).mean() for one in seen]) - greys[::2]).max() < 6
    assert [(stamp_ns(one) - stamp_ns(seen[0])) // 10**6 for one in seen] == [100 * n for n in range(11)]
    assert 0 <= time.time_ns() - stamp_ns(seen[-1]) < 20e9
    camera.process.send_signal(signal.SIGINT)
    assert camera.process.wait(10) == 0, camera.errors()


def test_a_stream_that_breaks_off_is_taken_up_again_with_its_pictures_as_they_are(robot: Robot) -> None:
    from sensor_msgs.msg import CompressedImage

    jpeg = (MEDIA / "astronaut.jpg").read_bytes()

    def five_pictures(write: Callable[[bytes], Any]) -> None:
        for _ in range(5):
            write(b"--border\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg))
            time.sleep(0.1)

    kind = "multipart/x-mixed-replace; boundary=border"
    with serving(kind, five_pictures) as url, listening(robot, **{TOPIC: CompressedImage}) as heard:
        camera = robot.start(*settings(source=url), executable="camera")
        wait_for("the stream to come twice", lambda: len(heard[TOPIC]) >= 6)
        wait_for("the loss to be reported", lambda: int(state(heard, "camera")[1].get("losses", 0)) >= 1)
        camera.process.send_signal(signal.SIGTERM)
        assert camera.process.wait(10) == 0, camera.errors()
    assert bytes(heard[TOPIC][0].data) == jpeg
    assert "is there again" in camera.errors()


def test_a_bad_picture_in_a_folder_is_passed_over_said_once_and_counted(robot: Robot, tmp_path: Path) -> None:
    from sensor_msgs.msg import CompressedImage

    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("a.jpg", "c.jpg"):
        shutil.copy(MEDIA / "astronaut.jpg", folder / name)
    (folder / "b.png").write_bytes(b"noise")
    with listening(robot, **{TOPIC: CompressedImage}) as heard:
        camera = robot.start(*settings(source=folder, loop="true"), executable="camera")
        wait_for("the folder to be shown three times", lambda: len(heard[TOPIC]) >= 6)
        wait_for("the count", lambda: state(heard, "camera")[1].get("pictures passed over") == "1")
        camera.process.send_signal(signal.SIGINT)
        assert camera.process.wait(10) == 0, camera.errors()
    assert camera.errors().count("b.png is not a picture that can be read: it is passed over") == 1


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"source": "/dev/video97"}, "there is no camera /dev/video97"),
        ({"source": "film.mp4"}, "there is no file"),
        ({"source": "foo://x"}, "foo://x: a URL begins with one of http"),
        ({"source": "' '"}, "camera.source is empty"),
        ({"source": "/dev/zero"}, "/dev/zero is no camera"),
        ({"source": "'0'", "fps": 0.0}, "fps"),
    ],
)
def test_what_cannot_be_watched_is_said_in_one_line(robot: Robot, values: dict[str, object], words: str) -> None:
    camera = robot.start(*settings(**values), executable="camera")
    assert camera.process.wait(20) == 1
    said = [line for line in camera.errors().splitlines() if "cannot start" in line]
    assert len(said) == 1 and words in said[0]
    assert "Traceback" not in camera.errors()


def test_one_command_watches_and_listens(robot: Robot, tmp_path: Path) -> None:
    from robot_memory_msgs.msg import FaceArray, Watermark

    (tmp_path / "said.wav").write_bytes(wav(noise(1.0)))
    with listening(robot, faces=FaceArray, watermark=Watermark) as heard:
        sources = ("--camera", MEDIA / "astronaut.jpg", "--microphone", tmp_path / "said.wav")
        running = robot.start("up", "--store", robot.store, *sources, "--set", "camera.loop=true")
        wait_for("a face", lambda: any(one.faces for one in heard["faces"]))
        wait_for("sound", lambda: any(mark.received[1] >= 10 for mark in heard["watermark"]))
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(10) == 0, running.errors()
    assert "camera from" in running.errors() and "microphone from" in running.errors()
