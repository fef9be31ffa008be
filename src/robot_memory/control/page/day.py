"""The day on a page: episode after episode, who was there, what the robot saw, what was said."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from robot_memory.control.answering.times import clock, lasting
from robot_memory.control.clock import Zone, say_date
from robot_memory.control.page.markup import Markup, tag
from robot_memory.control.page.people import chip, nobody
from robot_memory.control.page.pictures import Pictures
from robot_memory.control.roster import Known
from robot_memory.memory.rooms import Rooms
from robot_memory.streams.media import SECOND

APART_NS = 120 * SECOND  # nothing for as long is a new episode
PICTURES = 3  # of an episode
MOST_LINES = 60  # of an episode; a page is no transcript


@dataclass(frozen=True)
class Episode:
    """A stretch in which something was seen or heard; the ids of its clips."""

    start_ns: int
    end_ns: int
    clips: tuple[int, ...]


def section(
    db: sqlite3.Connection, everyone: Mapping[int, Known], rooms: Rooms, pictures: Pictures, zone: Zone
) -> Markup:
    """The episodes under the days they belong to. `everyone`: face or voice -> whose it is."""
    days: dict[str, list[Markup]] = defaultdict(list)
    for one in episodes(db):
        days[say_date(one.start_ns, zone)].append(_episode(db, one, everyone, rooms, pictures, zone))
    parts = [tag("section", tag("h3", date or "The day"), *told, class_="day") for date, told in days.items()]
    return tag("section", tag("h2", "The day"), *parts, id="day")


def episodes(db: sqlite3.Connection) -> list[Episode]:
    """Clips in which somebody was seen or heard, joined where nothing parts them."""
    rows = db.execute(
        "SELECT clip, min(start_ns) AS start_ns, max(end_ns) AS end_ns FROM ("
        "SELECT clip, start_ns, end_ns FROM sightings UNION ALL "
        "SELECT clip, start_ns, end_ns FROM turns WHERE text != '') GROUP BY clip ORDER BY start_ns"
    )
    found: list[Episode] = []
    for row in rows:
        last = found[-1] if found else None
        if last and row["start_ns"] - last.end_ns <= APART_NS:
            end_ns = max(last.end_ns, row["end_ns"])
            found[-1] = Episode(last.start_ns, end_ns, (*last.clips, row["clip"]))
        else:
            found.append(Episode(row["start_ns"], row["end_ns"], (row["clip"],)))
    return found


def _episode(
    db: sqlite3.Connection,
    one: Episode,
    everyone: Mapping[int, Known],
    rooms: Rooms,
    pictures: Pictures,
    zone: Zone,
) -> Markup:
    marks = ", ".join("?" * len(one.clips))
    shots = db.execute(
        f"SELECT id, stamp_ns, pose FROM snapshots WHERE clip IN ({marks}) ORDER BY stamp_ns", one.clips
    ).fetchall()
    places = dict.fromkeys(room for row in shots if (room := rooms.at(row["pose"] or "")))
    where = f", {' and '.join(places)}" if places else ""
    seen = db.execute(f"SELECT DISTINCT entity FROM sightings WHERE clip IN ({marks})", one.clips)
    there = {known.id: known for row in seen if (known := everyone.get(row["entity"]))}
    return tag(
        "article",
        tag("h4", clock(one.start_ns, zone), tag("small", f" {lasting(one.end_ns - one.start_ns)}{where}")),
        tag("div", *(chip(known, pictures) for known in there.values()), class_="chips"),
        tag("div", *_shown([(row["id"], row["stamp_ns"]) for row in shots], pictures, zone), class_="strip"),
        tag("ul", *_lines(db, one, everyone, pictures, zone), class_="talk"),
        class_="episode",
    )


def _shown(shots: list[tuple[int, int]], pictures: Pictures, zone: Zone) -> Iterable[Markup]:
    """A few pictures, spread evenly."""
    count = min(PICTURES, len(shots))
    chosen = [shots[(2 * n + 1) * len(shots) // (2 * count)] for n in range(count)]
    return (
        tag("figure", image, tag("figcaption", clock(stamp_ns, zone)))
        for id, stamp_ns in chosen
        if (image := pictures.snapshot(id, f"what the robot saw at {clock(stamp_ns, zone)}"))
    )


def _lines(
    db: sqlite3.Connection, one: Episode, everyone: Mapping[int, Known], pictures: Pictures, zone: Zone
) -> Iterable[Markup]:
    marks = ", ".join("?" * len(one.clips))
    rows = db.execute(
        f"SELECT entity, start_ns, text FROM turns WHERE clip IN ({marks}) AND text != '' ORDER BY start_ns, id",
        one.clips,
    ).fetchall()
    for speaker, said in groupby(rows[:MOST_LINES], lambda row: everyone.get(row["entity"])):
        spoken = list(said)
        words = tag("div", *(tag("q", row["text"]) for row in spoken), class_="words")
        who = chip(speaker, pictures) if speaker else nobody()
        yield tag("li", who, words, tag("time", clock(spoken[0]["start_ns"], zone)))
    if len(rows) > MOST_LINES:
        yield tag("li", f"and {len(rows) - MOST_LINES} lines more", class_="quiet")
