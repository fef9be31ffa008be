"""Sound as other drivers send it, and as broken ones do.

The types of other packages are those of their own repositories, by fields: audio_common_msgs is the one with AudioInfo
inside (mgonzs13), audio_utils_msgs the one of introlab.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import Recorded
from robot_memory.evaluation.bags.messages import AUDIO, MICROPHONE_FRAME
from robot_memory.evaluation.hostile.stream import Alteration, Source, Stream, in_order, sound_as, stamp_of
from robot_memory.streams.media import SECOND

STAMPED, FRAME, PLAIN = (
    "audio_common_msgs/msg/AudioStamped",
    "audio_utils_msgs/msg/AudioFrame",
    "audio_common_msgs/msg/AudioDataStamped",
)
DEFINITIONS = {
    "audio_common_msgs/msg/AudioInfo": "uint16 format\nuint16 channels\nuint16 rate\nuint16 chunk\n",
    "audio_common_msgs/msg/AudioData": (
        "float32[] float32_data\nint32[] int32_data\nint16[] int16_data\nint8[] int8_data\nuint8[] uint8_data\n"
    ),
    "audio_common_msgs/msg/Audio": "audio_common_msgs/AudioData audio_data\naudio_common_msgs/AudioInfo info\n",
    STAMPED: "std_msgs/Header header\naudio_common_msgs/Audio audio\n",
    PLAIN: "std_msgs/Header header\nuint8[] data\n",
    FRAME: (
        "std_msgs/Header header\nstring format\nuint8 channel_count\nuint32 sampling_frequency\n"
        "uint32 frame_sample_count\nuint8[] data\n"
    ),
}
WIDTHS: dict[str, type[np.generic]] = {
    "float32_data": np.float32,
    "int32_data": np.int32,
    "int16_data": np.int16,
    "int8_data": np.int8,
    "uint8_data": np.uint8,
}
RATE = 16_000  # samples a second, as the good bag has them


@cache
def types() -> dict[str, Any]:
    """The classes of the other packages' messages, once the writer of bags knows them."""
    from rosbags.typesys import get_types_from_msg

    store = messages.typestore()
    for name, text in DEFINITIONS.items():
        if name not in store.fielddefs:
            store.register(get_types_from_msg(text, name))
    return {name: store.types[name] for name in DEFINITIONS}


def audio_1ms(stream: Stream, source: Source) -> Stream:
    """Chunks of one millisecond: a hundred times as many messages."""

    def split(number: int, message: Recorded, fields: Any) -> Iterator[Recorded]:
        short = fields.sample_rate // 1000
        for at in range(0, len(fields.data), short):
            later = at * SECOND // fields.sample_rate
            data = messages.audio_chunk(
                stamp_of(message) + later, fields.first_sample + at, fields.data[at : at + short], fields.sample_rate
            )
            yield message._replace(recorded_ns=message.recorded_ns + later, data=data)

    return in_order(sound_as(stream, split))


def audio_long(stream: Stream, source: Source) -> Stream:
    """Every fiftieth chunk is 100 s long."""
    return _chunks(stream, lambda n, f: f if n % 50 else _chunk(f, data=np.tile(f.data[:1000], 1600)))


def counter_resets(stream: Stream, source: Source) -> Stream:
    """The sample counter starts anew at every 37th chunk; the stamps go on."""
    return _chunks(stream, lambda n, f: _chunk(f, first_sample=n % 37 * len(f.data)))


def counter_wild(stream: Stream, source: Source) -> Stream:
    """A sample counter of random numbers up to 2^64."""
    return _chunks(stream, lambda n, f: _chunk(f, first_sample=int(source.dice.integers(0, 2**64, dtype=np.uint64))))


def overlapping_audio(stream: Stream, source: Source) -> Stream:
    """Each chunk is sent again half a chunk later, with what it then overlaps."""

    def twice(number: int, message: Recorded, fields: Any) -> Iterator[Recorded]:
        yield message
        half, ns = len(fields.data) // 2, len(fields.data) // 2 * SECOND // fields.sample_rate
        data = messages.audio_chunk(stamp_of(message) + ns, fields.first_sample + half, fields.data[half:])
        yield message._replace(recorded_ns=message.recorded_ns + ns, data=data)

    return in_order(sound_as(stream, twice))


def absurd_rates(stream: Stream, source: Source) -> Stream:
    """Sample rates from 0 to 4 GHz and channel counts from 0 to 255, between good chunks."""
    rates, channels = (0, 1, 999, 400_000, 2**32 - 1), (1, 0, 3, 255)

    def absurd(number: int, fields: Any) -> Any:
        if number % 3 == 0:
            return fields
        return _chunk(fields, sample_rate=rates[number % 5], channels=channels[number % 4])

    return _chunks(stream, absurd)


