"""Every camera message ends as exactly one of used, spare, dropped or open, whatever happened to it."""

from __future__ import annotations

import pytest
from feeding import MS, SHORT, START, Sent, clips_of, give, picture, recorder, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.streams.media import SECOND
from robot_memory.streams.recorder import Progress, Recorder, Unreadable

HOUR = 3600 * SECOND


def accounted(progress: Progress) -> int:
    return progress.frames_used + progress.frames_spare + progress.frames_dropped + progress.frames_open


frames = st.lists(
    st.tuples(
        st.one_of(
            st.integers(0, 300 * MS),
            st.sampled_from([0, -200 * MS, -3 * SECOND, -HOUR, HOUR, 8 * SECOND, 61 * SECOND, -SECOND]),
        ),
        st.sampled_from(["good", "good", "good", "broken", "refused", "pause"]),
    ),
    max_size=60,
)


@given(frames)
@settings(max_examples=100, deadline=None)
def test_frames_reconcile_after_each_message(sent: list[tuple[int, str]]) -> None:
    to, now = recorder(), START
    in_clips = 0
    for step, kind in sent:
        now += step
        if kind == "refused":
            to.refuse("image")
        elif kind == "pause":
            to.pause()
        else:
            give(to, picture(now, broken=kind == "broken"))
        in_clips += sum(len(clip.frames) for clip in to.closed())
        progress = to.progress()
        assert accounted(progress) == progress.received.get("image", 0)
        assert in_clips == progress.frames_used
    to.finish()
    in_clips += sum(len(clip.frames) for clip in to.closed())
    progress = to.progress()
    assert progress.frames_open == 0
    assert accounted(progress) == sum(kind != "pause" for _, kind in sent)
    assert in_clips == progress.frames_used


def test_a_broken_picture_that_waited_for_its_successor_does_not_take_it_along() -> None:
    to = recorder()
    for sent in (picture(START), picture(START + 2 * HOUR, broken=True), picture(START + 2 * HOUR + 100 * MS)):
        give(to, sent)
    to.finish()
    progress = to.progress()
    assert (progress.frames_used, progress.reasons) == (2, {"unreadable": 1})


def test_a_frame_comes_back_once_it_is_part_of_an_open_clip() -> None:
    to = recorder()
    assert [f.stamp_ns for f in to.frame(START, lambda: b"x")] == [START]
    assert to.frame(START, lambda: b"x") == [], "the same again"
    assert to.frame(START + 10 * MS, lambda: b"y") == [], "its slot is taken"
    assert to.frame(START + HOUR, lambda: b"z") == [], "who knows"
    assert [f.encoded for f in to.frame(START + HOUR + 200 * MS, lambda: b"!")] == [b"z", b"!"]


def test_pictures_are_not_encoded_in_vain() -> None:
    calls = []
    to = recorder()
    for n in range(100):
        to.frame(START + n * 10 * MS, lambda: calls.append(1) or b"x")  # type: ignore[func-returns-value]
    assert len(calls) == 5


@pytest.mark.parametrize("error", [Unreadable("pictures of 0 x 0 pixels"), ValueError("what nobody thought of")])
def test_an_encoders_error_reaches_the_caller_and_is_counted(error: Exception) -> None:
    def broken() -> bytes:
        raise error

    to = recorder()
    with pytest.raises(type(error), match=str(error)):
        to.frame(START, broken)
    assert to.progress().reasons == {"unreadable": 1}
    assert to.frame(START + MS, lambda: b"x"), "and the slot is still free"


def test_a_broken_picture_that_waits_at_the_end_stops_nothing() -> None:
    to = recorder()
    clips = clips_of([picture(START), picture(START + 9 * SECOND, broken=True)], to)
    assert [len(clip.frames) for clip in clips] == [1]
    assert to.progress().reasons == {"unreadable": 1}


def test_an_earlier_frame_takes_the_slot_over_even_if_it_comes_later() -> None:
    to = recorder()
    clips = clips_of([picture(START + 50 * MS), picture(START + 20 * MS), picture(START + 90 * MS)], to)
    assert [frame.stamp_ns - START for frame in clips[0].frames] == [20 * MS]
    assert to.progress().frames_spare == 2


def test_a_broken_earlier_frame_leaves_the_slot_to_the_later_one() -> None:
    clips = clips_of([picture(START + 50 * MS), picture(START + 20 * MS, broken=True)])
    assert [frame.stamp_ns - START for frame in clips[0].frames] == [50 * MS]


def test_what_is_said_about_each_loss() -> None:
    to: Recorder = recorder()
    for stamp in (0, 0, 4 * SECOND, 3700 * MS, 2 * SECOND + 900 * MS):
        give(to, picture(START + stamp))
    to.refuse("image", "no room")
    to.finish()
    assert to.progress().reasons == {"duplicate": 1, "stray": 1, "no room": 1}
    assert to.progress().frames_used == 3 and SHORT.reorder_s == 0.5


def test_sound_and_poses_that_are_lost_are_counted_as_well() -> None:
    to = recorder()
    give(to, picture(START + 10 * SECOND))
    give(to, Sent("pose", START))
    give(to, Sent("audio", START, first_sample=0, sound=tone(1600)))
    with pytest.raises(Unreadable, match=r"1,000 to 384,000 Hz"):
        to.audio(START, 0, 0, 1, tone(1600))
    with pytest.raises(Unreadable, match="channels"):
        to.audio(START, 0, 16_000, 0, tone(1600))
    to.finish()
    progress = to.progress()
    assert progress.received == {"image": 1, "pose": 1, "audio": 3}
    assert progress.reasons == {"late": 2, "unreadable": 2}


def test_however_many_wrong_rates_there_are_they_have_one_cause() -> None:
    to, told = recorder(), set()
    for rate, channels in ((0, 1), (999, 3), (400_000, 255), (2**32 - 1, 1), (16_000, 0)):
        with pytest.raises(Unreadable) as refused:
            to.audio(START, 0, rate, channels, tone(1600))
        told.add(str(refused.value))
    assert told == {"audio without channels, or not of 1,000 to 384,000 Hz"}
    for seconds in (70, 100):
        with pytest.raises(Unreadable, match=r"^audio messages of more than 60 s: publish chunks of a second or less$"):
            to.audio(START, 0, 1000, 1, tone(seconds * 1000))
