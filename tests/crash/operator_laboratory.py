"""An operator's work is killed with -9: two people are merged, that is taken back, a backup is made, and so on.

    python tests/crash/operator_laboratory.py --kills 200

After each kill the memory is the one before the correction or the one after it, whichever was told or the next; a
backup lies there whole, as one of the two, or not at all.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, permutations
from pathlib import Path

from inspection import Findings, undisturbed
from kill_laboratory import PROGRESS, killed_while, landed, preload, table
from system_calls import Calls
from writing_server import STORE, Tell, warm_up

from robot_memory.control.operator import Merge, Undo, correct
from robot_memory.errors import RobotMemoryError
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.backup import backup
from robot_memory.memory.storage.store import Store

CLIPS = 20
WORD = Word("operator", "a laboratory", 1)
BACKUP = "backup.sqlite"
APART, MERGED, SAVED = "apart", "merged", "saved"
ROUNDS = 3  # of merging, backup and taking back, in a life that is not killed


@dataclass(frozen=True)
class Known:
    """Who is merged with whom, and what the memory's logical hash is then and otherwise."""

    pair: Merge
    hashes: dict[str, str]


def known(folder: Path, seed: int, embedder: TextEmbedder) -> Known | None:
    """A memory of the seed's world in `folder`, and two people there who can be one, tried out on a copy; None where
    all have been seen together.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    undisturbed(seed, embedder, folder, CLIPS)
    (folder / f"undisturbed-{seed}.sqlite").rename(folder / STORE)
    copy = folder.with_name(f"tried-{seed}")
    shutil.copytree(folder, copy)
    with Store(copy / STORE) as store:
        before = fingerprint(store.reader())
        people = [f"person_{person.id}" for person in People(store.reader()).all()]
        for keep, other in permutations(people, 2):
            with suppress(RobotMemoryError):
                correct(store, pair := Merge(keep, other), WORD)
                if (after := fingerprint(store.reader())) != before:
                    return Known(pair, {before: APART, after: MERGED})
    return None


def work(folder: Path, pair: Merge, tell: Tell) -> None:
    """Correct and back up, telling each thing done; what an earlier life has left merged is taken back first."""
    with Store(folder / STORE) as store:
        tell("open")
        open_change = store.reader().execute(
            "SELECT max(id) FROM journal WHERE actor = ? AND action = 'merge' AND undone_by IS NULL", (WORD.actor,)
        )
        if change := open_change.fetchone()[0]:
            correct(store, Undo(str(change)), WORD)
            tell(APART)
            backup(store, folder / BACKUP)
            tell(SAVED)
        for _ in range(ROUNDS):
            change = correct(store, pair, WORD).change
            tell(MERGED)
            backup(store, folder / BACKUP)
            tell(SAVED)
            correct(store, Undo(change), WORD)
            tell(APART)
            backup(store, folder / BACKUP)
            tell(SAVED)


def look(folder: Path, one: Known, done: list[str], saved_before: bool, findings: Findings, where: str) -> None:
    """`done`: what the last life told. If a correction was the last thing, none was on its way."""
    try:
        began = time.perf_counter()
        with Store(folder / STORE) as store:
            findings.opening_s.append(time.perf_counter() - began)
            found = one.hashes.get(fingerprint(store.reader()), "")
            checked = store.reader().execute("PRAGMA integrity_check").fetchone()[0]
            if checked != "ok" or store.damage:
                findings.add("damaged", f"{where}: {checked}, {store.damage}")
        if not found:
            findings.add("partial", f"{where}: neither merged nor apart")
        if done and done[-1] in (APART, MERGED) and found != done[-1]:
            findings.add("lost", f"{where}: {done[-1]} was told, {found} is found")
        if (folder / BACKUP).exists():
            with Store(folder / BACKUP, readonly=True) as saved:
                if fingerprint(saved.reader()) not in one.hashes:
                    findings.add("partial", f"{where}: the backup is neither merged nor apart")
        elif saved_before:
            findings.add("lost", f"{where}: the backup is gone")
    except (RobotMemoryError, OSError) as error:
        findings.add("does not open", f"{where}: {error}")


@dataclass
class Laboratory:
    """One run. `saved`: a backup has been acknowledged."""

    home: Path
    one: Known
    rng: random.Random
    calls: Calls | None
    findings: Findings
    shown: Counter[str]
    kills: int = 0
    saved: bool = False

    def run(self, kills: int) -> None:
        began = time.monotonic()
        lines, _ = self.life((10**9, 0) if self.calls else None, None)
        seconds, calls = time.monotonic() - began, int(lines[-1].split()[1]) if self.calls else 0
        while self.kills < kills:
            at_call = self.rng.random() < 0.8 and self.calls is not None
            if at_call:
                lines, killed = self.life((self.rng.randrange(calls), self.rng.randrange(1000)), None)
            else:
                lines, killed = self.life(None, self.rng.random() * seconds)
            self.kills += killed
            self.shown[landed(lines)] += killed
            self.look_at_a_copy(lines)
            if killed and self.kills % PROGRESS == 0:
                print(f"  {self.kills} kills, {sum(self.findings.wrong.values())} faults", flush=True)

    def life(self, at_call: tuple[int, int] | None, after_s: float | None) -> tuple[list[str], bool]:
        return killed_while(lambda tell: work(self.home, self.one.pair, tell), self.home, self.calls, at_call, after_s)

    def look_at_a_copy(self, lines: list[str]) -> None:
        where = f"kill {self.kills}, {landed(lines)}"
        if failed := [line for line in lines if line.startswith(("failed", "stuck"))]:
            self.findings.add("does not open", f"{where}: {failed}")
        done = [line for line in lines if line in (APART, MERGED, SAVED)]
        self.saved = self.saved or SAVED in done
        copy = self.home.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.home, copy)
        look(copy, self.one, done, self.saved, self.findings, where)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="0: a new one")
    options = parser.parse_args()
    seed = options.seed or random.randrange(1, 10**6)
    with tempfile.TemporaryDirectory(prefix="operator-laboratory-") as place:
        preload(Path(place), seed)
        print(f"operator laboratory, --seed {seed}", flush=True)
        home = Path(place) / "robot"
        one = next(filter(None, (known(home, world, warm_up()) for world in count(seed))))
        laboratory = Laboratory(home, one, random.Random(seed), Calls.here(), Findings(), Counter())
        began = time.monotonic()
        laboratory.run(options.kills)
        what = f"{laboratory.kills} kills of an operator's work"
        print(table(what, laboratory.shown, laboratory.findings, time.monotonic() - began), flush=True)
    return 1 if laboratory.findings.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
