"""Clips are cut on stamps: half-open, one after the other, numbered without a hole, each closed once and for good."""

from __future__ import annotations

import itertools

import pytest
from feeding import (
    MS,
    SHORT,
    START,
    Sent,
    by_stamp,
    clips_of,
    content,
    give,
    picture,
    pictures,
    pose,
    poses,
    recorder,
    sounds,
    tone,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.streams.media import SECOND

CLIP = 2 * SECOND
SAMPLE = SECOND // 16_000


def day(seconds: float) -> list[Sent]:
    return by_stamp(pictures(START, seconds), sounds(START, tone(int(seconds * 16_000)), [1600]), poses(START, seconds))


def test_ten_seconds_are_five_clips_with_all_that_was_sent() -> None:
    clips = clips_of(day(10))
    assert [clip.sequence for clip in clips] == [0, 1, 2, 3, 4]
    assert [clip.start_ns - START for clip in clips] == [0, CLIP, 2 * CLIP, 3 * CLIP, 4 * CLIP]
    assert {len(clip.frames) for clip in clips} == {10}
    assert {len(clip.poses) for clip in clips} == {8}
    assert {len(clip.audio) for clip in clips} == {1}
    assert {len(clip.audio[0].samples) for clip in clips} == {32_000}


def test_a_message_on_the_border_belongs_to_the_clip_that_begins() -> None:
    clips = clips_of([picture(START + CLIP - 1), picture(START + CLIP), picture(START + CLIP + SECOND)])
    assert [[frame.stamp_ns - START - CLIP for frame in clip.frames] for clip in clips] == [[-1], [0, SECOND]]


def test_the_last_clip_ends_where_its_last_message_does() -> None:
    assert clips_of([picture(START), picture(START + 700 * MS)])[-1].end_ns == START + 700 * MS + 1
    sound = clips_of(sounds(START, tone(16_000), [1600]))
    assert sound[-1].end_ns == START + SECOND


@pytest.mark.parametrize("origin", [START + 1, START + 137 * MS, START - 10 * SECOND + 3, 1, -5 * SECOND])
def test_clips_begin_at_the_sessions_origin(origin: int) -> None:
    clips = clips_of(day(6), recorder(origin_ns=origin))
    assert {(clip.start_ns - origin) % CLIP for clip in clips} == {0}
    assert sum(len(clip.frames) for clip in clips) == 30
    assert sum(len(span.samples) for clip in clips for span in clip.audio) == 6 * 16_000


@given(st.integers(0, 7 * SECOND))
@settings(max_examples=15, deadline=None)
def test_messages_before_the_origin_have_a_clip_too(before: int) -> None:
    clips = clips_of(day(3), recorder(origin_ns=START + before))
    assert sum(len(clip.poses) for clip in clips) == 12
    assert sum(len(span.samples) for clip in clips for span in clip.audio) == 3 * 16_000


stamps = st.lists(st.integers(-6 * SECOND, 6 * SECOND), min_size=1, max_size=40)


@given(stamps, st.lists(st.sampled_from(["image", "pose", "audio", "pause"]), min_size=40, max_size=40))
@settings(max_examples=60, deadline=None)
def test_clips_never_overlap_and_are_numbered_in_order(leaps: list[int], kinds: list[str]) -> None:
    """Whatever the stamps do: jump, repeat, run backwards."""
    to, now, clips, at_closing = recorder(), START, [], []
    for leap, kind in zip(leaps, kinds, strict=False):
        now += leap
        if kind == "pause":
            to.pause()
        else:
            give(
                to,
                picture(now)
                if kind == "image"
                else pose(now)
                if kind == "pose"
                else sounds(now, tone(4000), [4000])[0],
            )
        fresh = to.closed()
        clips += fresh
        at_closing += [content(clip) for clip in fresh]
    to.finish()
    fresh = to.closed()
    clips += fresh
    at_closing += [content(clip) for clip in fresh]
    assert [content(clip) for clip in clips] == at_closing, "a closed clip has changed"
    for session in {clip.session for clip in clips}:
        mine = [clip for clip in clips if clip.session == session]
        assert [clip.sequence for clip in mine] == list(range(len(mine)))
        assert all(a.end_ns <= b.start_ns for a, b in itertools.pairwise(mine))
        assert all(clip.start_ns < clip.end_ns <= clip.start_ns + CLIP for clip in mine)
    for clip in clips:
        assert clip.frames or clip.audio
        inside = [f.stamp_ns for f in clip.frames] + [p.stamp_ns for p in clip.poses] + [s.stamp_ns for s in clip.audio]
        assert all(clip.start_ns <= stamp < clip.end_ns for stamp in inside)
        assert all(span.end_ns < clip.end_ns + SAMPLE for span in clip.audio), "the last sample begins within the clip"
        assert all(a.end_ns <= b.stamp_ns for a, b in zip(clip.audio, clip.audio[1:], strict=False))
        for stamps in ([frame.stamp_ns for frame in clip.frames], [place.stamp_ns for place in clip.poses]):
            assert all(a < b for a, b in itertools.pairwise(stamps))


def test_closed_hands_each_clip_out_once() -> None:
    to = recorder()
    for sent in day(6):
        give(to, sent)
    first = to.closed()
    assert len(first) == 2
    assert to.closed() == []
    to.finish()
    assert [clip.sequence for clip in to.closed()] == [2]
    to.finish()
    assert to.closed() == []
    assert to.progress().clips_closed == 3


def test_frames_are_chosen_by_slot_not_by_a_timer() -> None:
    """Thirty pictures a second, five wanted: the first of each fifth of a second, wherever the stream begins."""
    start = START + 61 * MS
    clips = clips_of(pictures(start, 2, per_second=30))
    kept = [frame.stamp_ns for clip in clips for frame in clip.frames]
    slots = [stamp * 5 // SECOND for stamp in kept]
    assert len(slots) == len(set(slots)) == 11
    assert kept[1:] == [
        min(s.stamp_ns for s in pictures(start, 2, 30) if s.stamp_ns * 5 // SECOND == slot) for slot in slots[1:]
    ]


def test_a_late_pose_opens_no_clip_behind_the_watermark() -> None:
    """Time that the watermark has passed is over, even where nothing had come."""
    to = recorder()
    for sent in sounds(START + 20 * SECOND, tone(16_000 * 5), [1600]):
        give(to, sent)
    give(to, picture(START))
    assert [clip.start_ns for clip in clips_of([], to)] == sorted(START + (20 + 2 * n) * SECOND for n in range(3))
    assert to.progress().reasons == {"late": 1}
    assert SHORT.clip_s == 2.0
