"""A video becomes the bag that a robot would have recorded: right pictures at the right times, right sound, whole."""

from __future__ import annotations

import argparse
import re
import tracemalloc
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from filming import bar_at, film, tones, turned
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagNotWritten
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.public.convert import convert
from robot_memory.evaluation.public.convert_command import register
from robot_memory.evaluation.public.video import UNKNOWN_START_NS, Look, Sound, Video, VideoUnreadable
from robot_memory.streams.bag import Bag

SECOND = 1_000_000_000
RATE = 16_000
EVERY = [n / 25 for n in range(75)]  # 3 s at 25 pictures a second


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds with B-frames and sound."""
    return film(tmp_path_factory.mktemp("film") / "plain.mp4", EVERY, tones(3), b_frames=3)


def shown(video: Video, look: Look = Look()) -> list[tuple[float, NDArray[np.uint8]]]:  # noqa: B008
    """(seconds since the start, picture)"""
    return [((one.at_ns - video.start_ns) / SECOND, opened(one.jpeg)) for one in video.pictures(look)]


def opened(jpeg: bytes) -> NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def bar(picture: NDArray[np.uint8]) -> int:
    """Where the white bar begins."""
    row = picture[len(picture) * 3 // 4, :, 1].astype(int)
    return int(np.flatnonzero(row > 160).min())


def joined(sounds: list[Sound]) -> NDArray[np.float64]:
    return np.concatenate([one.samples for one in sounds]).astype(float)


def pitch(samples: NDArray[np.float64]) -> float:
    return float(np.argmax(np.abs(np.fft.rfft(samples))) * RATE / len(samples))


def test_pictures_come_in_order_at_their_times_despite_b_frames(plain: Path) -> None:
    pictures = shown(Video(plain))
    assert [round(at, 3) for at, _ in pictures] == [round(n / 5, 3) for n in range(15)]
    assert all(abs(bar(picture) - bar_at(at)) <= 1 for at, picture in pictures)


def test_other_rates_and_sizes(plain: Path) -> None:
    pictures = shown(Video(plain), Look(fps=2, longest_side=160))
    assert [round(at, 2) for at, _ in pictures] == [0, 0.52, 1, 1.52, 2, 2.52], "the first at or behind each slot"
    assert {picture.shape for _, picture in pictures} == {(90, 160, 3)}


def test_sound_is_16_khz_mono_without_gaps(plain: Path) -> None:
    sounds = list(Video(plain).sound())
    assert [one.first for one in sounds] == [1600 * n for n in range(len(sounds))]
    assert all(b.at_ns == a.taken_ns for a, b in pairwise(sounds))
    heard = joined(sounds)
    assert len(heard) == pytest.approx(3 * RATE, abs=0.05 * RATE)
    assert [round(pitch(heard[n * RATE + 2000 : (n + 1) * RATE - 2000])) for n in range(3)] == [300, 400, 500]


def test_variable_frame_rate_holds_the_picture_that_stands(tmp_path: Path) -> None:
    times = [0, 0.1, 0.15, 0.2, 2.2, 2.21, 2.5]
    pictures = shown(Video(film(tmp_path / "vfr.mp4", times)))
    assert [round(at, 2) for at, _ in pictures] == [round(n / 5, 2) for n in range(12)] + [2.5]
    assert {bar(picture) for at, picture in pictures if 0.2 <= at < 2.2} == {bar_at(0.2)}
    assert [abs(bar(picture) - bar_at(at)) <= 1 for at, picture in pictures if at >= 2.2] == [True, True]


@pytest.mark.parametrize(("degrees", "corner"), [(90, (0, -1)), (180, (-1, -1)), (270, (-1, 0))])
def test_a_turned_camera_gives_upright_pictures(
    plain: Path, tmp_path: Path, degrees: int, corner: tuple[int, int]
) -> None:
    """The red corner, top left as coded, is where a player shows it."""
    _, picture = shown(Video(turned(plain, tmp_path / "turned.mp4", degrees)))[0]
    assert picture.shape[:2] == ((180, 320) if degrees == 180 else (320, 180))
    y, x = (8 if side == 0 else -8 for side in corner)
    blue, green, red = (int(value) for value in picture[y, x])
    assert red > 200 and max(blue, green) < 60


def test_without_sound_there_is_no_audio_topic(tmp_path: Path) -> None:
    done = convert(Video(film(tmp_path / "silent.mp4", EVERY)), tmp_path / "bag")
    assert done.counts == {"/camera/image_raw/compressed": 15}
    with Bag(tmp_path / "bag") as bag:
        assert bag.missing() == ["no audio topic: nothing will be heard"]


def test_sound_alone_is_a_bag_too(tmp_path: Path) -> None:
    done = convert(Video(film(tmp_path / "tone.m4a", sound=tones(2))), tmp_path / "bag")
    assert list(done.counts) == ["/audio"]


def test_a_gap_in_the_sound_stays_a_gap(tmp_path: Path) -> None:
    path = film(tmp_path / "gap.mp4", sound=tones(4), sound_at=[(0, 1), (2, 4)])
    sounds = list(Video(path).sound())
    breaks = [
        (a.taken_ns, b.at_ns, b.first - a.first - len(a.samples)) for a, b in pairwise(sounds) if b.at_ns > a.taken_ns
    ]
    assert len(breaks) == 1
    end_ns, again_ns, missing = breaks[0]
    assert (again_ns - end_ns) / SECOND == pytest.approx(1, abs=0.05)
    assert missing == pytest.approx(RATE, abs=0.05 * RATE), "the counter shows it"


def test_transport_streams_begin_at_the_start_too(tmp_path: Path) -> None:
    """Their own clock begins anywhere."""
    video = Video(film(tmp_path / "plain.ts", EVERY, tones(3), b_frames=2))
    at, picture = shown(video)[-1]
    assert at == pytest.approx(2.8, abs=0.05) and abs(bar(picture) - bar_at(2.8)) <= 3
    assert next(video.sound()).at_ns == video.start_ns


def test_the_bag_holds_what_the_video_holds(plain: Path, tmp_path: Path) -> None:
    start_ns = 1_772_443_800 * SECOND
    done = convert(Video(plain, start_ns), tmp_path / "bag")
    recorded = list(read_bag(tmp_path / "bag"))
    assert [one.recorded_ns for one in recorded] == sorted(one.recorded_ns for one in recorded)
    pictures = [messages.read(one.data, one.msgtype) for one in recorded if one.msgtype == messages.COMPRESSED]
    sounds = [messages.read(one.data, one.msgtype) for one in recorded if one.msgtype == messages.AUDIO]
    stamps = [one.header.stamp.sec * SECOND + one.header.stamp.nanosec for one in pictures]
    assert stamps == [start_ns + n * SECOND // 5 for n in range(15)]
    assert {(one.sample_rate, one.channels) for one in sounds} == {(RATE, 1)}
    assert done.counts == {"/camera/image_raw/compressed": 15, "/audio": len(sounds)}
    assert done.seconds == pytest.approx(3, abs=0.05)


def run(*words: str) -> int:
    top = argparse.ArgumentParser()
    register(top.add_subparsers(required=True))
    args = top.parse_args(["convert", *words])
    return int(args.func(args))


def test_the_command_line_converts(plain: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(plain), str(tmp_path / "bag"), "--start", "2026-03-02T10:30:00+01:00") == 0
    assert "/audio: 31 messages" in capsys.readouterr().out
    with Bag(tmp_path / "bag") as bag:
        assert bag.origin_ns() == 1_772_443_800 * SECOND
    with pytest.raises(BagNotWritten, match="there already"):
        run(str(plain), str(tmp_path / "bag"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--start", "yesterday"], "write date, time and zone"),
        (["--start", "2026-03-02T09:30:00"], "has no zone"),
        (["--start", "2090-03-02T09:30:00Z"], "between 1970 and 2037"),
        (["--fps", "0"], "--fps 0: must lie between 0.1 and 60"),
        (["--size", "5"], "--size 5: must lie between"),
    ],
)
def test_options_out_of_range_are_refused(plain: Path, tmp_path: Path, words: list[str], told: str) -> None:
    with pytest.raises(RobotMemoryError, match=re.escape(told)):
        run(str(plain), str(tmp_path / "bag"), *words)
    assert not (tmp_path / "bag").exists()


@pytest.mark.parametrize("cut", [0.2, 0.7])
def test_a_torn_video_is_refused_or_used_as_far_as_it_goes(plain: Path, tmp_path: Path, cut: float) -> None:
    """An MP4's index stands at its end: without it nothing can be read. A Matroska file is readable up to the tear."""
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(plain.read_bytes()[: int(plain.stat().st_size * cut)])
    with pytest.raises(VideoUnreadable, match=r"torn\.mp4: cannot be read"):
        Video(torn)
    whole = film(tmp_path / "whole.mkv", EVERY, tones(3))
    torn = tmp_path / "torn.mkv"
    torn.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * cut)])
    done = convert(Video(torn), tmp_path / "bag")
    assert 0 < done.seconds < 3


