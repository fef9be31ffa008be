"""Cursors of a search: text that says what has been shown, so that the next page shows nothing twice and misses
nothing, whatever is remembered meanwhile.

A cursor holds the memories shown, the newest clip of the first page (what came later waits for another search) and
what "now" meant then. It belongs to one search of one memory, and is of no use with another.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import zlib
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.memory.retrieval.filters import LARGEST

LONGEST, LONGEST_UNPACKED = 1 << 20, 1 << 24


class CursorInvalid(RobotMemoryError):
    """A cursor that is none, or is of another search, or of another memory."""


@dataclass(frozen=True)
class Bookmark:
    """How far a search has been shown: `memories` ascending; `generation` of the store when the page was made."""

    generation: int
    last_clip: int
    now_ns: int
    memories: tuple[int, ...]


def write_cursor(shown: Bookmark, search: str, memory: str) -> str:
    """`search`: everything that makes a search what it is; `memory`: what tells one memory from another."""
    steps = [after - before for before, after in zip((0, *shown.memories), shown.memories)]
    whole = [_digest(search), _digest(memory), shown.generation, shown.last_clip, shown.now_ns, steps]
    packed = zlib.compress(json.dumps(whole, separators=(",", ":")).encode())
    return base64.urlsafe_b64encode(_check(packed) + packed).decode()


def read_cursor(cursor: str, search: str, memory: str, db: sqlite3.Connection) -> Bookmark:
    """Raises CursorInvalid."""
    try:
        of_search, of_memory, generation, last_clip, now_ns, steps = _unpacked(cursor)
        ids = tuple(accumulate(map(_number, steps)))
        shown = Bookmark(_number(generation), _number(last_clip), _number(now_ns), ids)
    except (ValueError, TypeError, zlib.error, RecursionError) as error:
        raise CursorInvalid(
            "that is no cursor of a search: send the next_cursor of the page before as it came, or none to begin again"
        ) from error
    if of_search != _digest(search):
        raise CursorInvalid("the cursor is of another search: send it with all that its first page was asked with")
    clips = db.execute("SELECT coalesce(max(id), 0) FROM clips").fetchone()[0]
    generation = db.execute("SELECT generation FROM meta").fetchone()[0]
    if of_memory != _digest(memory) or shown.generation > generation or shown.last_clip > clips:
        raise CursorInvalid("the cursor is of another memory, or of what a backup has replaced: begin again without it")
    return shown


def _unpacked(cursor: str) -> Any:
    if len(cursor) > LONGEST:
        raise ValueError("too long")
    raw = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
    check, packed = raw[:8], raw[8:]
    if check != _check(packed):
        raise ValueError("not whole")
    unpacking = zlib.decompressobj()
    whole = json.loads(unpacking.decompress(packed, LONGEST_UNPACKED))
    if unpacking.unconsumed_tail:
        raise ValueError("too long")
    return whole


def _number(value: Any) -> int:
    if type(value) is not int or not -LARGEST <= value <= LARGEST:
        raise ValueError("no number")
    return value


def _check(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=8).digest()


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=6).hexdigest()
