"""What is there and right is not fetched again; what is there and wrong is; what a person put there is accepted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from loopback_mirror import Mirror, WriteProfile, entry, pattern

from robot_memory.errors import ModelCorrupt, ModelMissing
from robot_memory.models.fetch import fetch
from robot_memory.models.manifest import Profile, load_profile

BODY = pattern(2_000_000)


@pytest.fixture
def profile(mirror: Mirror, write_profile: WriteProfile) -> Profile:
    return load_profile(write_profile(ears=[entry("a.bin", BODY, mirror.serve("/a", BODY))]))


def test_a_second_fetch_asks_nobody_and_reads_no_weights(mirror: Mirror, profile: Profile) -> None:
    fetch(profile)
    path = profile.model("ears").path()
    times = path.stat()
    path.write_bytes(b"\0" + BODY[1:])
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # had it been read, this would be seen
    report = fetch(profile)
    assert (report.fetched, report.present) == (0, 1)
    assert report.seconds < 0.5
    assert len(mirror.routes["/a"].asked) == 1


def test_a_missing_model_names_the_command(profile: Profile, weights: Path) -> None:
    said = r"ears 'ears-1': a\.bin is not in .* — run: robot-memory models fetch --profile tiny"
    with pytest.raises(ModelMissing, match=said):
        profile.model("ears").path()


@pytest.mark.parametrize("wrong", [b"", BODY[:-1], b"\0" + BODY[1:]])
def test_a_damaged_file_is_refused_and_fetched_anew(profile: Profile, weights: Path, wrong: bytes) -> None:
    fetch(profile)
    (weights / "ears-1" / "a.bin").write_bytes(wrong)
    with pytest.raises(ModelCorrupt, match="robot-memory models fetch"):
        profile.model("ears").path()
    assert fetch(profile).fetched == 1
    assert profile.model("ears").path().read_bytes() == BODY


def test_a_file_put_there_by_hand_is_hashed_once_and_used(mirror: Mirror, profile: Profile, weights: Path) -> None:
    (weights / "ears-1").mkdir(parents=True)
    (weights / "ears-1" / "a.bin").write_bytes(BODY)
    assert profile.model("ears").path().read_bytes() == BODY
    assert fetch(profile).fetched == 0
    assert mirror.routes["/a"].asked == []
    assert profile.model("ears").complete_folder() == weights / "ears-1"


def test_a_stamp_does_not_outlive_its_file(profile: Profile, weights: Path) -> None:
    """Same size, other bytes, later mtime: the stamp no longer holds."""
    fetch(profile)
    path = weights / "ears-1" / "a.bin"
    later = path.stat().st_mtime_ns + 1
    path.write_bytes(b"\0" + BODY[1:])
    os.utime(path, ns=(later, later))
    with pytest.raises(ModelCorrupt):
        profile.model("ears").path()
