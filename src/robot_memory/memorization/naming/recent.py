"""The last minutes of a talk out of the store: lines, who was in view, and what names everyone has."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from robot_memory.memorization.naming.stretch import Seen, Spoken, Stretch
from robot_memory.memorization.scene import Scene
from robot_memory.memory.people.names import Hearing, one_name
from robot_memory.memory.people.sounds import words
from robot_memory.streams.media import SECOND

LOOK_BACK_NS = 300 * SECOND  # in so long a voice mostly finds its face
LEAST_CONFIDENCE = 0.35  # of the transcriber: a name out of noise is worse than none
MOST_ROWS = 1000  # rows come in the order of clips: so many of the newest hold the last minutes
RECENT = (
    "SELECT {0}.* FROM {0} JOIN clips ON clips.id = clip WHERE {0}.id > (SELECT max(id) FROM {0}) - ? "
    "AND session = ? AND clips.end_ns > ? ORDER BY {0}.start_ns, {0}.id"
)

Hearings = dict[int, list[Hearing]]  # by person


def lines_before(db: sqlite3.Connection, scene: Scene) -> list[Spoken]:
    """What was said in the last minutes and in the clip, heard well enough."""
    rows = db.execute(RECENT.format("turns"), _bounds(scene))
    return [
        Spoken(row["id"], row["entity"], row["start_ns"], row["end_ns"], row["text"])
        for row in rows
        if row["text"] and row["confidence"] >= LEAST_CONFIDENCE
    ]


def stretch_of(db: sqlite3.Connection, scene: Scene, spoken: Sequence[Spoken]) -> Stretch:
    """These lines, with who was in view and who is who."""
    rows = db.execute(RECENT.format("sightings"), _bounds(scene))
    seen = [Seen(row["entity"], row["start_ns"], row["end_ns"]) for row in rows]
    now = [Seen(None, one.track.start_ns, one.track.end_ns) for one in scene.appearances if one.face is None]
    person, faced = _persons(db, {one.face for one in seen} | {one.voice for one in spoken})
    heard = _Heard(db)
    return Stretch(
        spoken,
        [*seen, *_unknown_before(db, scene, spoken), *now],
        person,
        faced,
        lambda who: heard().get(who, ()),
        lambda name: _bearers(heard(), name),
        scene.observation.end_ns,
    )


def decided(db: sqlite3.Connection, talk: Stretch) -> set[tuple[int, str, str]]:
    """What was put down for the lines already: turn, source, name."""
    entities = sorted({*talk.person})
    rows = db.execute(f"SELECT turn, source, name FROM names WHERE entity IN ({_marks(entities)})", entities)
    lines = {line.row for line in talk.spoken}
    return {(row["turn"], row["source"], row["name"]) for row in rows if row["turn"] in lines}


class _Heard:
    """All names heard of anybody, read when they are first asked for: most clips name nobody."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._known: Hearings | None = None

    def __call__(self) -> Hearings:
        if self._known is None:
            self._known = defaultdict(list)
            rows = self._db.execute(
                "SELECT names.*, person FROM names JOIN entities ON entities.id = entity "
                "LEFT JOIN journal ON journal.id = change WHERE undone_by IS NULL ORDER BY names.id"
            )
            for row in rows:
                self._known[row["person"]].append(Hearing(row["name"], row["source"], row["at_ns"], row["turn"]))
        return self._known


def _bearers(heard: Hearings, name: str) -> list[int]:
    """Who is called so; where nobody is, those whose name sounds like it or is short for it."""
    same = [who for who, names in heard.items() if any(words(one.name)[:1] == words(name)[:1] for one in names)]
    return same or [who for who, names in heard.items() if any(one_name(name, one.name) for one in names)]


def _bounds(scene: Scene) -> tuple[int, str, int]:
    return MOST_ROWS, scene.observation.session, scene.observation.start_ns - LOOK_BACK_NS


def _unknown_before(db: sqlite3.Connection, scene: Scene, spoken: Sequence[Spoken]) -> list[Seen]:
    """Faces of earlier clips that nobody could tell: of them the store keeps how they shared the votes of a turn."""
    new = {said.row for said in scene.utterances}
    rows = {line.row: line for line in spoken if line.row not in new}
    votes = db.execute(
        "SELECT turn, share, count(face) AS faces FROM votes WHERE id > (SELECT max(id) FROM votes) - ? GROUP BY turn",
        (MOST_ROWS,),
    )
    crowded = [row["turn"] for row in votes if row["faces"] and round(1 / row["share"]) > row["faces"]]
    return [Seen(None, rows[turn].start_ns, rows[turn].end_ns) for turn in crowded if turn in rows]


def _persons(db: sqlite3.Connection, entities: set[int | None]) -> tuple[dict[int, int], frozenset[int]]:
    """Entity -> person, and which of the persons have a face."""
    known = sorted(one for one in entities if one is not None)
    rows = db.execute(f"SELECT id, person FROM entities WHERE id IN ({_marks(known)})", known)
    person = {row["id"]: row["person"] for row in rows}
    people = sorted(set(person.values()))
    faced = db.execute(f"SELECT person FROM entities WHERE kind = 'face' AND person IN ({_marks(people)})", people)
    return person, frozenset(row["person"] for row in faced)


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
