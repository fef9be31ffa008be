"""What a memory is worth its place: one number, so scaled that it stays right while time passes.

    value = √count × quality × saliency' × distinct × (b · W' + (1 − b) · S')         all but √count in 0..1
    keep  = ln(value) + lived / half_life · ln 2  (+ PROTECTED)

W' and S' are EWpruning's (StreamMeCo, arXiv 2604.09000; b = 0.1): how strongly a memory is about somebody, and how far
it is from the mean of all that was ever remembered. The paper scales both by the least and the most of the whole graph;
here by constants, since a graph that never ends has no least. S' is nine tenths of the paper's score, which keeps what
is like nothing else: a recogniser's garbage; and drops what is like all else: routines. So quality multiplies,
what resembles an earlier memory goes before it and is counted with it, what was counted often is worth more, and what
must stay is protected.

A value that halves every half-life keeps its place in the order of all values as time passes (forward decay: Cormode,
Shkapenyuk, Srivastava, Xu 2009). So `keep` is written once, and an index of the store gives the least.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

B = 0.1  # EWpruning's share of edge weights
LEAST = 1e-6
HALF_WEIGHT = 2.0  # an edge weight that says half of all: heard or seen twice
REPEATED = 0.9  # of its value goes with a memory that says what an earlier one says
LEAST_QUALITY = 0.02
PROTECTED = 1000.0  # more than age and value can make up: 1,400 half-lives


@dataclass(frozen=True)
class Switches:
    """The parts of the score, each of which can be left out to see what it does."""

    quality: bool = True
    distinct: bool = True
    saliency: bool = True
    protection: bool = True
    floor: bool = True
    age: bool = True


@dataclass(frozen=True)
class Parts:
    """What the value of n memories is made of, all [n]: `weights` summed over edges, `typical` cosines, `quality` and
    `saliency` 0..1, `counts` of observations, `repeated` 0..1 (how much of it an earlier memory says), `coverage` 0..1
    or NaN (of what is about nobody: how early farthest-point sampling takes it), `lived` days, `protected`.
    """

    weights: NDArray[np.float32]
    typical: NDArray[np.float32]
    quality: NDArray[np.float32]
    saliency: NDArray[np.float32]
    counts: NDArray[np.int64]
    repeated: NDArray[np.float32]
    coverage: NDArray[np.float32]
    lived: NDArray[np.float64]
    protected: NDArray[np.bool_]


def values(parts: Parts, switches: Switches) -> NDArray[np.float64]:
    """The value [n], LEAST or more."""
    strength = parts.weights / (parts.weights + HALF_WEIGHT)
    apart = np.where(np.isnan(parts.coverage), np.clip(1.0 - parts.typical, 0.0, 1.0), parts.coverage)
    value = (B * strength + (1.0 - B) * apart).astype(np.float64)
    if switches.quality:
        value *= np.clip(parts.quality, LEAST_QUALITY, 1.0)
    if switches.saliency:
        value *= (0.5 + np.clip(parts.saliency, 0.0, 1.0)) / 1.5
    if switches.distinct:
        value *= (1.0 - REPEATED * np.clip(parts.repeated, 0.0, 1.0)) * np.sqrt(np.maximum(parts.counts, 1))
    return np.maximum(value, LEAST)


def keeps(parts: Parts, half_life_days: float, switches: Switches) -> NDArray[np.float64]:
    """The keep score [n]: what has the least goes first."""
    score = np.log(values(parts, switches))
    if switches.age:
        score += parts.lived / half_life_days * np.log(2.0)
    if switches.protection or switches.floor:
        score += np.where(parts.protected, PROTECTED, 0.0)
    return score
