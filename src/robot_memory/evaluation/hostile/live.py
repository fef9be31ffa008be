"""Hostile messages one by one, to publish live or to hand to whatever takes messages: from a seed.

Each comes as CDR bytes, and, where it is a message at all, as an object with its type's fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from robot_memory.evaluation.bags import messages as build
from robot_memory.evaluation.bags.messages import AUDIO, COMPRESSED, ODOMETRY, RAW
from robot_memory.evaluation.hostile import garbage, pictures, poses, sounds
from robot_memory.evaluation.hostile.stream import EARLIEST_NS, LATEST_NS
from robot_memory.streams.media import SECOND

STEP_NS = SECOND // 20
RATES = (0, 1, 999, 8_000, 16_000, 44_100, 48_000, 400_000, 2**32 - 1)


@dataclass(frozen=True)
class Hostile:
    """A message: `fields` is None where its bytes are no message of its type. `what` names what is wrong with it."""

    stream: str
    type: str
    what: str
    raw: bytes
    fields: Any


Maker = Callable[[int, int, np.random.Generator], bytes]  # stamp in ns, number, dice -> CDR bytes


def messages(seed: int, n: int, start_ns: int = 1_800_000_000 * SECOND) -> Iterator[Hostile]:
    """`n` messages of all streams and types, twenty a second by their stamps, which lie in one out of ten cases."""
    dice = np.random.default_rng(seed)
    sounds.types()
    kinds = [(stream, type_, what, make) for (stream, type_), makers in MAKERS.items() for what, make in makers.items()]
    for number in range(n):
        stream, type_, what, make = kinds[int(dice.integers(0, len(kinds)))]
        raw = make(_stamp(start_ns + number * STEP_NS, dice), number, dice)
        if dice.random() < 0.15:
            what, raw = f"{what}, spoiled", _spoiled(raw, dice)
        yield Hostile(stream, type_, what, raw, _read(raw, type_))


def _stamp(stamp_ns: int, dice: np.random.Generator) -> int:
    if dice.random() >= 0.1:
        return stamp_ns
    lies = (0, stamp_ns - 3600 * SECOND, stamp_ns + 3600 * SECOND, EARLIEST_NS, LATEST_NS, -1)
    return lies[int(dice.integers(0, len(lies)))]


def _spoiled(raw: bytes, dice: np.random.Generator) -> bytes:
    how = int(dice.integers(0, 4))
    if how == 0:
        return b""
    if how == 1:
        return raw[: int(dice.integers(0, len(raw)))]
    return garbage.noise(dice, len(raw)) if how == 2 else garbage.mutated(dice, raw)


def _read(raw: bytes, type_: str) -> Any:
    from rosbags.serde import SerdeError

    try:
        return build.read(raw, type_)
    except (SerdeError, IndexError, KeyError, OverflowError, AssertionError):
        return None


def _jpeg(stamp_ns: int, number: int, dice: np.random.Generator) -> bytes:
    import cv2

    return build.compressed_image(stamp_ns, bytes(cv2.imencode(".jpg", pictures.ramp(number))[1].tobytes()))


def _chunk(stamp_ns: int, number: int, dice: np.random.Generator) -> bytes:
    fields = build.read(build.audio_chunk(stamp_ns, 0, _samples(dice)), AUDIO)
    return build.serialise(
        type(fields)(
            header=fields.header,
            first_sample=int(dice.integers(0, 2**64, dtype=np.uint64)) if dice.random() < 0.3 else number * 800,
            sample_rate=RATES[int(dice.integers(0, len(RATES)))],
            channels=int(dice.integers(0, 256)) if dice.random() < 0.3 else 1,
            data=fields.data,
        )
    )


def _audio_stamped(stamp_ns: int, number: int, dice: np.random.Generator) -> bytes:
    field, width = list(sounds.WIDTHS.items())[number % len(sounds.WIDTHS)]
    data = (_samples(dice).astype(np.float32) / 32768).astype(width) if number % 2 else _samples(dice).astype(width)
    return build.serialise(sounds.stamped(stamp_ns, field, data, RATES[number % 7] % 2**16, number % 4))


def _audio_frame(stamp_ns: int, number: int, dice: np.random.Generator) -> bytes:
    form = ("signed_16", "float", "double", "", "opus")[number % 5]
    noise = np.frombuffer(garbage.noise(dice, int(dice.integers(0, 4000))), np.uint8)
    return build.serialise(sounds.frame(stamp_ns, form, noise, RATES[number % len(RATES)], number % 256))


def _samples(dice: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int16]]:
    count = 0 if dice.random() < 0.1 else int(dice.integers(1, 20_000 if dice.random() < 0.05 else 1_600))
    return dice.integers(-(2**15), 2**15, count, dtype=np.int16)


MAKERS: dict[tuple[str, str], dict[str, Maker]] = {
    ("image", COMPRESSED): {
        "a good picture": _jpeg,
        "a JPEG of noise": lambda stamp, n, dice: pictures.noisy_jpeg(stamp, dice),
        "a header of four gigapixels": lambda stamp, n, dice: pictures.bomb(stamp, n),
        "no picture": lambda stamp, n, dice: build.compressed_image(stamp, garbage.noise(dice, n % 300), "jpeg"),
    },
    ("image", RAW): {
        "an encoding": lambda stamp, n, dice: pictures.in_encoding(stamp, int(dice.integers(0, 1000)), dice),
        "sizes that disagree": lambda stamp, n, dice: pictures.disagreeing(stamp, int(dice.integers(0, 8))),
        "a gigantic size": lambda stamp, n, dice: pictures.gigantic(stamp),
    },
    ("audio", AUDIO): {"a chunk": _chunk},
    ("audio", sounds.STAMPED): {"another driver's chunk": _audio_stamped},
    ("audio", sounds.FRAME): {"another driver's frame": _audio_frame},
    ("pose", ODOMETRY): {
        "a good pose": lambda stamp, n, dice: build.odometry(stamp, n / 10, 0.0, 0.1),
        "wild numbers": lambda stamp, n, dice: build.serialise(poses.wild_pose(stamp, n)),
    },
}
