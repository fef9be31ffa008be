"""Bags with messages that cannot be mistaken for one another, in each storage, and where each of them lies."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from mcap.writer import CompressionType, Writer
from rosbags.rosbag2 import Reader

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagWriter, Recorded
from robot_memory.evaluation.bags.messages import AUDIO, COMPRESSED, ODOMETRY
from robot_memory.streams.bag import Bag

SECOND = 1_000_000_000
START_NS = 1_800_000_000 * SECOND
PAGE = 4096
Message = tuple[int, bytes]  # time of recording, bytes


def recording(count: int = 240) -> list[Recorded]:
    """Pictures of up to 60 kB, sound and poses, all noise, so that each one's beginning and end are its own."""
    dice, made = np.random.default_rng(7), []
    for n in range(count):
        stamp = START_NS + n * SECOND // 20
        if n % 4 == 0:
            noise = dice.integers(0, 256, int(dice.integers(50, 60_000)), np.uint8).tobytes()
            made.append(Recorded("/camera/compressed", COMPRESSED, stamp, messages.compressed_image(stamp, noise)))
        elif n % 4 == 1:
            pose = messages.odometry(stamp, *dice.random(3))
            made.append(Recorded("/odom", ODOMETRY, stamp, pose))
        else:
            samples = dice.integers(-30_000, 30_000, 1600, dtype=np.int16)
            made.append(Recorded("/audio", AUDIO, stamp, messages.audio_chunk(stamp, n * 1600, samples)))
    return made


def by_rosbags(folder: Path, recorded: list[Recorded], storage: str, packed: bool = False) -> Path:
    with BagWriter(folder, storage, packed=packed) as bag:
        for message in recorded:
            bag.write(message)
    return next(one for one in folder.iterdir() if one.suffix in (".mcap", ".db3"))


def by_mcap(folder: Path, like: Path, recorded: list[Recorded], compression: str, chunked: bool = True) -> Path:
    """The same bag by the format's own writer, with what rosbags cannot write: lz4, and no chunks at all."""
    shutil.copytree(like.parent, folder)
    (folder / like.name).unlink()
    with Reader(like) as reader:
        known = {c.topic: (c.msgtype, c.msgdef.data) for c in reader.connections}
    with (folder / like.name).open("wb") as file:
        writer = Writer(file, compression=CompressionType[compression], use_chunking=chunked, chunk_size=400_000)
        writer.start(profile="ros2")
        channels = {
            topic: writer.register_channel(topic, "cdr", writer.register_schema(type_, "ros2msg", text.encode()))
            for topic, (type_, text) in known.items()
        }
        for n, one in enumerate(recorded):
            writer.add_message(channels[one.topic], one.recorded_ns, one.data, one.recorded_ns, n)
        writer.finish()
    return folder / like.name


def ends(data: bytes, recorded: list[Recorded], page: int = 1) -> list[int]:
    """How many bytes of the file it takes to hold each message; to whole pages where it lies on pages."""
    begins = [data.index(one.data[:60]) for one in recorded]
    if page == 1:
        return [begin + len(one.data) for begin, one in zip(begins, recorded, strict=True)]
    places = [max(begin, data.find(one.data[-40:], begin)) + 40 for begin, one in zip(begins, recorded, strict=True)]
    return [-(-place // page) * page for place in places]


def read(folder: Path) -> tuple[list[Message], str]:
    with Bag(folder) as bag:
        return [(one.recorded_ns, one.raw) for one in bag.messages()], bag.damage


def cut(bag: Path, out: Path, length: int) -> Path:
    """A copy of a bag whose file ends early; returns its folder."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / bag.name).write_bytes(bag.read_bytes()[:length])
    shutil.copy(bag.parent / "metadata.yaml", out)
    return out
