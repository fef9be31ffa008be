"""Days as a robot lives them, told in looks: at which hour it was in which room, and who was there. Real store."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.consolidation.consolidate import Consolidated, consolidate
from robot_memory.memory.graph import Change, MemoryGraph
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.people.names import SPELLING
from robot_memory.memory.people.people import hear_name
from robot_memory.memory.people.settling import new_person
from robot_memory.memory.rooms import HERE, PLACE_NAME
from robot_memory.streams.media import SECOND

HOUR = 3600 * SECOND
DAY = 24 * HOUR
MONDAY = 1_772_409_600 * SECOND  # 2 March 2026, midnight UTC
ROOMS = ("kitchen", "study", "balcony")


class Days:
    """A robot that knows its rooms by name, and people by name and face."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, *names: str, rooms: Sequence[str] = ROOMS) -> None:
        self.graph, self.embedder, self.rooms = graph, embedder, tuple(rooms)
        self._vector = np.eye(1, graph.models.text_dimension, dtype=np.float32)[0]
        self._clips = 0
        with graph.store.write() as db:
            db.execute(
                "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
                "VALUES ('lived', '', '', 0, '', '', '')"
            )
        self.faces = {name: self._meet(name) for name in names}
        for room in rooms:
            self.call(room)

    def look(self, day: int, hour: float, room: str, *who: str) -> None:
        """A look into a room, with those who were there."""
        with self.graph.change() as change:
            clip, at_ns = self._clip(change, day, hour)
            pose = self._pose(room)
            change.db.execute(
                "INSERT INTO snapshots(clip, stamp_ns, pose, jpeg) VALUES (?, ?, ?, x'00')", (clip, at_ns, pose)
            )
            groups = [(face,) for face in who] + ([who] if len(who) > 1 else [])
            for group in groups:
                tokens = [self.faces[name] for name in group]
                text = f"{' and '.join(f'<{one}>' for one in tokens)} in view."
                about = dict.fromkeys(tokens, 1.0)
                seen = Sentence("episodic", text, at_ns, at_ns + SECOND, "seen", about, pose=pose)
                change.remember(clip, seen, self._vector)

    def tell(self, day: int, hour: float, teller: str, frame: Frame) -> int:
        """`teller` claims something; the memory."""
        with self.graph.change() as change:
            clip, at_ns = self._clip(change, day, hour)
            turn = change.db.execute(
                "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, '…', 0.9)",
                (clip, int(self.faces[teller].split("_")[1]), at_ns, at_ns + SECOND),
            ).lastrowid
            text = f"{frame.subject}: {frame.value}."
            told = Sentence("semantic", text, at_ns, at_ns + SECOND, "inferred", {}, frame, turn)
            return change.remember(clip, told, self._vector)[0]

    def call(self, room: str) -> None:
        """Somebody says what a room is called."""
        with self.graph.change() as change:
            clip, at_ns = self._clip(change, 0, 6)
            frame = Frame(HERE, PLACE_NAME, room)
            text = f"This place is the {room}."
            said = Sentence("semantic", text, at_ns, at_ns, "inferred", {}, frame, pose=self._pose(room))
            change.remember(clip, said, self._vector)

    def consolidate(self) -> Consolidated:
        return consolidate(self.graph, self.embedder)

    def derived(self) -> dict[str, tuple[str, int, bool]]:
        """Value -> text, count, and whether it still holds."""
        rows = self.graph.store.reader().execute(
            "SELECT value, text, count, valid_until_ns FROM memories WHERE source = 'derived' ORDER BY id"
        )
        return {row[0]: (row[1], row[2], row[3] is None) for row in rows}

    def _meet(self, name: str) -> str:
        with self.graph.change() as change:
            clip, at_ns = self._clip(change, 0, 5.5)
            person = new_person(change.db)
            face = change.db.execute(
                "INSERT INTO entities(kind, person, clip) VALUES ('face', ?, ?)", (person, clip)
            ).lastrowid
            assert face is not None
            hear_name(change.db, face, name, SPELLING, clip, at_ns)
            return f"face_{face}"

    def _clip(self, change: Change, day: int, hour: float) -> tuple[int, int]:
        self._clips += 1
        at_ns = MONDAY + day * DAY + int(hour * HOUR)
        clip = change.db.execute(
            "INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s) "
            "VALUES ('lived', ?, ?, ?, 150, 30)",
            (self._clips, at_ns, at_ns + 30 * SECOND),
        ).lastrowid
        assert clip is not None
        return clip, at_ns

    def _pose(self, room: str) -> str:
        where = self.rooms.index(room) * 10.0
        return json.dumps(
            {"stamp_ns": 0, "frame_id": "map", "position": [where, 0, 0], "orientation": [0, 0, 0, 1], "map_id": "home"}
        )
