"""Mishaps of eyes: faces missed, tracks cut short, broken or swapped, a speaker out of the picture."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.worlds.mishaps.rates import Mishaps
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import FaceTrack, SpeechTurn

GAP_S = (1.5, 3.0)  # of a broken track: perception bridges less than the first
LEFT = (0.2, 0.6)  # of a shortened track
MIDDLE = (0.2, 0.8)  # of what two tracks share: where they are swapped


@dataclass(frozen=True, eq=False)
class Face:
    """A track and whose face it mostly is; empty: nobody's."""

    track: FaceTrack
    who: str


def spoiled(
    faces: Sequence[Face], turns: Iterable[tuple[SpeechTurn, str]], mishaps: Mishaps, throw: random.Random
) -> list[Face]:
    """What is left of a clip's faces, in order of their beginning. `turns` with who speaks."""
    seen = _off_screen(faces, list(turns), mishaps, throw)
    seen = [face for face in seen if throw.random() >= mishaps.face_missed]
    seen = [_shortened(face, throw) if throw.random() < mishaps.face_shortened else face for face in seen]
    halves = [_broken(face, throw) if throw.random() < mishaps.track_broken else [face] for face in seen]
    seen = [half for both in halves for half in both]
    return sorted(_swapped(seen, mishaps, throw), key=lambda face: face.track.start_ns)


def _off_screen(
    faces: Sequence[Face], turns: Sequence[tuple[SpeechTurn, str]], mishaps: Mishaps, throw: random.Random
) -> list[Face]:
    """Without one of the speakers, where two people are in view: the listener is then alone with the voice."""
    there = {face.who for face in faces} - {""}
    speakers = sorted({who for _, who in turns} & there)
    if len(there) != 2 or not speakers or throw.random() >= mishaps.off_screen:
        return list(faces)
    gone = throw.choice(speakers)
    return [face for face in faces if face.who != gone]


def _shortened(face: Face, throw: random.Random) -> Face:
    count = len(face.track.stamps_ns)
    left = max(1, round(throw.uniform(*LEFT) * count))
    first = throw.randrange(count - left + 1)
    return Face(part(face.track, slice(first, first + left)), face.who)


def _broken(face: Face, throw: random.Random) -> Iterator[Face]:
    """Two tracks, or the one where it is too short for a gap."""
    track = face.track
    gap_ns, span_ns = int(throw.uniform(*GAP_S) * SECOND), track.end_ns - track.start_ns
    middle = track.start_ns + int(throw.uniform(*MIDDLE) * span_ns)
    before = track.stamps_ns < middle - gap_ns // 2
    after = track.stamps_ns > middle + gap_ns // 2
    if not before.any() or not after.any():
        yield face
        return
    yield Face(part(track, before, track.embeddings[::2]), face.who)
    yield Face(part(track, after, track.embeddings[1::2]), face.who)


def _swapped(faces: list[Face], mishaps: Mishaps, throw: random.Random) -> list[Face]:
    """Pairs of overlapping tracks, each at most once, that change into one another."""
    left, done = list(faces), list[Face]()
    while left:
        one = left.pop(0)
        for other in left:
            shared = max(one.track.start_ns, other.track.start_ns), min(one.track.end_ns, other.track.end_ns)
            if one.who == other.who or shared[1] - shared[0] < SECOND or throw.random() >= mishaps.tracks_swapped:
                continue
            at_ns = shared[0] + int(throw.uniform(*MIDDLE) * (shared[1] - shared[0]))
            left.remove(other)
            done += [_crossed(one, other, at_ns), _crossed(other, one, at_ns)]
            break
        else:
            done.append(one)
    return done


def _crossed(one: Face, other: Face, at_ns: int) -> Face:
    """One until then, the other from then on; whoever has more of it is whose it is, and has the best views."""
    first, last = one.track.stamps_ns < at_ns, other.track.stamps_ns >= at_ns
    stamps = np.concatenate([one.track.stamps_ns[first], other.track.stamps_ns[last]])
    boxes = np.concatenate([one.track.boxes[first], other.track.boxes[last]])
    main, rest = (one, other) if first.sum() >= last.sum() else (other, one)
    count = max(len(main.track.embeddings), len(rest.track.embeddings))
    own = max(1, round(count * max(first.sum(), last.sum()) / len(stamps)))
    views = np.concatenate([main.track.embeddings[:own], rest.track.embeddings[: max(1, count - own)]])
    return Face(replace(main.track, stamps_ns=stamps, boxes=boxes, embeddings=views), main.who)


def part(track: FaceTrack, kept: slice | NDArray[np.bool_], views: NDArray[np.float32] | None = None) -> FaceTrack:
    """The track at the moments `kept`, with no more views than moments; without `views` (or with none) those it has."""
    stamps = track.stamps_ns[kept]
    views = track.embeddings if views is None or not len(views) else views
    return replace(track, stamps_ns=stamps, boxes=track.boxes[kept], embeddings=views[: len(stamps)])
