"""The published constants: M3-Agent's as its paper gives them and as its code has them, and StreamMeCo's.

M3-Agent: arXiv 2508.09736; StreamMeCo: arXiv 2604.09000. Thresholds are of the papers' embedder: with another one the
same cosine means something else.
"""

from __future__ import annotations

from dataclasses import dataclass

ANY = float("-inf")  # a threshold that everything passes


@dataclass(frozen=True)
class Preset:
    """How many memories and clips M3-Agent's tools return at most, and from which cosine on."""

    node_k: int
    node_threshold: float
    clip_k: int
    clip_threshold: float


PAPER = Preset(node_k=2, node_threshold=0.5, clip_k=2, clip_threshold=ANY)
CODE = Preset(node_k=20, node_threshold=ANY, clip_k=2, clip_threshold=0.5)


@dataclass(frozen=True)
class Decay:
    """StreamMeCo's time-decay retrieval: how fast a clip fades (`rate` a clip) and how many memories a round shows."""

    rate: float
    k: int


PUBLISHED = Decay(rate=0.1, k=20)
