"""A torn bag gives everything that lies before the tear, whatever it is stored in, and says how much that is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from mcap.exceptions import McapError
from mcap.reader import NonSeekingReader
from torn_bags import PAGE, by_mcap, by_rosbags, cut, ends, read, recording

from robot_memory.errors import BagUnreadable

TEARS = 50
STORAGES = ("sqlite3", "mcap", "zstd", "lz4", "loose")
EXACT = {"sqlite3": PAGE, "mcap": 1, "loose": 1}  # not compressed: each message's place in the file is known
Torn = Callable[[str, float], Path]


@pytest.fixture(scope="module")
def bags(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Storage -> the file of a whole bag."""
    folder, recorded = tmp_path_factory.mktemp("whole"), recording()
    plain = by_rosbags(folder / "mcap", recorded, "mcap")
    return {
        "mcap": plain,
        "sqlite3": by_rosbags(folder / "sqlite3", recorded, "sqlite3"),
        "zstd": by_rosbags(folder / "zstd", recorded, "mcap", packed=True),
        "lz4": by_mcap(folder / "lz4", plain, recorded, "LZ4"),
        "loose": by_mcap(folder / "loose", plain, recorded, "NONE", chunked=False),
    }


@pytest.mark.parametrize("storage", STORAGES)
def test_a_whole_bag_is_read_whole_and_nothing_is_said(bags: dict[str, Path], storage: str) -> None:
    got, damage = read(bags[storage].parent)
    assert got == [(one.recorded_ns, one.data) for one in recording()]
    assert damage == ""


@pytest.mark.parametrize("storage", STORAGES)
def test_what_lies_before_the_tear_is_read(bags: dict[str, Path], tmp_path: Path, storage: str) -> None:
    bag, whole = bags[storage], [(one.recorded_ns, one.data) for one in recording()]
    data = bag.read_bytes()
    known = ends(data, recording(), EXACT[storage]) if storage in EXACT else None
    before = -1
    for length in sorted(np.random.default_rng(1).integers(0, len(data), TEARS).tolist()):
        try:
            got, damage = read(cut(bag, tmp_path / "torn", length))
        except BagUnreadable as nothing:
            got, damage = [], str(nothing)
        if not got or len(got) < len(whole):
            assert got == whole[: len(got)]
            assert f"read {len(got)} of about 240 messages" in damage
        assert len(got) >= before, f"fewer than from a shorter file at {length}"
        before = len(got)
        if known is not None:
            assert len(got) == sum(end <= length for end in known), f"at {length} of {len(data)}"
        else:
            assert len(got) >= by_the_formats_own_reader(tmp_path / "torn" / bag.name)
    assert before > 0.9 * len(whole)


def by_the_formats_own_reader(file: Path) -> int:
    """How many messages the mcap package reads: those of whole chunks."""
    count = 0
    with file.open("rb") as data, suppress(McapError, Exception):
        for _ in NonSeekingReader(data).iter_messages(log_time_order=False):
            count += 1
    return count


@pytest.mark.parametrize("storage", STORAGES)
def test_without_metadata_as_much_is_read(bags: dict[str, Path], tmp_path: Path, storage: str) -> None:
    torn = cut(bags[storage], tmp_path / "torn", bags[storage].stat().st_size * 2 // 3)
    known, _ = read(torn)
    (torn / "metadata.yaml").unlink()
    got, damage = read(torn)
    assert got == known
    assert re.match(rf"read {len(got)} messages \(\d s\): .*metadata.yaml is missing", damage)


@pytest.mark.parametrize("storage", STORAGES)
def test_the_bag_is_left_as_it_is(bags: dict[str, Path], tmp_path: Path, storage: str) -> None:
    torn = cut(bags[storage], tmp_path / "torn", bags[storage].stat().st_size // 2)
    before = {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in torn.iterdir()}
    read(torn)
    assert {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in torn.iterdir()} == before


@pytest.mark.parametrize("storage", STORAGES)
def test_random_damage_is_never_an_unknown_error(bags: dict[str, Path], tmp_path: Path, storage: str) -> None:
    whole = {(one.recorded_ns, one.data) for one in recording()}
    for seed in range(12):
        dice = np.random.default_rng(seed)
        folder = cut(bags[storage], tmp_path / "damaged", 10**9)
        data = bytearray((folder / bags[storage].name).read_bytes())
        for _ in range(int(dice.integers(1, 20))):
            at, long = int(dice.integers(0, len(data))), int(dice.integers(1, 600))
            data[at : at + long] = dice.integers(0, 256, long, np.uint8).tobytes()
        (folder / bags[storage].name).write_bytes(data)
        with suppress(BagUnreadable):
            got, damage = read(folder)
            intact = sum(one in whole for one in got)
            assert damage or intact > 200, "much is lost, and nothing is said"
            if storage in EXACT:
                assert intact > 200, f"{damage} ({seed=})"


def test_a_damaged_metadata_is_not_believed(bags: dict[str, Path], tmp_path: Path) -> None:
    text = (bags["mcap"].parent / "metadata.yaml").read_text()
    for lie in (
        b"\xff\xfe\x00",
        b"",
        b"[" * 100_000,
        text.replace("240", "-1").encode(),
        b"rosbag2_bagfile_information: 3",
    ):
        folder = tmp_path / "lie"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(bags["mcap"].parent, folder)
        (folder / "metadata.yaml").write_bytes(lie)
        assert len(read(folder)[0]) == 240
