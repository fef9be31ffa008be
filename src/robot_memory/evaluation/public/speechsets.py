"""Folders of recorded speech as they are published: LibriSpeech, LibriVox clips with a transcription, rttm with wav.

What lies in a folder is found by its files; several kinds may lie together. A wheel or zip that holds rttm and wav
(the pyannote-audio wheel's sample) is read as it is, nothing in it is run.
"""

from __future__ import annotations

import lzma
import re
import shutil
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.public.diarization import Turn
from robot_memory.evaluation.public.video import UNKNOWN_START_NS, Video, VideoUnreadable

LIBRISPEECH = re.compile(r"(\d+)-\d+-\d+")
SPHINX_LINE = re.compile(r"(?:<s>)?\s*(.*?)\s*(?:</s>)?\s*\(([^()]+)\)\s*")
FROM_ZIP = (".wav", ".rttm", ".stm", ".flac")
BIGGEST_ZIP = 2_000_000_000  # bytes of speech
LONGEST_S = 1e7  # of a recording: some months


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
    if path.is_file():
        with tempfile.TemporaryDirectory(prefix="robot_memory_") as folder:
            try:
                _unzip(path, Path(folder))
                return load(Path(folder))
            except (SpeechSetUnreadable, VideoUnreadable) as error:
                inside = re.sub(rf"{re.escape(folder)}(/\d+)?/?", "", str(error))
                raise SpeechSetUnreadable(f"{path}: in this zip: {inside}") from error
    if not path.is_dir():
        raise SpeechSetUnreadable(f"{path}: is no folder — give a folder of speech, or the pyannote-audio wheel")
    found = SpeechSet((*_librispeech(path), *_transcribed(path)), tuple(_conversations(path)))
    if not (found.utterances or found.conversations):
        raise SpeechSetUnreadable(
            f"{path}: no speech found — SPEAKER/*.flac, *.wav with a file named 'transcription', or *.wav with *.rttm"
        )
    return found


def read_sound(path: Path) -> NDArray[np.int16]:
    """All of a sound file, 16 kHz mono; gaps are silence. Raises SpeechSetUnreadable where there is none in it."""
    parts = list(Video(path, UNKNOWN_START_NS).sound())
    samples = np.zeros(max((one.first + len(one.samples) for one in parts), default=0), np.int16)
    if not len(samples):
        raise SpeechSetUnreadable(f"{path}: holds no sound — remove it, or put the recording there again")
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
            start, length, speaker = _seconds(fields[3]), _seconds(fields[4]), fields[7]
        except (IndexError, ValueError):
            raise SpeechSetUnreadable(
                f"{file}, line {number}: write 'SPEAKER file channel start duration <NA> <NA> name <NA> <NA>', seconds"
            ) from None
        turns.append(Turn(speaker, start, start + length))
    return tuple(turns)


def _said(file: Path) -> str:
    """Lines `file channel speaker start end the words`, joined in order of time."""
    rows = [line.split(maxsplit=5) for line in _text(file).splitlines() if line.strip() and line[:1] != ";"]
    try:
        return " ".join(row[5] for row in sorted(rows, key=lambda row: _seconds(row[3])) if len(row) > 5)
    except (IndexError, ValueError):
        raise SpeechSetUnreadable(f"{file}: write 'file channel speaker start end the words' a line") from None


def _seconds(written: str) -> float:
    """Raises ValueError; what is no number or has no end is no time either."""
    seconds = float(written)
    if not 0 <= seconds <= LONGEST_S:
        raise ValueError(written)
    return seconds


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise SpeechSetUnreadable(f"{file}: cannot be read ({error})") from error


def _unzip(path: Path, folder: Path) -> None:
    """The speech in a zip, by the files' own names alone, a numbered folder for each folder in it."""
    places: dict[str, Path] = {}
    total = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if not member.filename.endswith(FROM_ZIP):
                    continue
                total += member.file_size
                if total > BIGGEST_ZIP:
                    raise SpeechSetUnreadable(f"unpacks to more than {BIGGEST_ZIP / 1e9:g} GB — give a folder")
                place = places.setdefault(str(Path(member.filename).parent), folder / str(len(places)))
                place.mkdir(exist_ok=True)
                with archive.open(member) as packed, (place / Path(member.filename).name).open("xb") as file:
                    shutil.copyfileobj(packed, file)
    except FileExistsError as error:
        raise SpeechSetUnreadable(f"{error.filename}: is there twice — give a folder") from error
    except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, RuntimeError, NotImplementedError) as error:
        raise SpeechSetUnreadable(f"it cannot be unpacked ({error}) — download it again, or give a folder") from error
