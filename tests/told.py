"""A small remembered morning, told in observations: real store, real text embedder, invented people."""

from __future__ import annotations

import numpy as np

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memory.graph import MemoryGraph
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn
from robot_memory.streams.sessions import Session

Seen = dict[str, tuple[float, float]]
Said = list[tuple[str, float, float, str]]
START = 1_772_443_800 * SECOND  # 2 March 2026, 09:30 UTC


class Story:
    """Tells clips to the memoriser: who is in view and who says what, in seconds since 09:30."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder) -> None:
        self.graph, self.embedder = graph, embedder
        self.session = Session("story", bag_uri="story", bag_fingerprint="story")
        self._memoriser = Memoriser(graph, embedder, TranscriptDescriber(), min_enrol_s=3.0)
        self._sequence = 0

    def clip(self, seen: Seen | None = None, said: Said | None = None) -> ClipObservation:
        """`seen`: face -> (from, to); `said`: (voice, from, to, words). Returns what was memorised."""
        told = self.observe(seen or {}, said or [])
        self._memoriser.memorise(told, self.session)
        self._sequence += 1
        return told

    def skip_to(self, seconds: float) -> None:
        """Nothing is told until then."""
        self._sequence = int(seconds // 30)

    def observe(self, seen: Seen, said: Said) -> ClipObservation:
        """The next clip, not memorised."""
        start = self._sequence * 30
        tracks = tuple(face_track(who, *span) for who, span in seen.items())
        voices = list(dict.fromkeys(who for who, *_ in said))
        turns = tuple(
            SpeechTurn(at(a), at(b), words, voices.index(who), likeness("voice", who, 256), 0.9, 0.05)
            for who, a, b, words in said
        )
        return ClipObservation("story", self._sequence, at(start), at(start + 30), tracks, turns)


def at(seconds: float) -> int:
    return START + int(seconds * SECOND)


def likeness(kind: str, who: str, dimension: int) -> np.ndarray:
    """One person's unit vector: the same each time, far from everybody else's."""
    vector = np.random.default_rng(list(f"{kind} {who}".encode())).standard_normal(dimension).astype(np.float32)
    return vector / np.linalg.norm(vector)


def face_track(who: str, start_s: float, end_s: float) -> FaceTrack:
    stamps = np.arange(at(start_s), at(end_s) + 1, SECOND // 2, dtype=np.int64)
    boxes = np.tile(np.array([100, 100, 80, 100], np.float32), (len(stamps), 1))
    return FaceTrack(stamps, boxes, likeness("face", who, 128)[None], b"jpeg of " + who.encode(), 0.8)
