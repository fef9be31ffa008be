"""How channels become one order: a weighted sum, each channel on a scale of its own (Bruch et al. 2023,
arXiv 2210.11934: a convex combination beats the fusion of ranks, because it keeps how much better the best is).

| channel | what it says of a memory | weight |
|---|---|---|
| vector | its cosine with the question | 0.75 |
| keyword | its share of the best BM25 | 0.25 |
| neighbour | how well the lines right before and after it match, by the two above | 0.2 each |
| occasion | how well the best three lines of its conversation match | 0.15 |
| person | whether the person asked about speaks, is its subject, or takes part | 0.2 |
| time | it was in the time that the question names | 0.2 |
| sight | it was seen, where the question is about who was in view | 0.15 |
| telling | it tells a time in words, where the question asks when | 0.1 |
| earlier | it no longer holds, where the question is about before | 0.1 |
| recent | it is of this hour, day, week, month, or older | 0.01 |
| asking | it is a question, which proves nothing | -0.05 |

Saliency (memorization/saliency) is no channel: what is worth keeping is not what a question is about. Added with a
weight of 0.02, 0.05 or 0.1 it moved evidence recall@5 on worlds 0-5 from .678 to .686, .677, .667 and on LoCoMo from
.715 to .712, .710, .705; recall@10 from .799 to .799, .806, .801 and from .799 to .795, .799, .797. With 0.02 and 0.05,
as many answers on the worlds were right and wrong as without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from robot_memory.memory.retrieval.conversation import Line
from robot_memory.memory.retrieval.query import Hit, Order

VECTOR, KEYWORD = 0.75, 0.25
WEIGHTS = {
    "neighbour": 0.2,
    "occasion": 0.15,
    "person": 0.2,
    "time": 0.2,
    "telling": 0.1,
    "sight": 0.15,
    "earlier": 0.1,
    "recent": 0.01,
    "asking": -0.05,
}
WHOLE = 1 + WEIGHTS["neighbour"] + sum(weight for weight in WEIGHTS.values() if weight > 0)  # what perfection scores
BAND = 0.75  # of the best score fits as well as the best, where the first or the last is asked for

Channel = Mapping[int, float]  # memory -> what the channel says; who is not named has 0
NOTHING: Channel = {}


@dataclass(frozen=True)
class Found:
    """What the channels say, each on its own scale."""

    cosines: Channel = field(default_factory=dict)
    keywords: Channel = field(default_factory=dict)  # BM25
    lines: Mapping[int, Line] = field(default_factory=dict)
    others: Mapping[str, Channel] = field(default_factory=dict)  # the rest of the table

    def matches(self, memories: Iterable[int]) -> dict[int, float]:
        """How well each memory itself matches, 0 to 1."""
        best = max(self.keywords.values(), default=0.0) or 1.0
        return {
            one: VECTOR * max(0.0, self.cosines.get(one, 0.0)) + KEYWORD * self.keywords.get(one, 0.0) / best
            for one in memories
        }


def ranked(found: Found, candidates: Iterable[int]) -> list[Hit]:
    """The candidates, best first; of equals the newer."""
    matches = found.matches({*candidates, *found.lines})
    hits = [_hit(one, matches, found) for one in candidates]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.memory))


def in_order(hits: list[Hit], order: Order, start_ns: Mapping[int, int]) -> list[Hit]:
    """Hits, best first, as the question wants them: of what fits about as well as the best, the first or last first."""
    if order is Order.RELEVANCE or not hits:
        return hits
    sign = 1 if order is Order.FIRST else -1
    fits = [hit for hit in hits if hit.score >= BAND * hits[0].score]
    fits.sort(key=lambda hit: sign * start_ns[hit.memory])
    return fits + hits[len(fits) :]


def _hit(memory: int, matches: Channel, found: Found) -> Hit:
    line = found.lines.get(memory)
    beside = sum(matches.get(one, 0.0) for one in (line.before, line.after)) if line else 0.0
    channels = {"neighbour": beside, **{name: channel.get(memory, 0.0) for name, channel in found.others.items()}}
    score = matches[memory] + sum(WEIGHTS[name] * value for name, value in channels.items())
    shown = {"vector": found.cosines.get(memory, 0.0), "keyword": found.keywords.get(memory, 0.0), **channels}
    return Hit(memory, max(0.0, score) / WHOLE, {name: value for name, value in shown.items() if value})
