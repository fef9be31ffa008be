"""A writing server is killed with -9, opened, looked at, started again, and so on.

    python tests/crash/kill_laboratory.py --kills 1000

Kills are placed at random system calls (in the middle of a write, too) and at random times. What a kill left is looked
at on a copy, so that the next life begins with exactly that. A world that has been taken in as a whole is compared with
an undisturbed run, and the next one begun. A failure is printed with the seed that brings it back.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import system_calls
from inspection import KINDS, Findings, Told, Undisturbed, examine, undisturbed
from system_calls import Calls, CannotCompile
from writing_server import STORE, Habits, Tell, live, warm_up

CLIPS_A_LIFE = 3  # until which the kill mostly comes
LONG = 0.2  # of the lives in a long world last longer: through a checkpoint, which takes many calls
LONG_CALLS, LONG_WORLD = 4000, 50
HUNG_S = 90.0
PROGRESS = 50


@dataclass(frozen=True)
class Pace:
    """How long a life of a few clips lasts, measured on one that nothing happened to."""

    calls: int
    seconds: float


@dataclass
class Laboratory:
    """One run. `shown`: where each kill landed."""

    folder: Path
    rng: random.Random
    calls: Calls | None
    habits: Habits
    findings: Findings
    shown: Counter[str]
    kills: int = 0

    def world(self, life: Undisturbed, kills: int, pace: Pace) -> None:
        """Kill the server until the world is stored as a whole, or enough kills are made."""
        told, home = Told(), self.folder / "robot"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        while self.kills < kills:
            first = min(max(told.spooled, default=-1) + 1, len(life.clips) - 1)
            before = len(told.lines)
            killed = self.kill(home, life, first, told, pace)
            lines = told.lines[before:]
            where = f"kill {self.kills}, {landed(lines)}"
            for line in lines:
                if line.startswith(("stuck", "skipped", "failed")):
                    self.findings.add("not told right", f"{where}: {line}")
            if not killed:
                if examine(home, life, told, self.findings, "at the end") != len(life.clips):
                    self.findings.add("lost", f"at the end of a world: {lines[-3:]}")
                return
            self.kills += 1
            self.shown[landed(lines)] += 1
            copy = self.folder / "copy"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(home, copy)
            examine(copy, life, told, self.findings, where)
            if self.kills % PROGRESS == 0:
                print(f"  {self.kills} kills, {sum(self.findings.wrong.values())} faults", flush=True)

    def kill(self, home: Path, life: Undisturbed, first: int, told: Told, pace: Pace) -> bool:
        """One life; False if it came to its end."""
        asking = replace(self.habits, asking=self.rng.random() < 0.3)
        long = self.rng.random() < LONG and len(life.clips) >= LONG_WORLD
        if self.calls is not None and self.rng.random() < 0.7:
            number = self.rng.randrange(LONG_CALLS if long else pace.calls)
            return self.run(home, life, first, told, asking, (number, self.rng.randrange(1000)), None)
        seconds = self.rng.random() * pace.seconds * (5 if long else 1)
        return self.run(home, life, first, told, asking, None, seconds)

    def run(
        self,
        home: Path,
        life: Undisturbed,
        first: int,
        told: Told,
        habits: Habits,
        at_call: tuple[int, int] | None,
        after_s: float | None,
    ) -> bool:
        """A life in a process of its own; True if it was killed, at a call or after some time."""
        lines, killed = killed_while(
            lambda tell: live(home, life.clips, first, tell, habits), home, self.calls, at_call, after_s
        )
        for line in lines:
            told.hear(line)
        return killed

    def pace(self, life: Undisturbed) -> Pace:
        """A short life, undisturbed."""
        home, told = self.folder / "pace", Told()
        home.mkdir()
        began = time.monotonic()
        few = Undisturbed(life.clips[:CLIPS_A_LIFE], life.states)
        self.run(home, few, 0, told, replace(self.habits, asking=True), (10**9, 0) if self.calls else None, None)
        seconds = time.monotonic() - began
        shutil.rmtree(home)
        return Pace(max([int(line.split()[1]) for line in told.lines if line.startswith("calls")], default=0), seconds)


def killed_while(
    work: Callable[[Tell], None],
    home: Path,
    calls: Calls | None,
    at_call: tuple[int, int] | None,
    after_s: float | None,
) -> tuple[list[str], bool]:
    """Do the work in a process of its own that is killed: at a call below `home` (its number; how much of a write is
    still made, per mille) or after some seconds. Returns what it told, and whether it was killed before it ended.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, home, writing, calls, at_call)
    os.close(writing)
    heard, until = b"", time.monotonic() + (HUNG_S if after_s is None else after_s)
    while select.select([reading], [], [], max(0.0, until - time.monotonic()))[0]:
        if not (new := os.read(reading, 65536)):
            break
        heard += new
    else:
        heard += b"stuck\n" if after_s is None else b""
        os.kill(child, signal.SIGKILL)
        while new := os.read(reading, 65536):
            heard += new
    os.close(reading)
    _, status = os.waitpid(child, 0)
    return heard.decode().splitlines(), os.WIFSIGNALED(status)


