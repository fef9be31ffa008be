"""The power is cut at random moments of a server's life, and what a disk may then hold is opened.

    python tests/crash/power_laboratory.py --cuts 1000

A server lives twice, undisturbed, while its system calls are written down. For each of many moments between two calls
the folder is put together as it may be found after a power cut (power_cut.py), several times with different luck; the
store is opened and looked at, then the server is started on it and takes in what lies in the spool.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import system_calls
from inspection import KINDS, Findings, Told, Undisturbed, examine, undisturbed
from kill_laboratory import preload
from power_cut import Disk
from system_calls import MARKED, SYNCED, WRITTEN, Call, Calls
from writing_server import STORE, Habits, drained, live, warm_up

OUTCOMES = 4  # ways in which one moment's cut may come out
PROGRESS = 100


@dataclass(frozen=True)
class Recording:
    """A server's calls below its folder, with what it told among them."""

    root: Path
    home: Path  # below it; the first thing the server does is to make it
    calls: tuple[Call, ...]

    def of(self, what: str, ending: str) -> int:
        """How many calls of a kind were made on files whose name ends so."""
        paths: dict[int, str] = {}
        count = 0
        for call in self.calls:
            if call.what == "o":
                paths[call.handle] = call.path
            count += call.what == what and paths.get(call.handle, "").endswith(ending)
        return count


def recording(folder: Path, life: Undisturbed, habits: Habits, calls: Calls) -> Recording:
    """Two lives, the first of which ends half-way and in order."""
    root, log = folder / "robot", folder / "calls"
    home = root / "share" / "memory"
    root.mkdir()
    calls.below(root)
    calls.record(log)
    half = len(life.clips) // 2
    live(home, life.clips[:half], 0, calls.mark, habits)
    live(home, life.clips, half, calls.mark, habits)
    calls.record(None)
    calls.below(folder / "nothing")
    return Recording(root, home, tuple(system_calls.recorded(log)))


@dataclass
class Laboratory:
    """The cuts of one recording. `stored`: clips that were found in the store, by cut."""

    folder: Path
    rng: random.Random
    findings: Findings
    cuts: int = 0
    refilled: int = 0  # clips that the spool gave back to the store

    def run(self, life: Undisturbed, made: Recording, cuts: int) -> None:
        moments = Counter(self.rng.randrange(len(made.calls) + 1) for _ in range(max(1, cuts // OUTCOMES)))
        disk, told, home = Disk(made.root), Told(), made.home.relative_to(made.root)
        for number, call in enumerate((*made.calls, None)):
            for _ in range(moments[number] * OUTCOMES):
                self.cut(disk, home, life, told, f"call {number}")
            if call is None:
                break
            if call.what == MARKED:
                told.hear(call.path)
            else:
                disk.happen(call)

    def cut(self, disk: Disk, home: Path, life: Undisturbed, told: Told, where: str) -> None:
        """One way in which the cut may come out."""
        found, copy = self.folder / "found", self.folder / "copy"
        for place in (found, copy):
            shutil.rmtree(place, ignore_errors=True)
        disk.cut(found, self.rng)
        self.cuts += 1
        where = f"cut {self.cuts}, {where}"
        shutil.copytree(found, copy)
        before = examine(copy / home, life, told, self.findings, where)
        if problems := drained(found / home):
            self.findings.add("not told right", f"{where}: {problems}")
        after = examine(found / home, life, Told(stored=told.spooled), self.findings, f"{where}, drained")
        self.refilled += after - before
        if self.cuts % PROGRESS == 0:
            print(f"  {self.cuts} cuts, {sum(self.findings.wrong.values())} faults", flush=True)


def table(laboratory: Laboratory, made: Recording, seconds: float) -> str:
    """What was done and what was found, for people."""
    opening = sorted(1000 * value for value in laboratory.findings.opening_s) or [0.0]
    log, store = f"{STORE}-wal", STORE
    lines = [
        f"{laboratory.cuts} power cuts in {len(made.calls):,} system calls, {seconds:.0f} s",
        f"  recorded: {made.of(WRITTEN, log)} writes and {made.of(SYNCED, log)} syncs of the log, "
        f"{made.of(WRITTEN, store)} and {made.of(SYNCED, store)} of the store",
        f"  {laboratory.refilled} clips came back from the spool",
        "",
        "what was wrong",
    ]
    lines += [f"  {laboratory.findings.wrong[kind]:6d}  {kind}" for kind in KINDS]
    lines += ["", f"reopened in {statistics.median(opening):.1f} ms (median), {opening[-1]:.1f} (most)"]
    lines += [f"{kind}: {example}" for kind, example in laboratory.findings.examples.items()]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--clips", type=int, default=100, help="in the server's two lives")
    parser.add_argument("--seed", type=int, default=0, help="0: a new one")
    parser.add_argument("--cheat", choices=[name for name in Habits.__dataclass_fields__ if name != "asking"])
    options = parser.parse_args()
    seed = options.seed or random.randrange(1, 10**6)
    with tempfile.TemporaryDirectory(prefix="power-laboratory-") as place:
        preload(Path(place), seed)
        if (calls := Calls.here()) is None:
            return 2
        print(f"power cut laboratory, --seed {seed}", flush=True)
        began = time.monotonic()
        life = undisturbed(seed, warm_up(), Path(place), most=options.clips)
        habits = Habits(asking=True, **({options.cheat: True} if options.cheat else {}))
        made = recording(Path(place), life, habits, calls)
        laboratory = Laboratory(Path(place), random.Random(seed), Findings())
        laboratory.run(life, made, options.cuts)
        print(table(laboratory, made, time.monotonic() - began), flush=True)
    return 1 if laboratory.findings.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