def changing_rate(stream: Stream, source: Source) -> Stream:
    """The rate changes every ten seconds between 16, 8 and 48 kHz; counters go on in the new rate."""

    def changed(number: int, fields: Any) -> Any:
        rate = (16_000, 8_000, 48_000)[number // 100 % 3]
        return _chunk(fields, sample_rate=rate, data=at_rate(fields.data, rate))

    return _chunks(stream, changed)


def empty_audio(stream: Stream, source: Source) -> Stream:
    """Every other chunk holds no sample at all."""
    return _chunks(stream, lambda n, f: f if n % 2 else _chunk(f, data=f.data[:0]))


def stereo_44100(stream: Stream, source: Source) -> Stream:
    """AudioStamped, two channels of int16 at 44.1 kHz."""
    return _other(stream, lambda n, s, d: stamped(s, "int16_data", _stereo(at_rate(d, 44_100)), 44_100, 2))


def mono_8000(stream: Stream, source: Source) -> Stream:
    """AudioStamped, int16 at 8 kHz: a telephone."""
    return _other(stream, lambda n, s, d: stamped(s, "int16_data", at_rate(d, 8_000), 8_000))


def int32_48000(stream: Stream, source: Source) -> Stream:
    """AudioStamped, int32 at 48 kHz."""
    return _other(stream, lambda n, s, d: stamped(s, "int32_data", at_rate(d, 48_000).astype(np.int32) << 16, 48_000))


def audio_8bit(stream: Stream, source: Source) -> Stream:
    """AudioStamped with 8 bits a sample, signed and unsigned in turn."""
    return _other(
        stream,
        lambda n, s, d: stamped(
            s, ("int8_data", "uint8_data")[n % 2], (d >> 8).astype((np.int8, np.uint8)[n % 2]), RATE
        ),
    )


def float_48000(stream: Stream, source: Source) -> Stream:
    """AudioFrame, two channels of float at 48 kHz; every 20th one holds NaN, infinity and samples of 1e30."""

    def made(number: int, stamp_ns: int, data: NDArray[np.int16]) -> Any:
        samples = _stereo(at_rate(data, 48_000)).astype(np.float32) / 32768
        if number % 20 == 19:
            samples[:6] = (np.nan, np.inf, -np.inf, 1e30, -1e30, 5e-324)
        return frame(stamp_ns, "float", samples, 48_000, 2)

    return _other(stream, made)


def audio_formats(stream: Stream, source: Source) -> Stream:
    """AudioFrame in every format of its package and in some that are none; half of a sample at the end."""
    forms = ("signed_8", "signed_16", "signed_24", "signed_32", "unsigned_16", "float", "double", "", "mp3")
    return _other(
        stream,
        lambda n, s, d: frame(s, forms[n % len(forms)], np.frombuffer(d.tobytes()[: -(n % 2) or None], np.uint8), RATE),
    )


def audio_unknown(stream: Stream, source: Source) -> Stream:
    """AudioDataStamped of ros-drivers: bytes, and no word on what they are."""
    return _other(stream, lambda n, s, d: _plain(s, d))


# ---- the sound itself


def stamped(stamp_ns: int, field: str, data: NDArray[Any], rate: int, channels: int = 1) -> Any:
    """An AudioStamped message with its samples in `field`."""
    kinds = types()
    widths = {name: np.zeros(0, width) for name, width in WIDTHS.items()} | {field: data}
    info = kinds["audio_common_msgs/msg/AudioInfo"](
        format=8, channels=channels, rate=rate, chunk=len(data) // max(1, channels)
    )
    inner = kinds["audio_common_msgs/msg/AudioData"](**widths)
    sound = kinds["audio_common_msgs/msg/Audio"](audio_data=inner, info=info)
    return kinds[STAMPED](header=messages.header(stamp_ns, MICROPHONE_FRAME), audio=sound)


def frame(stamp_ns: int, form: str, data: NDArray[Any], rate: int, channels: int = 1) -> Any:
    """An AudioFrame message of the bytes of `data`."""
    return types()[FRAME](
        header=messages.header(stamp_ns, MICROPHONE_FRAME),
        format=form,
        channel_count=channels,
        sampling_frequency=rate,
        frame_sample_count=len(data) // max(1, channels),
        data=np.frombuffer(data.tobytes(), np.uint8),
    )


def _plain(stamp_ns: int, data: NDArray[np.int16]) -> Any:
    return types()[PLAIN](
        header=messages.header(stamp_ns, MICROPHONE_FRAME), data=np.frombuffer(data.tobytes(), np.uint8)
    )


def at_rate(data: NDArray[np.int16], rate: int) -> NDArray[np.int16]:
    """The same sound at another rate, by drawing lines between its samples."""
    count = len(data) * rate // RATE
    places = np.arange(count) * RATE / rate
    drawn: NDArray[np.int16] = np.interp(places, np.arange(len(data)), data).round().astype(np.int16)
    return drawn


def _stereo(data: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.repeat(data, 2)


def _chunk(fields: Any, **changes: Any) -> Any:
    values = {name: getattr(fields, name) for name in ("header", "first_sample", "sample_rate", "channels", "data")}
    return messages.typestore().types[AUDIO](**values | changes)


def _chunks(stream: Stream, change: Any) -> Stream:
    def changed(number: int, message: Recorded, fields: Any) -> Iterator[Recorded]:
        yield message._replace(data=messages.serialise(change(number, fields)))

    return sound_as(stream, changed)


def _other(stream: Stream, make: Any) -> Stream:
    """The sound as messages of another type, which `make` gets number, stamp and samples for."""
    types()

    def changed(number: int, message: Recorded, fields: Any) -> Iterator[Recorded]:
        new = make(number, stamp_of(message), fields.data)
        yield Recorded(message.topic, new.__msgtype__, message.recorded_ns, messages.serialise(new))

    return sound_as(stream, changed)


KINDS: dict[str, Alteration] = {
    one.__name__: one
    for one in (
        *(audio_1ms, audio_long, counter_resets, counter_wild, overlapping_audio, absurd_rates, changing_rate),
        *(empty_audio, stereo_44100, mono_8000, int32_48000, audio_8bit, float_48000, audio_formats, audio_unknown),
    )
}
