"""The watermark is the least of the live streams minus the reorder time; within a part it never goes back."""

from __future__ import annotations

from feeding import MS, SHORT, START, by_stamp, give, picture, pictures, pose, recorder, sounds, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.streams.media import SECOND

REORDER = int(SHORT.reorder_s * SECOND)


def test_the_slowest_live_stream_holds_it() -> None:
    to = recorder()
    give(to, picture(START))
    assert to.progress().watermark_ns == START - REORDER
    for sent in sounds(START, tone(16_000 * 3), [1600]):
        give(to, sent)
    assert to.progress().watermark_ns == START - REORDER, "the picture's stream is three seconds behind, and live"
    give(to, sounds(START + 3 * SECOND, tone(1600), [1600])[0])
    assert to.progress().watermark_ns == START + 3100 * MS - REORDER, "it is not live any more"


def test_it_says_that_nothing_before_it_is_open_once_clips_are_closed() -> None:
    to = recorder()
    for sent in by_stamp(pictures(START, 9), sounds(START, tone(16_000 * 9), [1600])):
        give(to, sent)
        watermark = to.progress().watermark_ns
        for clip in to.closed():
            assert clip.end_ns <= watermark
            assert watermark < clip.end_ns + 300 * MS, "a clip closes when the watermark passes its end, not later"


@given(
    st.lists(
        st.tuples(st.sampled_from(["image", "audio", "pose", "pause"]), st.integers(-4 * SECOND, 9 * SECOND)),
        max_size=60,
    )
)
@settings(max_examples=60, deadline=None)
def test_it_never_goes_back_within_a_part(messages: list[tuple[str, int]]) -> None:
    to = recorder()
    last: dict[str, int] = {}
    for kind, offset in messages:
        now = START + offset
        if kind == "pause":
            to.pause()
        else:
            give(
                to,
                picture(now) if kind == "image" else pose(now) if kind == "pose" else sounds(now, tone(800), [800])[0],
            )
        progress = to.progress()
        assert progress.watermark_ns >= last.get(progress.session, 0)
        last[progress.session] = progress.watermark_ns


def test_the_lead_of_the_newest_stamp_is_bounded() -> None:
    """A lockstep player may run 5 s ahead of the watermark, so it must have moved by then (design: laws of time)."""
    from robot_memory.config import StreamSettings

    for chunk in (1600, 16_000):
        to = recorder(StreamSettings())
        sound = [s for s in sounds(START, tone(16_000 * 30), [chunk]) if not 8 <= (s.stamp_ns - START) / SECOND < 20]
        for sent in by_stamp(pictures(START, 30), sound):
            give(to, sent)
            assert sent.stamp_ns - to.progress().watermark_ns < 5 * SECOND
