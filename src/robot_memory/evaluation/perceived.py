"""A bag as the product perceives it, without ROS: the same recorder, models and clips as in the node graph.

A memory fed from here is bit for bit the one that a lockstep replay makes (a test compares the two). Where a
`truth.json` lies beside the bag, every track and turn is labelled with who it really was, for the scorer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from robot_memory.config import PerceptionSettings, StreamSettings
from robot_memory.evaluation import labelling, truth
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.truth import Truth
from robot_memory.perception import messages
from robot_memory.perception.perceive import perceive
from robot_memory.perception.senses import Senses, open_senses
from robot_memory.streams.bag import Bag
from robot_memory.streams.media import SECOND, ClipMedia
from robot_memory.streams.recorder import Recorder, Unreadable
from robot_memory.streams.sessions import Session

LOG = logging.getLogger("robot_memory.evaluation")


def clips_of(
    bag: Path, known: Truth | None = None, zone: str = "", progress: Callable[[float], None] = lambda done: None
) -> Callable[[], Iterator[Clip]]:
    """A trial's `clips`: perceives the bag at the first call and gives the same clips again at the next."""
    kept: list[Clip] = []

    def clips() -> Iterator[Clip]:
        if not kept:
            kept.extend(observe(bag, known, zone, progress))
        return iter(kept)

    return clips


def observe(
    path: Path,
    known: Truth | None = None,
    zone: str = "",
    progress: Callable[[float], None] = lambda done: None,
    senses: Senses | None = None,
    streams: StreamSettings | None = None,
) -> Iterator[Clip]:
    """Perceive a bag, clip by clip, in order of closing."""
    settings = PerceptionSettings()
    senses = senses or open_senses(settings)
    with Bag(path) as bag:
        for media, session in cut(bag, zone, streams or StreamSettings()):
            observation = perceive(media, senses.eyes, senses.ears, settings)
            progress(min(1.0, (media.end_ns - bag.origin_ns()) / SECOND / max(bag.seconds, 1e-9)))
            clip = Clip(observation, session)
            yield labelling.labelled(clip, known) if known else clip


def cut(bag: Bag, zone: str, settings: StreamSettings) -> Iterator[tuple[ClipMedia, Session]]:
    """A bag's messages as closed clips, each with the session (or the part of it) that it belongs to."""
    recorder = Recorder(session_of(bag, zone), settings)
    topics = {topic.stream: topic for topic in bag.topics}

    def taken() -> Iterator[None]:
        for message in bag.messages():
            try:
                fields = bag.fields(topics[message.stream], message.raw)
                _take(recorder, message.stream, fields, message.recorded_ns)
            except Unreadable as problem:
                LOG.info("%s", problem)
            yield

    return closed_clips(recorder, taken())


def closed_clips(recorder: Recorder, taken: Iterable[None]) -> Iterator[tuple[ClipMedia, Session]]:
    """The clips that close while `taken` puts one thing after another into the recorder, and those at its end."""
    for _ in taken:
        yield from _closed(recorder)
    with suppress(Unreadable):
        recorder.finish()
    yield from _closed(recorder)


def session_of(bag: Bag, zone: str = "") -> Session:
    """The session as the memory server opens it for a replay."""
    fingerprint = bag.fingerprint()
    return Session(
        fingerprint[:32], str(bag.path), fingerprint, zone=zone, origin_ns=bag.origin_ns() or None, lockstep=True
    )


def truth_of(bag: Path) -> Truth | None:
    """The truth beside a bag, if there is one. Raises TruthUnreadable if it is damaged."""
    path = (bag if bag.is_dir() else bag.parent) / truth.FILE
    return truth.read(path) if path.exists() else None


def _closed(recorder: Recorder) -> Iterator[tuple[ClipMedia, Session]]:
    for media in recorder.closed():
        yield media, recorder.part_of(media)


def _take(recorder: Recorder, stream: str, message: Any, recorded_ns: int) -> None:
    """A message into the recorder; one without a stamp gets its time of recording."""
    if stream == "image":
        recorder.frame(messages.to_ns(message.header.stamp) or recorded_ns, messages.picture(message))
    elif stream == "audio":
        stamp, first, rate, channels, data = messages.sound(message)
        recorder.audio(stamp or recorded_ns, first, rate, channels, data.copy())
    else:
        pose = messages.pose(message)
        recorder.pose(replace(pose, stamp_ns=pose.stamp_ns or recorded_ns))
