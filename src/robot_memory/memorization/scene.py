"""A clip with its people recognised: what a describer puts into words."""

from __future__ import annotations

from dataclasses import dataclass

from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn


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


@dataclass(frozen=True)
class Scene:
    """Everything recognised in one clip, in order of time."""

    clip: int
    observation: ClipObservation
    appearances: tuple[Appearance, ...]
    utterances: tuple[Utterance, ...]

    def faces_during(self, start_ns: int, end_ns: int) -> list[Appearance]:
        """The appearances that overlap a span of time."""
        return [a for a in self.appearances if a.track.start_ns < end_ns and a.track.end_ns > start_ns]
