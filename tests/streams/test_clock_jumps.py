"""The clock jumps, or one stamp lies: a jump back that two messages agree on is a new part, a stray one is dropped."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from feeding import MS, SHORT, START, Sent, by_stamp, clips_of, give, picture, pictures, poses, recorder, sounds, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.config import StreamSettings
from robot_memory.streams.media import SECOND, ClipMedia
from robot_memory.streams.stamps import StampGuard

HOUR = 3600 * SECOND


def scene(seconds: float, start_ns: int = START, first: int = 0) -> list[Sent]:
    sound = sounds(start_ns, tone(int(seconds * 16_000), first), [1600])
    return by_stamp(pictures(start_ns, seconds), sound, poses(start_ns, seconds))


def shape(clips: list[ClipMedia]) -> list[tuple[str, int, int, float]]:
    """Session, seconds from the first clip's start, frames and seconds of sound of each clip."""
    sound = [sum(len(span.samples) for span in clip.audio) / 16_000 for clip in clips]
    return [
        (c.session, round((c.start_ns - START) / SECOND), len(c.frames), s) for c, s in zip(clips, sound, strict=True)
    ]


def test_back_an_hour_opens_a_new_part_and_nothing_is_lost() -> None:
    to = recorder()
    clips = clips_of(scene(5) + scene(5, START + 5 * SECOND - HOUR), to)
    parts = Counter(dict.fromkeys(("s", "s.1"), 0))
    for clip in clips:
        parts[clip.session] += len(clip.frames)
    assert parts == {"s": 25, "s.1": 25}
    assert sum(len(span.samples) for clip in clips for span in clip.audio) == 160_000
    assert [clip.session for clip in clips] == ["s"] * 3 + ["s.1"] * 3
    assert {session: [c.sequence for c in clips if c.session == session] for session in parts} == {
        "s": [0, 1, 2],
        "s.1": [0, 1, 2],
    }
    assert to.current.id == "s.1" and [part.id for part in to.parts()] == ["s", "s.1"]


def test_the_old_part_is_closed_as_soon_as_all_streams_have_left_it() -> None:
    to = recorder()
    for sent in scene(3) + scene(1, START - HOUR):
        give(to, sent)
    assert [clip.session for clip in to.closed()] == ["s", "s"]


def test_a_jump_reaches_the_streams_one_after_another() -> None:
    """The camera's driver sees the new clock 300 ms before the microphone's."""
    before, after = scene(6), scene(6, START + 6 * SECOND - HOUR)
    late = [
        Sent("audio", s.stamp_ns + HOUR, s.sound, s.first_sample) if s.stream == "audio" and n < 12 else s
        for n, s in enumerate(after)
    ]
    clips = clips_of(before + late)
    assert sum(len(clip.frames) for clip in clips) == 60
    heard_s = sum(len(span.samples) for clip in clips for span in clip.audio) / 16_000
    assert heard_s == pytest.approx(12)


@pytest.mark.parametrize("leap", [HOUR, 8 * SECOND, 59 * SECOND, 61 * SECOND])
def test_a_leap_forward_is_a_gap_in_the_same_part(leap: int) -> None:
    to = recorder()
    clips = clips_of(scene(5) + scene(5, START + 5 * SECOND + leap, 80_000), to)
    assert {clip.session for clip in clips} == {"s"}
    assert sum(len(clip.frames) for clip in clips) == 50
    assert sum(len(span.samples) for clip in clips for span in clip.audio) == 160_000
    assert to.progress().audio_gap_s == pytest.approx(leap / SECOND)
    assert to.progress().reasons == {}


strays = st.sampled_from(
    [-HOUR, HOUR, -5 * SECOND, 5 * SECOND, 20 * SECOND, 59 * SECOND, 1500 * MS, 700 * MS, -700 * MS, -START, 2**62]
)


