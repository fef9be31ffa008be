"""The names that a transcriber may listen for: of people whose name is sure, who was met last first.

One word each, for that is how people are spoken of: the first name, or what follows a title ("Dr Patel" is Patel).
A name that rests on one hearing is left out: shown to a transcriber, what was misheard once would be heard for good.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

from robot_memory.memory.people.names import TITLES
from robot_memory.memory.people.people import People, Person

MOST_KNOWN = 12  # each one costs a transcriber time, and is one more to be misheard
SHORTEST, LONGEST = 2, 24  # letters of a word that can be listened for
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
LAST_MET = "SELECT max(start_ns) FROM {} WHERE entity = ?"  # one look into an index, however long the life


def known_names(db: sqlite3.Connection) -> tuple[str, ...]:
    """At most MOST_KNOWN names, each once."""
    people = [person for person in People(db).all() if person.name and person.sure]
    met = {person.id: _last_met(db, person.entities) for person in people}
    return names_to_listen_for(sorted(people, key=lambda person: (-met[person.id], person.id)))


def names_to_listen_for(people: Iterable[Person]) -> tuple[str, ...]:
    """Of people in the order in which their names are wanted."""
    found = dict[str, str]()
    for person in people:
        if person.sure and (word := _spoken(person.name)):
            found.setdefault(word.casefold(), word)
    return tuple(found.values())[:MOST_KNOWN]


def _spoken(name: str) -> str:
    """The one word somebody is spoken of by; empty where there is none that an ear could tell from others."""
    words = [word for word in WORD.findall(name) if word.casefold() not in TITLES]
    return words[0] if words and SHORTEST <= len(words[0]) <= LONGEST else ""


def _last_met(db: sqlite3.Connection, entities: Sequence[int]) -> int:
    """When one of these last came into view or began to speak, nanoseconds; 0 if none ever did."""
    queries = [LAST_MET.format(table) for table in ("sightings", "turns")]
    return max((db.execute(query, (one,)).fetchone()[0] or 0 for one in entities for query in queries), default=0)
