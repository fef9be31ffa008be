"""Messages that come within the time allowed for reordering give the same clips, whatever the order."""

from __future__ import annotations

import random

from feeding import SHORT, START, Sent, by_stamp, clips_of, content, pictures, poses, recorder, sounds, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.streams.media import SECOND

REORDER = int(SHORT.reorder_s * SECOND)


@st.composite
def recordings(draw: st.DrawFn) -> list[Sent]:
    """Three streams with gaps in one, an early end in another, chunks of any length, messages sent twice."""
    chunk = draw(st.integers(160, 4000))
    origin = START + draw(st.integers(0, 2 * SECOND))
    pics = pictures(origin, draw(st.floats(0, 16)), draw(st.sampled_from([1.0, 3.0, 5.0, 11.0])))
    sound = sounds(
        origin + draw(st.integers(0, SECOND)), tone(int(draw(st.floats(0, 16)) * 16_000)), [chunk, chunk // 2]
    )
    walk = poses(origin, draw(st.floats(0, 16)), 2.0)
    gap = START + draw(st.integers(0, 10)) * SECOND
    holed = draw(st.sampled_from(["image", "audio", "pose", "none"]))
    messages = [s for s in by_stamp(pics, sound, walk) if s.stream != holed or not gap <= s.stamp_ns < gap + 8 * SECOND]
    return by_stamp(messages, messages[:: draw(st.integers(3, 50))])


@given(recordings(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_any_order_within_the_reorder_time_gives_the_same_clips(messages: list[Sent], seed: int) -> None:
    rng = random.Random(seed)

    def arrival(sent: Sent) -> int:
        """A sample is in time until the reorder time is over, so a long chunk may come less late than a short one."""
        spare = REORDER - len(sent.sound) * SECOND // sent.rate
        return sent.stamp_ns + rng.randint(0, spare)

    straight, shuffled = recorder(), recorder()
    expected = [content(clip) for clip in clips_of(messages, straight)]
    assert [content(clip) for clip in clips_of(sorted(messages, key=arrival), shuffled)] == expected
    one, other = straight.progress(), shuffled.progress()
    assert (one.frames_used, one.audio_gap_s) == (other.frames_used, other.audio_gap_s)
    assert {*one.reasons, *other.reasons} <= {"duplicate"}, "nothing was late"


@given(recordings())
@settings(max_examples=20, deadline=None)
def test_whole_streams_one_behind_the_other_within_the_reorder_time(messages: list[Sent]) -> None:
    """Each message of one stream comes as late as it may: a slow driver."""
    for slow in ("image", "audio", "pose"):
        late = sorted(
            messages, key=lambda s: s.stamp_ns + (REORDER - len(s.sound) * SECOND // s.rate) * (s.stream == slow)
        )
        assert [content(c) for c in clips_of(late)] == [content(c) for c in clips_of(messages)]
