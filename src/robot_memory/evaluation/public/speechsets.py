"""Folders of recorded speech as they are published: LibriSpeech, LibriVox clips with a transcription, rttm with wav.

What lies in a folder is found by its files; several kinds may lie together. A wheel or zip that holds rttm and wav
(the pyannote-audio wheel's sample) is read as it is, nothing in it is run.
"""

from __future__ import annotations

import re
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.public.diarization import Turn
from robot_memory.evaluation.public.video import UNKNOWN_START_NS, Video

LIBRISPEECH = re.compile(r"(\d+)-\d+-\d+")
SPHINX_LINE = re.compile(r"(?:<s>)?\s*(.*?)\s*(?:</s>)?\s*\(([^()]+)\)\s*")
FROM_ZIP = (".wav", ".rttm", ".stm", ".flac")
BIGGEST_IN_ZIP = 200_000_000


class SpeechSetUnreadable(RobotMemoryError):
    """A folder holds no speech that can be measured on, or files of it are damaged."""


@dataclass(frozen=True, eq=False)
class Utterance:
    """Read speech of one speaker: 16 kHz mono; `words` is what is said, None where nobody wrote it down."""

    id: str
    speaker: str
    samples: NDArray[np.int16]
    words: str | None


@dataclass(frozen=True, eq=False)
class Conversation:
    """A recording with who speaks when; `words` is all that is said, in order, None where nobody wrote it down."""

    id: str
    samples: NDArray[np.int16]
    turns: tuple[Turn, ...]
    words: str | None


@dataclass(frozen=True)
class SpeechSet:
    utterances: tuple[Utterance, ...]
    conversations: tuple[Conversation, ...]


def load(path: Path) -> SpeechSet:
    """Raises SpeechSetUnreadable, or VideoUnreadable for a sound file that cannot be decoded."""
    if path.is_file() and zipfile.is_zipfile(path):
        with tempfile.TemporaryDirectory(prefix="robot_memory_") as folder:
            _unzip(path, Path(folder))
            return load(Path(folder))
    if not path.is_dir():
        raise SpeechSetUnreadable(f"{path}: is no folder — give a folder of speech, or the pyannote-audio wheel")
    found = SpeechSet((*_librispeech(path), *_transcribed(path)), tuple(_conversations(path)))
    if not (found.utterances or found.conversations):
        raise SpeechSetUnreadable(
            f"{path}: no speech found — SPEAKER/*.flac, *.wav with a file named 'transcription', or *.wav with *.rttm"
        )
    return found


def read_sound(path: Path) -> NDArray[np.int16]:
    """All of a sound file, 16 kHz mono; gaps are silence."""
    parts = list(Video(path, UNKNOWN_START_NS).sound())
    samples = np.zeros(max((one.first + len(one.samples) for one in parts), default=0), np.int16)
    for one in parts:
        samples[one.first : one.first + len(one.samples)] = one.samples
    return samples


def _librispeech(folder: Path) -> list[Utterance]:
    words = {}
    for file in sorted(folder.rglob("*.trans.txt")):
        for line in _text(file).splitlines():
            name, _, said = line.partition(" ")
            words[name] = said
    utterances = []
    for file in sorted(folder.rglob("*.flac")):
        published = LIBRISPEECH.fullmatch(file.stem)
        speaker = published.group(1) if published else file.parent.name
        utterances.append(Utterance(file.stem, speaker, read_sound(file), words.get(file.stem)))
    return utterances


def _transcribed(folder: Path) -> list[Utterance]:
    """Sphinx's format: `<s> the words </s> (file)` a line, the sound beside it, all of one reader."""
    utterances = []
    for file in sorted(folder.rglob("transcription")):
        for number, line in enumerate(_text(file).splitlines(), start=1):
            if not line.strip():
                continue
            match = SPHINX_LINE.fullmatch(line)
            if match is None:
                raise SpeechSetUnreadable(f"{file}, line {number}: write '<s> the words </s> (file)'")
            words, name = match.groups()
            sound = file.parent / f"{name}.wav"
            utterances.append(Utterance(name, str(file.parent), read_sound(sound), words))
    return utterances


def _conversations(folder: Path) -> list[Conversation]:
    found = []
    for file in sorted(folder.rglob("*.rttm")):
        sound = next((file.with_suffix(s) for s in (".wav", ".flac") if file.with_suffix(s).is_file()), None)
        if sound is None:
            raise SpeechSetUnreadable(f"{file}: there is no {file.stem}.wav beside it")
        stm = file.with_suffix(".stm")
        found.append(Conversation(file.stem, read_sound(sound), _turns(file), _said(stm) if stm.is_file() else None))
    return found


def _turns(file: Path) -> tuple[Turn, ...]:
    """Lines `SPEAKER file channel start duration <NA> <NA> name …`."""
    turns = []
    for number, line in enumerate(_text(file).splitlines(), start=1):
        fields = line.split()
        if not fields or fields[0] != "SPEAKER":
            continue
        try:
            start, length, speaker = float(fields[3]), float(fields[4]), fields[7]
        except (IndexError, ValueError):
            raise SpeechSetUnreadable(
                f"{file}, line {number}: write 'SPEAKER file channel start duration <NA> <NA> name <NA> <NA>'"
            ) from None
        turns.append(Turn(speaker, start, start + length))
    return tuple(turns)


def _said(file: Path) -> str:
    """Lines `file channel speaker start end the words`, joined in order of time."""
    rows = [line.split(maxsplit=5) for line in _text(file).splitlines() if line.strip() and line[:1] != ";"]
    try:
        return " ".join(row[5] for row in sorted(rows, key=lambda row: float(row[3])) if len(row) > 5)
    except (IndexError, ValueError):
        raise SpeechSetUnreadable(f"{file}: write 'file channel speaker start end the words' a line") from None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise SpeechSetUnreadable(f"{file}: cannot be read ({error})") from error


def _unzip(path: Path, folder: Path) -> None:
    """The speech in a zip, by the files' own names alone."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.filename.endswith(FROM_ZIP) and member.file_size <= BIGGEST_IN_ZIP:
                (folder / Path(member.filename).name).write_bytes(archive.read(member))
