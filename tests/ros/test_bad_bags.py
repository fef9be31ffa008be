"""Bags as they come from real robots: a clear word for what is wrong, and what can be remembered is remembered."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ros_graph import Robot

from robot_memory.evaluation.hostile import bags as hostile

REFUSED = {
    "empty": "holds nothing to remember: /audio",
    "empty_file": "holds nothing to remember: no messages at all",
}
REMEMBERED = {
    "torn_bare": (
        "read 190 messages (9 s): torn_bare.mcap ends in the middle of a chunk; metadata.yaml is missing",
        "said: “Hello",
    ),
    "torn_sqlite": ("read 193 of about 299 messages (10 s of 15 s): torn_sqlite.db3 lacks 156 pages", "said: “Hello"),
    "truncated_cdr": ("image messages are torn or garbage: they are passed over", "was in view"),
    "stereo_44100": ("topic /audio is left out: the package audio_common_msgs is not installed", "was in view"),
    "no_audio": ("no audio topic: nothing will be heard", "was in view"),
    "no_images": ("no camera topic: nobody will be seen", "said: “Hello"),
    "unknown_encoding": ("pictures encoded as 'sepia11'", "said: “Hello"),
    "zero_size_image": ("pictures of 0 x 0 pixels", "said: “Hello"),
    "garbage_jpeg": ("pictures that cannot be decoded", "was in view"),
    "jump_back": ("the clock jumped back", "was in view"),
    "nan_odometry": ("a pose with NaN", "was in view"),
    "zero_stamps": ("without a stamp", "was in view"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_bag_that_holds_nothing_is_refused_in_one_line(
    robot: Robot, short_bag: Path, tmp_path: Path, kind: str
) -> None:
    done = robot.replay(hostile.make(kind, short_bag, tmp_path / kind))
    assert done.returncode == 1
    assert REFUSED[kind] in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


@pytest.mark.parametrize("kind", REMEMBERED)
def test_what_can_be_remembered_of_a_bad_bag_is(robot: Robot, short_bag: Path, tmp_path: Path, kind: str) -> None:
    done = robot.replay(hostile.make(kind, short_bag, tmp_path / kind))
    said, remembered = REMEMBERED[kind]
    assert done.returncode == 0, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert remembered in robot.run("timeline", "--store", robot.store).stdout


def test_a_bag_of_nothing_but_garbage_ends_at_once(robot: Robot, short_bag: Path, tmp_path: Path) -> None:
    begun = time.monotonic()
    done = robot.replay(hostile.make("all_garbage", short_bag, tmp_path / "garbage"))
    assert done.returncode == 1
    assert "note: 149 audio messages are torn or garbage" in done.stdout
    assert time.monotonic() - begun < 30, "it waited for messages that never arrive"


@pytest.mark.parametrize("kind", ["image_flood", "recorded_at_zero"])
def test_lockstep_never_sends_more_than_a_subscriber_keeps(
    robot: Robot, short_bag: Path, tmp_path: Path, kind: str
) -> None:
    done = robot.replay(hostile.make(kind, short_bag, tmp_path / kind))
    assert done.returncode == 0, done.stderr
    assert "sent, 0 lost on the way" in done.stdout
    assert "Grace" in robot.run("timeline").stdout


def test_a_torn_bag_is_known_again(robot: Robot, short_bag: Path, tmp_path: Path) -> None:
    torn = hostile.make("torn", short_bag, tmp_path / "torn")
    assert robot.replay(torn).returncode == 0
    again = robot.replay(torn)
    assert again.returncode == 1
    assert "this bag is already remembered here" in again.stderr


def test_a_full_disk_ends_the_replay_with_its_reason(robot: Robot, short_bag: Path) -> None:
    """On a disk of 3 MB, made in a name space of its own, with some 750 kB left: room for a clip in the spool, but not
    for its memory.
    """
    robot.home.mkdir()
    store = robot.home / "memory.sqlite"
    small_disk = f"mount -t tmpfs -o size=3m none {robot.home} && head -c 2400000 /dev/zero > {robot.home}/full"
    replay = f"{sys.executable} -m robot_memory.cli replay {short_bag} --store {store} --quiet"
    inside = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    if shutil.which("unshare") is None or subprocess.run([*inside, small_disk], check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    done = subprocess.run(
        [*inside, f"{small_disk} && exec {replay}"],
        env=robot.env,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "memory is in trouble (clips wait in the spool: there is no room to write" in done.stderr


def test_a_folder_that_is_no_bag_is_refused(robot: Robot, tmp_path: Path) -> None:
    done = robot.replay(tmp_path / "nowhere")
    assert done.returncode == 1
    assert "there is no bag at" in done.stderr
