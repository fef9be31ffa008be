"""The same bag, the same build, the same machine: one logical hash, however often it is replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
from ros_graph import GRACE, Robot

from robot_memory.config import StreamSettings
from robot_memory.evaluation.hostile import bags as hostile
from robot_memory.evaluation.perceived import observe
from robot_memory.evaluation.subjects.memory import MemorySubject


def test_the_sample_bag_five_times_is_one_memory(robot: Robot) -> None:
    stores = [robot.home / f"{n}.sqlite" for n in range(5)]
    for store in stores:
        done = robot.replay(GRACE, store=store)
        assert done.returncode == 0, done.stderr
        assert "clips: 3 in = 3 stored + 0 skipped + 0 waiting" in done.stdout
        assert "310 sent, 0 lost on the way; 310 in = 124 used + 186 spare + 0 dropped" in done.stdout
    assert len({robot.fingerprint(store) for store in stores}) == 1


def test_the_core_perceives_and_remembers_what_the_graph_does(robot: Robot, tmp_path: Path) -> None:
    """So a figure measured without ROS is a figure of the robot."""
    assert robot.replay(GRACE).returncode == 0
    memory = MemorySubject(tmp_path)
    for clip in observe(GRACE, streams=StreamSettings(frames_per_second=2.0)):
        memory.watch(clip.observation, clip.session)
    memory.close()
    assert robot.fingerprint(tmp_path / "memory.sqlite") == robot.fingerprint()


@pytest.mark.parametrize("kind", ["image_gap", "audio_short", "jump_back"])
def test_gaps_and_jumps_change_nothing_about_that(robot: Robot, tmp_path: Path, kind: str) -> None:
    bag = hostile.make(kind, GRACE, tmp_path / kind)
    stores = [robot.home / f"{n}.sqlite" for n in range(2)]
    for store in stores:
        assert robot.replay(bag, store=store).returncode == 0
    first, second = (robot.fingerprint(store) for store in stores)
    assert first == second


def test_sqlite_and_mcap_bags_give_the_same_memory(robot: Robot, short_bag: Path, tmp_path: Path) -> None:
    from rosbags.convert import convert
    from rosbags.typesys import Stores, get_typestore

    as_sqlite = tmp_path / "sqlite"
    convert([short_bag], as_sqlite, "sqlite3", 9, None, "file", get_typestore(Stores.ROS2_JAZZY), None, (), (), (), ())
    for name, bag in (("mcap", short_bag), ("sqlite", as_sqlite)):
        assert robot.replay(bag, store=robot.home / f"{name}.sqlite").returncode == 0
    assert robot.fingerprint(robot.home / "mcap.sqlite") == robot.fingerprint(robot.home / "sqlite.sqlite")


def test_the_same_bag_twice_is_noticed(robot: Robot, short_bag: Path) -> None:
    assert robot.replay(short_bag).returncode == 0
    before = robot.fingerprint()
    again = robot.replay(short_bag)
    assert again.returncode == 1
    assert "already remembered" in again.stderr
    assert robot.fingerprint() == before
