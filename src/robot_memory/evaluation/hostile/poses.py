"""Odometry that diverged, and names that say nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.messages import ODOMETRY
from robot_memory.evaluation.hostile.stream import Alteration, Source, Stream, stamp_of

BAD = (float("nan"), float("inf"), float("-inf"), 1.7e308, -0.0, 5e-324)


def nan_odometry(stream: Stream, source: Source) -> Stream:
    """Every other pose is not a number: an odometry filter that diverged."""
    count = 0
    for message in stream:
        if message.msgtype == ODOMETRY:
            count += 1
            if count % 2 == 0:
                yield message._replace(data=messages.odometry(stamp_of(message), *[float("nan")] * 3))
                continue
        yield message


def wild_odometry(stream: Stream, source: Source) -> Stream:
    """Infinite, enormous and denormal numbers in turn; quaternions of zeros; covariances of NaN."""
    count = 0
    for message in stream:
        if message.msgtype == ODOMETRY:
            count += 1
            yield message._replace(data=messages.serialise(wild_pose(stamp_of(message), count)))
        else:
            yield message


def empty_strings(stream: Stream, source: Source) -> Stream:
    """No frame has a name, no picture a format."""
    for message in stream:
        fields = messages.read(message.data, message.msgtype)
        fields = replace(fields, header=replace(fields.header, frame_id=""))
        changes = {name: "" for name in ("format", "child_frame_id") if hasattr(fields, name)}
        yield message._replace(data=messages.serialise(replace(fields, **changes)))


def long_strings(stream: Stream, source: Source) -> Stream:
    """Every frame has a name of 100,000 letters."""
    for message in stream:
        fields = messages.read(message.data, message.msgtype)
        named = replace(fields.header, frame_id="ä" * 50_000)
        yield message._replace(data=messages.serialise(replace(fields, header=named)))


def wild_pose(stamp_ns: int, number: int) -> Any:
    """An Odometry message with one of the bad numbers in every place of its own."""
    fields = messages.read(messages.odometry(stamp_ns, 1.0, 2.0, 0.5), ODOMETRY)
    bad = BAD[number % len(BAD)]
    place, turn = fields.pose.pose.position, fields.pose.pose.orientation
    if number % 3 == 0:
        place = replace(place, x=bad)
    elif number % 3 == 1:
        turn = replace(turn, x=0.0, y=0.0, z=0.0, w=bad if number % 2 else 0.0)
    covariance = np.full(36, bad) if number % 3 == 2 else fields.pose.covariance
    pose = replace(fields.pose, pose=replace(fields.pose.pose, position=place, orientation=turn), covariance=covariance)
    return replace(fields, pose=pose)


KINDS: dict[str, Alteration] = {one.__name__: one for one in (nan_odometry, wild_odometry, empty_strings, long_strings)}
