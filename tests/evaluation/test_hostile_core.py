"""Every kind of bad bag goes through the product's core without ROS: no unknown error, and counts that make sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_memory.config import StreamSettings
from robot_memory.errors import BagUnreadable
from robot_memory.evaluation import perceived
from robot_memory.evaluation.bags.bagwriter import BagWriter
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.hostile import live
from robot_memory.evaluation.hostile.bags import KINDS, make, what
from robot_memory.perception import messages as by_fields
from robot_memory.perception import pictures
from robot_memory.streams.bag import Bag
from robot_memory.streams.media import SAMPLE_RATE, SECOND, ClipMedia
from robot_memory.streams.recorder import Recorder, Unreadable
from robot_memory.streams.sessions import Session

GRACE = Path(__file__).resolve().parents[1] / "bags" / "grace"
SECONDS = 8
FRAMES, SOUND_S, POSES = 40, 8.0, 40  # of the good bag
REFUSED = ("empty", "empty_file", "only_odometry")
Bounds = tuple[float, float]
KEPT: dict[str, tuple[Bounds, Bounds, Bounds]] = {  # frames, seconds of sound, poses: at least and at most
    "no_audio": ((40, 40), (0, 0), (40, 40)),
    "no_images": ((0, 0), (7.9, 8.1), (40, 40)),
    "one_picture": ((1, 1), (0, 0), (0, 0)),
    "drop_outs": ((30, 39), (6, 7.9), (30, 39)),
    "unknown_encoding": ((0, 0), (7.9, 8.1), (40, 40)),
    "zero_size_image": ((0, 0), (7.9, 8.1), (40, 40)),
    "huge_declared": ((0, 0), (7.9, 8.1), (40, 40)),
    "png16": ((40, 40), (7.9, 8.1), (40, 40)),
    "tiny_image": ((40, 40), (7.9, 8.1), (40, 40)),
    "not_pictures": ((0, 8), (7.9, 8.1), (40, 40)),
    "image_flood": ((35, 50), (7.9, 8.1), (40, 40)),
    "audio_1ms": ((40, 40), (7.9, 8.1), (40, 40)),
    "counter_resets": ((40, 40), (7.9, 8.1), (40, 40)),
    "counter_wild": ((40, 40), (7.9, 8.1), (40, 40)),
    "overlapping_audio": ((40, 40), (7.9, 8.1), (40, 40)),
    "changing_rate": ((40, 40), (7.9, 8.1), (40, 40)),
    "empty_audio": ((40, 40), (3.8, 4.2), (40, 40)),
    "stereo_44100": ((40, 40), (7.9, 8.1), (40, 40)),
    "mono_8000": ((40, 40), (7.9, 8.1), (40, 40)),
    "int32_48000": ((40, 40), (7.9, 8.1), (40, 40)),
    "float_48000": ((40, 40), (7.9, 8.1), (40, 40)),
    "audio_unknown": ((40, 40), (0, 0), (40, 40)),
    "negative_stamps": ((40, 40), (7.9, 8.1), (40, 40)),
    "far_future": ((40, 40), (7.9, 8.1), (40, 40)),
    "jump_back": ((38, 40), (7.5, 8.1), (38, 40)),
    "jump_forward": ((38, 40), (7.5, 8.1), (38, 40)),
    "jump_to_zero": ((38, 40), (7.5, 8.1), (38, 40)),
    "stray_stamps": ((33, 40), (7, 8.1), (33, 40)),
    "shuffled": ((40, 40), (7.9, 8.1), (40, 40)),
    "twice": ((40, 40), (7.9, 8.1), (40, 80)),
    "recorded_at_zero": ((30, 40), (6, 8.1), (30, 40)),
    "nan_odometry": ((40, 40), (7.9, 8.1), (20, 20)),
    "empty_strings": ((40, 40), (7.9, 8.1), (40, 40)),
    "long_strings": ((40, 40), (7.9, 8.1), (40, 40)),
    "zero_bytes": ((31, 33), (6, 6.8), (31, 33)),
    "truncated_cdr": ((31, 33), (6, 6.8), (31, 33)),
    "garbage_cdr": ((31, 33), (6, 6.8), (31, 33)),
    "huge_lengths": ((31, 33), (6, 6.8), (31, 33)),
    "all_garbage": ((0, 0), (0, 0), (0, 0)),
    "fuzz": ((30, 40), (5, 8.1), (25, 40)),
    "many_topics": ((40, 40), (7.9, 8.1), (40, 40)),
    "split": ((40, 40), (7.9, 8.1), (40, 40)),
    "packed_file": ((40, 40), (7.9, 8.1), (40, 40)),
    "packed_messages": ((33, 40), (6.5, 8.1), (33, 40)),
    "unclosed_sqlite": ((40, 40), (7.9, 8.1), (40, 40)),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample bag's first seconds."""
    out = tmp_path_factory.mktemp("bags") / "short"
    recorded = list(read_bag(GRACE))
    with BagWriter(out) as bag:
        for message in recorded:
            if message.recorded_ns < recorded[0].recorded_ns + SECONDS * SECOND:
                bag.write(message)
    return out


