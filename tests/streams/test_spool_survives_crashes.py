"""Whatever crashes: a clip is in the spool as a whole or not at all, and none that was there is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clips_for_the_spool import SESSION, clip, plain

from robot_memory.streams import clipfiles
from robot_memory.streams.spool import Spool

BUDGET = 10**9


class Crash(BaseException):
    """The process ends here: no handler of ours may run on it."""


def crash_at(monkeypatch: pytest.MonkeyPatch, step: int, error: type[BaseException]) -> Callable[[], int]:
    """Let the system call number `step` fail; returns how many were made."""
    made = 0

    def failing(call: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*args: object, **options: object) -> object:
            nonlocal made
            made += 1
            if made == step:
                raise error(28, "No space left on device") if error is OSError else error()
            return call(*args, **options)

        return wrapped

    for name in ("rename", "fsync", "mkdir", "unlink", "rmdir"):
        monkeypatch.setattr(os, name, failing(getattr(os, name)))
    return lambda: made


def whole(spool: Spool) -> dict[int, object]:
    """The clips in the spool; each must be readable."""
    return {int(place.name): plain(clipfiles.read(place)) for place in spool.waiting()}


def fresh(tmp_path: Path, step: int) -> Spool:
    spool = Spool(tmp_path / str(step), BUDGET)
    spool.open_session(SESSION)
    return spool


@pytest.mark.parametrize("error", [OSError, Crash])
@pytest.mark.parametrize("there_before", ["nothing", "the same clip", "a torn one"])
def test_add_fails_at_any_step(tmp_path: Path, error: type[BaseException], there_before: str) -> None:
    one, step, done = clip(7), 0, False
    while not done:
        step += 1
        spool = fresh(tmp_path, step)
        if there_before != "nothing":
            place = spool.add(one)
            if there_before == "a torn one":
                (place / "clip.json").write_bytes(b"{")
        with pytest.MonkeyPatch.context() as patch:
            made = crash_at(patch, step, error)
            try:
                spool.add(one)
                done = made() < step
            except error:
                pass
        if there_before == "a torn one" and spool.waiting() and (spool.waiting()[0] / "clip.json").read_bytes() == b"{":
            spool.set_aside(spool.waiting()[0])
        found = whole(spool)
        assert all(clip_found == plain(one) for clip_found in found.values())
        if there_before == "the same clip":
            assert found, "it was there, and acknowledged"
        again = Spool(spool.root, BUDGET)
        again.open_session(SESSION)
        assert whole(again) == found
        again.add(one)
        assert whole(again) == {7: plain(one)}
        leftovers = [path.name for path in spool.root.rglob("*") if path.name.endswith((".tmp", ".gone"))]
        assert leftovers == [], "what a crash left behind holds faces and words, and counts against the budget"
    assert step > 5 or there_before == "the same clip"


@pytest.mark.parametrize("error", [OSError, Crash])
def test_remove_fails_at_any_step(tmp_path: Path, error: type[BaseException]) -> None:
    step, done = 0, False
    while not done:
        step += 1
        spool = fresh(tmp_path, step)
        place = spool.add(clip(7))
        with pytest.MonkeyPatch.context() as patch:
            made = crash_at(patch, step, error)
            try:
                spool.remove(place)
                done = made() < step
            except error:
                pass
        assert whole(spool) in ({}, {7: plain(clip(7))})
        spool.add(clip(7))
        spool.remove(place)
        spool.remove(place)
        assert spool.waiting() == []
        Spool(spool.root, BUDGET).open_session(SESSION)
        assert [path.name for path in (spool.root / SESSION.id).iterdir()] == ["session.json"]
    assert step > 3


def test_a_new_session_sweeps_after_others_but_not_after_itself(tmp_path: Path) -> None:
    """The intake thread opens a part while the clips lane is writing a clip of the last one."""
    spool = fresh(tmp_path, 0)
    busy = spool.root / SESSION.id / ".00000003.tmp"
    busy.mkdir()
    spool.open_session(SESSION.part(1))
    assert busy.exists()
    Spool(spool.root, BUDGET).open_session(SESSION.part(2))
    assert not busy.exists()


WRITER = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from clips_for_the_spool import SESSION, clip
    from robot_memory.streams.spool import Spool

    spool = Spool(Path({root!r}), 10**9)
    spool.open_session(SESSION)
    for number in range({first}, {first} + 10_000):
        spool.add(clip(number, size=50_000))
        print(number, flush=True)
"""


def test_kill_9_while_adding(tmp_path: Path) -> None:
    """Each clip that was acknowledged is there, each that is there can be read, and nothing piles up."""
    acknowledged: set[int] = set()
    rng = random.Random(0)
    for turn in range(6):
        code = textwrap.dedent(WRITER).format(tests=str(Path(__file__).parent), root=str(tmp_path), first=turn * 10_000)
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(rng.random() * 0.05)
        writer.send_signal(signal.SIGKILL)
        acknowledged |= {int(line) for line in (first + writer.stdout.read()).split()}
        writer.wait()
    spool = Spool(tmp_path, BUDGET)
    found = whole(spool)
    assert acknowledged <= set(found) and len(acknowledged) >= 6
    assert len(found) <= len(acknowledged) + 6
    assert len(list(tmp_path.rglob(".*.tmp"))) <= 1
