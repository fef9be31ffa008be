"""People for questions to be about: a store with a face and a voice each, their names given by an operator."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from robot_memory.memory.people.people import People, hear_name
from robot_memory.memory.storage.store import Store

# Person -> what it is called, and other names heard. person_16 goes by no name.
CAST: dict[int, tuple[str, ...]] = {
    1: ("Anna",),
    2: ("Ben",),
    3: ("Will",),
    4: ("May",),
    5: ("Mark",),
    6: ("Grace",),
    7: ("Rose",),
    8: ("Hope",),
    9: ("June",),
    10: ("Katherine", "Kat"),
    11: ("John Smith",),
    12: ("Siobhán",),
    13: ("Joaquín",),
    14: ("Łukasz",),
    15: ("Peter",),
    16: ("",),
    17: ("Peter",),
}


class Cast:
    """Everyone, from a store that is closed at the end."""

    def __init__(self, path: Path, cast: dict[int, tuple[str, ...]] = CAST) -> None:
        self._store, self._cast = Store(path), cast

    def __enter__(self) -> People:
        self._store.__enter__()
        with self._store.write() as db:
            db.execute(
                "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
                "VALUES ('s', '', '', 0, '', '', '')"
            )
            db.execute(
                "INSERT INTO clips(id, session, sequence, start_ns, end_ns, frames, audio_s) "
                "VALUES (1, 's', 0, 0, 9, 0, 0)"
            )
            for person, names in self._cast.items():
                db.execute("INSERT INTO persons(id) VALUES (?)", (person,))
                for kind, entity in (("face", 2 * person - 1), ("voice", 2 * person)):
                    row = (entity, kind, person)
                    db.execute("INSERT INTO entities(id, kind, person, clip) VALUES (?, ?, ?, 1)", row)
                for name in filter(None, (*names[1:], names[0])):
                    hear_name(db, 2 * person, name, "operator", 1, person)
        return People(self._store.reader())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.__exit__(kind, error, trace)
