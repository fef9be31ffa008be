"""kill -9 in the middle, then start again: every closed clip is stored once, none twice, none half."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from ros_graph import FEWER_FRAMES, GRACE, Robot, wait_for


def test_a_killed_replay_is_finished_by_the_next(robot: Robot) -> None:
    whole = robot.home / "whole.sqlite"
    assert robot.replay(GRACE, store=whole).returncode == 0
    moments = random.Random(3)
    for _ in range(4):
        process = robot.start("replay", GRACE, "--store", robot.store, *FEWER_FRAMES)
        time.sleep(moments.uniform(2.0, 6.0))
        process.kill()
    done = robot.replay(GRACE)
    assert done.returncode == 0 or "already remembered" in done.stderr, done.stderr
    assert robot.fingerprint() == robot.fingerprint(whole)


@pytest.mark.parametrize("victim", ["memory_server", "perception"])
def test_one_of_two_processes_killed_and_restarted(robot: Robot, victim: str) -> None:
    whole = robot.home / "whole.sqlite"
    assert robot.replay(GRACE, store=whole).returncode == 0
    settings = {
        "store.path": robot.store,
        "streams.frames_per_second": 2.0,
        "image_reliability": "reliable",
        "image_topic": "/camera/image_raw/compressed",
        "audio_topic": "/audio",
        "pose_topic": "/odom",
    }
    parameters = ["--ros-args", *(word for pair in settings.items() for word in ("-p", "{}:={}".format(*pair)))]
    nodes = {name: robot.start(*parameters, executable=name) for name in ("memory_server", "perception")}
    replay = robot.start("replay", GRACE, "--attach")
    wait_for(
        "a clip in the spool or the store",
        lambda: _clips(robot) or list(robot.store.with_suffix(".spool").glob("*/0*")),
    )
    nodes[victim].kill()
    replay.kill()
    nodes[victim] = robot.start(*parameters, executable=victim)
    done = robot.run("replay", GRACE, "--attach")
    assert done.returncode == 0, done.stderr
    assert sorted(_clips(robot)) == [0, 1, 2]
    assert robot.fingerprint() == robot.fingerprint(whole)


def _clips(robot: Robot) -> list[int]:
    import sqlite3

    if not Path(robot.store).exists():
        return []
    try:
        return [
            row[0]
            for row in sqlite3.connect(f"file:{robot.store}?mode=ro", uri=True).execute(
                "SELECT sequence FROM clips WHERE skipped = ''"
            )
        ]
    except sqlite3.OperationalError:
        return []
