"""One episode as messages: what the camera, the microphone and the odometer of a robot would have recorded."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import Recorded
from robot_memory.evaluation.rendering import portrait, room, soundtrack
from robot_memory.evaluation.rendering.cutout import Cutout
from robot_memory.evaluation.rendering.soundtrack import Sounding
from robot_memory.evaluation.story.script import Episode, Scene, Script
from robot_memory.streams.media import SAMPLE_RATE, SECOND

IMAGE_TOPIC, AUDIO_TOPIC, ODOM_TOPIC = "/camera/image_raw/compressed", "/audio", "/odom"
CHUNK = SAMPLE_RATE // 10  # samples: 100 ms
ODOM_HZ = 5
FIRST_FRAME_S = 0.02  # the camera is not in step with the clock
IMAGE_LATE_NS, AUDIO_LATE_NS, ODOM_LATE_NS = 28_000_000, 4_000_000, 1_000_000  # from stamp, or chunk's end, to disk


@dataclass(frozen=True, eq=False)
class Take:
    """An episode ready to be filmed. `before_s`: seconds of film before it, which the microphone has counted."""

    script: Script
    episode: Episode
    cutouts: dict[tuple[str, int], Cutout]
    lines: tuple[Sounding, ...]
    seed: int
    before_s: float

    def silent(self) -> Take:
        """The same without its sound; the lines keep their lengths."""
        nothing = np.zeros(1, np.float32)
        return replace(
            self, lines=tuple(replace(said, sound=np.broadcast_to(nothing, said.sound.shape)) for said in self.lines)
        )


def film(take: Take) -> Iterator[Recorded]:
    """All messages of an episode in the order in which a recorder gets them."""
    streams = [_pictures(take), _sound(take)] + ([_odometry(take.episode)] if take.episode.stands else [])
    return heapq.merge(*streams, key=lambda message: message.recorded_ns)


def _pictures(take: Take) -> Iterator[Recorded]:
    script, episode = take.script, take.episode
    place = room.draw(take.seed, episode.room)
    phases = {person.name: 2.4 * i for i, person in enumerate(script.people)}
    for frame in range(math.ceil((episode.duration_s - FIRST_FRAME_S) * script.frames_per_second - 1e-9)):
        t_s = FIRST_FRAME_S + frame / script.frames_per_second
        view = place.view(stand_at(episode, t_s)[2] - stand_at(episode, 0.0)[2])
        for scene, placing in present(episode, t_s):
            placing = portrait.swayed(placing, phases[scene.who])
            placing = replace(placing, light=placing.light * place.on_people)
            blur_px = portrait.speed(scene, t_s) * room.WIDTH * episode.room.shutter_s * place.exposure
            portrait.paste(view, take.cutouts[scene.who, scene.picture], placing, blur_px)
        stamp = episode.at_ns(t_s)
        encoded = _jpeg(place.expose(view, t_s, frame), script.quality)
        data = messages.compressed_image(stamp, encoded)
        yield Recorded(IMAGE_TOPIC, messages.COMPRESSED, stamp + IMAGE_LATE_NS, data)


def present(episode: Episode, t_s: float) -> list[tuple[Scene, Any]]:
    """The scenes that go on at a time, each with its placing, the nearest person last: in front."""
    placings = [(scene, portrait.placing_at(scene, t_s)) for scene in episode.scenes]
    there = [(scene, placing) for scene, placing in placings if placing is not None]
    return sorted(there, key=lambda pair: pair[1].size)


def _jpeg(picture: Any, quality: int) -> bytes:
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
    return bytes(cv2.imencode(".jpg", picture, options)[1])


def _sound(take: Take) -> Iterator[Recorded]:
    episode = take.episode
    heard = soundtrack.mixed(episode, take.lines, (take.seed, 2))
    counted = round(take.before_s * SAMPLE_RATE)
    for first in range(0, len(heard), CHUNK):
        samples = heard[first : first + CHUNK]
        stamp = episode.start_ns + first * SECOND // SAMPLE_RATE
        end = episode.start_ns + (first + len(samples)) * SECOND // SAMPLE_RATE
        data = messages.audio_chunk(stamp, counted + first, samples)
        yield Recorded(AUDIO_TOPIC, messages.AUDIO, end + AUDIO_LATE_NS, data)


def _odometry(episode: Episode) -> Iterator[Recorded]:
    for i in range(math.ceil(episode.duration_s * ODOM_HZ - 1e-9)):
        stamp = episode.start_ns + i * SECOND // ODOM_HZ
        data = messages.odometry(stamp, *stand_at(episode, i / ODOM_HZ))
        yield Recorded(ODOM_TOPIC, messages.ODOMETRY, stamp + ODOM_LATE_NS, data)


def stand_at(episode: Episode, t_s: float) -> tuple[float, float, float]:
    """The robot's x, y (metres) and yaw (radians) at a time; the origin where the episode has no odometry."""
    if not episode.stands:
        return 0.0, 0.0, 0.0
    times = [stand.at_s for stand in episode.stands]
    rows = np.array([(stand.x, stand.y, stand.yaw) for stand in episode.stands])
    x, y, yaw = (float(np.interp(t_s, times, rows[:, i])) for i in range(3))
    return x, y, yaw
