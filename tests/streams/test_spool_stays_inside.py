"""Whatever is named, linked or laid into the spool: nothing outside it is written, moved or deleted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clips_for_the_spool import clip

from robot_memory.errors import SpoolCorrupt
from robot_memory.streams.clipfiles import read
from robot_memory.streams.sessions import Session, SessionInvalid
from robot_memory.streams.spool import Spool

STRANGE = ["", "..", ".", "../escaped", "a/b", "/tmp/x", "x" * 300, ".hidden", "a\0b", "s.x", "ä"]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with something precious, and a spool beside it with a link to it."""
    precious = tmp_path / "outside" / "00000007"
    precious.mkdir(parents=True)
    (precious / "photo.jpg").write_bytes(b"precious")
    (tmp_path / "outside" / ".cache.tmp").mkdir()
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "spool" / "loop").symlink_to("loop")
    return tmp_path / "outside"


@pytest.mark.parametrize("session_id", STRANGE)
def test_a_session_s_name_cannot_lead_elsewhere(tmp_path: Path, session_id: str) -> None:
    spool = Spool(tmp_path / "home" / "spool", 10**9)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SessionInvalid):
        spool.open_session(Session(session_id))
    with pytest.raises(SessionInvalid):
        spool.add(clip(session=session_id))
    with pytest.raises(SpoolCorrupt):
        spool.session(session_id)
    assert sorted(tmp_path.rglob("*")) == before


def test_links_are_not_followed(outside: Path, tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", 10**9)
    spool.open_session(Session("new"))
    assert spool.waiting() == []
    assert not spool.is_clip(tmp_path / "spool" / "link" / "00000007")
    spool.forget_session("link")
    spool.bytes_used()
    assert (outside / "00000007" / "photo.jpg").read_bytes() == b"precious"
    assert (outside / ".cache.tmp").is_dir()


def test_a_link_in_the_way_of_a_removal_is_removed_itself(outside: Path, tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", 10**9)
    spool.open_session(Session("s"))
    place = spool.add(clip(session="s", sequence=1))
    place.with_name(f".{place.name}.gone").symlink_to(outside)
    spool.remove(place)
    assert not place.exists() and (outside / "00000007").is_dir()


@pytest.mark.parametrize(
    "path", ["/etc", "spool/../outside/00000007", "spool/s/..", "spool/s/1", "spool/s/²²²²²²²²", "spool/s/" + "9" * 30]
)
def test_only_a_clip_s_folder_is_a_clip(tmp_path: Path, path: str) -> None:
    spool = Spool(tmp_path / "spool", 10**9)
    spool.open_session(Session("s"))
    (tmp_path / path).mkdir(parents=True, exist_ok=True) if not path.startswith("/") and ".." not in path else None
    assert not spool.is_clip(tmp_path / path)


@pytest.mark.parametrize(
    "lie", [{"sequence": 2}, {"session": "other"}, {"sequence": "one"}, {"start_ns": float("nan")}, {"end_ns": 2**70}]
)
def test_a_clip_that_says_it_is_another_is_not_believed(tmp_path: Path, lie: dict[str, object]) -> None:
    spool = Spool(tmp_path / "spool", 10**9)
    spool.open_session(Session("s"))
    place = spool.add(clip(session="s", sequence=1))
    head = json.loads((place / "clip.json").read_text())
    (place / "clip.json").write_text(json.dumps(head | lie))
    with pytest.raises(SpoolCorrupt):
        read(place)


def test_a_spool_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    import shutil

    spool = Spool(tmp_path / "spool", 10**9)
    shutil.rmtree(tmp_path / "spool")
    assert spool.waiting() == []
    spool.open_session(Session("s"))
    assert spool.waiting() == [] and spool.add(clip(session="s", sequence=1)).exists()
