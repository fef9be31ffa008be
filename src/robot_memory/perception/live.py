"""The live half of perception: faces and turns reported as they happen, for working memory.

The closing of the clip does the same work again on the same bytes, so its memo finds most of it done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from robot_memory.config import PerceptionSettings
from robot_memory.perception.ears import Names, no_names
from robot_memory.perception.perceive import Ears, Eyes
from robot_memory.perception.speech import Stretch, TurnDetector
from robot_memory.perception.tracking import LiveTrack, Tracker
from robot_memory.streams.audio import JITTER_NS, Chunk, stitch
from robot_memory.streams.media import SAMPLE_RATE, SECOND, AudioSpan, Frame


@dataclass(frozen=True)
class HeardTurn:
    """Words just said, before anybody knows who said them."""

    start_ns: int
    end_ns: int
    text: str
    confidence: float
    no_speech: float


class LiveEye:
    """Follows faces from frame to frame."""

    def __init__(self, eyes: Eyes, settings: PerceptionSettings, same: float) -> None:
        self._eyes = eyes
        self._tracker = Tracker(settings, same)

    def look(self, frame: Frame) -> tuple[LiveTrack, ...]:
        """The tracks in view after this frame; frames out of order change nothing."""
        self._tracker.add(frame.stamp_ns, self._eyes.look(frame))
        self._tracker.drain(frame.stamp_ns)
        return tuple(track for track in self._tracker.live(frame.stamp_ns) if track.last_ns == frame.stamp_ns)


class LiveEar:
    """Cuts running sound into turns and transcribes each as it ends."""

    def __init__(self, ears: Ears, settings: PerceptionSettings, names: Names = no_names) -> None:
        self._ears = ears
        self._settings = settings
        self._names = names
        self._detector: TurnDetector | None = None
        self._start_ns = self._fed = 0

    def listen(self, chunk: Chunk, border: Callable[[int], int]) -> list[HeardTurn]:
        """The turns that ended with this chunk. `border` gives the end of the clip a moment lies in."""
        heard: list[HeardTurn] = []
        start_ns = chunk.stamp_ns
        while start_ns < chunk.end_ns:
            end_ns = min(border(start_ns), chunk.end_ns)
            for span in stitch([chunk], start_ns, end_ns):
                heard += self._feed(span)
            if end_ns < chunk.end_ns:
                heard += self._finish()
            start_ns = end_ns
        return heard

    def _feed(self, span: AudioSpan) -> list[HeardTurn]:
        heard: list[HeardTurn] = []
        if self._detector is not None and abs(self._now() - span.stamp_ns) > JITTER_NS:
            heard += self._finish()
        if self._detector is None:
            self._detector, self._start_ns, self._fed = (
                TurnDetector(self._ears.detector, self._settings),
                span.stamp_ns,
                0,
            )
        self._fed += len(span.samples)
        return heard + [turn for stretch in self._detector.feed(span.samples) if (turn := self._turn(stretch)).text]

    def _finish(self) -> list[HeardTurn]:
        stretches = self._detector.finish() if self._detector else []
        self._detector = None
        return [turn for stretch in stretches if (turn := self._turn(stretch)).text]

    def _turn(self, stretch: Stretch) -> HeardTurn:
        words = self._ears.transcriber.transcribe(stretch.samples, self._names())
        start_ns, end_ns = (self._start_ns + n * SECOND // SAMPLE_RATE for n in (stretch.start, stretch.end))
        return HeardTurn(start_ns, end_ns, words.text, words.confidence, words.no_speech)

    def _now(self) -> int:
        return self._start_ns + self._fed * SECOND // SAMPLE_RATE
