"""Damage as disks and power cuts do it, for the tests of the store; and a memory worth saving."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import numpy as np
from remembering import MODELS, SECOND, add_clip, add_entity, graph_at, remember

from robot_memory.memory.storage.tables import tables

PAGE = 4096


def filled(path: Path, clips: int = 40, each: int = 12) -> Path:
    """Faces, voices, turns, memories that speak of them, some of them archived, pictures, an operator's word: closed
    cleanly.
    """
    graph = graph_at(path)
    rng = np.random.default_rng(1)
    for number in range(clips):
        with graph.change() as change:
            db = change.db
            clip = add_clip(db, number)
            face, voice = add_entity(db, "face", clip), add_entity(db, "voice", clip)
            for entity, model in ((face, MODELS.face), (voice, MODELS.voice)):
                vector = rng.normal(size=128)
                vector = (vector / np.linalg.norm(vector)).astype(np.float16).tobytes()
                db.execute(
                    "INSERT INTO embeddings(entity, clip, model, vector) VALUES (?, ?, ?, ?)",
                    (entity, clip, model, vector),
                )
            time = number * 30 * SECOND
            turn = db.execute(
                "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, 'well', 0.5)",
                (clip, voice, time, time + SECOND),
            ).lastrowid
            db.execute(
                "INSERT INTO sightings(clip, entity, start_ns, end_ns) VALUES (?, ?, ?, ?)",
                (clip, face, time, time + SECOND),
            )
            for n in range(each):
                memory = remember(
                    change, clip, f"Marker{number}x{n}: <face_{face}> was there.", number, about={f"face_{face}": 1.5}
                )
            change.archive([memory - 3])
            db.execute("INSERT INTO derivations(memory, support) VALUES (?, ?)", (memory, memory - 3))
            db.execute("INSERT INTO windows VALUES (?)", (memory - 1,))
            db.execute("INSERT INTO answered(memory, at_ns, cited) VALUES (?, ?, 1)", (memory, time))
            db.execute("INSERT INTO counts VALUES (?, ?)", (f"place {number}", number))
            db.execute("UPDATE memories SET turn = ? WHERE id = ?", (turn, memory))
            db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (?, ?, ?)", (clip, time, rng.bytes(6000)))
            db.execute("INSERT INTO journal(at_ns, actor, action, detail) VALUES (?, 'ada', 'name', '{}')", (time,))
            db.execute(
                "INSERT INTO decisions(change, one, other, same) VALUES (last_insert_rowid(), ?, ?, 1)", (face, voice)
            )
    graph.store.close()
    return path


def texts(path: Path) -> dict[int, str]:
    db = sqlite3.connect(path)
    try:
        return dict(db.execute("SELECT id, text FROM memories"))
    finally:
        db.close()


def counts(path: Path) -> dict[str, int]:
    db = sqlite3.connect(path)
    try:
        return {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables()}
    finally:
        db.close()


def noise(path: Path, first: int, pages: int = 1, seed: int = 1) -> None:
    """Random bytes over pages, counted from 1."""
    data = bytearray(path.read_bytes())
    data[(first - 1) * PAGE : (first - 1 + pages) * PAGE] = random.Random(seed).randbytes(pages * PAGE)
    path.write_bytes(data)


def zeros(path: Path, first: int, pages: int = 1) -> None:
    data = bytearray(path.read_bytes())
    data[(first - 1) * PAGE : (first - 1 + pages) * PAGE] = bytes(pages * PAGE)
    path.write_bytes(data)


def pages_of(path: Path, *names: str) -> list[int]:
    """The pages of these tables or indexes, without their roots."""
    db = sqlite3.connect(path)
    marks = ", ".join("?" * len(names))
    try:
        roots = {row[0] for row in db.execute("SELECT rootpage FROM sqlite_master")}
        rows = db.execute(f"SELECT pageno FROM dbstat WHERE name IN ({marks})", names).fetchall()
    except sqlite3.OperationalError:  # SQLite was built without dbstat
        return []
    finally:
        db.close()
    return [row[0] for row in rows if row[0] not in roots]
