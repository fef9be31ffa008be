"""Known names shown to the transcriber: written where they were said, and nowhere else."""

from __future__ import annotations

import shutil
import subprocess
import wave

import numpy as np
import pytest

from robot_memory.perception.transcription import with_names

NAMES = ["Siobhan", "Joaquin", "Niamh", "Thabo", "Ingrid", "Ayesha"]


def test_known_names_are_written_as_they_are_known(senses, tmp_path):
    """Spoken by flite, whose lines worlds are made of."""
    if not shutil.which("flite"):
        pytest.skip("flite is not installed")
    ear, right = senses.ears.transcriber, {"alone": 0, "hinted": 0}
    for name in NAMES:
        path = tmp_path / f"{name}.wav"
        subprocess.run(["flite", "-voice", "slt", "-t", f"Hello, my name is {name}.", "-o", path], check=True)
        with wave.open(str(path)) as file:
            assert file.getframerate() == 16_000
            sound = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        right["alone"] += name in ear.transcribe(sound).text
        right["hinted"] += name in ear.transcribe(sound, NAMES).text
    assert right["hinted"] >= right["alone"] + 2


def test_read_speech_stays_what_it_is(senses, speech):
    """Names that nobody said are not heard, and no word is lost."""
    ear = senses.ears.transcriber
    for reader, number in (("1998", 0), ("3005", 6)):  # into these two the plain hint writes "Kaleb" and "Siobhan"
        sound = speech[reader][number]
        assert ear.transcribe(sound, [*NAMES, "Kaleb"]).text == ear.transcribe(sound).text


def test_no_names_where_nobody_speaks(senses, no_speech):
    for name, sound in no_speech.items():
        assert senses.ears.transcriber.transcribe(sound, NAMES).text == "", name


@pytest.mark.parametrize(
    ("text", "hinted", "named"),
    [
        ("My name is shall gone.", "My name is Siobhan", "My name is Siobhan."),
        ("It is walking's cup.", "It is Joaquin's cup", "It is Joaquin's cup."),
        ("So they came.", "Siobhan, so they came.", "So they came."),
        ("If Karl Churke goes", "If Ingrid, Joqui goes", "If Karl Churke goes"),
        ("I met Karl Churke.", "I met Ingrid.", "I met Karl Churke."),
        ("I saw the rain in the old town.", "I saw Ingrid.", "I saw the rain in the old town."),
        ("She left, I think.", "She left I think", "She left, I think."),
    ],
)
def test_only_names_in_place_of_words(text: str, hinted: str, named: str) -> None:
    assert with_names(text, hinted, NAMES) == named