@given(strays, st.integers(3, 80), st.sampled_from(["image", "audio", "pose"]))
@settings(max_examples=60, deadline=None)
def test_a_single_stray_stamp_costs_one_message_at_most(leap: int, at: int, stream: str) -> None:
    """Nothing else moves: no new part, no clip closed too early, no other message late."""
    messages = scene(10)
    number = [n for n, s in enumerate(messages) if s.stream == stream][at % 35 + 2]
    hit = messages[number]
    messages[number] = Sent(stream, hit.stamp_ns + leap, hit.sound, hit.first_sample)
    to = recorder()
    clips = clips_of(messages, to)
    assert {clip.session for clip in clips} == {"s"}
    usual = [clip for clip in clips if START <= clip.start_ns < START + 10 * SECOND]
    assert sum(len(clip.frames) for clip in usual) >= 50 - (stream == "image")
    assert sum(len(clip.poses) for clip in usual) >= 40 - (stream == "pose")
    assert sum(len(span.samples) for clip in usual for span in clip.audio) >= 160_000 - 2 * 1600 * (stream == "audio")
    assert to.progress().reasons.get("late", 0) <= 1


def test_strays_again_and_again_are_all_dropped() -> None:
    messages = pictures(START, 10)
    wild = [picture(START + n * HOUR) for n in (5, -3, 900, -70, 12)]
    for place, stray in zip((40, 30, 20, 10, 5), wild, strict=True):
        messages.insert(place, stray)
    to = recorder()
    clips = clips_of(messages, to)
    assert shape(clips) == [("s", t, 10, 0.0) for t in (0, 2, 4, 6, 8)]
    assert to.progress().reasons == {"stray": 5}


def test_a_doubtful_last_message_is_a_stray() -> None:
    to = recorder()
    assert shape(clips_of([*pictures(START, 2), picture(START + HOUR)], to)) == [("s", 0, 10, 0.0)]
    assert to.progress().reasons == {"stray": 1}


@pytest.mark.parametrize("every_s", [2, 7, 30, 59])
def test_a_stream_of_few_messages_is_kept(every_s: int) -> None:
    """A camera with a picture each half a minute, alone."""
    to = recorder()
    clips = clips_of([picture(START + n * every_s * SECOND) for n in range(20)], to)
    assert sum(len(clip.frames) for clip in clips) == 20
    assert to.progress().reasons == {}


def test_a_slow_stream_beside_a_fast_one_is_kept() -> None:
    to = recorder()
    slow = [picture(START + n * 7 * SECOND) for n in range(10)]
    clips = clips_of(by_stamp(slow, sounds(START, tone(16_000 * 70), [8000])), to)
    assert sum(len(clip.frames) for clip in clips) == 10
    assert to.progress().reasons == {}


def test_a_stream_that_pauses_for_eight_seconds_goes_on_in_its_place() -> None:
    messages = [s for s in scene(20) if s.stream != "image" or not 6 * SECOND <= s.stamp_ns - START < 14 * SECOND]
    to = recorder()
    assert shape(clips_of(messages, to)) == [("s", t, 0 if 6 <= t < 14 else 10, 2.0) for t in range(0, 20, 2)]
    assert to.progress().reasons == {}


def test_a_stream_that_ends_early_does_not_hold_the_others() -> None:
    to = recorder()
    closed = 0
    for sent in [s for s in scene(20) if s.stream != "audio" or s.stamp_ns < START + 5 * SECOND]:
        give(to, sent)
        closed += len(to.closed())
    assert closed == 9
    assert to.progress().watermark_ns == START + 20 * SECOND - 250 * MS - SECOND // 2


LIMITS = [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 1, 2**63 - 2, START]


