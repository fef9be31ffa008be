"""Faces and voices of nobody: a photo on the wall, a television, a pattern that looks like a face for a moment.

A photo is there for a whole episode, whoever talks; the same two hang on the walls of all days. What a television
shows and says is nobody's in the truth: nobody of it was there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.cells import direction
from robot_memory.evaluation.worlds.mishaps.tracks import Face
from robot_memory.evaluation.worlds.mishaps.turns import Said
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn

FACE, VOICE = 128, 256  # dimensions, as the oracle's
EACH_NS = SECOND // 5
POSTERS, ACTORS, ANNOUNCERS = 2, 12, 3
SHOT_S = (3.0, 8.0)  # of one face on the television
LINE_S = (2.0, 5.0)
PAUSE_S = 0.7  # that a line of the television leaves to others
LINES = (
    "And now we turn to the weather in the north.",
    "The match ended with two goals in the last minutes.",
    "Stay with us, we will be back after this.",
    "Experts say that prices may rise again in autumn.",
    "In tonight's film two brothers cross the desert.",
)


def poster(clip: ClipObservation, number: int) -> Face:
    """A photo on the wall: still, in every picture of the clip."""
    left = 40.0 + 240 * number
    stamps = _stamps(clip.start_ns, clip.end_ns)
    return Face(_track(stamps, (left, 50.0, 64.0, 80.0), f"poster {number}", views=2), "")


def phantom(clip: ClipObservation, throw: random.Random) -> Face:
    """A face that is none, for 3 to 8 pictures, and never again."""
    start_ns = clip.start_ns + int(throw.uniform(0.0, 27.0) * SECOND)
    stamps = _stamps(start_ns, start_ns + throw.randint(3, 8) * EACH_NS)
    box = (throw.uniform(0, 560), throw.uniform(0, 380), 40.0, 48.0)
    return Face(_track(stamps, box, f"phantom {throw.getrandbits(64)}", views=2), "")


def shots(clip: ClipObservation, throw: random.Random) -> Iterator[Face]:
    """One face of the programme after another, all in one place."""
    at_ns = clip.start_ns + int(throw.uniform(0.0, SHOT_S[1]) * SECOND)
    while at_ns < clip.end_ns - SECOND:
        end_ns = min(at_ns + int(throw.uniform(*SHOT_S) * SECOND), clip.end_ns)
        who = f"actor {throw.randrange(ACTORS)}"
        yield Face(_track(_stamps(at_ns, end_ns), (300.0, 60.0, 44.0, 56.0), who, views=3), "")
        at_ns = end_ns + int(throw.uniform(0.0, SHOT_S[1]) * SECOND)


def lines(clip: ClipObservation, said: list[Said], throw: random.Random) -> Iterator[Said]:
    """What the television says into the pauses of the others."""
    busy = [(one.turn.start_ns, one.turn.end_ns) for one in said]
    pause_ns, at_ns = int(PAUSE_S * SECOND), clip.start_ns
    while at_ns < clip.end_ns:
        end_ns = at_ns + int(throw.uniform(*LINE_S) * SECOND)
        meets = [end for start, end in busy if start < end_ns + pause_ns and end > at_ns - pause_ns]
        if meets:
            at_ns = max(max(meets) + pause_ns, at_ns + 1)
            continue
        if end_ns > clip.end_ns:
            return
        text = throw.choice(LINES)
        embedding = direction(f"announcer {throw.randrange(ANNOUNCERS)}", "voice", VOICE)
        yield Said(SpeechTurn(at_ns, end_ns, text, 0, embedding, 0.8, 0.1), "", text)
        at_ns = end_ns + int(throw.uniform(1.0, 6.0) * SECOND)


def _stamps(start_ns: int, end_ns: int) -> NDArray[np.int64]:
    return np.arange(start_ns + SECOND // 50, end_ns, EACH_NS, dtype=np.int64)


def _track(stamps: NDArray[np.int64], box: tuple[float, ...], who: str, views: int) -> FaceTrack:
    boxes = np.tile(np.array(box, np.float32), (len(stamps), 1))
    return FaceTrack(stamps, boxes, np.stack([direction(who, "face", FACE)] * views), b"", 0.6)
