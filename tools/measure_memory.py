#!/usr/bin/env python3
"""What memory costs, and what it takes for the same: `make measure`, which needs some minutes.

Milliseconds are those of the processor (median), so that they hold on a busy machine. Memories, faces and views are
made up, from a seed; the pairs of sentences are those of the tests. Commits are not counted: there is one a clip.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelMissing
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.rule import MatchRule
from robot_memory.memory.insertion.insert import take_in
from robot_memory.memory.insertion.parity import REINFORCE_ABOVE
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.reembed import embeddable
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from robot_memory.models.model import Threshold

PAIRS = Path(__file__).resolve().parents[1] / "tests/memory/minimal_pairs.yaml"
SECOND = 1_000_000_000
PEOPLE, DIMENSION, BATCH = 200, 256, 2_000
VIEWS, PROBES, ACCEPT = 20, 40, 0.5

Floats = NDArray[np.float32]
Throw = np.random.Generator
Told = tuple[Frame | None, int]  # what is claimed, and in which second

# What is told n-th, about <token>. Of the door, and of one person's appointment, there are ever longer chains.
KINDS: dict[str, Callable[[Throw, str, int], Told]] = {
    "no frame": lambda throw, token, n: (None, n),
    "one of many": lambda throw, token, n: (Frame(token, "knows", f"fact {n}"), n),
    "one at a time": lambda throw, token, n: (Frame(token, "home", f"town {n % 50}"), n),
    "one of each": lambda throw, token, n: (Frame("<voice_1>", "appointment", f"dentist at {_clock(n)}"), n),
    "state": lambda throw, token, n: (Frame("the door", "is", ("open", "closed")[n // len(KINDS) % 2]), n),
    "known again": lambda throw, token, n: (Frame(token, "likes", "coffee"), n),
    "late": lambda throw, token, n: (Frame("the door", "is", ("open", "closed")[n % 2]), int(throw.integers(0, n + 1))),
    "contradiction": lambda throw, token, n: (Frame(token, "likes", "tea", int(throw.choice([1, -1]))), n),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000, 50_000, 200_000], metavar="N")
    options.add_argument("--samples", type=int, default=200, help="inserts measured of each kind")
    options.add_argument("--faces", type=int, default=10_000)
    options.add_argument("--dimensions", type=int, nargs="*", default=[128, 256, 512], metavar="D")
    asked = options.parse_args()
    print(f"ms per insert, by memories\n{'':>14}" + "".join(f"{kind:>15}" for kind in KINDS))
    with tempfile.TemporaryDirectory() as folder:
        for rows, cost in inserts(Path(folder), asked.memories, asked.samples):
            print(f"{rows:>14,}" + "".join(f"{cost[kind]:>15.3f}" for kind in KINDS), flush=True)
    print(f"\nms per match among {asked.faces:,} faces of {VIEWS} views; all: every view is looked at")
    print(
        "".join(
            f"{name:>14}" for name in ("dimensions", "match", "slowest", "all", "times faster", "same best", "learn")
        )
    )
    for dimension in asked.dimensions:
        print(f"{dimension:>14}" + "".join(f"{text:>14}" for text in matching(dimension, asked.faces)), flush=True)
    print("\nminimal pairs, by what differs")
    for line in minimal_pairs():
        print(line)


def inserts(folder: Path, sizes: Sequence[int], samples: int) -> Iterator[tuple[int, dict[str, float]]]:
    """The cost of each kind at each number of memories."""
    throw, told, rows = np.random.default_rng(0), 0, 0
    with Store(folder / "memory.sqlite") as store:
        with store.write() as db:
            _populate(db)
        for size in sizes:
            while rows < size:
                with store.write() as db:
                    for _ in range(min(BATCH, size - rows)):
                        rows += _insert(db, throw, list(KINDS)[told % len(KINDS)], told)[1]
                        told += 1
            with store.write() as db:
                cost = {kind: [_insert(db, throw, kind, told + n)[0] for n in range(samples)] for kind in KINDS}
                rows = int(db.execute("SELECT count(*) FROM memories").fetchone()[0])
            yield size, {kind: median(times) * 1e3 for kind, times in cost.items()}


def _populate(db: sqlite3.Connection) -> None:
    """A clip and some people."""
    session = "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock)"
    db.execute(f"{session} VALUES ('s', '', '', 0, '', '', '')")
    db.executemany(
        "INSERT INTO clips(id, session, sequence, start_ns, end_ns, frames, audio_s) VALUES (?, 's', ?, 0, 0, 0, 0)",
        [(1, 0), (2, 1)],
    )
    people = [(n + 1,) for n in range(PEOPLE)]
    db.executemany("INSERT INTO persons(id) VALUES (?)", people)
    db.executemany("INSERT INTO entities(kind, person, clip) VALUES ('voice', ?, 1)", people)


def _insert(db: sqlite3.Connection, throw: Throw, kind: str, n: int) -> tuple[float, int]:
    """Tell the n-th sentence; returns the seconds it took and how many memories it made."""
    token = f"voice_{throw.integers(1, PEOPLE + 1)}"
    frame, second = KINDS[kind](throw, f"<{token}>", n)
    text = f"<{token}> said something, number {n}." if frame is None else f"<{token}> {frame.attribute} {frame.value}"
    at_ns = second * SECOND
    sentence = Sentence("semantic" if frame else "episodic", text, at_ns, at_ns + SECOND, "heard", {token: 1.0}, frame)
    vector = _unit(throw.normal(size=DIMENSION))
    began = time.process_time()
    done = take_in(db, 1, sentence, vector, "text")
    return time.process_time() - began, len(done.added)


def _clock(n: int) -> str:
    return f"{n // 60 % 24:02}:{n % 60:02}"


def matching(dimension: int, faces: int) -> list[str]:
    """A line of the table: looking a face up by way of the sets' means, and in a plain loop over all views."""
    throw = np.random.default_rng(dimension)
    gallery = Gallery(MatchRule(Threshold(((0.0, ACCEPT),)), Threshold(((0.0, ACCEPT),))))
    for face in range(1, faces + 1):
        gallery.replace(face, _views(throw, dimension))
    sets = [gallery.set_of(face) for face in range(1, faces + 1)]
    matched, looped, same = list[float](), list[float](), 0
    for _ in range(PROBES):
        seen = sets[throw.integers(faces)][0]
        probe = _unit(seen + 0.6 * _unit(throw.normal(size=dimension)))
        began = time.process_time()
        found = gallery.match(probe).entity
        matched.append(time.process_time() - began)
        began = time.process_time()
        best = 1 + int(np.argmax([np.sort(views @ probe)[-3:].mean() for views in sets]))
        looped.append(time.process_time() - began)
        same += found == best
    taught = list[float]()
    for face in throw.integers(1, faces + 1, size=200).tolist():
        began = time.process_time()
        gallery.replace(face, sets[0])
        taught.append(time.process_time() - began)
    here, loop = median(matched) * 1e3, median(looped) * 1e3
    worst, learn = max(matched) * 1e3, median(taught) * 1e3
    return [f"{here:.2f}", f"{worst:.2f}", f"{loop:.0f}", f"{loop / here:.0f}", f"{same}/{PROBES}", f"{learn:.3f}"]


