"""What a mirror serves is believed only if its bytes are the manifest's; wrong bytes are deleted and named."""

from __future__ import annotations

import hashlib
import socket
import time
from pathlib import Path

import pytest
from loopback_mirror import Mirror, pattern, pinned

from robot_memory.models.download import Downloader
from robot_memory.models.mirrors import MirrorFailed, Watch

BODY = pattern(100_000)
FILE = pinned("a.bin", BODY)
LIE = pattern(100_000, seed=2)


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "a.bin.part"


def quick(stall_s: float = 10.0) -> Downloader:
    return Downloader(Watch(), stall_s=stall_s, pause_s=0.01)


def reason(url: str, part: Path, downloader: Downloader | None = None) -> str:
    """Why the mirror failed."""
    with pytest.raises(MirrorFailed) as failure:
        (downloader or quick()).download(url, part, FILE)
    return str(failure.value)


def test_wrong_bytes_are_deleted_and_both_hashes_told(mirror: Mirror, part: Path) -> None:
    said = reason(mirror.serve("/a", LIE), part)
    assert hashlib.sha256(LIE).hexdigest() in said
    assert FILE.sha256 in said
    assert not part.exists()


def test_an_announced_wrong_length_is_refused_before_it_is_received(mirror: Mirror, part: Path) -> None:
    assert "serves 99,999 B, the manifest says 100,000 B" in reason(mirror.serve("/a", BODY[:-1]), part)
    assert not part.exists()


def test_a_body_that_goes_on_too_long_is_cut_and_deleted(mirror: Mirror, part: Path) -> None:
    assert "wrong bytes refused" in reason(mirror.serve("/a", BODY * 50, length=-1), part)
    assert not part.exists()


def test_a_length_that_promises_more_than_comes_is_refused(mirror: Mirror, part: Path) -> None:
    assert "serves 200,000 B" in reason(mirror.serve("/a", BODY, length=200_000), part)


def test_a_range_that_was_not_asked_for_is_refused(mirror: Mirror, part: Path) -> None:
    part.write_bytes(BODY[:5000])
    said = reason(mirror.serve("/a", BODY, content_range="bytes 7-99999/100000"), part)
    assert "asked for bytes from 5000, got 'bytes 7-" in said


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_refusal_is_final_for_the_mirror(mirror: Mirror, part: Path, status: int) -> None:
    assert f"HTTP {status}" in reason(mirror.serve("/a", statuses=[status, status]), part)
    assert len(mirror.routes["/a"].asked) == 1


def test_a_silent_server_is_given_up(mirror: Mirror, part: Path) -> None:
    started = time.monotonic()
    assert "stalled for 0.3 s" in reason(mirror.serve("/a", BODY, stalls=[0] * 9), part, quick(stall_s=0.3))
    assert time.monotonic() - started < 5


def test_a_host_that_refused_is_not_asked_again_in_this_run(part: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    downloader = quick()
    assert "out of reach" in reason(f"http://127.0.0.1:{port}/a", part, downloader)
    with socket.create_server(("127.0.0.1", port)) as reopened:
        reopened.setblocking(False)
        assert "out of reach" in reason(f"http://127.0.0.1:{port}/b", part, downloader)
        with pytest.raises(BlockingIOError):
            reopened.accept()  # nobody came


def test_a_host_that_accepts_and_never_answers_is_not_asked_again(part: Path) -> None:
    downloader = quick(stall_s=1.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/a"
        assert "out of reach (no answer in time)" in reason(url, part, downloader)
        started = time.monotonic()
        assert "out of reach (no answer in time)" in reason(url, part, downloader)
        assert time.monotonic() - started < 0.5


def test_a_name_that_does_not_exist_is_said_so(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    assert reason("http://models.invalid/a", part).startswith("models.invalid is out of reach")
