"""Who was in view when a clip began, from what the store has of the clips before: so that coming and leaving can be
told though a clip is cut anywhere.
"""

from __future__ import annotations

import sqlite3

from robot_memory.memorization.scene import REJOIN_NS, Stay
from robot_memory.streams.observation import ClipObservation


def stays_before(db: sqlite3.Connection, clip: int, observation: ClipObservation) -> dict[int, Stay] | None:
    """Face -> its stay, for the faces in view up to REJOIN_NS before the clip; None where the robot was not looking
    then: its first clip, a gap, a clip that was skipped or had no pictures.
    """
    since_ns = observation.start_ns - REJOIN_NS
    looked = db.execute(
        "SELECT id FROM clips WHERE session = ? AND sequence = ? AND skipped = '' AND frames > 0 AND end_ns >= ?",
        (observation.session, observation.sequence - 1, since_ns),
    ).fetchone()
    if looked is None:
        return None
    faces = {face for face, end_ns in _seen_in(db, looked["id"]) if end_ns >= since_ns}
    return {face: _stay(db, face, observation, clip) for face in sorted(faces)}


def _seen_in(db: sqlite3.Connection, clip: int) -> list[tuple[int, int]]:
    """The sightings of one of the newest clips: clips are stored one after the other, and so are their sightings."""
    seen = []
    for row in db.execute("SELECT clip, entity, end_ns FROM sightings ORDER BY id DESC"):
        if row["clip"] < clip:
            break
        if row["clip"] == clip:
            seen.append((row["entity"], row["end_ns"]))
    return seen


def _stay(db: sqlite3.Connection, face: int, observation: ClipObservation, clip: int) -> Stay:
    """From the last sighting back to the first absence that is longer than REJOIN_NS."""
    rows = db.execute(
        "SELECT sightings.start_ns, sightings.end_ns FROM sightings JOIN clips ON clips.id = clip "
        "WHERE entity = ? AND session = ? AND clip < ? ORDER BY sightings.start_ns DESC",
        (face, observation.session, clip),
    )
    since_ns = last_ns = None
    for row in rows:
        if since_ns is not None and row["end_ns"] < since_ns - REJOIN_NS:
            break
        since_ns = row["start_ns"]
        last_ns = max(last_ns or 0, row["end_ns"])
    assert since_ns is not None and last_ns is not None, "the face was seen in the clip before"
    return Stay(since_ns, last_ns)
