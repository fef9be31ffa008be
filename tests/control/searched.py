"""A small memory to be searched: three people, some days in March, two maps. Real store, real text embedder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from robot_memory.config import PerceptionSettings
from robot_memory.control.searching import Means, SearchPage, search_page
from robot_memory.control.searchrequest import SearchRequest
from robot_memory.control.service import models_of
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.people.names import SPELLING
from robot_memory.memory.people.people import hear_name
from robot_memory.memory.people.settling import new_person
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile

SECOND = 1_000_000_000
DAY = 86_400
START = 1_772_443_800 * SECOND  # Monday 2 March 2026, 09:30 UTC
WALL = START + 4 * DAY * SECOND


class Told:
    """Puts people and sentences into a memory, each sentence in a clip of its own."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, session: str = "s") -> None:
        self.graph, self.embedder, self.session = graph, embedder, session
        self.clips = 0

    def clip(self, start_s: float) -> int:
        self.clips += 1
        start_ns = START + int(start_s * SECOND)
        with self.graph.store.write() as db:
            db.execute(
                "INSERT OR IGNORE INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
                "VALUES (?, '', '', 0, '', '', '')",
                (self.session,),
            )
            row = db.execute(
                "INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s) VALUES (?, ?, ?, ?, 150, 30)",
                (self.session, self.clips, start_ns, start_ns + 30 * SECOND),
            )
            assert row.lastrowid is not None
            return row.lastrowid

    def person(self, name: str, *kinds: str) -> list[str]:
        """Somebody with such entities, called so; their tokens."""
        clip = self.clip(0)
        with self.graph.store.write() as db:
            person, tokens = new_person(db), []
            for kind in kinds:
                crop = b"\xff\xd8 " + name.encode() if kind == "face" else None
                row = db.execute(
                    "INSERT INTO entities(kind, person, clip, crop) VALUES (?, ?, ?, ?)", (kind, person, clip, crop)
                )
                assert row.lastrowid is not None
                tokens.append(f"{kind}_{row.lastrowid}")
                hear_name(db, row.lastrowid, name, SPELLING, clip, START)
            return tokens

    def remember(
        self,
        text: str,
        about: Sequence[str],
        at_s: float,
        kind: str = "episodic",
        source: str = "heard",
        frame: Frame | None = None,
        where: str = "",
    ) -> int:
        clip, start_ns = self.clip(at_s), START + int(at_s * SECOND)
        kind = "semantic" if frame else kind
        weights = dict.fromkeys(about, 1.0)
        sentence = Sentence(kind, text, start_ns, start_ns + SECOND, source, weights, frame, pose=where)
        with self.graph.change() as change:
            return change.remember(clip, sentence, self.embedder.embed([text])[0])[0]

    def snapshot(self, at_s: float, jpeg: bytes) -> int:
        """A picture of the clip told last."""
        with self.graph.store.write() as db:
            row = db.execute(
                "INSERT INTO snapshots(clip, stamp_ns, jpeg) SELECT max(id), ?, ? FROM clips",
                (START + int(at_s * SECOND), jpeg),
            )
            assert row.lastrowid is not None
            return row.lastrowid


def tell(told: Told) -> dict[str, int]:
    """Anna, Ben and Clara (person_1, 2, 3) over four days; what was remembered, by a word."""
    anna, face = told.person("Anna", "voice", "face")
    ben, clara = told.person("Ben", "voice")[0], told.person("Clara", "voice")[0]
    below, above = "ground floor", "first floor"
    berlin = Frame(f"<{clara}>", "home", "Berlin")
    remember = told.remember
    return {
        "tea": remember(f"<{anna}> said: “I like green tea.”", [anna], 60, where=pose(1, 2, below)),
        "garden": remember(f"<{ben}> said: “We met in the garden.”", [ben], 120, where=pose(4, 6, below)),
        "seen": remember(f"<{face}> was in view.", [face], DAY, source="seen", where=pose(1, 2, above)),
        "coffee": remember(f"<{ben}> said: “I drink coffee.”", [ben], DAY + 60, where=pose(2, 2, above)),
        "chess": remember(f"<{anna}> and <{ben}> play chess.", [anna, ben], 2 * DAY, kind="semantic"),
        "home": remember(f"<{clara}> lives in Berlin.", [clara], 3 * DAY, frame=berlin),
    }


@contextmanager
def told_at(path: Path, embedder: TextEmbedder) -> Iterator[tuple[Told, dict[str, int]]]:
    """That memory in a file of its own, for tests that share it because they only read."""
    with Store(path) as store:
        told = Told(MemoryGraph(store, models_of(load_profile(PerceptionSettings().profile))), embedder)
        yield told, tell(told)


def look(told: Told, text: str = "", **wanted: Any) -> SearchPage:
    """A page of what is found on Friday 6 March, 09:30."""
    means = Means(lambda: told.embedder, lambda: told.graph.index)
    return search_page(told.graph.store, means, SearchRequest(text, **wanted), WALL)


def found(page: SearchPage) -> list[int]:
    return [one.memory for one in page.evidence]


def pose(x: float, y: float, map_id: str = "", frame: str = "map") -> str:
    known = {"stamp_ns": START, "frame_id": frame, "position": [x, y, 0.0], "orientation": [0.0, 0.0, 0.0, 1.0]}
    return json.dumps(known | {"covariance": [0.0] * 36, "map_id": map_id})
