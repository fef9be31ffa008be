"""Diarization error rate as NIST's md-eval defines it: speech missed, invented, or given to the wrong speaker.

Exact on intervals, overlapping speech included. Within `collar` seconds of a true border nothing is counted. Speakers
are paired with labels so that as much time as possible agrees (the Hungarian method, Kuhn 1955).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """One stretch of speech, in seconds."""

    speaker: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class SpeakerErrors:
    """Seconds of speaker time: all of it, missed, invented, given to somebody else."""

    speech_s: float
    missed_s: float
    invented_s: float
    confused_s: float

    @property
    def rate(self) -> float:
        return (self.missed_s + self.invented_s + self.confused_s) / self.speech_s if self.speech_s else 0.0

    def __add__(self, other: SpeakerErrors) -> SpeakerErrors:
        return SpeakerErrors(
            self.speech_s + other.speech_s,
            self.missed_s + other.missed_s,
            self.invented_s + other.invented_s,
            self.confused_s + other.confused_s,
        )


def speaker_errors(truth: Sequence[Turn], found: Sequence[Turn], collar: float = 0.0) -> SpeakerErrors:
    speech = missed = invented = both = 0.0
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for seconds, speakers, labels in _pieces(truth, found, collar):
        speech += seconds * len(speakers)
        missed += seconds * max(0, len(speakers) - len(labels))
        invented += seconds * max(0, len(labels) - len(speakers))
        both += seconds * min(len(speakers), len(labels))
        for pair in ((speaker, label) for speaker in speakers for label in labels):
            shared[pair] += seconds
    agreed = sum(shared[pair] for pair in best_pairs(shared).items())
    return SpeakerErrors(speech, missed, invented, max(0.0, both - agreed))


def best_pairs(shared: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """Speaker -> label, one to one, with the greatest sum of what they share."""
    speakers, labels = (sorted({pair[i] for pair in shared}) for i in range(2))
    size = max(len(speakers), len(labels))
    costs = [[0.0] * size for _ in range(size)]
    for (speaker, label), seconds in shared.items():
        costs[speakers.index(speaker)][labels.index(label)] = -seconds
    columns = assign(costs)
    return {speaker: labels[columns[i]] for i, speaker in enumerate(speakers) if columns[i] < len(labels)}


def assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row of a square matrix, with the least sum; rows enter one by one along cheapest paths."""
    size = len(costs)
    row_price, column_price = [0.0] * (size + 1), [0.0] * (size + 1)
    taken_by = [size] * (size + 1)  # column -> row; the last column is where a new row starts
    for row in range(size):
        taken_by[size], column = row, size
        least, came_from, visited = [float("inf")] * size, [size] * size, [False] * (size + 1)
        while taken_by[column] != size:
            visited[column], here = True, taken_by[column]
            for other in range(size):
                if not visited[other]:
                    cost = costs[here][other] - row_price[here] - column_price[other]
                    if cost < least[other]:
                        least[other], came_from[other] = cost, column
            step, column_next = min((least[other], other) for other in range(size) if not visited[other])
            for other in range(size + 1):
                if visited[other]:
                    row_price[taken_by[other]] += step
                    column_price[other] -= step
                elif other < size:
                    least[other] -= step
            column = column_next
        while column != size:
            taken_by[column] = taken_by[came_from[column]]
            column = came_from[column]
    columns = [0] * size
    for column in range(size):
        columns[taken_by[column]] = column
    return columns


def _pieces(
    truth: Sequence[Turn], found: Sequence[Turn], collar: float
) -> Iterator[tuple[float, frozenset[str], frozenset[str]]]:
    """Stretches in which nothing changes: their length, who speaks, who is said to."""
    borders = [edge for turn in truth for edge in (turn.start_s, turn.end_s)]
    edges = sorted(
        {edge for turn in (*truth, *found) for edge in (turn.start_s, turn.end_s)}
        | {edge + side for edge in borders for side in (-collar, collar)}
    )
    for start, end in zip(edges, edges[1:]):
        middle = (start + end) / 2
        if collar and any(abs(middle - border) < collar for border in borders):
            continue
        speakers, labels = (
            frozenset(turn.speaker for turn in turns if turn.start_s <= middle < turn.end_s) for turns in (truth, found)
        )
        if speakers or labels:
            yield end - start, speakers, labels