def _work(
    work: Callable[[Tell], None], home: Path, writing: int, calls: Calls | None, at_call: tuple[int, int] | None
) -> None:
    """The forked process: work, tell, and end without ever returning."""

    def tell(line: str) -> None:
        os.write(writing, f"{line}\n".encode())

    status = 1
    try:
        if calls is not None:
            calls.below(home)
            if at_call is not None:
                calls.kill_at(*at_call, writing)
        work(tell)
        if calls is not None:
            tell(f"calls {calls.seen()}")
        status = 0
    except BaseException as error:  # noqa: BLE001 - a forked process must not go on as its parent
        tell(f"failed {type(error).__name__}: {error}")
    finally:
        os._exit(status)


def landed(lines: list[str]) -> str:
    """Where a kill landed, as far as it can be known."""
    last = lines[-1] if lines else ""
    if not last.startswith("killed "):
        return "at a random time" if "open" in lines else "at a random time, opening"
    _, call, path = last.split(" ", 2)
    opening = "" if "open" in lines else ", opening"
    name = Path(path).name
    for ending, meant in (("-wal", "log"), ("-shm", "log's index"), ("-journal", "journal"), (STORE, "store")):
        if name.endswith(ending):
            return f"{call} of the {meant}{opening}"
    if name.startswith("backup"):
        return f"{call} of a backup"
    return f"{call} in the spool{opening}" if ".spool" in path else f"{call} beside the store{opening}"


def table(what: str, shown: Counter[str], findings: Findings, seconds: float) -> str:
    """What was done and what was found, for people."""
    opening = sorted(1000 * value for value in findings.opening_s) or [0.0]
    p95 = opening[int(len(opening) * 0.95)]
    lines = [f"{what}, {seconds:.0f} s", "", "where the kills landed"]
    lines += [f"  {count:6d}  {where}" for where, count in shown.most_common() if count]
    lines += ["", "what was wrong"]
    lines += [f"  {findings.wrong[kind]:6d}  {kind}" for kind in KINDS]
    median = statistics.median(opening)
    lines += ["", f"reopened in {median:.1f} ms (median), {p95:.1f} (p95), {opening[-1]:.1f} (most)"]
    lines += [f"{kind}: {example}" for kind, example in findings.examples.items()]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="0: a new one")
    parser.add_argument("--clips", type=int, default=10_000, help="of each world, at most")
    cheats = [name for name in Habits.__dataclass_fields__ if name not in ("asking", "memories")]
    parser.add_argument("--cheat", choices=cheats)
    parser.add_argument("--memories", type=int, default=0, help="of the index at most, and as many of the archive")
    options = parser.parse_args()
    seed = options.seed or random.randrange(1, 10**6)
    with tempfile.TemporaryDirectory(prefix="kill-laboratory-") as place:
        preload(Path(place), seed)
        print(f"kill -9 laboratory, --seed {seed}", flush=True)
        embedder, calls = warm_up(), Calls.here()
        habits = Habits(**{options.cheat: True}) if options.cheat else Habits()
        habits = replace(habits, memories=options.memories)
        laboratory = Laboratory(Path(place), random.Random(seed), calls, habits, Findings(), Counter())
        began, worlds, pace = time.monotonic(), 0, None
        while laboratory.kills < options.kills:
            life = undisturbed(seed + worlds, embedder, Path(place), options.clips, options.memories)
            pace = pace or laboratory.pace(life)
            laboratory.world(life, options.kills, pace)
            worlds += 1
        what = f"{laboratory.kills} kills in {worlds} worlds"
        print(table(what, laboratory.shown, laboratory.findings, time.monotonic() - began), flush=True)
    return 1 if laboratory.findings.wrong else 0


def preload(folder: Path, seed: int) -> None:
    """Let all be done by a process with the library that counts system calls, and end with it. Without a compiler this
    process goes on, and kills come at random times only.
    """
    if Calls.here() is not None:
        return
    try:
        library = system_calls.compiled(folder)
    except CannotCompile as error:
        print(f"kills at random times only: {error}", file=sys.stderr)
        return
    arguments = [argument for argument in sys.argv if not argument.startswith("--seed")]
    command = [sys.executable, *arguments, f"--seed={seed}"]
    sys.exit(subprocess.call(command, env=system_calls.preloaded(library)))


if __name__ == "__main__":
    sys.exit(main())
