"""Bags that lack something: a sense, or a stretch of it."""

from __future__ import annotations

from robot_memory.evaluation.bags.messages import AUDIO, COMPRESSED, ODOMETRY
from robot_memory.evaluation.hostile.stream import Alteration, Source, Stream, stamp_of
from robot_memory.streams.media import SECOND

GAP_NS = 8 * SECOND
EARLY_NS = 20 * SECOND


def empty(stream: Stream, source: Source) -> Stream:
    """Topics, and not one message."""
    return iter(())


def no_audio(stream: Stream, source: Source) -> Stream:
    """Pictures and odometry only."""
    return (message for message in stream if message.msgtype != AUDIO)


def no_images(stream: Stream, source: Source) -> Stream:
    """Sound and odometry only."""
    return (message for message in stream if message.msgtype != COMPRESSED)


def only_odometry(stream: Stream, source: Source) -> Stream:
    """Nothing to see and nothing to hear."""
    return (message for message in stream if message.msgtype == ODOMETRY)


def one_picture(stream: Stream, source: Source) -> Stream:
    """A single picture and nothing else."""
    for message in stream:
        if message.msgtype == COMPRESSED:
            yield message
            return


def image_gap(stream: Stream, source: Source) -> Stream:
    """Eight seconds around the middle without a picture; sound and odometry go on."""
    for message in stream:
        if message.msgtype != COMPRESSED or not -GAP_NS // 2 <= stamp_of(message) - source.middle_ns < GAP_NS // 2:
            yield message


def audio_short(stream: Stream, source: Source) -> Stream:
    """The microphone falls silent 20 s before the end."""
    return (m for m in stream if m.msgtype != AUDIO or m.recorded_ns <= source.held.last_ns - EARLY_NS)


def drop_outs(stream: Stream, source: Source) -> Stream:
    """A tenth of all messages never arrived, at random."""
    return (message for message in stream if source.dice.random() >= 0.1)


KINDS: dict[str, Alteration] = {
    one.__name__: one
    for one in (empty, no_audio, no_images, only_odometry, one_picture, image_gap, audio_short, drop_outs)
}
