"""A download that breaks off goes on where it stopped, and ends with exactly the pinned bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from loopback_mirror import Mirror, pattern, pinned

from robot_memory.errors import Cancelled
from robot_memory.models.download import Downloader
from robot_memory.models.mirrors import MirrorFailed, Progress, Watch

BODY = pattern(300_000)
FILE = pinned("a.bin", BODY)


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "model" / "a.bin.part"


def quick(watch: Watch | None = None, stall_s: float = 10.0) -> Downloader:
    return Downloader(watch or Watch(), stall_s=stall_s, pause_s=0.01)


def test_a_whole_file_arrives_and_progress_rises_to_its_size(mirror: Mirror, part: Path) -> None:
    seen: list[Progress] = []
    quick(Watch(seen.append)).download(mirror.serve("/a", BODY), part, FILE)
    assert part.read_bytes() == BODY
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert done[-1] == len(BODY) == seen[-1].total


def test_a_cut_connection_is_resumed_from_its_last_byte(mirror: Mirror, part: Path) -> None:
    url = mirror.serve("/a", BODY, cuts=[100_000, 50_000])
    quick().download(url, part, FILE)
    assert part.read_bytes() == BODY
    assert mirror.routes["/a"].asked == ["", "bytes=100000-", "bytes=150000-"]


def test_a_server_that_ignores_range_is_read_from_the_start(mirror: Mirror, part: Path) -> None:
    quick().download(mirror.serve("/a", BODY, ranges=False, cuts=[100_000]), part, FILE)
    assert part.read_bytes() == BODY


def test_a_mirror_that_brings_nothing_new_is_given_up_and_the_piece_kept(mirror: Mirror, part: Path) -> None:
    url = mirror.serve("/a", BODY, cuts=[100_000, 10, 0, 0, 0, 0])
    with pytest.raises(MirrorFailed, match="ended after 100,010 of 300,000 B"):
        quick().download(url, part, FILE)
    assert part.read_bytes() == BODY[:100_010]
    assert len(mirror.routes["/a"].asked) == 4, "three poor tries in a row"


def test_a_stalled_connection_is_dropped_and_resumed(mirror: Mirror, part: Path) -> None:
    quick(stall_s=0.5).download(mirror.serve("/a", BODY, stalls=[64_000]), part, FILE)
    assert part.read_bytes() == BODY
    assert mirror.routes["/a"].asked == ["", "bytes=64000-"]


def test_a_connection_that_only_trickles_counts_as_stalled(mirror: Mirror, part: Path) -> None:
    url = mirror.serve("/a", BODY, chunk=2, pause_s=0.02)
    with pytest.raises(MirrorFailed, match=r"only \d+ B in 0.\d s \(3 tries\)"):
        quick(stall_s=0.3).download(url, part, FILE)


def test_a_piece_left_by_an_earlier_run_is_used(mirror: Mirror, part: Path) -> None:
    part.parent.mkdir()
    part.write_bytes(BODY[:200_000])
    quick().download(mirror.serve("/a", BODY), part, FILE)
    assert part.read_bytes() == BODY
    assert mirror.routes["/a"].asked == ["bytes=200000-"]


def test_a_whole_piece_is_verified_without_asking_the_server(mirror: Mirror, part: Path) -> None:
    part.parent.mkdir()
    part.write_bytes(BODY)
    quick().download(mirror.serve("/a", BODY), part, FILE)
    assert mirror.routes["/a"].asked == []


@pytest.mark.parametrize("wrong", [b"\0" * 200_000, b"\0" * 300_000, b"\0" * 300_001])
def test_a_wrong_piece_does_not_spoil_an_honest_mirror(mirror: Mirror, part: Path, wrong: bytes) -> None:
    part.parent.mkdir()
    part.write_bytes(wrong)
    quick().download(mirror.serve("/a", BODY), part, FILE)
    assert part.read_bytes() == BODY


def test_a_busy_server_is_asked_again(mirror: Mirror, part: Path) -> None:
    quick().download(mirror.serve("/a", BODY, statuses=[503, 429]), part, FILE)
    assert part.read_bytes() == BODY


def test_a_redirect_is_followed(mirror: Mirror, part: Path) -> None:
    there = mirror.serve("/there", BODY)
    quick().download(mirror.serve("/a", location=there), part, FILE)
    assert part.read_bytes() == BODY


def test_cancelling_stops_between_blocks_and_keeps_the_piece(mirror: Mirror, part: Path) -> None:
    watch = Watch(lambda progress: watch.cancel.set())
    url = mirror.serve("/a", BODY, pause_s=0.02)
    with pytest.raises(Cancelled, match="run it again"):
        quick(watch).download(url, part, FILE)
    assert 0 < part.stat().st_size < len(BODY)
    mirror.routes["/a"].pause_s = 0
    quick().download(url, part, FILE)
    assert part.read_bytes() == BODY
