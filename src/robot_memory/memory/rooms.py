"""Places by name: people say "this is the kitchen", and where the robot stood then is the kitchen.

A saying is kept as a claim (HERE, PLACE_NAME, "kitchen") with the pose it was said at. A pose is in the place whose
saying is nearest, if one is near and no other place is nearly as near: also a pose from before it was said. Poses are
compared within one map; without a map, as odometry has it, within one session, for the next one begins elsewhere.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

HERE, PLACE_NAME = "here", "place name"  # subject and attribute of the claims
RADIUS_M = 3.5  # farther from where it was said one may be in another room
LEAD_M = 0.5  # the next other place is farther by so much: else one may be on either side of a wall
CORRECTS_M = 0.75  # another name for so near a spot takes the place of the one before
STOREY_M = 1.5  # places so far above each other are on two floors
LOST_M = 1.0  # a pose less sure than this (one standard deviation) is nowhere
MAP = "map"  # the frame that stays where it is from session to session (REP 105)


@dataclass(frozen=True)
class Spot:
    """Where a robot was, in metres; `world` says which spots may be compared, empty: none."""

    x_m: float
    y_m: float
    z_m: float
    world: str

    def apart_m(self, other: Spot) -> float:
        """The distance on the floor; endless between worlds and storeys."""
        if not self.world or self.world != other.world or abs(self.z_m - other.z_m) > STOREY_M:
            return math.inf
        return math.hypot(self.x_m - other.x_m, self.y_m - other.y_m)


@dataclass(frozen=True)
class Anchor:
    """A spot that somebody gave a name, or with `polarity` -1 said that it has it not."""

    name: str
    spot: Spot
    at_ns: int = 0
    polarity: int = 1


@dataclass(frozen=True)
class Span:
    """A session and its time."""

    session: str
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class Rooms:
    """The places that have been named, as one moment's view of the store. `told`: all names ever given, the oldest
    first; `sessions` tell to which one a pose without a map belongs.
    """

    anchors: tuple[Anchor, ...] = ()
    told: tuple[str, ...] = ()
    sessions: tuple[Span, ...] = ()

    def at(self, pose: str) -> str:
        """What the place of a pose (JSON as memories keep it) is called; empty where nobody has said."""
        spot = spot_of(pose, self.sessions)
        if spot is None:
            return ""
        nearest: dict[str, float] = {}
        for anchor in self.anchors:
            nearest[anchor.name] = min(nearest.get(anchor.name, math.inf), anchor.spot.apart_m(spot))
        ranked = sorted((apart_m, name) for name, apart_m in nearest.items())
        if not ranked or ranked[0][0] > RADIUS_M:
            return ""
        sure = len(ranked) == 1 or ranked[1][0] - ranked[0][0] >= LEAD_M
        return ranked[0][1] if sure else ""

    def names(self) -> tuple[str, ...]:
        """Every name given to a place."""
        return self.told


def known_rooms(db: sqlite3.Connection, as_of_ns: int | None = None) -> Rooms:
    """The places named by then."""
    sessions = tuple(
        Span(row[0], row[1], row[2])
        for row in db.execute("SELECT session, min(start_ns), max(end_ns) FROM clips GROUP BY session ORDER BY session")
    )
    told, anchors = dict[str, None](), list[Anchor]()
    for row in _sayings(db, as_of_ns):
        if row["polarity"] > 0:
            told[row["value"]] = None
        spot = spot_of(row["pose"] or "", sessions)
        if spot is not None:
            anchors.append(Anchor(row["value"], spot, row["start_ns"], row["polarity"]))
    return Rooms(standing(anchors), tuple(told), sessions)


def standing(anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """What is left of names that were given one after the other: the later one holds, and a denial takes one away."""
    kept: list[Anchor] = []
    for anchor in sorted(anchors, key=lambda one: one.at_ns):
        if anchor.polarity > 0:
            kept = [one for one in kept if one.name == anchor.name or one.spot.apart_m(anchor.spot) > CORRECTS_M]
            kept.append(anchor)
        else:
            kept = [one for one in kept if one.name != anchor.name or one.spot.apart_m(anchor.spot) > CORRECTS_M]
    return tuple(kept)


def spot_of(pose: str, sessions: Iterable[Span] = ()) -> Spot | None:
    """The spot of a pose (JSON); None where there is none, or it is too unsure."""
    if not pose:
        return None
    known = json.loads(pose)
    x_m, y_m, z_m = known["position"]
    covariance: Sequence[float] = known.get("covariance") or ()
    if len(covariance) == 36 and max(covariance[0], covariance[7]) > LOST_M**2:
        return None
    return Spot(x_m, y_m, z_m, _world(known, sessions))


def _world(pose: Mapping[str, object], sessions: Iterable[Span]) -> str:
    """What its coordinates are good in: a map by its id, or the one session that it can be of."""
    frame, map_id, stamp_ns = pose.get("frame_id", ""), pose.get("map_id", ""), pose.get("stamp_ns", 0)
    if map_id or frame == MAP:
        return f"{frame}/{map_id}"
    assert isinstance(stamp_ns, int)
    then = [one.session for one in sessions if one.start_ns <= stamp_ns <= one.end_ns]
    return f"{frame}/{then[0]}" if len(then) == 1 else ""


def _sayings(db: sqlite3.Connection, as_of_ns: int | None) -> list[sqlite3.Row]:
    """Every time that a place was named, with the pose it was named at: that of the words, or of the claim itself."""
    rows = db.execute(
        """
        SELECT claim.value, claim.polarity, coalesce(said.start_ns, claim.start_ns) AS start_ns,
            coalesce((SELECT pose FROM memories AS heard WHERE heard.clip = said.clip AND heard.turn = said.turn
                AND heard.source = 'heard'), CASE WHEN said.id IS NULL THEN claim.pose END) AS pose
        FROM memories AS claim LEFT JOIN supports AS said ON said.memory = claim.id
        WHERE claim.subject = ? AND claim.attribute = ? AND claim.value IS NOT NULL
        ORDER BY start_ns, claim.id
        """,
        (HERE, PLACE_NAME),
    )
    return [row for row in rows if as_of_ns is None or row["start_ns"] <= as_of_ns]


def with_article(name: str) -> str:
    """ "the kitchen"; "reception", "room 12" and "Anna's office" as they are."""
    words = name.split()
    numbered = len(words) == 2 and words[0].lower() in _words("numbered") and len(words[1]) < 4
    owned = words[0].endswith("'s") and words[0][0].isupper()
    bare = len(words) == 1 and (name.lower() in _words("bare") or name[0].isupper())
    return name if numbered or owned or bare else f"the {name}"


def phrase(name: str) -> str:
    """ "in the kitchen", "on the balcony", "at reception"."""
    words = name.lower().split()
    head = words[-2] if len(words) > 1 and len(words[-1]) < 3 else words[-1]
    lead = next((lead for lead in ("on", "at") if head in _words(f"take_{lead}")), "in")
    return f"{lead} {with_article(name)}"


@cache
def _words(key: str) -> frozenset[str]:
    table = yaml.safe_load(files(__package__).joinpath("rooms.yaml").read_text("utf-8"))
    return frozenset(str(table[key]).split())
