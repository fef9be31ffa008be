"""Clocks that jump, stand still or come from another age, and messages in an order that no clock explains."""

from __future__ import annotations

from robot_memory.evaluation.hostile.stream import Alteration, Source, Stream, restamped, stamp_of
from robot_memory.streams.media import SECOND

HOUR_NS = 3600 * SECOND
STRAY_NS = 400 * 86_400 * SECOND
FAR_FUTURE_NS = (2**31 - 600) * SECOND  # ten minutes before 32-bit seconds end
LATE_NS = 3 * SECOND


def zero_stamps(stream: Stream, source: Source) -> Stream:
    """Drivers that never set a stamp; the times of recording stay true."""
    return (message._replace(data=restamped(message.data, 0)) for message in stream)


def jump_back(stream: Stream, source: Source) -> Stream:
    """From the middle on every stamp is an hour earlier: someone set the clock. The order of recording stays."""
    return _from_middle(stream, source, -HOUR_NS)


def jump_forward(stream: Stream, source: Source) -> Stream:
    """From the middle on every stamp is an hour later."""
    return _from_middle(stream, source, HOUR_NS)


def jump_to_zero(stream: Stream, source: Source) -> Stream:
    """From the middle on the clock counts from 1970: a simulator was restarted."""
    return _from_middle(stream, source, -source.middle_ns)


def many_jumps(stream: Stream, source: Source) -> Stream:
    """Every five seconds the clock leaps, by up to a minute, forward or back."""
    offsets = source.dice.integers(-60, 61, 10_000) * SECOND
    for message in stream:
        offset = int(offsets[(message.recorded_ns - source.held.first_ns) // (5 * SECOND) % len(offsets)])
        yield message._replace(data=restamped(message.data, stamp_of(message) + offset))


def negative_stamps(stream: Stream, source: Source) -> Stream:
    """Stamps before 1970."""
    return _moved(stream, -source.held.first_ns - HOUR_NS)


def far_future(stream: Stream, source: Source) -> Stream:
    """Stamps in 2038, at the very end of what they can hold."""
    return _moved(stream, FAR_FUTURE_NS - source.held.first_ns)


def past_the_end(stream: Stream, source: Source) -> Stream:
    """Stamps that reach the last second of 32 bits half-way, and stay there."""
    return _moved(stream, 2**31 * SECOND - source.middle_ns)


def still_clock(stream: Stream, source: Source) -> Stream:
    """Every stamp is the same."""
    return (message._replace(data=restamped(message.data, source.held.first_ns)) for message in stream)


def stray_stamps(stream: Stream, source: Source) -> Stream:
    """One message in thirty is stamped up to 400 days off, the very first one too."""
    for number, message in enumerate(stream):
        off = int(source.dice.integers(-STRAY_NS, STRAY_NS))
        stray = number == 0 or source.dice.random() < 1 / 30
        yield message._replace(data=restamped(message.data, stamp_of(message) + off)) if stray else message


def late_messages(stream: Stream, source: Source) -> Stream:
    """One message in twenty is recorded up to three seconds late."""
    late = [
        message._replace(recorded_ns=message.recorded_ns + int(source.dice.integers(0, LATE_NS)))
        if source.dice.random() < 0.05
        else message
        for message in stream
    ]
    return iter(sorted(late, key=lambda message: message.recorded_ns))


def shuffled(stream: Stream, source: Source) -> Stream:
    """Messages written to the file in random order; their times of recording are true."""
    messages = list(stream)
    source.dice.shuffle(messages)
    return iter(messages)


def twice(stream: Stream, source: Source) -> Stream:
    """Every message is there twice: two recorders wrote into one bag."""
    for message in stream:
        yield message
        yield message


def recorded_at_zero(stream: Stream, source: Source) -> Stream:
    """Stamps are true, but every time of recording is 0."""
    return (message._replace(recorded_ns=0) for message in stream)


def _from_middle(stream: Stream, source: Source, offset_ns: int) -> Stream:
    for message in stream:
        late = message.recorded_ns >= source.middle_ns
        yield message._replace(data=restamped(message.data, stamp_of(message) + offset_ns)) if late else message


def _moved(stream: Stream, offset_ns: int) -> Stream:
    return (message._replace(data=restamped(message.data, stamp_of(message) + offset_ns)) for message in stream)


KINDS: dict[str, Alteration] = {
    one.__name__: one
    for one in (
        *(zero_stamps, jump_back, jump_forward, jump_to_zero, many_jumps, negative_stamps, far_future, past_the_end),
        *(still_clock, stray_stamps, late_messages, shuffled, twice, recorded_at_zero),
    )
}
