"""A full or closed disk ends the fetch with one clear line, before the first byte if that can be known."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback_mirror import Mirror, WriteProfile, entry, pattern

from robot_memory.models.fetch import fetch
from robot_memory.models.manifest import load_profile
from robot_memory.models.mirrors import WeightsUnwritable

BODY = pattern(300_000)
FETCH_WITH_100_KB = """
import resource
from robot_memory.errors import RobotMemoryError
from robot_memory.models.fetch import fetch
from robot_memory.models.manifest import load_profile
profile = load_profile("tiny")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    fetch(profile)
except RobotMemoryError as error:
    print(type(error).__name__, error)
"""


def test_a_disk_that_fills_up_is_told_in_one_line_and_the_piece_is_kept(
    mirror: Mirror, write_profile: WriteProfile, weights: Path
) -> None:
    first, second = mirror.serve("/first", BODY), mirror.serve("/second", BODY)
    write_profile(ears=[entry("a.bin", BODY, first, second)])
    command = [sys.executable, "-c", FETCH_WITH_100_KB]
    said = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ), timeout=60, check=True).stdout
    assert said.count("\n") == 1
    assert said.startswith(f"WeightsUnwritable no space left for {weights / 'ears-1' / 'a.bin.part'}")
    assert mirror.routes["/second"].asked == [], "another mirror would not help"
    assert fetch(load_profile("tiny")).fetched == 1
    assert mirror.routes["/first"].asked == ["", "bytes=100000-"]


def test_too_little_room_is_known_before_the_first_byte(mirror: Mirror, write_profile: WriteProfile) -> None:
    huge = {**entry("a.bin", BODY, mirror.serve("/a", BODY)), "bytes": 10**18}
    with pytest.raises(WeightsUnwritable, match=r"no space for 1,000,000,000,000\.0 MB .* ROBOT_MEMORY_MODELS"):
        fetch(load_profile(write_profile(ears=[huge])))
    assert mirror.routes["/a"].asked == []


def test_a_folder_that_cannot_be_made_is_told_with_the_way_out(
    mirror: Mirror, write_profile: WriteProfile, weights: Path
) -> None:
    weights.write_bytes(b"a file stands in the way")
    with pytest.raises(WeightsUnwritable, match=r"cannot be written .* ROBOT_MEMORY_MODELS"):
        fetch(load_profile(write_profile(ears=[entry("a.bin", BODY, mirror.serve("/a", BODY))])))