def test_what_is_no_video_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"not a video", b"\0" * 5000):
        path = tmp_path / "no.mp4"
        path.write_bytes(content)
        with pytest.raises(VideoUnreadable):
            Video(path)
    with pytest.raises(VideoUnreadable, match="no such file"):
        Video(tmp_path / "none.mp4")
    with pytest.raises(VideoUnreadable):
        Video(tmp_path)


def test_stopped_half_way_nothing_is_left(plain: Path, tmp_path: Path) -> None:
    def stop(seconds: float) -> None:
        if seconds > 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert(Video(plain), tmp_path / "bags" / "bag", progress=stop)
    assert list((tmp_path / "bags").iterdir()) == []


def test_a_bag_in_the_way_stays_unless_replaced(plain: Path, tmp_path: Path) -> None:
    convert(Video(plain), tmp_path / "bag")
    before = {path.name: path.read_bytes() for path in (tmp_path / "bag").iterdir()}
    with pytest.raises(BagNotWritten, match="there already"):
        convert(Video(plain), tmp_path / "bag")
    assert {path.name: path.read_bytes() for path in (tmp_path / "bag").iterdir()} == before
    convert(Video(plain, 2 * UNKNOWN_START_NS), tmp_path / "bag", replace=True)


def test_a_longer_video_needs_no_more_memory(tmp_path: Path) -> None:
    peaks = []
    for seconds in (4, 24):
        path = film(tmp_path / f"{seconds}.mp4", [n / 10 for n in range(seconds * 10)], tones(seconds))
        tracemalloc.start()
        for _ in Video(path).media():
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 500_000, f"{peaks[1]:,} bytes against {peaks[0]:,}"
