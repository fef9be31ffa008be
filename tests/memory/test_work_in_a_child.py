"""Work in a forked child: this process goes on meanwhile, may end it, and is told when it failed."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

from robot_memory.memory.vectors import apart


def alive(child: int) -> bool:
    try:
        os.kill(child, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_works_on_what_was_there_when_it_began(tmp_path: Path) -> None:
    words = ["before"]
    child = apart.begin(lambda: (time.sleep(0.1), (tmp_path / "out").write_text(words[0])))
    words[0] = "after"
    apart.end(child, lambda: None)
    assert (tmp_path / "out").read_text() == "before" and not alive(child)


def test_this_process_goes_on_while_the_child_holds_its_interpreter() -> None:
    ticks = list[float]()
    child = apart.begin(lambda: sum(range(30_000_000)))
    apart.end(child, lambda: ticks.append(time.monotonic()))
    assert len(ticks) > 5 and max(b - a for a, b in zip(ticks, ticks[1:])) < 0.5


def test_it_is_killed_when_it_is_needed_no_longer() -> None:
    class Enough(Exception):
        pass

    def enough() -> None:
        raise Enough

    child = apart.begin(lambda: time.sleep(60))
    with pytest.raises(Enough):
        apart.end(child, enough)
    assert not alive(child)


def test_a_failure_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    for work in (lambda: 1 / 0, os.abort):
        with pytest.raises(OSError, match="ended with status"):
            apart.end(apart.begin(work), lambda: None)


def test_it_holds_no_lock_of_a_process_that_is_gone(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        child = apart.begin(lambda: time.sleep(60))
    try:
        with (tmp_path / "lock").open("w") as again:
            deadline = time.monotonic() + 5
            while True:
                try:
                    fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    assert time.monotonic() < deadline, "the child kept it"
                    time.sleep(0.01)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
