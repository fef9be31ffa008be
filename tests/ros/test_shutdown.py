"""SIGINT and SIGTERM at any moment after the first printed line, questions in flight: exit 0 within two seconds.

ROBOT_MEMORY_ROUNDS sets how many moments are tried (`make shutdown`: 25 for each test, on a machine with nothing else
to do). The few of the short form may take twice as long: other tests' remains share its cores.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ros_graph import FEWER_FRAMES, GRACE, Robot

SHORT = 4
ROUNDS = int(os.environ.get("ROBOT_MEMORY_ROUNDS", str(SHORT)))
LONGEST_S = 2.0 if ROUNDS > SHORT else 4.0


@pytest.mark.timeout(60 + 10 * ROUNDS)
def test_the_running_graph_stops_cleanly_at_any_moment(robot: Robot) -> None:
    assert robot.replay(GRACE).returncode == 0  # so that there is something to ask about
    asker = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("asker.py")],
        env=robot.env,
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    moments = random.Random(1)
    try:
        for number in range(ROUNDS):
            _stop_at(robot, moments.uniform(0.0, 5.0), (signal.SIGINT, signal.SIGTERM)[number % 2], "up")
    finally:
        assert asker.stdin is not None
        asker.stdin.close()
        asker.wait(20)


@pytest.mark.timeout(60 + 10 * ROUNDS)
def test_a_replay_stops_cleanly_at_any_moment_and_can_be_finished(robot: Robot) -> None:
    moments = random.Random(2)
    for number in range(ROUNDS):
        _stop_at(
            robot,
            moments.uniform(0.0, 6.0),
            (signal.SIGTERM, signal.SIGINT)[number % 2],
            "replay",
            GRACE,
            "--store",
            robot.store,
            *FEWER_FRAMES,
        )
    done = robot.replay(GRACE)
    assert done.returncode == 0 or "already remembered" in done.stderr, done.stderr
    whole = robot.home / "whole.sqlite"
    assert robot.replay(GRACE, store=whole).returncode == 0
    assert robot.fingerprint() == robot.fingerprint(whole)


def _stop_at(robot: Robot, moment_s: float, number: signal.Signals, *verb: str | Path) -> None:
    running = robot.start(*verb)
    process = running.process
    time.sleep(moment_s)
    if process.poll() is not None:  # the replay was quicker
        assert process.returncode in (0, 1)
        return
    process.send_signal(number)
    began = time.monotonic()
    process.wait(timeout=20)
    took = time.monotonic() - began
    assert process.returncode == 0, (
        f"{number.name} after {moment_s:.2f} s: exit {process.returncode}\n{running.errors()}"
    )
    assert "Traceback" not in running.errors(), running.errors()
    assert took < LONGEST_S, f"{number.name} after {moment_s:.2f} s took {took:.2f} s"
