"""kill -9 at random points of a writing server, in short; `make crash` does it a thousand times."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from inspection import KINDS

HERE = Path(__file__).parent
KILLS, CLIPS, SEED = 12, 10, 4
SEEDS = range(SEED, SEED + 8)


def printed(laboratory: str, *options: str, seed: int = SEED) -> str:
    command = [sys.executable, str(HERE / laboratory), f"--seed={seed}", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False).stdout


def found(kind: str, table: str) -> int:
    """How often something was wrong in that way."""
    (count,) = re.findall(rf"(?m)^ +(\d+)  {kind}$", table)
    return int(count)


def test_nothing_is_lost_partial_or_unsearchable(library: Path) -> None:
    table = printed("kill_laboratory.py", f"--kills={KILLS}", f"--clips={CLIPS}")
    assert [found(kind, table) for kind in KINDS] == [0] * len(KINDS), table
    assert f"{KILLS} kills" in table and "of the log" in table, table


def test_nothing_is_lost_or_half_compressed(library: Path) -> None:
    """With so small a budget that most clips send memories to the archive, and the archive lets some go."""
    table = printed("kill_laboratory.py", f"--kills={KILLS}", f"--clips={CLIPS}", "--memories=20")
    assert [found(kind, table) for kind in KINDS] == [0] * len(KINDS), table
    assert f"{KILLS} kills" in table, table


def test_an_operators_work_is_done_or_not(library: Path) -> None:
    """People merged and taken apart again, and backups made."""
    table = printed("operator_laboratory.py", "--kills=8")
    assert [found(kind, table) for kind in KINDS] == [0] * len(KINDS), table
    assert "8 kills" in table, table


@pytest.mark.parametrize(("cheat", "kind"), [("stored_when_spooled", "lost"), ("clips_in_pieces", "partial")])
def test_the_laboratory_notices_a_server_that_cheats(library: Path, cheat: str, kind: str) -> None:
    """Not by every kill: where one lands depends on the machine's pace, so some more follow until one has told."""
    tables = (printed("kill_laboratory.py", "--kills=8", f"--clips={CLIPS}", "--cheat", cheat, seed=n) for n in SEEDS)
    assert any(found(kind, table) for table in tables)
