"""A speaker's pieces of speech lie close together, other speakers' further away; a clip's turns fall into voices."""

from __future__ import annotations

import numpy as np
import pytest

from robot_memory.perception.mel import filters, mel_spectrogram
from robot_memory.perception.voices import MIN_EMBED_S, group_turns, partial_starts, raise_volume

RATE = 16_000


def test_mel_spectrogram_is_librosas():
    """Values of librosa 0.11 for a sweep from 150 Hz to 7.15 kHz (n_fft 400, hop 160, 40 mels)."""
    t = np.arange(RATE) / RATE
    mels = mel_spectrogram((0.4 * np.sin(2 * np.pi * (150 * t + 3500 * t**2))).astype(np.float32))
    assert mels.shape == (101, 40)
    assert mels.dtype == np.float32
    expected = {(0, 1): 7.1731, (0, 0): 2.57418, (10, 11): 17.02163, (10, 10): 13.62159, (25, 21): 13.43198}
    expected |= {(50, 30): 5.46692, (50, 29): 3.20012, (77, 35): 4.88493, (77, 34): 0.00583, (100, 38): 1.16978}
    for place, value in expected.items():
        assert mels[place] == pytest.approx(value, abs=2e-5), place
    assert mels.sum() == pytest.approx(1283.6301, rel=1e-6)
    peaks = {0: (2, 0.0124045205), 10: (20, 0.0118794876), 20: (44, 0.0071919173), 39: (185, 0.0017249404)}
    for band, (peak, height) in peaks.items():
        assert filters()[band].argmax() == peak
        assert filters()[band].max() == pytest.approx(height, rel=1e-6)


@pytest.mark.parametrize(
    ("seconds", "starts"),
    [(0.5, [0]), (1.6, [0]), (1.9, [0]), (2.0, [0, 77]), (3.0, [0, 77, 154]), (5.0, [0, 77, 154, 231, 308])],
)
def test_partials_cover_the_speech_as_published(seconds, starts):
    assert partial_starts(round(seconds * RATE)) == starts


def test_volume_is_raised_never_lowered():
    quiet, loud = np.full(RATE, 0.001, np.float32), np.full(RATE, 0.5, np.float32)
    assert np.sqrt(np.mean(raise_volume(quiet) ** 2)) == pytest.approx(10 ** (-30 / 20))
    assert raise_volume(loud) is loud
    assert not raise_volume(np.zeros(RATE, np.float32)).any()


def test_unit_norm_and_hardly_moved_by_volume(senses, speech):
    sound = speech["1688"][0][: 5 * RATE]
    vector = senses.ears.embedder.embed(sound)
    assert vector.shape == (256,)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6
    assert float(vector @ senses.ears.embedder.embed(sound // 8)) > 0.9


def test_too_little_speech_has_no_embedding(senses, speech):
    sound = speech["1688"][0]
    assert senses.ears.embedder.embed(sound[: round(MIN_EMBED_S * RATE) - 1]) is None
    assert senses.ears.embedder.embed(sound[: round(MIN_EMBED_S * RATE)]) is not None
    assert senses.ears.embedder.embed(np.zeros(0, np.int16)) is None
    assert np.isfinite(senses.ears.embedder.embed(np.zeros(2 * RATE, np.int16))).all()


def test_equal_error_rate_by_length(senses, speech, capsys):
    """Six readers; pairs are of different utterances."""
    for seconds, most in ((1, 0.10), (2, 0.05), (3, 0.03), (5, 0.02)):
        same, other = scores(senses.ears.embedder, speech, seconds)
        rate, threshold = equal_error(same, other)
        accept = senses.ears.embedder.accept(seconds)
        far, frr = np.mean(other >= accept), np.mean(same < accept)
        with capsys.disabled():
            print(
                f"\nvoices, {seconds} s: EER {rate:.1%} at {threshold:.2f} ({len(same)} same, {len(other)} other); "
                f"at accept {accept:.2f} FAR {far:.1%} FRR {frr:.1%}",
                end="",
            )
        assert rate < most


def scores(embedder, speech, seconds):
    pieces = [
        (reader, number, embedder.embed(sound[start : start + seconds * RATE]))
        for reader, sounds in speech.items()
        for number, sound in enumerate(sounds)
        for start in list(range(0, len(sound) - seconds * RATE + 1, seconds * RATE))[: 1 if seconds < 3 else 2]
    ]
    every = np.stack([p[2] for p in pieces])
    readers = np.array([p[0] for p in pieces])
    utterances = np.array([f"{p[0]}/{p[1]}" for p in pieces])
    upper = np.triu_indices(len(pieces), 1)
    cosines, alike = (every @ every.T)[upper], (readers[:, None] == readers)[upper]
    apart = (utterances[:, None] != utterances)[upper]
    return cosines[alike & apart], cosines[~alike]


def equal_error(same, other):
    thresholds = np.sort(np.concatenate([same, other]))
    far = np.array([np.mean(other >= t) for t in thresholds])
    frr = np.array([np.mean(same < t) for t in thresholds])
    at = int(np.argmin(np.abs(far - frr)))
    return (far[at] + frr[at]) / 2, thresholds[at]


class Fixed:
    """An embedder of which only the threshold is asked."""

    name, dimension = "fixed", 4

    def embed(self, samples):
        raise AssertionError

    def accept(self, seconds):
        return 0.5 if seconds < 3 else 0.7


ANNA, BEN = np.eye(4, dtype=np.float32)[:2]


def test_voices_are_numbered_by_first_appearance():
    assert group_turns([BEN, ANNA, BEN, ANNA], [3.0, 9.0, 3.0, 3.0], Fixed()) == [0, 1, 0, 1]
    assert group_turns([], [], Fixed()) == []


def test_a_turn_too_short_to_know_is_nobodys():
    assert group_turns([ANNA, None, ANNA, None], [3.0, 0.5, 3.0, 0.5], Fixed()) == [0, 1, 0, 2]


def test_long_speech_must_be_more_alike_than_short():
    almost = (ANNA * 0.65 + BEN * np.sqrt(1 - 0.65**2)).astype(np.float32)
    assert group_turns([ANNA, almost], [9.0, 2.0], Fixed()) == [0, 0]
    assert group_turns([ANNA, almost], [9.0, 4.0], Fixed()) == [0, 1]


def test_a_conversation_of_two_readers_has_two_voices(senses, speech):
    readers = ["1688", "2033", "1688", "2033", "1688", "2033"]
    turns = [speech[reader][i][: 4 * RATE] for i, reader in enumerate(readers)]
    embeddings = [senses.ears.embedder.embed(t) for t in turns]
    assert group_turns(embeddings, [len(t) / RATE for t in turns], senses.ears.embedder) == [0, 1, 0, 1, 0, 1]
