"""An SQLite file as a killed process leaves it: its newest pages in the write-ahead log beside it.

The log is written here, not by SQLite, which would salt it anew each time. Layout and checksum:
sqlite.org/fileformat2.html, section 4.
"""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

MAGIC, VERSION = 0x377F0682, 3_007_000
SALT = struct.pack(">II", 0x5EED, 0xBA6)


def leave_log(path: Path) -> None:
    """Move the second half of a bag's messages from the file into a -wal beside it."""
    with_all = _in_wal_mode(path.read_bytes())
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM messages WHERE id > (SELECT max(id) / 2 FROM messages)")
    db.close()
    before = _in_wal_mode(path.read_bytes())
    path.write_bytes(before)
    path.with_name(path.name + "-wal").write_bytes(log(before, with_all))


def log(before: bytes, after: bytes) -> bytes:
    """The write-ahead log that makes a database of one that was: a frame for each page that differs."""
    size = int.from_bytes(after[16:18], "big")
    head = struct.pack(">IIII", MAGIC, VERSION, size, 0) + SALT
    check = _checksum(head, (0, 0))
    out = [head, struct.pack(">II", *check)]
    changed = [at for at in range(0, len(after), size) if before[at : at + size] != after[at : at + size]]
    for at in changed:
        commit = len(after) // size if at == changed[-1] else 0
        frame, page = struct.pack(">II", at // size + 1, commit), after[at : at + size]
        check = _checksum(page, _checksum(frame, check))
        out += [frame, SALT, struct.pack(">II", *check), page]
    return b"".join(out)


def _in_wal_mode(data: bytes) -> bytes:
    return data[:18] + b"\x02\x02" + data[20:]


def _checksum(data: bytes, before: tuple[int, int]) -> tuple[int, int]:
    one, two = before
    for low, high in struct.iter_unpack("<II", data):
        one = (one + low + two) & 0xFFFFFFFF
        two = (two + high + one) & 0xFFFFFFFF
    return one, two
