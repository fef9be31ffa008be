"""A closed clip becomes an observation: the same one each time, whatever is missing or broken in it."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.errors import Cancelled
from robot_memory.perception.perceive import perceive
from robot_memory.perception.pictures import encode_jpeg
from robot_memory.streams.media import SECOND, AudioSpan, ClipMedia, Frame, Pose

SETTINGS = PerceptionSettings()
RATE = 16_000
START = 1_700_000_000 * SECOND


def clip(frames=(), audio=(), seconds=10, poses=()) -> ClipMedia:
    return ClipMedia("s", 3, START, START + seconds * SECOND, tuple(frames), tuple(audio), tuple(poses))


def pasted(*encoded: bytes) -> bytes:
    """The pictures side by side, 300 pixels high."""
    images = [cv2.imdecode(np.frombuffer(e, np.uint8), cv2.IMREAD_COLOR)[:512] for e in encoded]
    return encode_jpeg(np.hstack([cv2.resize(i, (300, 300)) for i in images]))


@pytest.fixture(scope="session")
def meeting(hopper, astronaut, speech) -> ClipMedia:
    """Hopper alone, then both, then a dark room; two readers talk, with a hole in the sound; one broken frame."""
    alone, both, dark = hopper, pasted(hopper, astronaut), encode_jpeg(np.full((300, 600, 3), 20, np.uint8))
    shown = [alone] * 8 + [both] * 8 + [b"broken"] + [dark] * 8
    frames = [Frame(START + i * SECOND // 5, encoded) for i, encoded in enumerate(shown)]
    hush = np.zeros(RATE, np.int16)
    first = np.concatenate([speech["1688"][0][: 4 * RATE], hush])
    second = np.concatenate([hush, speech["2033"][0][: 4 * RATE], hush, speech["1688"][1][: 4 * RATE]])
    audio = [AudioSpan(START, first), AudioSpan(START + 6 * SECOND + 7, second)]
    return clip(frames, audio, 17, [Pose(START, "odom", (1.0, 2.0, 0.0), (0.0, 0.0, 0.0, 1.0))])


def same(one, other) -> bool:
    """Bit-equal, through tuples, arrays and dataclasses."""
    if dataclasses.is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one)
        )
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def test_a_meeting(senses, meeting):
    seen = perceive(meeting, senses.eyes, senses.ears, SETTINGS)
    assert (seen.session, seen.sequence, seen.start_ns, seen.end_ns) == ("s", 3, START, START + 17 * SECOND)
    assert (seen.frames, seen.undecodable) == (25, 1)
    assert seen.audio_s == pytest.approx(15.0)
    assert seen.poses == meeting.poses
    assert seen.embedders == senses.embedders
    hopper, collins = seen.tracks
    assert (hopper.start_ns, hopper.end_ns) == (START, START + 15 * SECOND // 5)
    assert (collins.start_ns, collins.end_ns) == (START + 8 * SECOND // 5, START + 15 * SECOND // 5)
    assert float(hopper.embeddings[0] @ collins.embeddings[0]) < senses.same_face
    assert next(k.stamp_ns for k in seen.keyframes) == START
    assert 1 <= len(seen.keyframes) <= 4
    assert "blood" in seen.turns[0].text
    assert seen.turns[0].voice == 0
    voices = {turn.voice for turn in seen.turns if turn.start_ns >= START + 6 * SECOND and turn.embedding is not None}
    assert voices == {0, 1}
    assert all(meeting.start_ns <= t.start_ns < t.end_ns <= meeting.end_ns for t in seen.turns)
    assert [t.start_ns for t in seen.turns] == sorted(t.start_ns for t in seen.turns)


def test_the_same_clip_is_perceived_bit_for_bit_the_same(senses, fresh_senses, meeting):
    """Remembered or not, in this process's senses or in fresh ones."""
    other = fresh_senses()
    first = perceive(meeting, senses.eyes, senses.ears, SETTINGS)
    assert same(first, perceive(meeting, senses.eyes, senses.ears, SETTINGS))
    assert same(first, perceive(meeting, other.eyes, other.ears, SETTINGS))
    assert not same(first, dataclasses.replace(first, frames=26))


def test_what_was_seen_before_does_not_matter(fresh_senses, meeting, astronaut, speech):
    """A clip after another clip is perceived as it would be alone."""
    busy, alone = fresh_senses(), fresh_senses()
    earlier = clip([Frame(START, astronaut)], [AudioSpan(START, speech["2414"][0])])
    perceive(earlier, busy.eyes, busy.ears, SETTINGS)
    assert same(perceive(meeting, busy.eyes, busy.ears, SETTINGS), perceive(meeting, alone.eyes, alone.ears, SETTINGS))


def test_an_empty_clip(senses):
    seen = perceive(clip(), senses.eyes, senses.ears, SETTINGS)
    assert (seen.tracks, seen.turns, seen.keyframes, seen.frames, seen.audio_s) == ((), (), (), 0, 0.0)


def test_pictures_only(senses, hopper):
    seen = perceive(clip([Frame(START, hopper)]), senses.eyes, senses.ears, SETTINGS)
    assert len(seen.tracks) == 1
    assert seen.keyframes[0].jpeg == hopper
    assert seen.turns == ()


def test_sound_only(senses, speech):
    seen = perceive(clip(audio=[AudioSpan(START, speech["3005"][0])]), senses.eyes, senses.ears, SETTINGS)
    assert seen.tracks == ()
    assert seen.keyframes == ()
    assert any("thick" in t.text for t in seen.turns)


def test_nothing_but_broken_frames(senses):
    frames = [Frame(START + i, data) for i, data in enumerate((b"", b"x", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"))]
    seen = perceive(clip(frames), senses.eyes, senses.ears, SETTINGS)
    assert (seen.frames, seen.undecodable, seen.keyframes) == (4, 4, ())


def test_nobody_speaks(senses, no_speech):
    for name, sound in no_speech.items():
        seen = perceive(clip(audio=[AudioSpan(START, sound)]), senses.eyes, senses.ears, SETTINGS)
        assert seen.turns == (), name


def test_empty_and_tiny_spans(senses):
    spans = [AudioSpan(START + i * SECOND, np.zeros(n, np.int16)) for i, n in enumerate((0, 1, 511, 513))]
    seen = perceive(clip(audio=spans), senses.eyes, senses.ears, SETTINGS)
    assert seen.turns == ()
    assert seen.audio_s == pytest.approx(1025 / RATE)


def test_lower_lanes_yield_at_every_frame_and_turn(senses, meeting):
    calls = []
    perceive(meeting, senses.eyes, senses.ears, SETTINGS, lambda: calls.append(1))
    assert len(calls) >= len(meeting.frames) + 15


@pytest.mark.parametrize("after", [0, 5, 27, 40])
def test_cancelling_ends_it_and_the_next_try_is_whole(senses, meeting, after):
    calls = []

    def checkpoint() -> None:
        calls.append(1)
        if len(calls) > after:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        perceive(meeting, senses.eyes, senses.ears, SETTINGS, checkpoint)
    whole = perceive(meeting, senses.eyes, senses.ears, SETTINGS)
    assert same(whole, perceive(meeting, senses.eyes, senses.ears, SETTINGS))
    assert whole.turns
