"""A fetch killed in the middle leaves only a piece, and the next one goes on from there, whoever held the lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from loopback_mirror import Mirror, WriteProfile, entry, pattern

from robot_memory.models.fetch import fetch
from robot_memory.models.manifest import load_profile

BODY = pattern(400_000)
FETCH = (
    "from robot_memory.models.fetch import fetch; from robot_memory.models.manifest import load_profile;"
    "print(fetch(load_profile('tiny')).fetched)"
)


def start_fetch() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", FETCH], stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 20
    while not (path.is_file() and path.stat().st_size > 0):
        assert time.monotonic() < deadline, f"{path} did not come"
        time.sleep(0.01)


def test_a_killed_fetch_leaves_a_piece_and_is_resumed(
    mirror: Mirror, write_profile: WriteProfile, weights: Path
) -> None:
    write_profile(ears=[entry("a.bin", BODY, mirror.serve("/a", BODY, pause_s=0.05))])
    child = start_fetch()
    part = weights / "ears-1" / "a.bin.part"
    wait_for(part)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert [path.name for path in (weights / "ears-1").iterdir()] == ["a.bin.part"]
    have = part.stat().st_size
    assert part.read_bytes() == BODY[:have]
    mirror.routes["/a"].pause_s = 0
    assert fetch(load_profile("tiny")).fetched == 1
    assert mirror.routes["/a"].asked == ["", f"bytes={have}-"]
    assert not list(weights.glob(".scratch-*"))


def test_two_fetches_at_once_bring_each_file_once(mirror: Mirror, write_profile: WriteProfile, weights: Path) -> None:
    files = [entry(f"{n}.bin", BODY, mirror.serve(f"/{n}", BODY, pause_s=0.005)) for n in "ab"]
    write_profile(ears=files)
    children = [start_fetch(), start_fetch()]
    said = [child.communicate(timeout=60)[0].strip() for child in children]
    assert [child.returncode for child in children] == [0, 0]
    assert sorted(said) == ["0", "2"], "one brought both, the other found them"
    assert [len(mirror.routes[f"/{n}"].asked) for n in "ab"] == [1, 1]
