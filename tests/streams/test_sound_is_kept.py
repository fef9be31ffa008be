"""The sound of all clips, one after the other, is what was sent: nothing lost, nothing twice."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from feeding import MS, START, Sent, by_stamp, clips_of, give, heard, picture, recorder, sounds, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.streams.audio import Chunk, stitch
from robot_memory.streams.media import SAMPLE_RATE, SECOND, ClipMedia


def spans(clips: list[ClipMedia]) -> list[tuple[int, int]]:
    return [(span.stamp_ns, span.end_ns) for clip in clips for span in clip.audio]


@given(st.integers(0, 4 * SECOND), st.integers(1, 90_000), st.lists(st.integers(1, 9000), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_a_contiguous_stream_is_kept_whole(offset: int, count: int, lengths: list[int]) -> None:
    lengths = [max(length, 400) for length in lengths]
    to = recorder()
    clips = clips_of(sounds(START + offset, tone(count), lengths), to)
    assert np.array_equal(heard(clips), tone(count))
    assert all(len(clip.audio) == 1 for clip in clips)
    assert to.progress().audio_gap_s == 0
    assert abs(clips[0].audio[0].stamp_ns - START - offset) <= 1


@given(
    st.integers(1, 60_000),
    st.lists(st.integers(800, 8000), min_size=1, max_size=5),
    st.integers(0, 2**32),
    st.integers(0, SECOND),
)
@settings(max_examples=60, deadline=None)
def test_jittering_stamps_lose_nothing_where_the_counter_goes_on(
    count: int, lengths: list[int], seed: int, offset: int
) -> None:
    """Across clip borders as well, and with no holes or gaps counted that are not there."""
    rng, to = random.Random(seed), recorder()
    sent = [
        Sent("audio", s.stamp_ns + rng.randint(-20 * MS, 20 * MS), s.sound, s.first_sample)
        for s in sounds(START + offset, tone(count), lengths)
    ]
    clips = clips_of(sent, to)
    assert np.array_equal(heard(clips), tone(count))
    assert all(len(clip.audio) == 1 for clip in clips)
    assert to.progress().audio_gap_s == 0
    assert all(a.end_ns <= b.start_ns for a, b in itertools.pairwise(clips))


@given(st.integers(-300, 300), st.integers(0, SECOND))
@settings(max_examples=20, deadline=None)
def test_a_sound_card_that_runs_fast_or_slow_loses_nothing(ppm: int, offset: int) -> None:
    """Its samples last a little longer or shorter than they say: 12 ms in 40 s."""
    sent = [
        Sent("audio", START + offset + s.first_sample * (1_000_000 + ppm) // 16, s.sound, s.first_sample)
        for s in sounds(0, tone(16_000 * 40), [8000])
    ]
    clips = clips_of(sent)
    assert np.array_equal(heard(clips), tone(16_000 * 40))


def test_stamps_of_arrival_in_bursts_lose_nothing() -> None:
    """A driver that stamps on arrival and delivers two chunks of 20 ms at a time."""
    sent = [
        Sent("audio", START + 20 * MS * (n - n % 2 + 2), s.sound, s.first_sample)
        for n, s in enumerate(sounds(0, tone(16_000 * 9), [320]))
    ]
    assert np.array_equal(heard(clips_of(sent)), tone(16_000 * 9))


@given(st.lists(st.sampled_from([0, 1, 1, 1, 2]), min_size=10, max_size=60))
@settings(max_examples=40, deadline=None)
def test_missing_chunks_leave_gaps_and_doubled_ones_nothing(times: list[int]) -> None:
    """Each of the chunks comes as often as it says; 300 ms each."""
    chunks = sounds(START, tone(4800 * len(times)), [4800])
    to = recorder()
    clips = clips_of([chunk for chunk, n in zip(chunks, times, strict=True) for _ in range(n)], to)
    expected = [chunk.sound for chunk, n in zip(chunks, times, strict=True) if n]
    assert np.array_equal(heard(clips), np.concatenate([np.empty(0, np.int16), *expected]))
    inner = "".join("x" if n else "." for n in times).strip(".")
    assert to.progress().audio_gap_s == pytest.approx(0.3 * inner.count("."), abs=1e-3)
    for clip in clips:
        assert all(a.end_ns + 100 * MS < b.stamp_ns for a, b in itertools.pairwise(clip.audio)), "spans do not touch"
        for span in clip.audio:
            first = (span.stamp_ns - START) * SAMPLE_RATE // SECOND
            assert np.array_equal(span.samples, tone(len(span.samples), first))


cuts = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(1, 3000)), min_size=1, max_size=12
)  # in steps of 4 samples


@given(cuts, st.booleans())
@settings(max_examples=80, deadline=None)
def test_overlapping_sound_is_kept_once(parts: list[tuple[int, int]], counted: bool) -> None:
    """Pieces of one sound, some of them heard twice or thrice, some long and some within others."""
    source = tone(60_000)
    parts = [(first * 4, length * 4) for first, length in parts]
    chunks = [
        Chunk(START + first * 62_500, first if counted else 0, 16_000, source[first : first + length])
        for first, length in parts
    ]
    covered = np.zeros(60_000, bool)
    for first, length in parts:
        covered[first : first + length] = True
    found = stitch(chunks, START - SECOND, START + 60 * SECOND)
    assert sum(len(span.samples) for span in found) == covered.sum()
    assert all(a.end_ns < b.stamp_ns for a, b in itertools.pairwise(found)), "spans do not touch"
    for span in found:
        first = (span.stamp_ns - START) // 62_500
        assert covered[first : first + len(span.samples)].all()
        assert np.array_equal(span.samples, source[first : first + len(span.samples)])


def test_a_chunk_within_another_does_not_let_the_next_one_in_twice() -> None:
    source = tone(16_000)

    def piece(start_ms: int, end_ms: int) -> Chunk:
        return Chunk(START + start_ms * MS, 0, 16_000, source[start_ms * 16 : end_ms * 16])

    (span,) = stitch([piece(0, 200), piece(50, 100), piece(100, 150), piece(200, 300)], START, START + SECOND)
    assert np.array_equal(span.samples, source[:4800])


@pytest.mark.parametrize("channels", [2, 3, 8])
def test_stereo_is_mixed_down(channels: int) -> None:
    left = (tone(32_000) // 2).astype(np.int16)
    both = np.stack([left] * channels, axis=1).reshape(-1)
    assert np.array_equal(heard(clips_of(sounds(START, both, [1600], channels=channels))), left)
    loud = np.array([32_767, 32_767, -32_768, -32_768], np.int16)
    assert heard(clips_of(sounds(START, loud, [2], channels=2))).tolist() == [32_767, -32_768]
    torn = Sent("audio", START, np.array([10, 20, 7], np.int16), channels=2)
    assert heard(clips_of([torn])).tolist() == [15]


@pytest.mark.parametrize("rate", [8000, 11_025, 22_050, 44_100, 48_000])
def test_other_rates_keep_their_length_and_their_tone(rate: int) -> None:
    """A tone of 440 Hz, five clips long: as long as before, still 440 Hz, and no click at the borders."""
    seconds = 9.5
    wave = (10_000 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * rate)) / rate)).astype(np.int16)
    to = recorder()
    clips = clips_of(sounds(START, wave, [rate // 10, rate // 7], rate=rate), to)
    sound = heard(clips)
    assert len(clips) == 5
    assert abs(len(sound) - seconds * SAMPLE_RATE) <= len(clips)
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    assert np.argmax(spectrum) * SAMPLE_RATE / len(sound) == pytest.approx(440, abs=0.2)
    for clip in clips:
        for span in clip.audio:
            expected = 10_000 * np.sin(
                2 * np.pi * 440 * ((span.stamp_ns - START) / SECOND + np.arange(len(span.samples)) / SAMPLE_RATE)
            )
            assert np.abs(span.samples - expected)[50:-50].max() < 200
    assert to.progress().audio_gap_s == 0


@given(
    st.sampled_from([8000, 11_025, 44_100, 48_000]),
    st.integers(0, 2 * SECOND),
    st.lists(st.integers(900, 9000), min_size=1, max_size=3),
)
@settings(max_examples=20, deadline=None)
def test_no_sample_of_another_rate_is_lost_at_a_border(rate: int, offset: int, lengths: list[int]) -> None:
    """Counted before resampling, which is where a border can lose one."""
    chunks = [
        Chunk(s.stamp_ns, s.first_sample, rate, s.sound) for s in sounds(START + offset, tone(rate * 6), lengths, rate)
    ]
    spans_of = [stitch(chunks, START + n * SECOND, START + (n + 1) * SECOND) for n in range(9)]
    clips = clips_of(sounds(START + offset, tone(rate * 6), lengths, rate))
    wanted = 6 * SAMPLE_RATE
    assert abs(sum(len(s.samples) for spans in spans_of for s in spans) - wanted) <= 9
    assert abs(len(heard(clips)) - wanted) <= len(clips)


def test_a_chunk_longer_than_a_clip_is_in_all_of_them() -> None:
    clips = clips_of(sounds(START + SECOND, tone(16_000 * 7), [16_000 * 7]))
    assert len(clips) == 4
    assert np.array_equal(heard(clips), tone(16_000 * 7))


def test_empty_chunks_are_harmless_and_not_called_late() -> None:
    to = recorder()
    chunks = sounds(START, tone(16_000), [1600])
    empty = [Sent("audio", c.stamp_ns, first_sample=c.first_sample) for c in chunks]
    clips = clips_of([sent for pair in zip(empty, chunks, strict=True) for sent in pair], to)
    assert np.array_equal(heard(clips), tone(16_000)) and len(clips) == 1
    assert to.progress().reasons == {}
    assert clips_of(empty) == []


def test_a_chunk_of_minutes_is_refused() -> None:
    from robot_memory.streams.recorder import Unreadable

    to = recorder()
    with pytest.raises(Unreadable, match="a second or less"):
        to.audio(START, 0, 1000, 1, tone(61_000))
    assert to.progress().reasons == {"unreadable": 1}


def test_the_rate_may_change_in_the_middle() -> None:
    first = sounds(START, tone(16_000), [1600])
    second = sounds(START + SECOND, np.zeros(48_000, np.int16), [4800], rate=48_000)
    clips = clips_of([*first, *second])
    assert sum(end - start for start, end in spans(clips)) == 2 * SECOND


def test_sound_that_comes_too_late_is_counted_and_spoils_nothing() -> None:
    chunks = sounds(START, tone(16_000 * 6), [1600])
    late = chunks.pop(7)
    to = recorder()
    clips = clips_of([*chunks[:50], late, *chunks[50:]], to)
    assert np.array_equal(heard(clips), np.delete(tone(16_000 * 6), np.s_[7 * 1600 : 8 * 1600]))
    assert to.progress().reasons == {"stray": 1}


def test_a_late_chunk_still_fills_what_is_open() -> None:
    """The clip that it begins in is closed, the one that it ends in is not."""
    frames = [picture(START + n * 100 * MS) for n in range(31)]
    chunk = Sent("audio", START + 1900 * MS, tone(3200))
    clips = clips_of([*by_stamp(frames), chunk])
    assert [len(clip.audio) for clip in clips] == [0, 1]
    assert np.array_equal(heard(clips), tone(3200)[1600:])


def test_the_callers_buffer_may_be_used_again_once_the_clip_is_closed() -> None:
    to, buffer = recorder(), tone(1600)
    give(to, Sent("audio", START, buffer))
    to.finish()
    (clip,) = to.closed()
    buffer[:] = 0
    assert np.array_equal(heard([clip]), tone(1600))


def test_a_chunk_that_comes_twice_is_heard_once_and_counted() -> None:
    """Also by whoever listens live."""
    to = recorder()
    (chunk,) = sounds(START + SECOND, tone(1600), [1600])
    taken = [len(to.audio(chunk.stamp_ns, 0, 16_000, 1, chunk.sound)) for _ in range(3)]
    assert taken == [1, 0, 0]
    assert to.progress().reasons == {"duplicate": 2}


@pytest.mark.parametrize("jitter_ms", [0, 1, 5, 15])
def test_a_sender_that_does_not_count_loses_nothing_by_jitter(jitter_ms: int) -> None:
    """Chunks of 20 ms, stamped on arrival; one comes twice, and after 3 s half a second is missing."""
    rng, to = random.Random(jitter_ms), recorder()
    chunks = sounds(START, tone(16_000 * 7), [320])
    stamps = sorted(chunk.stamp_ns + rng.randint(0, jitter_ms * MS) for chunk in chunks)
    sent = [Sent("audio", stamp, chunk.sound, None) for stamp, chunk in zip(stamps, chunks, strict=True)]
    clips = clips_of([*sent[:100], sent[99], *sent[100:150], *sent[175:]], to)
    assert np.array_equal(heard(clips), np.delete(tone(16_000 * 7), np.s_[150 * 320 : 175 * 320]))
    assert sum(len(clip.audio) for clip in clips) == 5
    assert to.progress().audio_gap_s == pytest.approx(0.5, abs=0.02)
    assert to.progress().reasons == {"duplicate": 1}
