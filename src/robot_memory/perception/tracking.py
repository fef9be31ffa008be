"""Joins the face sightings of successive frames into tracks: one appearance of one face is one track.

Neighbouring sightings are joined by place (IoU) and look (cosine), one to one, best pairs first, so two faces in a
frame are always two tracks. The same code serves a closed clip (add all, finish) and a live picture (add, live, drain).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robot_memory.config import PerceptionSettings
from robot_memory.perception.faces import FaceSighting
from robot_memory.perception.pictures import Box
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import FaceTrack, Vector

MIN_OVERLAP = 0.3  # IoU from which two boxes may be the same face
VIEWS_KEPT = 32  # candidates for a track's best views
ALIKE = 0.97  # a view this close to a better one adds nothing to it


@dataclass(frozen=True, eq=False)
class LiveTrack:
    """An open track: `number` is unique in its tracker, `embedding` (unit norm) the mean so far or None."""

    number: int
    start_ns: int
    last_ns: int
    box: Box
    embedding: Vector | None


@dataclass(eq=False)
class _Track:
    number: int
    stamps: list[int] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    views: list[FaceSighting] = field(default_factory=list)  # best first
    last: Vector | None = None
    total: Vector | None = None

    def add(self, stamp_ns: int, sighting: FaceSighting) -> None:
        self.stamps.append(stamp_ns)
        self.boxes.append(sighting.box)
        if sighting.embedding is not None:
            self.last = sighting.embedding
            self.total = sighting.embedding if self.total is None else self.total + sighting.embedding
            self.views = sorted([*self.views, sighting], key=lambda v: -v.quality)[
                :VIEWS_KEPT
            ]  # stable: the earlier first

    def mean(self) -> Vector | None:
        return None if self.total is None else self.total / np.float32(np.linalg.norm(self.total))

    def finished(self, count: int) -> FaceTrack:
        views = varied(self.views, count)
        return FaceTrack(
            stamps_ns=np.array(self.stamps, np.int64),
            boxes=np.array(self.boxes, np.float32),
            embeddings=np.stack([v.embedding for v in views if v.embedding is not None]),
            crop=views[0].crop,
            quality=views[0].quality,
        )


class Tracker:
    """Feed it frames in stamp order. `same`: the cosine from which the embedder takes two faces for one person."""

    def __init__(self, settings: PerceptionSettings, same: float) -> None:
        self.settings, self.same, self.late = settings, same, 0
        self._gap_ns = round(settings.track_gap_s * SECOND)
        self._open: list[_Track] = []
        self._closed: list[_Track] = []
        self._made, self._newest = 0, -(2**63)

    def add(self, stamp_ns: int, sightings: tuple[FaceSighting, ...]) -> None:
        """The faces of one frame. A frame not newer than the last one is left out and counted in `late`."""
        if stamp_ns <= self._newest:
            self.late += 1
            return
        self._newest = stamp_ns
        self._close(stamp_ns)
        known = self._open
        joined = self._join(known, sightings)
        for index, sighting in enumerate(sightings):
            track = joined.get(index) or self._new()
            track.add(stamp_ns, sighting)

    def live(self, now_ns: int) -> tuple[LiveTrack, ...]:
        """The tracks seen within the gap before `now_ns`, oldest first."""
        seen = (t for t in self._open if now_ns - t.stamps[-1] < self._gap_ns)
        return tuple(LiveTrack(t.number, t.stamps[0], t.stamps[-1], t.boxes[-1], t.mean()) for t in seen)

    def drain(self, now_ns: int) -> tuple[FaceTrack, ...]:
        """The tracks that ended before `now_ns` and were not drained yet. A live user calls it to stay small."""
        self._close(now_ns)
        return self._take()

    def finish(self) -> tuple[FaceTrack, ...]:
        """All tracks not drained yet, by start; the tracker is then empty. A face never embedded gives no track."""
        self._closed += self._open
        self._open = []
        return self._take()

    def _take(self) -> tuple[FaceTrack, ...]:
        done, self._closed = sorted(self._closed, key=lambda t: t.number), []
        return tuple(t.finished(self.settings.embeddings_per_track) for t in done if t.views)

    def _close(self, now_ns: int) -> None:
        self._closed += [t for t in self._open if now_ns - t.stamps[-1] >= self._gap_ns]
        self._open = [t for t in self._open if now_ns - t.stamps[-1] < self._gap_ns]

    def _new(self) -> _Track:
        self._open.append(_Track(self._made))
        self._made += 1
        return self._open[-1]

    def _join(self, tracks: list[_Track], sightings: tuple[FaceSighting, ...]) -> dict[int, _Track]:
        """Sighting index -> track: pairs by falling affinity, each track and each sighting once."""
        pairs = [(self._affinity(t, s), t, i) for t in tracks for i, s in enumerate(sightings)]
        joined: dict[int, _Track] = {}
        taken: set[int] = set()
        for affinity, track, index in sorted(pairs, key=lambda p: (-p[0], p[1].number, p[2])):
            if affinity > 0 and index not in joined and track.number not in taken:
                joined[index] = track
                taken.add(track.number)
        return joined

    def _affinity(self, track: _Track, sighting: FaceSighting) -> float:
        """How well they go together; 0 if they cannot be one face.

        Look alone joins at `same`; where the place fits too, half of it will do (a turned head), but a stranger on
        the same spot after a cut will not.
        """
        overlap = iou(track.boxes[-1], sighting.box)
        mean, near = track.mean(), overlap >= MIN_OVERLAP
        if mean is None or track.last is None or sighting.embedding is None:
            return overlap if near else 0.0
        likeness = max(float(mean @ sighting.embedding), float(track.last @ sighting.embedding))
        return likeness + overlap if likeness >= (self.same / 2 if near else self.same) else 0.0


def varied(views: list[FaceSighting], count: int) -> list[FaceSighting]:
    """Up to `count` of the views (best first), leaving out those that hardly differ from a better one."""
    kept: list[FaceSighting] = []
    for view in views:
        assert view.embedding is not None
        if len(kept) < count and all(k.embedding is None or float(view.embedding @ k.embedding) < ALIKE for k in kept):
            kept.append(view)
    return kept


def iou(a: Box, b: Box) -> float:
    """Intersection over union of two boxes."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(width, 0.0) * max(height, 0.0)
    union = a[2] * a[3] + b[2] * b[3] - shared
    return shared / union if union > 0 else 0.0
