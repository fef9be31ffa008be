"""Turns speech into text with Whisper, greedily and without inventing: what is not speech gives no text.

Runs on CTranslate2 with the feature extractor and tokenizer of faster-whisper. The encoder is shown the turn plus
four seconds of silence, ten seconds at least, instead of the usual 30 s window: as accurate, and several times as fast.
"""

from __future__ import annotations

import logging
import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import ModelCorrupt, ModelMissing, SettingsInvalid
from robot_memory.perception.memo import Memo
from robot_memory.perception.speech import to_wave
from robot_memory.streams.media import SAMPLE_RATE

FILES = ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt")
FRAMES_PER_S = 100  # of the encoder's input
LONGEST_S = 30.0  # what the encoder can be shown
SILENCE_S = 4.0  # shown after the turn; without it the decoder tends to run on
SHORTEST_S = 10.0  # shown in all; with less, every sixth short turn comes out three or four times over
TOKENS_PER_S = 10.0  # twice as fast as anybody talks: bounds the time a runaway decode takes

NOT_SPEECH = 0.8  # no-speech probability: clear speech stays under 0.6, noise, hum and tones lie above 0.8
MAYBE_SPEECH, UNSURE = 0.6, -0.8  # between the two the mean log probability of the words decides
WORD = re.compile(r"[^\W_]+(?:[-'’](?!s\b)[^\W_]+)*")
REPLACED = 3  # words that a name unknown to the transcriber may have been taken for: "shall gone" for Siobhan
MOST_NAMES = 12  # shown to the decoder as words that may come: each one costs time, and is one more to be misheard
REPETITIVE, REPEATS = 2.4, 6  # compression ratio, or times in a row, from which the decoder is turning in circles


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Transcript:
    """What was said. `confidence`: (geometric) mean token probability; `no_speech`: the model's doubt; both 0..1."""

    text: str
    confidence: float
    no_speech: float


NOTHING = Transcript("", 0.0, 1.0)


class Transcriber(Protocol):
    def transcribe(self, samples: NDArray[np.int16], names: Sequence[str] = ()) -> Transcript:
        """The words in up to 30 s of audio; text "" if there are none. `names` are known and may be heard, the likelier
        first: a hint, of which a transcriber may make nothing.
        """


