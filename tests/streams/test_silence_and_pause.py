"""A live source falls silent: what is open is closed; what comes next starts a new clip and loses nothing."""

from __future__ import annotations

import itertools

import numpy as np
from feeding import MS, START, by_stamp, clips_of, content, give, heard, picture, pictures, recorder, sounds, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.streams.media import SECOND


def test_pause_closes_what_is_open_where_its_last_message_ends() -> None:
    to = recorder()
    for sent in by_stamp(pictures(START, 1), sounds(START, tone(16_000), [1600])):
        give(to, sent)
    assert to.holds_media()
    to.pause()
    (clip,) = to.closed()
    assert (clip.start_ns, clip.end_ns) == (START, START + SECOND)
    assert not to.holds_media()
    to.pause()
    assert to.closed() == []


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.integers(0, SECOND))
@settings(max_examples=40, deadline=None)
def test_going_on_after_a_pause_without_a_gap_loses_no_sample(pauses: list[int], offset: int) -> None:
    """The transport stalled for three seconds, then delivers what had waited: the stamps go on where they were."""
    to, clips = recorder(), []
    for number, sent in enumerate(sounds(START + offset, tone(16_000 * 6), [1600])):
        if number in pauses:
            to.pause()
        give(to, sent)
        clips += to.closed()
    clips += clips_of([], to)
    assert np.array_equal(heard(clips), tone(16_000 * 6))
    assert all(a.end_ns <= b.start_ns for a, b in itertools.pairwise(clips))
    assert to.progress().reasons == {}
    assert to.progress().audio_gap_s == 0


def test_the_next_clip_begins_where_the_paused_one_ended_and_ends_on_the_old_grid() -> None:
    to = recorder()
    give(to, picture(START + 300 * MS))
    to.pause()
    clips = to.closed() + clips_of(pictures(START + SECOND, 3), to)
    assert [(clip.start_ns - START, clip.end_ns - START) for clip in clips] == [
        (0, 300 * MS + 1),
        (300 * MS + 1, 2 * SECOND),
        (2 * SECOND, 3800 * MS + 1),
    ]


def test_what_comes_from_before_the_pause_is_late() -> None:
    to = recorder()
    give(to, picture(START + SECOND))
    to.pause()
    before = [content(clip) for clip in to.closed()]
    give(to, picture(START + 800 * MS))
    assert to.progress().reasons == {"late": 1}
    assert len(before) == 1 and clips_of([], to) == []


def test_a_chunk_that_was_partly_heard_before_the_pause_is_heard_once() -> None:
    to = recorder()
    first, second = sounds(START, tone(16_000), [8000])
    give(to, first)
    to.pause()
    clips = to.closed()
    twice = sounds(START + 250 * MS, tone(16_000, 4000), [8000])
    give(to, twice[0])
    clips += clips_of([], to)
    assert np.array_equal(heard(clips), tone(12_000)) and second.first_sample == 8000


def test_pausing_before_anything_came_is_harmless() -> None:
    to = recorder()
    to.pause()
    to.finish()
    assert to.closed() == [] and to.progress().clips_closed == 0
    assert to.current.id == "s" and to.parts() == []
