"""A full disk: clips wait in the spool, it is said what to do, and all is taken in once there is room."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from inspection import Undisturbed
from troubles import Starter
from writing_server import STORE, start

from robot_memory.memory.fingerprint import lines
from robot_memory.memory.storage.store import Store

ALL = 12  # clips of `life`


def until(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def all_of_it(folder: Path, life: Undisturbed) -> bool:
    """Every clip is stored with what it held."""
    with Store(folder / STORE) as store:
        found = list(lines(store.reader()))
    clips = [clip.observation for clip in life.clips]
    turns = sum(len(clip.turns) for clip in clips)
    kinds = [json.loads(line)[0] for line in found]
    return (kinds.count("clip"), kinds.count("turn")) == (len(clips), turns) and not any("skipped" in x for x in found)


def test_sqlite_has_no_more_pages(tmp_path: Path, life: Undisturbed) -> None:
    server = start(tmp_path)
    try:
        for number, clip in enumerate(life.clips):
            if number == 4:
                with server.store.write() as db:
                    pages = db.execute("PRAGMA page_count").fetchone()[0]
                    db.execute(f"PRAGMA max_page_count={pages + 5}")
            server.spool.open_session(clip.session)
            server.intake.clip_ready(server.spool.add(clip.observation))
        until(lambda: "store" in server.intake.problems)
        assert "full" in server.intake.problems["store"] or "room" in server.intake.problems["store"]
        for _ in range(3):
            server.intake.scan()
            server.intake._lane.submit(lambda: None).result(20)
        assert "store" in server.intake.problems
        waiting = len(server.spool.waiting())
        assert 0 < waiting <= ALL - 4
        with server.store.write() as db:
            db.execute("PRAGMA max_page_count=1073741823")
        server.intake.scan()
        until(lambda: not server.spool.waiting() and server.intake._lane.load() == 0)
        assert server.intake.problems == {}
    finally:
        server.close()
    assert all_of_it(tmp_path, life)


@pytest.mark.parametrize("largest_file", [1_000, 30_000, 150_000])
def test_the_system_lets_no_file_grow(tmp_path: Path, life: Undisturbed, largest_file: int, starts: Starter) -> None:
    """RLIMIT_FSIZE, from a disk on which not even a store can be made to one that fills up among the clips."""
    for fate in starts(tmp_path, starts=3, clips=ALL, largest_file=largest_file):
        said = [fate.error, *fate.problems.values(), *fate.refused]
        assert fate.plain, said
        assert any(word in " ".join(said) for word in ("disk", "room", "space", "too large", "written")), said
        assert not fate.error or len(fate.error) > 40, "it must say what to do"
    fates = starts(tmp_path, starts=1, clips=ALL)
    assert [fate.problems for fate in fates] == [{}] and fates[0].stored == ALL and fates[0].waiting == 0
    assert all_of_it(tmp_path, life)


def test_clips_wait_in_their_order(tmp_path: Path, life: Undisturbed) -> None:
    """Who is who depends on who was met first."""
    session = life.clips[0].session
    large = max((clip.observation for clip in life.clips), key=lambda one: len(one.turns))
    small = replace(large, tracks=(), turns=(), poses=(), keyframes=())
    server = start(tmp_path)
    try:
        server.spool.open_session(session)
        for number, clip in enumerate((small, large, small)):
            if number == 1:
                with server.store.write() as db:
                    db.execute(f"PRAGMA max_page_count={db.execute('PRAGMA page_count').fetchone()[0]}")
            server.intake.clip_ready(server.spool.add(replace(clip, session=session.id, sequence=number)))
            until(lambda: server.intake._lane.load() == 0)
        assert "store" in server.intake.problems
        assert len(server.spool.waiting()) == 2
    finally:
        server.close()