def _views(throw: Throw, dimension: int) -> Floats:
    """A face [n, d] of three looks: cosines of some .83 within a look, .57 between looks, 0 to others."""
    own, looks = _unit(throw.normal(size=(1, dimension))), _unit(throw.normal(size=(3, dimension)))
    return _unit(own + 0.75 * looks[throw.integers(0, 3, VIEWS)] + 0.45 * _unit(throw.normal(size=(VIEWS, dimension))))


def _unit(vectors: NDArray[Any]) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def minimal_pairs() -> Iterator[str]:
    """Which pairs are taken for one: by their frames, as the product does, and by a cosine, as M3-Agent does."""
    pairs: list[dict[str, Any]] = yaml.safe_load(PAIRS.read_text("utf-8"))
    rules = {"frames": _by_frames(pairs)}
    try:
        embedder = open_text_embedder(load_profile(PerceptionSettings().profile).model("text_embedding"))
    except ModelMissing as error:
        yield f"without the cosine: {error}"
    else:
        ones, others = (embedder.embed([embeddable(pair[side]["text"]) for pair in pairs]) for side in "ab")
        rules[f"cosine > {REINFORCE_ABOVE}"] = ((ones * others).sum(axis=1) > REINFORCE_ABOVE).tolist()
    yield f"{'':>8}{'':<24}{'pairs':>8}" + "".join(f"{name:>16}" for name in rules)
    for same, title in ((False, "wrongly taken for one"), (True, "the same, and missed")):
        yield title
        counts = Counter(pair["kind"] for pair in pairs if pair["same"] is same)
        for kind, count in [*sorted(counts.items()), ("all", sum(counts.values()))]:
            of = [n for n, pair in enumerate(pairs) if pair["same"] is same and kind in (pair["kind"], "all")]
            faults = (sum(taken[n] is not same for n in of) for taken in rules.values())
            yield f"{'':>8}{kind:<24}{count:>8}" + "".join(f"{fault:>16}" for fault in faults)


def _by_frames(pairs: list[dict[str, Any]]) -> list[bool]:
    """Does the second sentence strengthen the memory that the first one has made?"""
    found, vector = list[bool](), _unit(np.ones(DIMENSION))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "memory.sqlite") as store, store.write() as db:
        _populate(db)
        for pair in pairs:
            db.execute("SAVEPOINT pair")
            done = [take_in(db, n + 1, _sentence(pair[side], n), vector, "text") for n, side in enumerate("ab")]
            db.execute("ROLLBACK TO pair")
            found.append(not done[1].new)
    return found


def _sentence(told: dict[str, Any], clip: int) -> Sentence:
    frame = Frame(told["subject"], told["attribute"], told["value"], told["polarity"])
    at_ns = clip * 30 * SECOND
    return Sentence("semantic", told["text"], at_ns, at_ns, "heard", {}, frame)


if __name__ == "__main__":
    main()