class Whisper:
    """A Whisper model in a folder with FILES. Deterministic; remembers the last turns by their bytes."""

    def __init__(self, folder: Path, language: str = "en", threads: int = 1, remember: int = 256) -> None:
        if missing := [name for name in FILES if not (folder / name).is_file()]:
            raise ModelMissing(f"{', '.join(missing)} not in {folder} — run: robot-memory models fetch")
        from faster_whisper import WhisperModel  # type: ignore[import-untyped, unused-ignore]
        from faster_whisper.tokenizer import Tokenizer  # type: ignore[import-untyped, unused-ignore]
        from faster_whisper.transcribe import get_suppressed_tokens  # type: ignore[import-untyped, unused-ignore]

        try:
            self._whisper: Any = WhisperModel(
                str(folder),
                device="cpu",
                compute_type="int8",
                cpu_threads=threads,
                num_workers=1,
                local_files_only=True,
            )
        except RuntimeError as error:
            raise ModelCorrupt(
                f"{folder} is not a Whisper model ({error}) — run: robot-memory models verify"
            ) from error
        multilingual = bool(self._whisper.model.is_multilingual)
        if not multilingual and language != "en":
            logger.warning("%s understands English only: asked %s, running en", folder.name, language)
        self.language = language if multilingual else "en"
        try:
            tokenizer = Tokenizer(self._whisper.hf_tokenizer, multilingual, "transcribe", self.language)
        except ValueError as error:
            raise SettingsInvalid(f"language: {error}") from error
        self._tokenizer: Any = tokenizer
        self._suppressed = list(get_suppressed_tokens(tokenizer, [-1]))
        self.memo: Memo[Transcript] = Memo(remember)

    def transcribe(self, samples: NDArray[np.int16], names: Sequence[str] = ()) -> Transcript:
        samples = samples[: round(LONGEST_S * SAMPLE_RATE)]
        if not samples.any():
            return NOTHING
        names = tuple(names[:MOST_NAMES])
        return self.memo.of(samples.tobytes() + "\n".join(names).encode(), lambda: self._transcribe(samples, names))

    def _transcribe(self, samples: NDArray[np.int16], names: Sequence[str]) -> Transcript:
        seconds = len(samples) / SAMPLE_RATE
        sound = self._whisper.encode(self._features(samples, seconds))
        heard = self._decoded(sound, seconds, "")
        if heard.text and names:
            hinted = self._decoded(sound, seconds, ", ".join(names))
            return replace(heard, text=with_names(heard.text, hinted.text, names))
        return heard

    def _decoded(self, sound: Any, seconds: float, hint: str) -> Transcript:
        """The words in what the encoder made of a turn; `hint`: words that may come."""
        prompt = self._whisper.get_prompt(self._tokenizer, [], without_timestamps=True, hotwords=hint or None)
        result = self._whisper.model.generate(
            sound,
            [prompt],
            beam_size=1,
            sampling_topk=1,
            max_length=len(prompt) + 8 + math.ceil(TOKENS_PER_S * seconds),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=self._suppressed,
        )[0]
        text = re.sub(r"(\s*\.\.\.)+$", "...", self._tokenizer.decode(result.sequences_ids[0]).strip())
        score, no_speech = float(result.scores[0]), float(result.no_speech_prob)
        if not is_speech(text, score, no_speech):
            return Transcript("", 0.0, no_speech)
        return Transcript(text, min(1.0, math.exp(score)), no_speech)

    def _features(self, samples: NDArray[np.int16], seconds: float) -> NDArray[np.float32]:
        """[80, frames] log-mel, padded to an even number of frames that covers the turn and the silence."""
        features = np.asarray(self._whisper.feature_extractor(to_wave(samples)), np.float32)
        frames = 2 * round(min(max(seconds + SILENCE_S, SHORTEST_S), LONGEST_S) * FRAMES_PER_S / 2)
        return np.pad(features[:, :frames], ((0, 0), (0, max(0, frames - features.shape[1]))))


def with_names(text: str, hinted: str, names: Sequence[str]) -> str:
    """The text with those names of a hinted one that stand there in place of other words, one name for up to
    REPLACED words. All else the hint changed is left: shown names, Whisper also writes them where nobody said them,
    stops a sentence short and takes hum for speech.
    """
    words, others = list(WORD.finditer(text)), list(WORD.finditer(hinted))
    known = {name.casefold(): name for name in names}
    matcher = SequenceMatcher(
        None, [one[0].casefold() for one in words], [one[0].casefold() for one in others], autojunk=False
    )
    for kind, start, end, first, last in reversed(matcher.get_opcodes()):
        name = known.get(others[first][0].casefold()) if kind == "replace" and last - first == 1 else None
        full = sum(one[0][0].isupper() for one in words[start:end]) > 1  # "Karl Churke" is a name already
        if name and not full and end - start <= REPLACED:
            text = text[: words[start].start()] + name + text[words[end - 1].end() :]
    return text


def is_speech(text: str, score: float, no_speech: float) -> bool:
    """False for what Whisper makes of noise: no words, words it does not believe in, or the same ones over and over."""
    believed = no_speech <= MAYBE_SPEECH or (no_speech <= NOT_SPEECH and score >= UNSURE)
    return believed and any(c.isalnum() for c in text) and not loops(text)


def loops(text: str) -> bool:
    """The text repeats itself as no person does ("no, no, no, no!" still passes)."""
    data = text.encode()
    words = re.findall(r"\w+", text.lower())
    run = 1
    for before, word in pairwise(words):
        run = run + 1 if word == before else 1
        if run >= REPEATS:
            return True
    return len(data) / len(zlib.compress(data)) >= REPETITIVE
