"""Renders a script to a bag: camera pictures, the sound of the room and odometry, as a robot would have recorded them.

Deterministic: the same script gives the same messages, bit for bit, with the same OpenCV and flite. A message's stamp
is when the light or the first sample came in; it is recorded a little later, as on a robot.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagWriter, Recorded
from robot_memory.evaluation.rendering import portrait, room, speech
from robot_memory.evaluation.story.script import Script
from robot_memory.streams.media import SAMPLE_RATE, SECOND

IMAGE_TOPIC, AUDIO_TOPIC, ODOM_TOPIC = "/camera/image_raw/compressed", "/audio", "/odom"
CHUNK = SAMPLE_RATE // 10  # samples: 100 ms
ODOM_HZ = 5
FIRST_FRAME_S = 0.02  # the camera is not in step with the clock
IMAGE_LATE_NS, AUDIO_LATE_NS, ODOM_LATE_NS = 28_000_000, 4_000_000, 1_000_000  # from stamp, or chunk's end, to disk


@dataclass(frozen=True)
class Rendered:
    """What was written: the bag's folder, messages by topic, bytes of its files."""

    bag: Path
    counts: dict[str, int]
    size: int


def render(
    script: Script,
    out: Path,
    storage: str = "mcap",
    replace: bool = False,
    progress: Callable[[float], None] = lambda done: None,
) -> Rendered:
    """Write the bag of a script to the folder `out`; `progress` hears the fraction done.

    Raises BagNotWritten, SpeechToolMissing, or ScriptInvalid for a picture or a line that cannot be used.
    """
    with BagWriter(out, storage, replace, packed=True) as bag:
        for message in recording(script):
            bag.write(message)
            progress(min(1.0, (message.recorded_ns - script.start_ns) / SECOND / script.duration_s))
    files = [path for path in out.iterdir() if path.is_file()]
    return Rendered(out, bag.counts, sum(path.stat().st_size for path in files))


def recording(script: Script) -> Iterator[Recorded]:
    """All messages of a script in the order in which a recorder gets them."""
    streams = [_pictures(script), _sound(script)] + ([_odometry(script)] if script.stands else [])
    return heapq.merge(*streams, key=lambda message: message.recorded_ns)


def _pictures(script: Script) -> Iterator[Recorded]:
    place = room.draw(script.seed)
    cutouts = _cutouts(script)
    phases = {person.name: 2.4 * i for i, person in enumerate(script.people)}
    for frame in range(math.ceil((script.duration_s - FIRST_FRAME_S) * script.frames_per_second - 1e-9)):
        t_s = FIRST_FRAME_S + frame / script.frames_per_second
        view = place.view(stand_at(script, t_s)[2] - stand_at(script, 0.0)[2])
        placings = [(scene.who, portrait.placing_at(scene, t_s)) for scene in script.scenes]
        present = [(who, placing) for who, placing in placings if placing is not None]
        for who, placing in sorted(present, key=lambda pair: pair[1].size):  # the nearest in front
            portrait.paste(view, cutouts[who], portrait.swayed(placing, phases[who]))
        stamp = script.start_ns + round(t_s * SECOND)
        encoded = _jpeg(place.expose(view, t_s, frame), script.quality)
        data = messages.compressed_image(stamp, encoded)
        yield Recorded(IMAGE_TOPIC, messages.COMPRESSED, stamp + IMAGE_LATE_NS, data)


def _cutouts(script: Script) -> dict[str, portrait.Cutout]:
    tallest: dict[str, float] = {}
    for scene in script.scenes:
        size = max(placing.size for placing in scene.path)
        tallest[scene.who] = max(size, tallest.get(scene.who, 0.0))
    return {who: portrait.cut(script.person(who), size * room.HEIGHT) for who, size in tallest.items()}


def _jpeg(picture: Any, quality: int) -> bytes:
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
    return bytes(cv2.imencode(".jpg", picture, options)[1])


def _sound(script: Script) -> Iterator[Recorded]:
    heard = speech.soundtrack(script)
    for first in range(0, len(heard), CHUNK):
        samples = heard[first : first + CHUNK]
        stamp = script.start_ns + first * SECOND // SAMPLE_RATE
        end = script.start_ns + (first + len(samples)) * SECOND // SAMPLE_RATE
        data = messages.audio_chunk(stamp, first, samples)
        yield Recorded(AUDIO_TOPIC, messages.AUDIO, end + AUDIO_LATE_NS, data)


def _odometry(script: Script) -> Iterator[Recorded]:
    for i in range(math.ceil(script.duration_s * ODOM_HZ - 1e-9)):
        stamp = script.start_ns + i * SECOND // ODOM_HZ
        data = messages.odometry(stamp, *stand_at(script, i / ODOM_HZ))
        yield Recorded(ODOM_TOPIC, messages.ODOMETRY, stamp + ODOM_LATE_NS, data)


def stand_at(script: Script, t_s: float) -> tuple[float, float, float]:
    """The robot's x, y (metres) and yaw (radians) at a time; the origin where the script has no odometry."""
    if not script.stands:
        return 0.0, 0.0, 0.0
    times = [stand.at_s for stand in script.stands]
    rows = np.array([(stand.x, stand.y, stand.yaw) for stand in script.stands])
    x, y, yaw = (float(np.interp(t_s, times, rows[:, i])) for i in range(3))
    return x, y, yaw
