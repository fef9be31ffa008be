"""What one insert costs in memories of growing size: it should be flat. Synthetic, in a folder of the caller's."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from robot_memory.memory.insertion.insert import take_in
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors import Vector

SECOND = 1_000_000_000
SIZES = (1_000, 10_000, 50_000, 200_000)
PEOPLE, DIMENSION, BATCH = 200, 64, 2_000
KINDS = ("no frame", "many", "one", "again", "late")


@dataclass(frozen=True)
class Cost:
    """Milliseconds of one insert (median) by kind: a sentence without a frame, a claim beside others, one that
    supersedes, one that is known, and one that arrives late. `rows`: memories there.
    """

    rows: int
    ms: dict[str, float]


def measure(folder: Path, sizes: Sequence[int] = SIZES, samples: int = 200) -> Iterator[Cost]:
    """The cost at each size. Commits are not in it: there is one a clip, not one a sentence."""
    throw, count = np.random.default_rng(0), 0
    with Store(folder / "cost.sqlite") as store:
        with store.write() as db:
            _populate(db)
        for size in sizes:
            while count < size:
                with store.write() as db:
                    for _ in range(min(BATCH, size - count)):
                        _insert(db, throw, KINDS[count % 3], count)
                        count += 1
            with store.write() as db:
                times = {kind: [_insert(db, throw, kind, count + n) for n in range(samples)] for kind in KINDS}
            yield Cost(size, {kind: round(median(found) * 1e3, 3) for kind, found in times.items()})


def _populate(db: sqlite3.Connection) -> None:
    """A clip and some people."""
    session = "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock)"
    db.execute(f"{session} VALUES ('s', '', '', 0, '', '', '')")
    clip = "INSERT INTO clips(id, session, sequence, start_ns, end_ns, frames, audio_s)"
    db.execute(f"{clip} VALUES (1, 's', 0, 0, 0, 0, 0)")
    people = [(n + 1,) for n in range(PEOPLE)]
    db.executemany("INSERT INTO persons(id) VALUES (?)", people)
    db.executemany("INSERT INTO entities(kind, person, clip) VALUES ('voice', ?, 1)", people)


def _insert(db: sqlite3.Connection, throw: np.random.Generator, kind: str, n: int) -> float:
    """Insert the n-th sentence; returns the seconds it took."""
    sentence, vector = _sentence(throw, kind, n), _vector(throw)
    began = time.perf_counter()
    take_in(db, 1, sentence, vector, "text")
    return time.perf_counter() - began


def _sentence(throw: np.random.Generator, kind: str, n: int) -> Sentence:
    token = f"voice_{throw.integers(1, PEOPLE + 1)}"
    at_ns = n * SECOND if kind != "late" else int(throw.integers(0, n + 1)) * SECOND + 1
    frame = {
        "many": Frame(f"<{token}>", "knows", f"fact {n}"),
        "one": Frame(f"<{token}>", "home", f"town {n % 50}"),
        "again": Frame(f"<{token}>", "likes", "coffee"),
        "late": Frame(f"<{token}>", "home", f"town {n % 50}"),
    }.get(kind)
    text = f"<{token}> said something, number {n}." if frame is None else f"<{token}> {frame.attribute} {frame.value}"
    return Sentence("semantic" if frame else "episodic", text, at_ns, at_ns + SECOND, "heard", {token: 1.0}, frame)


def _vector(throw: np.random.Generator) -> Vector:
    vector = throw.normal(size=DIMENSION)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)
