"""Errors of words, of speakers and of voices are counted as others count them; published speech is read as it is."""

from __future__ import annotations

import os
import subprocess
import sys
import wave
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelMissing
from robot_memory.evaluation.public import hearing, report
from robot_memory.evaluation.public.diarization import SpeakerErrors, Turn, assign, speaker_errors
from robot_memory.evaluation.public.speechsets import SpeechSetUnreadable, load
from robot_memory.evaluation.public.voicepairs import equal_error, voice_pairs
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.wordrate import WordErrors, normalised, word_errors
from robot_memory.perception.senses import Senses, open_senses

ROOT = Path(__file__).parents[2]
RATE = 16_000


@pytest.fixture(scope="module")
def senses() -> Senses:
    try:
        return open_senses(PerceptionSettings())
    except ModelMissing as error:
        pytest.skip(str(error))


def folder(variable: str, default: Path, what: str) -> Path:
    path = Path(os.environ.get(variable) or default)
    if not path.is_dir():
        pytest.skip(f"{what} not found: {path} is no folder (set {variable})")
    return path


@pytest.fixture(scope="module")
def librivox() -> Path:
    return folder("ROBOT_MEMORY_POCKETSPHINX", Path("/usr/share/pocketsphinx/test/data"), "pocketsphinx") / "librivox"


