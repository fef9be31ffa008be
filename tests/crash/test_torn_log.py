"""A torn write-ahead log: what comes after the tear is not there, what comes before it is, and nothing is half."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from inspection import Undisturbed
from troubles import is_whole
from writing_server import STORE, drained, start

from robot_memory.memory.storage.store import Store

ALL = 12


@pytest.fixture(scope="module")
def killed(life: Undisturbed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All clips are stored, the log is not emptied: as kill -9 leaves it."""
    running, left = tmp_path_factory.mktemp("running"), tmp_path_factory.mktemp("left") / "robot"
    server = start(running)
    for clip in life.clips:
        server.spool.open_session(clip.session)
        server.intake.clip_ready(server.spool.add(clip.observation))
    server.intake._lane.submit(lambda: None).result(20)
    shutil.copytree(running, left)
    server.close()
    return left


def torn(killed: Path, folder: Path) -> Path:
    shutil.copytree(killed, folder / "robot")
    return folder / "robot" / f"{STORE}-wal"


@pytest.mark.parametrize("seed", range(2))
def test_torn_after_the_last_commit(killed: Path, tmp_path: Path, life: Undisturbed, seed: int) -> None:
    """A commit that was being written: everything acknowledged is there."""
    log, rng = torn(killed, tmp_path), random.Random(seed)
    frames = log.read_bytes()
    begun = bytearray(frames[32 : 32 + rng.randrange(1, 20_000)])
    log.write_bytes(frames + begun)
    for _ in range(2):
        assert drained(log.parent) == {}
        assert is_whole(log.parent, life, ALL) == ALL


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("damage", ["cut", "overwritten"])
def test_torn_in_the_middle(killed: Path, tmp_path: Path, life: Undisturbed, damage: str, seed: int) -> None:
    """A disk that lost what it had said was written. An earlier moment is found as a whole, or it is said that the
    memory is damaged; either way the next starts find nothing more, and remembering goes on.
    """
    log, rng = torn(killed, tmp_path), random.Random(seed)
    size = log.stat().st_size
    at = 0 if seed == 0 else rng.randrange(size)
    with log.open("r+b") as file:
        if damage == "cut":
            file.truncate(at)
        else:
            file.seek(at)
            file.write(rng.randbytes(min(3000, size - at)))
    with Store(log.parent / STORE) as store:
        said = store.damage
    if said is None:
        is_whole(log.parent, life, 0)
    for _ in range(2):
        assert drained(log.parent) == {}
        with Store(log.parent / STORE) as store:
            assert store.damage is None
    server = start(log.parent)
    for clip in life.clips:
        server.spool.open_session(clip.session)
        server.intake.clip_ready(server.spool.add(clip.observation))
    server.intake._lane.submit(lambda: None).result(20)
    stored = {tuple(row) for row in server.store.reader().execute("SELECT session, sequence FROM clips")}
    server.close()
    assert stored == {clip.key for clip in life.clips}
    if said is None:
        assert is_whole(log.parent, life, ALL) == ALL
