"""The product's ears on public speech: words, speakers, voices, and facts that it believes although nobody stated any.

Words come from the product's own chain (voice activity, then Whisper), speakers from its turns and voices, facts from
the memory under test that watched the speech as a robot would have heard it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.public.diarization import SpeakerErrors, Turn, speaker_errors
from robot_memory.evaluation.public.speechsets import Conversation, SpeechSet, Utterance
from robot_memory.evaluation.public.video import UNKNOWN_START_NS
from robot_memory.evaluation.public.voicepairs import LENGTHS_S, VoicePairs, voice_pairs
from robot_memory.evaluation.public.watching import chunks, perceived, perceived_by
from robot_memory.evaluation.subject import Claim, Subject
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.wordrate import NORMALISED, WordErrors, word_errors
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import SAMPLE_RATE, SECOND, AudioSpan
from robot_memory.streams.sessions import Session

COLLARS_S = (0.25, 0.0)
PAUSE_S = 1.0  # between utterances of a reader
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Speakers:
    """Diarization of all conversations: by voices told apart within a clip, and by persons as remembered."""

    collar_s: float
    within_clips: SpeakerErrors
    remembered: SpeakerErrors


@dataclass(frozen=True)
class Believed:
    """Facts held after hearing `hours` of speech. Readers state nothing about themselves: all of theirs are false."""

    hours: float
    claims: tuple[Claim, ...]

    @property
    def per_hour(self) -> float:
        return len(self.claims) / self.hours if self.hours else 0.0


@dataclass(frozen=True)
class Hearing:
    """Everything measured; None where the set has nothing for it."""

    utterances: int
    conversations: int
    words_read: WordErrors | None
    words_talked: WordErrors | None
    speakers: tuple[Speakers, ...]
    voices: tuple[VoicePairs, ...]
    from_reading: Believed | None
    from_talk: Believed | None
    models: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        found = asdict(self)
        for key in ("words_read", "words_talked"):
            if (words := getattr(self, key)) is not None:
                found[key] |= {"wer": words.rate, "normalised": NORMALISED}
        for row, one in zip(found["speakers"], self.speakers):
            row["within_clips"]["der"], row["remembered"]["der"] = one.within_clips.rate, one.remembered.rate
        for key in ("from_reading", "from_talk"):
            if (believed := getattr(self, key)) is not None:
                found[key]["per_hour"] = believed.per_hour
        return found


def listen(
    speech: SpeechSet, senses: Senses, make: Callable[[Path], Subject], tell: Tell = lambda line: None
) -> Hearing:
    """Measure what the set allows. `make` makes a memory in an empty folder."""
    read, talked = _words(speech.utterances, senses, tell), _talk(speech.conversations, senses, tell)
    voices = []
    for seconds in LENGTHS_S if len({one.speaker for one in speech.utterances}) > 1 else ():
        tell(f"voices, {'whole utterances' if seconds is None else f'{seconds:g} s'}")
        if (pairs := voice_pairs(speech.utterances, senses.ears.embedder, seconds)) is not None:
            voices.append(pairs)
    speakers, from_talk, models = _conversations(speech.conversations, senses, make, tell)
    from_reading, models = _readings(speech.utterances, senses, make, tell, models)
    return Hearing(
        len(speech.utterances),
        len(speech.conversations),
        read,
        talked,
        speakers,
        tuple(voices),
        from_reading,
        from_talk,
        perceived_by() | models,
    )


def heard(samples: NDArray[np.int16], senses: Senses) -> str:
    """All that the ears make of a piece of sound."""
    return " ".join(turn.text for turn in senses.ears.listen((AudioSpan(UNKNOWN_START_NS, samples),)) if turn.text)


def _words(utterances: Iterable[Utterance], senses: Senses, tell: Tell) -> WordErrors | None:
    told = [one for one in utterances if one.words is not None]
    pairs = []
    for n, one in enumerate(told, start=1):
        tell(f"words, {n} of {len(told)}")
        pairs.append((one.words or "", heard(one.samples, senses)))
    return word_errors(pairs) if pairs else None


def _talk(conversations: Iterable[Conversation], senses: Senses, tell: Tell) -> WordErrors | None:
    pairs = []
    for one in conversations:
        if one.words is not None:
            tell(f"words, {one.id}")
            pairs.append((one.words, heard(one.samples, senses)))
    return word_errors(pairs) if pairs else None


def _conversations(
    conversations: Iterable[Conversation], senses: Senses, make: Callable[[Path], Subject], tell: Tell
) -> tuple[tuple[Speakers, ...], Believed | None, dict[str, str]]:
    nothing = SpeakerErrors(0.0, 0.0, 0.0, 0.0)
    sums = dict.fromkeys(COLLARS_S, (nothing, nothing))
    claims: list[Claim] = []
    samples, models = 0, dict[str, str]()
    for one in conversations:
        tell(f"speakers, {one.id}")
        with tempfile.TemporaryDirectory(prefix="robot_memory_") as folder:
            subject = make(Path(folder))
            try:
                clips = list(_remembered(one.samples, one.id, senses, subject))
                within, remembered = turns_within(clips), turns_remembered(clips, subject)
                claims += subject.claims() or ()
                models = dict(subject.models)
            finally:
                subject.close()
        samples += len(one.samples)
        for collar, (by_clip, by_memory) in sums.items():
            more = (speaker_errors(one.turns, found, collar) for found in (within, remembered))
            sums[collar] = by_clip + next(more), by_memory + next(more)
    if not samples:
        return (), None, models
    rows = tuple(Speakers(collar, *both) for collar, both in sums.items())
    return rows, Believed(samples / SAMPLE_RATE / 3600, tuple(claims)), models


def _readings(
    utterances: Iterable[Utterance],
    senses: Senses,
    make: Callable[[Path], Subject],
    tell: Tell,
    models: dict[str, str],
) -> tuple[Believed | None, dict[str, str]]:
    """Each reader heard from beginning to end by a memory of its own."""
    by_reader: dict[str, list[NDArray[np.int16]]] = {}
    pause = np.zeros(round(PAUSE_S * SAMPLE_RATE), np.int16)
    for one in utterances:
        by_reader.setdefault(one.speaker, []).extend([one.samples, pause])
    claims: list[Claim] = []
    samples = 0
    for reader, pieces in by_reader.items():
        stream = np.concatenate(pieces)
        tell(f"facts, reader {reader}, {len(stream) / SAMPLE_RATE:.0f} s")
        with tempfile.TemporaryDirectory(prefix="robot_memory_") as folder:
            subject = make(Path(folder))
            try:
                for _ in _remembered(stream, "reading", senses, subject):
                    pass
                claims += subject.claims() or ()
                models = dict(subject.models)
            finally:
                subject.close()
        samples += len(stream)
    return (Believed(samples / SAMPLE_RATE / 3600, tuple(claims)) if samples else None), models


def _remembered(samples: NDArray[np.int16], name: str, senses: Senses, subject: Subject) -> Iterator[Clip]:
    session = Session("speech", bag_uri=name, origin_ns=UNKNOWN_START_NS, lockstep=True)
    for clip in perceived(chunks(samples, UNKNOWN_START_NS), session, senses):
        subject.watch(clip.observation, clip.session)
        yield clip


def turns_within(clips: Iterable[Clip]) -> list[Turn]:
    """The turns found, labelled by clip and voice: what perception says before anything is remembered."""
    return [
        _turn(f"clip {clip.observation.sequence} voice {turn.voice}", turn.start_ns, turn.end_ns)
        for clip in clips
        for turn in clip.observation.turns
    ]


def turns_remembered(clips: Iterable[Clip], subject: Subject) -> list[Turn]:
    """The turns found, labelled by the person the memory takes each for; nobody's are each somebody else's."""
    labels, turns = subject.labels(), []
    for clip in clips:
        known = labels[clip.key].voices if clip.key in labels else (None,) * len(clip.observation.turns)
        for turn, label in zip(clip.observation.turns, known, strict=True):
            turns.append(_turn(label or f"nobody at {turn.start_ns}", turn.start_ns, turn.end_ns))
    return turns


def _turn(label: str, start_ns: int, end_ns: int) -> Turn:
    return Turn(label, (start_ns - UNKNOWN_START_NS) / SECOND, (end_ns - UNKNOWN_START_NS) / SECOND)
