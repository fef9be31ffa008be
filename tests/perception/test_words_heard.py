"""Speech becomes its words; what is not speech becomes no words."""

from __future__ import annotations

import re

import numpy as np
import pytest

from robot_memory.errors import ModelMissing
from robot_memory.perception.transcription import NOTHING, Whisper, is_speech, loops

RATE = 16_000
IRON = (
    "there's iron they say in all our blood and a grain or two perhaps is good but his he makes me harshly feel "
    "has got a little too much of steel anon"
)
MOB = (
    "they swarmed up in front of sherburn's palings as thick as they could jam together and you couldn't hear "
    "yourself think for the noise"
)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


def word_errors(reference: list[str], heard: list[str]) -> int:
    """Insertions, deletions and substitutions."""
    row = np.arange(len(heard) + 1)
    for i, expected in enumerate(reference, 1):
        before, row[0] = row[0], i
        for j, got in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (expected != got))
    return int(row[-1])


def test_word_error_rate_of_read_speech(senses, speech, capsys):
    samples = [(speech["1688"][0], IRON), (speech["3005"][0], MOB)]
    errors = total = 0
    for sound, said in samples:
        heard = senses.ears.transcriber.transcribe(sound)
        errors, total = errors + word_errors(words(said), words(heard.text)), total + len(words(said))
        assert heard.confidence > 0.5
        assert heard.no_speech < 0.3
    with capsys.disabled():
        print(f"\nwords (LibriSpeech test-other): WER {errors / total:.1%} of {total}")
    assert errors / total < 0.25


def test_word_error_rate_of_librivox(senses, librivox, capsys):
    errors = sum(word_errors(words(said), words(senses.ears.transcriber.transcribe(s).text)) for s, said in librivox)
    total = sum(len(words(said)) for _, said in librivox)
    with capsys.disabled():
        print(f"\nwords (LibriVox): WER {errors / total:.1%} of {total}")
    assert errors / total < 0.2


def test_no_words_where_nobody_speaks(senses, no_speech):
    for name, sound in no_speech.items():
        for seconds in (0.5, 1, 2, 5):
            heard = senses.ears.transcriber.transcribe(sound[: round(seconds * RATE)])
            assert heard.text == "", (name, seconds, heard)
            assert heard.no_speech > 0.6, (name, seconds, heard)


@pytest.mark.parametrize("length", [0, 1, 159, 400])
def test_hardly_any_sound(senses, length):
    assert senses.ears.transcriber.transcribe(np.full(length, 50, np.int16)).text == ""


def test_more_than_the_model_can_be_shown_is_cut_off_not_refused(senses, speech):
    sound = np.concatenate(speech["1688"])[: 40 * RATE]
    assert len(words(senses.ears.transcriber.transcribe(sound).text)) > 20


def test_the_same_bytes_are_transcribed_once(senses, speech):
    memo = senses.ears.transcriber.memo
    sound = speech["1998"][0][: 3 * RATE]
    first = senses.ears.transcriber.transcribe(sound)
    misses = memo.misses
    assert senses.ears.transcriber.transcribe(sound.copy()) is first
    assert memo.misses == misses


def test_a_decoder_turning_in_circles_is_not_believed():
    assert loops("Be Be Be Be Be Be Be Be")
    assert loops("I'm going to go to the next one. " * 6)
    assert not loops("No, no, no, no! Not the blue cup, the red cup, I said the red cup.")
    assert not loops("")


def test_what_counts_as_speech():
    assert is_speech("Hello there.", -0.3, 0.05)
    assert is_speech("Hello there.", -1.5, 0.05)
    assert not is_speech("Thank you.", -0.2, 0.95)
    assert not is_speech("you", -1.2, 0.7)
    assert not is_speech(". . .", -0.1, 0.01)
    assert not is_speech("", -0.1, 0.01)


def test_a_folder_without_the_files_says_what_to_do(tmp_path):
    with pytest.raises(ModelMissing, match=r"model.bin.*robot-memory models fetch"):
        Whisper(tmp_path)


def test_silence_costs_nothing(senses):
    assert senses.ears.transcriber.transcribe(np.zeros(RATE, np.int16)) is NOTHING