def clips(bag: Path) -> list[ClipMedia] | None:
    """None where the bag is refused."""
    try:
        with Bag(bag) as opened:
            return [media for media, _ in perceived.cut(opened, "", StreamSettings())]
    except BagUnreadable:
        return None


def kept(found: list[ClipMedia]) -> tuple[int, float, int]:
    """Frames, seconds of sound, poses."""
    sound = sum(len(span.samples) for media in found for span in media.audio) / SAMPLE_RATE
    return sum(len(media.frames) for media in found), sound, sum(len(media.poses) for media in found)


@pytest.mark.parametrize("kind", KINDS)
def test_no_bad_bag_meets_an_unknown_error(source: Path, tmp_path: Path, kind: str) -> None:
    found = clips(make(kind, source, tmp_path / kind))
    assert (found is None) == (kind in REFUSED)
    if found is None:
        return
    frames, sound, poses = kept(found)
    assert frames <= FRAMES + 1000 and sound <= SOUND_S + 1 and poses <= 2 * POSES
    for media in found:
        stamps = [frame.stamp_ns for frame in media.frames]
        assert stamps == sorted(stamps) and all(media.start_ns <= stamp < media.end_ns for stamp in stamps)
        for frame in media.frames:
            pictures.decode(frame.encoded)  # of bombs, too, and in no time
    for value, (least, most) in zip((frames, sound, poses), KEPT.get(kind, ((0, 2000), (0, 99), (0, 99))), strict=True):
        assert least <= value <= most, (kind, frames, sound, poses)


@pytest.mark.parametrize("kind", ["garbage_cdr", "fuzz", "torn_anywhere", "torn_anywhere_sqlite", "bad_blocks"])
def test_other_seeds_are_other_bags_and_no_more_trouble(source: Path, tmp_path: Path, kind: str) -> None:
    seen = set()
    for seed in range(8):
        bag = make(kind, source, tmp_path / str(seed) / "bag", seed)
        seen.add(b"".join(path.read_bytes() for path in sorted(bag.iterdir())))
        if (found := clips(bag)) is None:
            assert kind.startswith("torn_anywhere")
            continue
        frames, sound, poses = kept(found)
        assert 0 < frames + sound + poses <= FRAMES + SOUND_S + POSES + 1
    assert len(seen) == 8


def test_every_kind_says_in_a_sentence_what_is_wrong(source: Path) -> None:
    for kind in KINDS:
        assert what(kind).endswith(".") and len(what(kind)) > 15, kind
    assert len({what(kind) for kind in KINDS}) == len(KINDS)


def taken(recorder: Recorder, stream: str, fields: object) -> None:
    """As perception takes a message."""
    if stream == "image":
        recorder.frame(by_fields.to_ns(fields.header.stamp), by_fields.picture(fields))  # type: ignore[attr-defined]
    elif stream == "audio":
        stamp, first, rate, channels, data = by_fields.sound(fields)
        recorder.audio(stamp or 0, first, rate, channels, data.copy())
    else:
        recorder.pose(by_fields.pose(fields))


def refused(recorder: Recorder, seed: int, count: int) -> Iterator[tuple[str, str]]:
    """The streams and reasons of messages that did not get as far as being counted."""
    for one in live.messages(seed, count):
        before = recorder.received[one.stream]
        try:
            if one.fields is None:
                raise Unreadable("no message at all")
            taken(recorder, one.stream, one.fields)
        except Unreadable as problem:
            if recorder.received[one.stream] == before:
                yield one.stream, str(problem)


@pytest.mark.parametrize("seed", range(4))
def test_hostile_messages_one_by_one_are_counted(seed: int) -> None:
    recorder = Recorder(Session("hostile"), StreamSettings())
    turned_away = Counter(stream for stream, _ in refused(recorder, seed, 1000))
    recorder.finish()
    progress = recorder.progress()
    assert sum(progress.received.values()) + turned_away.total() == 1000
    assert progress.received["image"] == progress.frames_used + progress.frames_spare + progress.frames_dropped
    assert min(progress.received.values()) > 50
    assert progress.frames_used > 20


def test_hostile_messages_are_the_same_each_time() -> None:
    first, again, other = ([one.raw for one in live.messages(seed, 60)] for seed in (3, 3, 4))
    assert first == again != other