@given(st.lists(st.one_of(st.sampled_from(LIMITS), st.integers(-(2**63), 2**63 - 1)), max_size=30))
@settings(max_examples=60, deadline=None)
def test_no_stamp_is_too_odd(odd: list[int]) -> None:
    to, guard = recorder(), StampGuard[int](SHORT, Counter())
    parts = []
    for stamp in odd:
        give(to, picture(stamp))
        give(to, Sent("pose", stamp))
        give(to, Sent("audio", stamp, tone(800)))
        parts += [one.part for one in guard.take(stamp, 0)]
        assert guard.holding in (0, 1)
    assert parts == sorted(parts)
    clips = clips_of([], to)
    assert all(clip.start_ns < clip.end_ns for clip in clips)
    placed = to.progress()
    assert placed.frames_used + placed.frames_spare + placed.frames_dropped == len(odd)


def test_numpy_numbers_do_as_stamps() -> None:
    clips = clips_of([Sent("audio", int(np.int64(START)), tone(1600), rate=int(np.uint32(16_000)))])
    assert len(clips) == 1


def test_a_stream_that_starts_after_the_jump_joins_the_others() -> None:
    before, after = pictures(START, 5), scene(6, START + 5 * SECOND - HOUR)
    clips = clips_of(before + after)
    assert {clip.session for clip in clips if clip.audio} == {"s.1"}
    assert [len(clip.frames) for clip in clips if clip.session == "s.1"] == [5, 10, 10, 5]


@pytest.mark.parametrize("stream", ["image", "audio", "pose"])
def test_a_stray_first_message_is_dropped_where_the_others_know_better(stream: str) -> None:
    messages = scene(6)
    messages.insert(5, messages.pop(next(n for n, s in enumerate(messages) if s.stream == stream)))
    messages[5] = Sent(stream, messages[5].stamp_ns + HOUR, messages[5].sound)
    clips = clips_of(messages)
    assert {clip.session for clip in clips} == {"s"}
    assert [len(clip.frames) for clip in clips] == [10 - (stream == "image"), 10, 10]
    assert [len(clip.poses) for clip in clips] == [8 - (stream == "pose"), 8, 8]


def test_a_stream_that_went_astray_for_two_messages_comes_back_to_the_others() -> None:
    """A driver hands out two old pictures; faces and voices must not stay apart for ever."""
    messages = scene(10)
    old = [Sent("image", START - 60 * SECOND + n * 200 * MS) for n in (0, 1)]
    clips = clips_of(messages[:90] + old + messages[90:])
    assert [c.session for c in clips if c.audio] == ["s"] * 5
    assert sum(len(clip.frames) for clip in clips if clip.audio) >= 48


def test_a_stream_that_died_before_the_jump_does_not_keep_the_old_part_open() -> None:
    dead = [s for s in scene(5) if s.stream != "pose" or s.stamp_ns < START + SECOND]
    alive = [s for s in scene(4, START + 5 * SECOND - HOUR) if s.stream != "pose"]
    to = recorder()
    for sent in dead + alive:
        give(to, sent)
    assert [clip.session for clip in to.closed()][:3] == ["s", "s", "s"]
    assert to.current.id == "s.1"


def test_each_jump_back_is_another_part_and_the_streams_stay_together() -> None:
    parts = [scene(3, START - n * HOUR) for n in range(5)]
    clips = clips_of([sent for part in parts for sent in part])
    assert [c.session for c in clips] == [name for name in ("s", "s.1", "s.2", "s.3", "s.4") for _ in (0, 1)]
    assert all(clip.frames and clip.audio and clip.poses for clip in clips)


def test_guards_need_two_messages_that_agree() -> None:
    """In words: back 10 s, then on from before, then back 10 s twice."""
    dropped: Counter[str] = Counter()
    guard = StampGuard[str](StreamSettings(), dropped)
    took = [
        (one.part, one.item)
        for stamp, item in ((20, "a"), (10, "stray"), (21, "b"), (11, "c"), (12, "d"), (13, "e"))
        for one in guard.take(stamp * SECOND, item)
    ]
    assert took == [(0, "a"), (0, "b"), (1, "c"), (1, "d"), (1, "e")]
    assert dropped == {"stray": 1}
