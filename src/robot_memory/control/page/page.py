"""The whole page: one HTML file that needs nothing else, so that it can be sent, kept, and opened without a network."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from robot_memory.control import evidence, roster
from robot_memory.control.agent import now_for, zone_of
from robot_memory.control.clock import Zone, say_date
from robot_memory.control.page import answers, day, facts, people
from robot_memory.control.page.answers import Asked
from robot_memory.control.page.markup import Markup, tag
from robot_memory.control.page.pictures import Pictures
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Hit
from robot_memory.memory.rooms import known_rooms

TITLE = "What the robot remembers"
HEAD = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width">'
)


def write(db: sqlite3.Connection, out: Path, asked: Sequence[Asked] = (), wall_ns: int = 0) -> None:
    """Write the page of a memory, readable by its owner alone. `asked`: questions to show with their answers."""
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.fchmod(descriptor, 0o600)  # of a file that was there, too
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(page(db, asked, wall_ns))


def page(db: sqlite3.Connection, asked: Sequence[Asked], wall_ns: int) -> str:
    zone, now_ns, everyone = zone_of(db), now_for(db, wall_ns), People(db)
    known, pictures = roster.people(db), Pictures(db)
    claims = db.execute("SELECT id FROM memories WHERE subject IS NOT NULL AND archived = 0 ORDER BY start_ns, id")
    told = evidence.gather(db, everyone, [Hit(row["id"], 1.0, {}) for row in claims])
    owners = {int(token.split("_")[1]): one for one in known for token in (*one.faces, *one.voices)}
    sections = (
        people.section(db, known, pictures, now_ns, zone),
        answers.section(asked, pictures, now_ns, zone),
        day.section(db, owners, known_rooms(db), pictures, zone),
        facts.section(told, everyone, now_ns, zone),
    )
    style = Markup(files(__package__).joinpath("style.css").read_text("utf-8"))
    ids = {"People": "people", **({"Ask me": "answers"} if asked else {}), "The day": "day", "What was told": "told"}
    bar = tag("nav", *(tag("a", word, href=f"#{id}") for word, id in ids.items()))
    header = tag("header", tag("h1", TITLE), tag("p", _over(db, zone)), bar)
    body = tag("body", header, tag("main", *sections))
    return f"{HEAD}{tag('title', TITLE)}{tag('style', style)}</head>{body}</html>\n"


def _over(db: sqlite3.Connection, zone: Zone) -> str:
    """ "Saturday 9 May 2026: 10 clips, 61 memories"."""
    row = db.execute("SELECT min(start_ns) AS first, max(end_ns) AS last, count(*) AS clips FROM clips").fetchone()
    memories = db.execute("SELECT count(*) FROM memories WHERE archived = 0").fetchone()[0]
    dates = dict.fromkeys(say_date(stamp, zone) for stamp in (row["first"], row["last"]) if stamp is not None)
    when = " to ".join(date for date in dates if date)
    return f"{when + ': ' if when else ''}{row['clips']} clips, {memories} memories"
