"""Bags as they come from real robots: a clear word for what is wrong, and what can be remembered is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from ros_graph import Robot

from robot_memory.evaluation.hostile import bags as hostile

REFUSED = {
    "empty": "holds nothing to remember: no messages at all",
    "torn": "cannot be read as a bag",
    "no_metadata": "metadata.yaml",
}
REMEMBERED = {
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


def test_a_folder_that_is_no_bag_is_refused(robot: Robot, tmp_path: Path) -> None:
    done = robot.replay(tmp_path / "nowhere")
    assert done.returncode == 1
    assert "there is no bag at" in done.stderr
