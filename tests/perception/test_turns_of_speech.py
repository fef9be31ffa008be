"""Turns begin and end with the speech, at pauses, and come out the same however the sound is fed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.perception.speech import WINDOW, TurnDetector, quietest

RATE = 16_000


def turns(senses, samples, piece=None, **settings):
    detector = TurnDetector(senses.ears.detector, PerceptionSettings(**settings))
    found = []
    for start in range(0, len(samples), piece or max(len(samples), 1)):
        found += detector.feed(samples[start : start + (piece or len(samples))])
    return found + detector.finish()


def hush(seconds: float) -> np.ndarray:
    return np.random.default_rng(1).normal(0, 8, round(seconds * RATE)).astype(np.int16)


def sentence(speech, reader=0, which=0, seconds=None) -> np.ndarray:
    utterance = list(speech.values())[reader][which]
    return utterance[: round(seconds * RATE)] if seconds else utterance


def test_speech_between_silences_is_found_where_it_is(senses, speech):
    said = [sentence(speech, r, 0, 3.5)[RATE // 2 :] for r in range(3)]  # without the silence they begin with
    parts = [hush(2), said[0], hush(1.5), said[1], hush(1.5), said[2], hush(2)]
    sound = np.concatenate(parts)
    spoken = np.concatenate([np.full(len(part), i % 2) for i, part in enumerate(parts)])
    covered = np.zeros(len(sound), int)
    for turn in turns(senses, sound):
        covered[turn.start : turn.end] += 1
        assert np.array_equal(turn.samples, sound[turn.start : turn.end])
    assert covered.max() == 1
    assert np.mean(covered[spoken == 1]) > 0.8
    assert np.mean(covered[spoken == 0]) < 0.15


@pytest.mark.parametrize("piece", [1, 160, 511, 512, 1777, 16_000])
def test_pieces_of_any_length_give_the_same_turns(senses, speech, piece):
    sound = np.concatenate([sentence(speech, 1, 0), hush(1), sentence(speech, 2, 0, 4.3)])
    if piece == 1:
        sound = sound[: 3 * RATE]
    whole, pieces = turns(senses, sound), turns(senses, sound, piece)
    assert [(t.start, t.end) for t in whole] == [(t.start, t.end) for t in pieces]
    assert whole
    assert all(np.array_equal(a.samples, b.samples) for a, b in zip(whole, pieces, strict=True))


def test_turns_are_given_as_soon_as_they_are_over(senses, speech):
    detector = TurnDetector(senses.ears.detector, PerceptionSettings())
    assert detector.feed(sentence(speech, 0, 0, 2.0)) == []
    assert len(detector.feed(hush(1.0))) == 1
    assert detector.finish() == []


def test_a_longer_pause_setting_joins_turns(senses, speech):
    sound = np.concatenate([sentence(speech, 0, 0, 2.0), hush(1.2), sentence(speech, 0, 1, 2.0)])
    assert len(turns(senses, sound)) >= 2
    assert len(turns(senses, sound, turn_pause_s=3.0)) == 1


def test_no_turns_where_nobody_speaks(senses, no_speech):
    for name, sound in no_speech.items():
        assert turns(senses, sound) == [], name


def test_a_long_speech_is_split_without_loss(senses, speech):
    """The pauses cut out, so that only the 15 s rule can end a turn."""
    words = [t.samples for u in next(iter(speech.values())) for t in turns(senses, u, turn_pause_s=0.1)]
    sound = np.concatenate(words)[: 50 * RATE]
    found = turns(senses, sound, turn_pause_s=2.0)
    assert len(found) >= 3
    assert all(t.end - t.start <= 15.3 * RATE for t in found)
    assert all(t.end - t.start >= 4 * RATE for t in found[:-1])
    assert all(a.end == b.start for a, b in pairwise(found))
    assert found[-1].end - found[0].start > 0.97 * len(sound)


def test_the_split_is_at_the_quietest_point():
    loud, quiet = np.full(WINDOW, 3000, np.int16), np.full(WINDOW, 100, np.int16)
    click = [loud] * 10 + [quiet] + [loud] * 10 + [quiet] * 3 + [loud] * 5
    assert quietest(click) == 22
    assert quietest([loud] * 4) == 0


def test_a_shout_too_short_to_be_speech_is_none(senses, speech):
    said = max((t.samples for t in turns(senses, sentence(speech, 0, 0))), key=len)
    blip = np.concatenate([hush(1), said[3000:6000], hush(1)])
    assert turns(senses, blip, min_turn_s=1.0) == []


def test_clipped_speech_is_still_speech(senses, speech):
    loud = np.clip(sentence(speech, 0, 0).astype(np.int64) * 30, -32768, 32767).astype(np.int16)
    assert sum(t.end - t.start for t in turns(senses, loud)) > 0.5 * len(loud)


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513])
def test_hardly_any_sound(senses, length):
    assert turns(senses, np.zeros(length, np.int16)) == []


def test_speech_cut_by_the_end_ends_with_the_sound(senses, speech):
    sound = sentence(speech, 0, 0, 3.01)
    *_, last = turns(senses, sound)
    assert last.end == len(sound)
    assert len(last.samples) == last.end - last.start
