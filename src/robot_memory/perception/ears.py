"""Hears a clip: where somebody speaks, what is said, and which turns are the same voice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from robot_memory.config import PerceptionSettings
from robot_memory.perception.speech import SpeechDetector, Stretch, TurnDetector
from robot_memory.perception.transcription import MAYBE_SPEECH, Transcriber, Transcript
from robot_memory.perception.voices import SpeakerEmbedder, group_turns
from robot_memory.streams.media import SAMPLE_RATE, SECOND, AudioSpan
from robot_memory.streams.observation import SpeechTurn

Names = Callable[[], Sequence[str]]  # who is known by now, the likelier to be named first


def no_names() -> tuple[str, ...]:
    """Nobody is known, or nobody may be told of."""
    return ()


class Ears:
    """A speech detector, a transcriber and a speaker embedder at work on gapless spans of audio."""

    def __init__(
        self,
        detector: SpeechDetector,
        transcriber: Transcriber,
        embedder: SpeakerEmbedder,
        settings: PerceptionSettings,
    ) -> None:
        self.detector, self.transcriber, self.embedder, self.settings = detector, transcriber, embedder, settings

    def listen(
        self, spans: tuple[AudioSpan, ...], checkpoint: Callable[[], None] = lambda: None, names: Names = no_names
    ) -> tuple[SpeechTurn, ...]:
        """The turns in stamp order. `checkpoint` is called every second of audio and before each model; may raise.
        `names`, asked once, help to write who is spoken of.
        """
        known = tuple(names())
        heard: list[tuple[int, Stretch, Transcript]] = []
        for span in spans:
            for stretch in self._stretches(span, checkpoint):
                checkpoint()
                transcript = self.transcriber.transcribe(stretch.samples, known)
                if transcript.text or transcript.no_speech <= MAYBE_SPEECH:  # words lost, but somebody spoke
                    heard.append((span.stamp_ns, stretch, transcript))
        return self._turns(heard, checkpoint)

    def _stretches(self, span: AudioSpan, checkpoint: Callable[[], None]) -> Iterator[Stretch]:
        turns = TurnDetector(self.detector, self.settings)
        for start in range(0, len(span.samples), SAMPLE_RATE):
            checkpoint()
            yield from turns.feed(span.samples[start : start + SAMPLE_RATE])
        yield from turns.finish()

    def _turns(
        self, heard: list[tuple[int, Stretch, Transcript]], checkpoint: Callable[[], None]
    ) -> tuple[SpeechTurn, ...]:
        embeddings = []
        for _, stretch, _ in heard:
            checkpoint()
            embeddings.append(self.embedder.embed(stretch.samples))
        seconds = [len(stretch.samples) / SAMPLE_RATE for _, stretch, _ in heard]
        voices = group_turns(embeddings, seconds, self.embedder)
        return tuple(
            SpeechTurn(
                start_ns=stamp_ns + stretch.start * SECOND // SAMPLE_RATE,
                end_ns=stamp_ns + stretch.end * SECOND // SAMPLE_RATE,
                text=transcript.text,
                voice=voice,
                embedding=embedding,
                confidence=transcript.confidence,
                no_speech=transcript.no_speech,
            )
            for (stamp_ns, stretch, transcript), voice, embedding in zip(heard, voices, embeddings, strict=True)
        )
