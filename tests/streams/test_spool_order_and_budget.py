"""Clips wait in order, within a budget of bytes; what cannot be read is set aside, and adding twice is harmless."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from clips_for_the_spool import SESSION, clip, plain

from robot_memory.streams import clipfiles
from robot_memory.streams.sessions import Session
from robot_memory.streams.spool import Spool, SpoolFull


def names(spool: Spool) -> list[str]:
    return [f"{place.parent.name}/{int(place.name)}" for place in spool.waiting()]


def test_the_oldest_session_comes_first_each_in_order(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10**9)
    for session in ("zz", "aa", "zz.1"):
        spool.open_session(Session(session))
        time.sleep(0.02)
    for session, sequence in (("zz.1", 0), ("aa", 10), ("aa", 9), ("zz", 2), ("zz", 100), ("zz", 11)):
        spool.add(clip(sequence, session))
    assert names(spool) == ["zz/2", "zz/11", "zz/100", "aa/9", "aa/10", "zz.1/0"]
    spool.open_session(Session("zz"))
    assert names(spool)[0] == "zz/2", "opening a session again does not make it younger"


def test_what_is_no_clip_is_not_waiting(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10**9)
    spool.open_session(SESSION)
    (tmp_path / SESSION.id / ".00000001.tmp").mkdir()
    (tmp_path / SESSION.id / ".00000002.gone").mkdir()
    (tmp_path / SESSION.id / "notes").mkdir()
    (tmp_path / SESSION.id / "00000003").write_text("a file")
    (tmp_path / "lost+found.txt").write_text("a file")
    assert spool.waiting() == []


def test_adding_twice_keeps_the_first_and_costs_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10**9)
    spool.open_session(SESSION)
    place = spool.add(clip(0, text="first"))
    before = os.stat(place / "clip.json")
    assert spool.add(clip(0, text="first")) == place
    assert os.stat(place / "clip.json") == before
    assert names(spool) == ["5e55/0"]


def test_adding_replaces_one_that_cannot_be_read(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10**9)
    spool.open_session(SESSION)
    place = spool.add(clip(0))
    (place / "arrays.npz").write_bytes(b"PK")
    spool.add(clip(0))
    assert plain(clipfiles.read(place)) == plain(clip(0))


def test_a_full_spool_says_so_and_has_room_again_when_clips_are_taken_out(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 100_000)
    spool.open_session(SESSION)
    added: list[Path] = []

    def fill() -> None:
        while len(added) < 100:
            added.append(spool.add(clip(len(added), size=20_000)))

    with pytest.raises(SpoolFull, match=r"start the memory server or raise spool_bytes"):
        fill()
    assert 100_000 < spool.bytes_used() < 100_000 + 2 * 20_000 + 10_000, "one clip over the budget at most"
    assert spool.add(clip(0, size=20_000)) == added[0], "what lies there needs no room"
    spool.remove(added[0])
    spool.remove(added[1])
    spool.add(clip(77, size=20_000))


def test_a_session_must_be_opened_first(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        Spool(tmp_path, 10**9).add(clip())


def test_set_aside_moves_out_of_the_way_and_can_be_repeated(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10**9)
    spool.open_session(SESSION)
    for _ in range(2):
        place = spool.add(clip(4))
        aside = spool.set_aside(place)
        assert spool.waiting() == [] and (aside / "clip.json").exists()
        assert aside.name == "5e55-00000004"


def test_bytes_used_counts_all_that_is_there(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10**9)
    assert spool.bytes_used() == 0
    spool.open_session(SESSION)
    spool.set_aside(spool.add(clip(1)))
    spool.add(clip(2))
    assert spool.bytes_used() == sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) > 2000
