"""A made-up memory as a real store: its rows in bulk, through the store's own tables and triggers, the search index
included.

Eight hours of each day are lived; who speaks a line has a turn of it.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from robot_memory.evaluation.bench.plain import CLIP, PlainMemory
from robot_memory.memory.storage.store import Store, page_size_for
from robot_memory.memory.vectors.packing import pack

START_NS = 1_750_000_000_000_000_000
CLIP_NS = 30_000_000_000
DAY_NS = 86_400_000_000_000
CLIPS_A_DAY = 960
BATCH = 4_000  # memories in a change
SPEAKER = re.compile(r"<voice_(\d+)> said: ")


def fill(path: Path, memory: PlainMemory, model: str) -> None:
    """Write a new store with all of `memory`, whose vectors are named `model`'s."""
    with Store(path, page_size=page_size_for(memory.vectors.shape[1])) as store:
        with store.write() as db:
            _add_days(db, int(memory.clips[-1]))
            _add_people(db, memory.entities)
        for first in range(0, len(memory.ids), BATCH):
            with store.write() as db:
                _add_memories(db, memory, range(first, min(first + BATCH, len(memory.ids))), model)
        with store.write() as db:
            db.executemany(
                "INSERT OR IGNORE INTO edges(memory, entity, weight) VALUES (?, ?, 1)",
                zip(memory.edge_memory.tolist(), memory.edge_entity.tolist(), strict=True),
            )


def start_of(clip: int) -> int:
    """When a clip begins, in ns."""
    day, place = divmod(clip, CLIPS_A_DAY)
    return START_NS + day * DAY_NS + place * CLIP_NS


def end_of(clip: int) -> int:
    """When it ends, in ns."""
    return start_of(clip) + CLIP_NS


def _add_days(db: sqlite3.Connection, last_clip: int) -> None:
    db.executemany(
        "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
        "VALUES (?, '', '', 0, 'UTC', '', 'bench')",
        [(f"day {day}",) for day in range(last_clip // CLIPS_A_DAY + 1)],
    )
    db.executemany(
        "INSERT INTO clips(id, session, sequence, start_ns, end_ns, frames, audio_s) VALUES (?, ?, ?, ?, ?, 0, 30)",
        (
            (clip, f"day {clip // CLIPS_A_DAY}", clip % CLIPS_A_DAY, start_of(clip), end_of(clip))
            for clip in range(last_clip + 1)
        ),
    )


def _add_people(db: sqlite3.Connection, entities: range) -> None:
    """A face and the voice after it are one person."""
    db.executemany("INSERT INTO persons(id) VALUES (?)", [(face // 2 + 1,) for face in entities[::2]])
    db.executemany(
        "INSERT INTO entities(id, kind, person, clip) VALUES (?, ?, ?, 0)",
        [(one, ("face", "voice")[one % 2], one // 2 + 1) for one in entities],
    )


def _add_memories(db: sqlite3.Connection, memory: PlainMemory, rows: range, model: str) -> None:
    spoken, remembered = [], []
    for n in rows:
        number, clip, text = int(memory.ids[n]), int(memory.clips[n]), memory.texts[n]
        start_ns = start_of(clip) + n % CLIP * (CLIP_NS // CLIP)
        lies = clip, start_ns, start_ns + CLIP_NS // CLIP
        speaker = SPEAKER.match(text)
        if speaker:
            spoken.append((number, *lies, int(speaker[1])))
        source = "heard" if " said: " in text else "seen"
        kind = "semantic" if memory.semantic[n] else "episodic"
        remembered.append(
            (number, *lies, kind, text, source, number if speaker else None, model, pack(memory.vectors[n]))
        )
    db.executemany(
        "INSERT INTO turns(id, clip, start_ns, end_ns, entity, text, confidence) VALUES (?, ?, ?, ?, ?, '', 1)", spoken
    )
    db.executemany(
        "INSERT INTO memories(id, clip, start_ns, end_ns, kind, text, source, turn, model, embedding) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        remembered,
    )
