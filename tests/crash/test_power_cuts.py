"""The power is cut and unsynced writes are gone, in short; `make crash` does it a thousand times."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from inspection import KINDS
from power_cut import Disk
from system_calls import Call
from test_kills import found, printed

CLIPS = 6


def cut(cuts: int, *options: str) -> str:
    return printed("power_laboratory.py", f"--clips={CLIPS}", f"--cuts={cuts}", *options)


def test_nothing_is_lost_or_partial(library: Path) -> None:
    table = cut(24)
    assert [found(kind, table) for kind in KINDS] == [0] * len(KINDS), table


@pytest.mark.parametrize("cheat", ["unsynced_store", "unsynced_spool"])
def test_the_laboratory_notices_what_is_not_synced(library: Path, cheat: str) -> None:
    table = cut(30, "--cheat", cheat)
    assert found("lost", table) > 0, table
    ((writes, syncs),) = re.findall(r"recorded: (\d+) writes and (\d+) syncs of the log", table)
    assert int(writes) > 5 * CLIPS, "SQLite's own calls must be seen"
    if cheat == "unsynced_spool":
        assert int(syncs) >= CLIPS, "a commit must be synced"


def test_what_is_synced_stays_and_what_is_not_may_go(tmp_path: Path) -> None:
    """The model of the disk itself: one file, synced, then changed; one that was renamed without syncing its folder."""

    def happen(*calls: tuple[str, int, int, str, str, bytes]) -> None:
        for call in calls:
            disk.happen(Call(*call))

    disk = Disk(Path("/d"))
    happen(("o", 3, 1, "/d/kept", "", b""), ("w", 3, 0, "", "", b"a" * 1000), ("s", 3, 0, "", "", b""))
    happen(("o", 4, 0, "/d", "", b""), ("s", 4, 0, "", "", b""))
    happen(("w", 3, 500, "", "", b"b" * 1000), ("r", -1, 0, "/d/kept", "/d/new", b""))
    names, contents = set(), set()
    for seed in range(200):
        into = tmp_path / str(seed)
        disk.cut(into, random.Random(seed))
        (left,) = into.iterdir()
        names.add(left.name)
        content = left.read_bytes()
        contents.add(content)
        assert content.startswith(b"a" * 500)
    assert names == {"kept", "new"}
    assert b"a" * 1000 in contents and b"a" * 500 + b"b" * 1000 in contents
    torn = b"a" * 500 + b"b" * 12 + b"a" * 488
    assert torn in contents and len(contents) > 4
