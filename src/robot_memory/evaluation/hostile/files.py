"""Damage to a finished bag's files: torn, rotten, lost, packed, and described by a metadata.yaml that lies.

Each takes the bag's folder and dice, and changes what lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from robot_memory.evaluation.bags.bagwriter import BagWriter
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.hostile.wal import leave_log

Damage = Callable[[Path, np.random.Generator], None]

TEAR = 0.6  # where a torn file ends, as a fraction of its bytes
PARTS = 3


def torn(bag: Path, dice: np.random.Generator) -> None:
    """The file ends in the middle of a message: the power went while recording."""
    _cut(storage(bag), TEAR)


def torn_anywhere(bag: Path, dice: np.random.Generator) -> None:
    """The file ends at a random byte."""
    _cut(storage(bag), float(dice.random()))


def torn_bare(bag: Path, dice: np.random.Generator) -> None:
    """The file ends early and there is no metadata.yaml: what a killed recorder really leaves."""
    _cut(storage(bag), TEAR)
    no_metadata(bag, dice)


def zero_tail(bag: Path, dice: np.random.Generator) -> None:
    """The last third of the file is zeros: the file system knew its length, not its content."""
    path = storage(bag)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3] + bytes(len(data) - len(data) * 2 // 3))


def bad_blocks(bag: Path, dice: np.random.Generator) -> None:
    """Five blocks of 4 KiB somewhere in the file are noise: a worn flash card."""
    path = storage(bag)
    data = bytearray(path.read_bytes())
    for _ in range(5):
        at = int(dice.integers(0, max(1, len(data) // 4096))) * 4096
        block = dice.integers(0, 256, min(4096, len(data) - at), np.uint8).tobytes()
        data[at : at + len(block)] = block
    path.write_bytes(data)


def no_head(bag: Path, dice: np.random.Generator) -> None:
    """The first 4 KiB of the file are zeros."""
    with storage(bag).open("r+b") as file:
        file.write(bytes(4096))


def empty_file(bag: Path, dice: np.random.Generator) -> None:
    """The file has no bytes at all."""
    storage(bag).write_bytes(b"")


def no_metadata(bag: Path, dice: np.random.Generator) -> None:
    """The recorder was killed before it wrote metadata.yaml."""
    (bag / "metadata.yaml").unlink()


def broken_metadata(bag: Path, dice: np.random.Generator) -> None:
    """metadata.yaml ends in the middle of a line."""
    text = (bag / "metadata.yaml").read_text("utf-8")
    (bag / "metadata.yaml").write_text(text[: len(text) // 2] + "\n  - {", "utf-8")


def wrong_counts(bag: Path, dice: np.random.Generator) -> None:
    """metadata.yaml counts wrongly: half the messages, none at all on any topic, a duration of nothing."""

    def lie(said: dict[str, Any]) -> None:
        said["message_count"] //= 2
        said["duration"]["nanoseconds"] = 0
        for topic in said["topics_with_message_count"]:
            topic["message_count"] = 0

    _rewrite(bag, lie)


def wrong_files(bag: Path, dice: np.random.Generator) -> None:
    """metadata.yaml names files that are not there, outside of the folder at that."""
    _rewrite(bag, lambda said: said.update(relative_file_paths=["/etc/passwd", "../../gone_0.mcap"]))


def wrong_types(bag: Path, dice: np.random.Generator) -> None:
    """metadata.yaml has other types than it should everywhere."""
    nonsense = {"message_count": "many", "duration": [1], "starting_time": None, "topics_with_message_count": 7}
    _rewrite(bag, lambda said: said.update(nonsense))


def split(bag: Path, dice: np.random.Generator) -> None:
    """The bag is split into three files, as a recorder does that is told a greatest size."""
    _split(bag)


def split_unfinished(bag: Path, dice: np.random.Generator) -> None:
    """A split bag whose last file is torn, and not known to metadata.yaml yet."""
    last = _split(bag)[-1]
    _cut(last, TEAR)
    _rewrite(bag, lambda said: said.update(relative_file_paths=said["relative_file_paths"][:-1]))


def missing_file(bag: Path, dice: np.random.Generator) -> None:
    """A split bag whose second file was lost while copying."""
    _split(bag)[1].unlink()


def packed_file(bag: Path, dice: np.random.Generator) -> None:
    """The file is compressed as a whole (rosbag2's file mode, zstd)."""
    _pack(bag)


def torn_packed_file(bag: Path, dice: np.random.Generator) -> None:
    """A file that is compressed as a whole ends early."""
    _cut(_pack(bag), TEAR)


def packed_messages(bag: Path, dice: np.random.Generator) -> None:
    """Each message is compressed on its own (rosbag2's message mode, zstd); one in twenty is cut off."""
    zstd = _zstd()
    messages = list(read_bag(bag))
    with BagWriter(bag, "mcap", replace=True) as writer:
        for message in messages:
            data = zstd.compress(message.data)
            writer.write(message._replace(data=data[: len(data) // 2] if dice.random() < 0.05 else data))
    _rewrite(bag, lambda said: said.update(compression_format="zstd", compression_mode="MESSAGE"))


def unclosed_sqlite(bag: Path, dice: np.random.Generator) -> None:
    """Half of an SQLite bag still lies in the -wal beside it: the recorder was killed before it was closed."""
    leave_log(storage(bag))


def storage(bag: Path) -> Path:
    """The bag's only file of messages."""
    return next(path for path in sorted(bag.iterdir()) if path.suffix in (".mcap", ".db3"))


def _cut(path: Path, place: float) -> None:
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * place))


def _rewrite(bag: Path, change: Callable[[dict[str, Any]], object]) -> None:
    import yaml

    path = bag / "metadata.yaml"
    said = yaml.safe_load(path.read_text("utf-8"))
    change(said["rosbag2_bagfile_information"])
    path.write_text(yaml.safe_dump(said, sort_keys=False), "utf-8")


def _split(bag: Path) -> list[Path]:
    messages = list(read_bag(bag))
    whole, parts = storage(bag), []
    for number in range(PARTS):
        low, high = number * len(messages) // PARTS, (number + 1) * len(messages) // PARTS
        part = bag / f"part_{number}"
        with BagWriter(part, "mcap") as writer:
            for message in messages[low:high]:
                writer.write(message)
        parts.append((part / f"{part.name}.mcap").replace(bag / f"{bag.name}_{number}.mcap"))
        (part / "metadata.yaml").unlink()
        part.rmdir()
    whole.unlink()
    names = [part.name for part in parts]
    _rewrite(bag, lambda said: said.update(relative_file_paths=names, files=[]))
    return parts


def _pack(bag: Path) -> Path:
    path = storage(bag)
    packed = path.with_name(path.name + ".zstd")
    packed.write_bytes(_zstd().compress(path.read_bytes()))
    path.unlink()
    _rewrite(
        bag,
        lambda said: said.update(
            compression_format="zstd", compression_mode="FILE", relative_file_paths=[packed.name], files=[]
        ),
    )
    return packed


def _zstd() -> Any:
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


DAMAGES: dict[str, Damage] = {
    one.__name__: one
    for one in (
        *(torn, torn_anywhere, torn_bare, zero_tail, bad_blocks, no_head, empty_file),
        *(no_metadata, broken_metadata, wrong_counts, wrong_files, wrong_types),
        *(split, split_unfinished, missing_file, packed_file, torn_packed_file, packed_messages),
    )
}
SQLITE: dict[str, Damage] = {
    **{f"{one.__name__}_sqlite": one for one in (torn, torn_anywhere, torn_bare, zero_tail, bad_blocks, no_head)},
    "unclosed_sqlite": unclosed_sqlite,
}
PACKED: dict[str, Damage] = {f"{one.__name__}_zstd": one for one in (torn, torn_anywhere, bad_blocks)}
