"""The stream of a world as perfect perception would give it: 30 s clips on a fixed grid, a session a day.

Tracks are cut at the borders of clips, as perception cuts them. A turn belongs whole to the clip in which it begins,
and may end a little after it: a perfect transcriber cuts no word in two. Between episodes a few empty clips are given,
the rest of that time yields none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.truth import Appearance, Said
from robot_memory.evaluation.worlds import sight
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.likeness import Likenesses, picture
from robot_memory.evaluation.worlds.truths import truth
from robot_memory.evaluation.worlds.world import Day, World
from robot_memory.streams.media import SECOND, Pose
from robot_memory.streams.observation import ClipObservation, FaceTrack, Keyframe, SpeechTurn
from robot_memory.streams.sessions import Session

CLIP_NS = 30 * SECOND
FRAMES_PER_S = 5
FIRST_FRAME_NS = SECOND // 50  # the camera is not in step with the clock
VIEWS = 4  # embeddings of a track
SHORT_NS = 8 * SECOND // 10  # a turn this short has no voice embedding
EMPTY = 2  # clips of nothing after an episode


@dataclass(frozen=True)
class Oracle:
    """How perfect perception writes: dimensions of its embeddings, and the models it claims to be (role -> name)."""

    face_dimension: int = 128
    voice_dimension: int = 256
    embedders: Mapping[str, str] | None = None


PERFECT = Oracle()


def oracle(world: World, how: Oracle = PERFECT) -> Iterator[Clip]:
    """The clips of a world in order of time."""
    known = truth(world)
    likenesses = Likenesses(world.seed, how.face_dimension, how.voice_dimension)
    for day in world.days:
        yield from _Day(world, day, known.appearances, known.lines, likenesses, dict(how.embedders or {})).clips()


def session(world: World, day: Day) -> Session:
    """The robot's run of that day."""
    name = f"{world.name}-day-{day.number + 1}"
    return Session(name, name, name, world.offset_s, world.zone, clock="world", origin_ns=day.start_ns)


class _Day:
    def __init__(
        self,
        world: World,
        day: Day,
        appearances: tuple[Appearance, ...],
        lines: tuple[Said, ...],
        likenesses: Likenesses,
        embedders: dict[str, str],
    ) -> None:
        self._world, self._start_ns, self._likenesses, self._embedders = world, day.start_ns, likenesses, embedders
        self._session = session(world, day)
        self._episodes = [episode for episode in world.episodes if episode.day == day.number]
        self._seen = [one for one in appearances if day.start_ns <= one.start_ns < day.end_ns]
        self._said = [one for one in lines if day.start_ns <= one.start_ns < day.end_ns]
        stands = [(e.at_ns(s.at_s), s.x_m, s.y_m, s.yaw) for e in self._episodes for s in e.stands]
        self._stands = np.array(stands or [(day.start_ns, 0.0, 0.0, 0.0)], np.float64)

    def clips(self) -> Iterator[Clip]:
        for slot in self._slots():
            yield self._clip(slot)

    def _slots(self) -> list[int]:
        slots: set[int] = set()
        for episode in self._episodes:
            first = (episode.start_ns - self._start_ns) // CLIP_NS
            last = (episode.end_ns - 1 - self._start_ns) // CLIP_NS
            slots.update(range(first, last + 1 + EMPTY))
        return sorted(slots)

    def _clip(self, slot: int) -> Clip:
        start_ns = self._start_ns + slot * CLIP_NS
        end_ns = start_ns + CLIP_NS
        tracks, faces = [], []
        for seen in self._seen:
            if seen.start_ns < end_ns and seen.end_ns >= start_ns and (track := self._track(seen, start_ns)):
                tracks.append(track)
                faces.append(seen.who)
        said = [one for one in self._said if start_ns <= one.start_ns < end_ns]
        speakers = list(dict.fromkeys(one.who for one in said))
        turns = tuple(self._turn(one, speakers.index(one.who)) for one in said)
        middle = start_ns + CLIP_NS // 2
        observation = ClipObservation(
            self._session.id,
            slot,
            start_ns,
            end_ns,
            tuple(tracks),
            turns,
            tuple(self._pose(start_ns + n * SECOND) for n in range(0, 30, 2)),
            (Keyframe(middle, self._view(middle)),),
            frames=30 * FRAMES_PER_S,
            audio_s=30.0,
            embedders=dict(self._embedders),
        )
        voices, words = tuple(one.who for one in said), tuple(one.text for one in said)
        return Clip(observation, self._session, tuple(faces), voices, words)

    def _track(self, seen: Appearance, clip_ns: int) -> FaceTrack | None:
        """What the camera has of an appearance during a clip; None if it falls between two pictures."""
        stamps = clip_ns + FIRST_FRAME_NS + np.arange(30 * FRAMES_PER_S, dtype=np.int64) * (SECOND // FRAMES_PER_S)
        stamps = stamps[(stamps >= seen.start_ns) & (stamps <= seen.end_ns)]
        if not len(stamps):
            return None
        look = dice(self._world.seed, "look", seen.who, self._start_ns).randrange(2)
        views = self._likenesses.faces(seen.who, look, int(stamps[0]), min(VIEWS, len(stamps)))
        return FaceTrack(stamps, boxes_at(seen, stamps), views, self._likenesses.crop(seen.who), 0.9)

    def _turn(self, said: Said, voice: int) -> SpeechTurn:
        look = dice(self._world.seed, "tone", said.who, self._start_ns).randrange(2)
        short = said.end_ns - said.start_ns < SHORT_NS
        embedding = None if short else self._likenesses.voice(said.who, look, said.start_ns)
        return SpeechTurn(said.start_ns, said.end_ns, said.text, voice, embedding, 0.95, 0.02)

    def _pose(self, stamp_ns: int) -> Pose:
        times = self._stands[:, 0] - self._start_ns
        x, y, yaw = (float(np.interp(stamp_ns - self._start_ns, times, self._stands[:, n])) for n in (1, 2, 3))
        turn = (0.0, 0.0, float(np.sin(yaw / 2)), float(np.cos(yaw / 2)))
        return Pose(stamp_ns, "map", (x, y, 0.0), turn, map_id=self._world.name)

    def _view(self, stamp_ns: int) -> bytes:
        before = [e.room for e in self._episodes if e.start_ns <= stamp_ns]
        return picture(f"{self._world.seed}/{before[-1] if before else ''}", 32, 24)


def boxes_at(seen: Appearance, stamps: NDArray[np.int64]) -> NDArray[np.float32]:
    """The boxes [n, 4] of an appearance at `stamps` [n], cut at the picture's edges."""
    boxes = seen.boxes(stamps)
    corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
    corners = np.clip(corners, 0.0, [sight.WIDTH, sight.HEIGHT, sight.WIDTH, sight.HEIGHT])
    return np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1).astype(np.float32)
