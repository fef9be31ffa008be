"""How rare a sentence of this kind, here, at this hour, is in what the robot has lived: -log2 of its share, in bits.

The store's table `counts` holds how often each was met, so a clip costs one look and one write whatever was lived, and
a restart changes nothing. What was seldom or never met together is reckoned from how often its parts were (backing off
as Dirichlet smoothing of n-grams does). Only bits above or below the average by all counts (their entropy) matter: a
robot with many rooms is not surprised all day. Counts tell of kinds, places and hours, never of people or words.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from robot_memory.memory.rooms import MAP
from robot_memory.memory.tokens import TOKEN

CELL_M = 3.0  # a place is a square of the map so wide
BAND_NS = 3 * 3600 * 10**9  # an hour band
BANDS = 8  # of a day
SOMEWHERE = "-"  # no pose, or one that means nothing in another session
PRIOR = 8.0  # what is believed beforehand weighs as so many sentences
RARE = 1 / 64  # the share of a kind, or of a place and band, that was never met
LEAST, MOST = -3.0, 6.0  # bits apart from the average
# other keys: how many sentences there were, the sum of n·log2 n / GRAIN of the "both" keys, a place's first clip
LIVED, SPREAD, PLACE = "lived", "spread", "place"
GRAIN = 0.001
LONGEST = 40  # of a kind's name: a describer that words freely has few repeated ones
KEPT = 20_000  # counts; more are halved


@dataclass(frozen=True)
class Event:
    """What surprise looks at. `kind`: of sentence; `place`: a square of the map; `band`: of the day, 0 to 7."""

    kind: str
    place: str
    band: int

    @property
    def keys(self) -> tuple[str, str, str]:
        """Its keys in `counts`: the kind, the place and band, and all together."""
        there = f"{self.place} {self.band}"
        return f"kind {self.kind}", f"then {there}", f"both {self.kind} {there}"


@dataclass(frozen=True)
class Experience:
    """What was lived before: the counts that matter here."""

    counts: Mapping[str, int]

    def bits(self, event: Event) -> float:
        """-log2 of how often such a thing is met."""
        kind, then, both = (self.counts.get(key, 0) for key in event.keys)
        whole = self.counts.get(LIVED, 0) + PRIOR
        apart = (kind + PRIOR * RARE) / whole * (then + PRIOR * RARE) / whole
        return -math.log2((both + PRIOR * apart) / whole)

    @property
    def average(self) -> float:
        """The bits that a sentence has on average, the counts being what they are: their entropy."""
        lived = self.counts.get(LIVED, 0)
        return math.log2(lived) - self.counts.get(SPREAD, 0) * GRAIN / lived if lived else 0.0

    def surprise(self, event: Event) -> float:
        """The bits above or below the average. To whom all is new, all is surprising."""
        return min(MOST, max(LEAST, self.bits(event) - self.average))

    def first_clip(self, place: str) -> int:
        """The clip in which the robot first was at a place; 0 where that is not known."""
        return self.counts.get(f"{PLACE} {place}", 0)


def event_of(source: str, attribute: str | None, text: str, pose: str, start_ns: int, offset_s: int) -> Event:
    """What a sentence is, in these respects. `offset_s`: the session's offset from UTC."""
    if attribute:
        kind = f"claim {attribute}"
    elif source == "seen":
        kind = "seen " + " ".join(re.findall(r"[^\W\d_]+", TOKEN.sub(" ", text).lower()))
    else:
        kind = source
    band = (start_ns + offset_s * 10**9) // BAND_NS % BANDS
    return Event(kind[:LONGEST], place_of(pose), band)


def place_of(pose: str) -> str:
    """The square of the map that a pose (JSON) is in; SOMEWHERE where it is on no map that lasts."""
    known = json.loads(pose) if pose else {}
    if known.get("frame_id") != MAP and not known.get("map_id"):
        return SOMEWHERE
    x_m, y_m, z_m = known["position"]
    square = (math.floor(metres / CELL_M) for metres in (x_m, y_m, z_m))
    return ",".join([known.get("map_id", ""), *map(str, square)])


def experience(db: sqlite3.Connection, events: Iterable[Event]) -> Experience:
    """What was lived before, as far as it bears on these."""
    keys = {LIVED, SPREAD}
    for event in events:
        keys |= {*event.keys, f"{PLACE} {event.place}"}
    rows = db.execute(
        "SELECT key, n FROM counts WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(sorted(keys)),)
    )
    return Experience({row[0]: row[1] for row in rows})


def live(db: sqlite3.Connection, clip: int, events: Collection[Event], before: Experience) -> None:
    """Count what a clip brought. To be called once a clip, in its transaction; `before`: the experience of `events`."""
    if not events:
        return
    more = Counter(key for event in events for key in event.keys)
    more[LIVED] = len(events)
    both = Counter(event.keys[-1] for event in events)
    more[SPREAD] = sum(
        _spread(before.counts.get(key, 0) + n) - _spread(before.counts.get(key, 0)) for key, n in both.items()
    )
    db.executemany(
        "INSERT INTO counts(key, n) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET n = n + excluded.n",
        sorted(more.items()),
    )
    places = {event.place for event in events} - {SOMEWHERE}
    db.executemany(
        "INSERT OR IGNORE INTO counts(key, n) VALUES (?, ?)", [(f"{PLACE} {one}", clip) for one in sorted(places)]
    )


def halve(db: sqlite3.Connection) -> bool:
    """Where more than KEPT things are counted, count half as much of each and forget what was met once: old habits fade
    and the table stays small. Says whether it did.
    """
    if db.execute("SELECT count(*) FROM counts").fetchone()[0] <= KEPT:
        return False
    db.execute(f"UPDATE counts SET n = n / 2 WHERE key NOT LIKE '{PLACE} %'")
    db.execute("DELETE FROM counts WHERE n = 0")
    left = [row[0] for row in db.execute("SELECT n FROM counts WHERE key LIKE 'both %'")]
    db.executemany("UPDATE counts SET n = ? WHERE key = ?", [(sum(left), LIVED), (sum(map(_spread, left)), SPREAD)])
    return True


def _spread(n: int) -> int:
    return round(n * math.log2(n) / GRAIN) if n else 0
