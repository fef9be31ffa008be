"""The logical hash of a store: equal when the same things are remembered about the same people at the same times.

Row ids, processing times and raw floats are left out; entities are numbered by when they first appear. Two replays of
one bag on one machine must agree on it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator

from robot_memory.memory.tokens import TOKEN


def fingerprint(db: sqlite3.Connection) -> str:
    """The hash as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines(db):
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def lines(db: sqlite3.Connection) -> Iterator[str]:
    """What is hashed, one JSON line a fact: compare these when two hashes differ."""
    order = {row["id"]: number for number, row in enumerate(db.execute("SELECT id FROM entities ORDER BY id"), start=1)}

    def token(text: str | None) -> str | None:
        return text and TOKEN.sub(lambda m: f"<{m.group(1).split('_')[0]}_{order.get(int(m.group(1).split('_')[1]), 0)}>", text)

    for row in db.execute("SELECT c.*, s.bag_uri FROM clips c JOIN sessions s ON s.id = c.session ORDER BY c.start_ns, c.id"):
        yield _line("clip", row["start_ns"], row["end_ns"], row["skipped"], row["frames"], round(row["audio_s"], 3))
    for row in db.execute("SELECT * FROM memories ORDER BY start_ns, end_ns, kind, text, id"):
        about = db.execute("SELECT entity, weight FROM edges WHERE memory = ? ORDER BY entity", (row["id"],))
        yield _line("memory", row["kind"], token(row["text"]), row["start_ns"], row["end_ns"], row["source"], row["count"],
                    token(row["subject"]), row["attribute"], row["value"], row["polarity"], row["archived"],
                    [(order[edge["entity"]], round(edge["weight"], 3)) for edge in about])
    members: dict[int, list[str]] = {}
    for row in db.execute("SELECT * FROM entities ORDER BY id"):
        members.setdefault(row["person"], []).append(f"{row['kind']}_{order[row['id']]}")
    for person in sorted(members.values()):
        yield _line("person", person)
    for row in db.execute("SELECT entity, count(*) AS n FROM embeddings GROUP BY entity ORDER BY entity"):
        yield _line("embeddings", order[row["entity"]], row["n"])
    for row in db.execute("SELECT entity, name, source FROM names ORDER BY entity, name, source"):
        yield _line("name", order[row["entity"]], row["name"], row["source"])
    for row in db.execute("SELECT voice, face, at_ns, conversation, value FROM votes ORDER BY at_ns, voice, face, value"):
        yield _line("vote", order[row["voice"]], order[row["face"]], row["at_ns"], row["value"])
    for row in db.execute("SELECT stamp_ns FROM snapshots ORDER BY stamp_ns"):
        yield _line("snapshot", row["stamp_ns"])


def _line(*facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False)
