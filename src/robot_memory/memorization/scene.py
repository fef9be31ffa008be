"""A clip with its people recognised: what a describer puts into words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from robot_memory.memorization.speech.told import Line
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn

LEAST_CONFIDENCE = 0.35  # of the transcriber, for what is learnt from a turn
MOST_NO_SPEECH = 0.6
REJOIN_NS = 5 * SECOND  # a face lost and found again within this time was there all along


@dataclass(frozen=True)
class Appearance:
    """A face track and whose it is; `face` is None where the track was too short or too poor to tell."""

    track: FaceTrack
    face: int | None


@dataclass(frozen=True)
class Utterance:
    """A turn, its row in the store, and whose voice it is; `voice` is None where there was too little speech to
    tell.
    """

    turn: SpeechTurn
    row: int
    voice: int | None

    @property
    def well_heard(self) -> bool:
        """Is the transcriber sure enough of the words to learn from them?"""
        turn = self.turn
        return bool(turn.text) and turn.confidence >= LEAST_CONFIDENCE and turn.no_speech <= MOST_NO_SPEECH


@dataclass(frozen=True)
class Stay:
    """A face in view when a clip began, or just before: since when without a break, and when it was last seen."""

    since_ns: int
    last_ns: int


def nobody(name: str) -> str:
    """Knows nobody by any name."""
    return ""


@dataclass(frozen=True)
class Scene:
    """Everything recognised in one clip, in order of time.

    `talk`: what was said shortly before, the latest last. `named`: whom a name means, as a token (face_3); empty where
    it is not known or could be several. `offset_s`: the clock's offset from UTC, for what day it is. `before`: the
    faces in view up to REJOIN_NS before the clip began; None where the robot was not looking then.
    """

    clip: int
    observation: ClipObservation
    appearances: tuple[Appearance, ...]
    utterances: tuple[Utterance, ...]
    talk: tuple[Line, ...] = ()
    named: Callable[[str], str] = nobody
    offset_s: int = 0
    before: Mapping[int, Stay] | None = None

    def faces_during(self, start_ns: int, end_ns: int) -> list[Appearance]:
        """The appearances that overlap a span of time."""
        return [a for a in self.appearances if a.track.start_ns < end_ns and a.track.end_ns > start_ns]

    def spans(self) -> dict[int, list[tuple[int, int]]]:
        """Face -> the spans of time it was in view, short absences bridged."""
        spans: dict[int, list[tuple[int, int]]] = {}
        for appearance in sorted(self.appearances, key=lambda a: a.track.start_ns):
            if appearance.face is None:
                continue
            mine = spans.setdefault(appearance.face, [])
            start_ns, end_ns = appearance.track.start_ns, appearance.track.end_ns
            if mine and start_ns - mine[-1][1] <= REJOIN_NS:
                mine[-1] = (mine[-1][0], max(mine[-1][1], end_ns))
            else:
                mine.append((start_ns, end_ns))
        return spans


def pose_at(scene: Scene, stamp_ns: int) -> str:
    """The nearest pose of the clip as JSON; empty if there is none."""
    nearest = min(
        scene.observation.poses, key=lambda pose: (abs(pose.stamp_ns - stamp_ns), pose.stamp_ns), default=None
    )
    return json.dumps(asdict(nearest)) if nearest else ""
