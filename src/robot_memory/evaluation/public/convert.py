"""A video becomes a bag: pictures and sound as a robot's camera and microphone would have published them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from robot_memory.config import TopicSettings
from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagWriter, Recorded
from robot_memory.evaluation.public.video import USUAL, Look, Picture, Sound, Video
from robot_memory.streams.media import SECOND

IMAGE_TOPIC, AUDIO_TOPIC = f"/{TopicSettings().image_topic}", f"/{TopicSettings().audio_topic}"


@dataclass(frozen=True)
class Converted:
    """What was written: the bag's folder, messages by topic, bytes of its files; seconds of video and of work."""

    bag: Path
    counts: dict[str, int]
    size: int
    seconds: float
    took_s: float
    problems: dict[str, int]


def convert(
    video: Video,
    out: Path,
    look: Look = USUAL,
    storage: str = "mcap",
    replace: bool = False,
    progress: Callable[[float], None] = lambda seconds: None,
) -> Converted:
    """Write the bag `out`; `progress` hears the seconds of video done. Stopped half-way it leaves nothing.

    Raises BagNotWritten or VideoUnreadable.
    """
    begun, end_ns = time.monotonic(), video.start_ns
    with BagWriter(out, storage, replace, packed=True) as bag:
        for item in video.media(look):
            bag.write(_message(item))
            end_ns = max(end_ns, item.taken_ns)
            progress((end_ns - video.start_ns) / SECOND)
    size = sum(path.stat().st_size for path in out.iterdir() if path.is_file())
    seconds = (end_ns - video.start_ns) / SECOND
    return Converted(out, bag.counts, size, seconds, time.monotonic() - begun, dict(video.problems))


def _message(item: Picture | Sound) -> Recorded:
    if isinstance(item, Picture):
        data = messages.compressed_image(item.at_ns, item.jpeg)
        return Recorded(IMAGE_TOPIC, messages.COMPRESSED, item.taken_ns, data)
    data = messages.audio_chunk(item.at_ns, item.first, item.samples)
    return Recorded(AUDIO_TOPIC, messages.AUDIO, item.taken_ns, data)