@pytest.fixture(scope="module")
def telephone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that carries the sample; nothing of it is installed or run."""
    if given := os.environ.get("ROBOT_MEMORY_PYANNOTE_WHEEL"):
        return Path(given)
    to = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "0", "--timeout", "5"]
    done = subprocess.run([*pip, "--dest", str(to), "pyannote-audio"], capture_output=True, check=False, timeout=60)
    if done.returncode or not (wheels := list(to.glob("*.whl"))):
        pytest.skip("pyannote-audio could not be downloaded (set ROBOT_MEMORY_PYANNOTE_WHEEL to the wheel)")
    return wheels[0]


def sound(path: Path, seconds: float) -> None:
    samples = (np.sin(np.arange(round(seconds * RATE)) / 10) * 9000).astype(np.int16)
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(samples.tobytes())


def test_words_are_compared_without_dress() -> None:
    assert " ".join(normalised("Mr. O’Neill's well-known “dogs”, No. 5!")) == "mister oneills well known dogs no five"
    assert word_errors([("the cat sat", "The cat, sat.")]).rate == 0


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [
        ("a b c d", "a x c", (1, 1, 0)),
        ("a b", "a b c", (0, 0, 1)),
        ("a b c", "", (0, 3, 0)),
        ("a b c d e", "b c d e f", (0, 1, 1)),
    ],
)
def test_word_errors_are_the_least_that_explain(said: str, heard: str, errors: tuple[int, int, int]) -> None:
    assert word_errors([(said, heard)]) == WordErrors(len(said.split()), *errors)


TRUTH = [Turn("a", 0, 4), Turn("b", 3.5, 7), Turn("a", 8, 10)]
FOUND = [Turn("x", 0.1, 3.8), Turn("y", 4, 7.4), Turn("y", 8, 9), Turn("z", 9, 10.3)]


@pytest.mark.parametrize(
    ("collar", "expected"), [(0.0, SpeakerErrors(9.5, 0.8, 0.7, 2.0)), (0.25, SpeakerErrors(7.0, 0.0, 0.2, 1.5))]
)
def test_speaker_errors_are_pyannotes(collar: float, expected: SpeakerErrors) -> None:
    """Values of pyannote.metrics 4.2 (whose collar is the whole width, twice ours)."""
    found = speaker_errors(TRUTH, FOUND, collar)
    assert vars(found) == pytest.approx(vars(expected))
    assert found.rate == pytest.approx(
        (expected.missed_s + expected.invented_s + expected.confused_s) / expected.speech_s
    )


def test_labels_have_no_meaning_of_their_own() -> None:
    renamed = [Turn({"a": "b", "b": "a"}[turn.speaker], turn.start_s, turn.end_s) for turn in TRUTH]
    assert speaker_errors(TRUTH, renamed).rate == 0
    assert speaker_errors(TRUTH, []).rate == 1
    assert speaker_errors([], FOUND) == SpeakerErrors(0, 0, pytest.approx(9.4), 0)


def test_assignment_is_the_cheapest_not_the_greediest() -> None:
    assert assign([[1.0, 2.0], [1.5, 9.0]]) == [1, 0]
    rng = np.random.default_rng(0)
    for size in (1, 3, 6):
        costs = rng.random((size, size))
        columns = assign(costs.tolist())
        assert sorted(columns) == list(range(size))
        best = min(sum(costs[i, p] for i, p in enumerate(order)) for order in permutations(size))
        assert sum(costs[i, column] for i, column in enumerate(columns)) == pytest.approx(best)


def permutations(size: int) -> list[tuple[int, ...]]:
    from itertools import permutations as every

    return list(every(range(size)))


def test_equal_error_lies_where_both_errors_are_alike() -> None:
    same, other = np.array([0.9, 0.8, 0.7, 0.2], np.float32), np.array([0.1, 0.3, 0.4, 0.75], np.float32)
    rate, at = equal_error(same, other)
    assert rate == 0.25 and 0.4 < at <= 0.75
    assert equal_error(np.array([0.9], np.float32), np.array([0.1], np.float32))[0] == 0


def test_a_speech_folder_is_known_by_its_files(tmp_path: Path) -> None:
    sound(tmp_path / "talk" / "call.wav", 2)
    (tmp_path / "talk" / "call.rttm").write_text("SPEAKER call 1 0.500 1.000 <NA> <NA> anna <NA> <NA>\n;; note\n")
    (tmp_path / "talk" / "call.stm").write_text("call 1 Ben 1.5 1.9 and good day\ncall 1 Anna 0.5 1.5 Hello\n")
    sound(tmp_path / "read" / "one.wav", 1)
    (tmp_path / "read" / "transcription").write_text("<s> it was a day </s> (one)\n")
    found = load(tmp_path)
    (call,), (one,) = found.conversations, found.utterances
    assert (call.turns, call.words) == ((Turn("anna", 0.5, 1.5),), "Hello and good day")
    assert (one.words, len(one.samples)) == ("it was a day", RATE)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "no speech found"),
        ({"a.rttm": "SPEAKER a 1 0 1 <NA> <NA> anna"}, "no a.wav beside it"),
        ({"a.rttm": "SPEAKER a 1 zero 1 <NA> <NA> anna", "a.wav": ""}, "a.rttm, line 1"),
        ({"transcription": "it was a day"}, "transcription, line 1"),
    ],
)
def test_a_damaged_set_is_refused_with_its_place(tmp_path: Path, files: dict[str, str], told: str) -> None:
    for name, content in files.items():
        if name.endswith(".wav"):
            sound(tmp_path / name, 1)
        else:
            (tmp_path / name).write_text(content)
    with pytest.raises(SpeechSetUnreadable, match=told):
        load(tmp_path)


def test_a_wheel_is_read_and_never_run(tmp_path: Path) -> None:
    sound(tmp_path / "x.wav", 1)
    with zipfile.ZipFile(tmp_path / "some.whl", "w") as archive:
        archive.write(tmp_path / "x.wav", "../../pkg/x.wav")
        archive.writestr("../../pkg/x.rttm", "SPEAKER x 1 0 1 <NA> <NA> anna <NA> <NA>")
        archive.writestr("pkg/__init__.py", "raise SystemExit")
    assert [one.id for one in load(tmp_path / "some.whl").conversations] == ["x"]


def test_words_of_read_speech(librivox: Path, senses: Senses, capsys: pytest.CaptureFixture[str]) -> None:
    speech = load(librivox)
    assert len(speech.utterances) == 5
    found = hearing.listen(speech, senses, MemorySubject)
    assert found.words_read is not None and found.words_read.words == 71
    assert found.words_read.rate < 0.25
    assert found.voices == () and found.speakers == ()
    assert found.from_reading is not None and found.from_reading.per_hour < 120
    tell(capsys, found)


def test_speakers_of_a_telephone_call(telephone: Path, senses: Senses, capsys: pytest.CaptureFixture[str]) -> None:
    speech = load(telephone)
    found = hearing.listen(speech, senses, MemorySubject)
    assert [row.collar_s for row in found.speakers] == [0.25, 0.0]
    for row in found.speakers:
        assert row.within_clips.missed_s + row.within_clips.invented_s < 0.2 * row.within_clips.speech_s
        assert 0 <= row.within_clips.rate <= 0.7
    assert found.words_talked is not None and found.words_talked.rate < 0.4
    tell(capsys, found)


def test_voices_of_six_readers(senses: Senses, capsys: pytest.CaptureFixture[str]) -> None:
    data = folder("ROBOT_MEMORY_DATA", ROOT.parent / "shared" / "data", "read speech") / "speech"
    speech = load(data)
    assert len({one.speaker for one in speech.utterances}) == 6
    pairs = voice_pairs(speech.utterances, senses.ears.embedder, 3.0)
    assert pairs is not None and pairs.equal_error < 0.03
    with capsys.disabled():
        print(f"\nvoices, 3 s: EER {pairs.equal_error:.1%} ({pairs.same} same, {pairs.other} other)", end="")


def test_voices_too_short_or_too_few_give_no_figure(senses: Senses) -> None:
    from robot_memory.evaluation.public.speechsets import Utterance

    quiet: NDArray[np.int16] = np.zeros(RATE * 2, np.int16)
    alone = [Utterance(str(n), "anna", quiet, None) for n in range(3)]
    assert voice_pairs(alone, senses.ears.embedder, 1.0) is None
    assert voice_pairs(alone, senses.ears.embedder, 5.0) is None


def tell(capsys: pytest.CaptureFixture[str], found: hearing.Hearing) -> None:
    with capsys.disabled():
        print("\n" + report.speech_text(found.as_json()), end="")
