"""A figure as a sum over a weight, so that trials add up; means with 95 % intervals by resampling trials.

Percentile bootstrap over trials (Efron 1979): questions of one world hang together, worlds do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
SEED = 20_240_229


@dataclass(frozen=True)
class Tally:
    """`total` over `weight`: right answers over questions, fused persons over trials, false facts over hours."""

    total: float
    weight: float

    @property
    def value(self) -> float | None:
        return self.total / self.weight if self.weight else None


@dataclass(frozen=True)
class Figure:
    """A mean over trials. `low` and `high` bound 95 % of its resamples; None where one trial alone counts."""

    mean: float
    low: float | None
    high: float | None
    trials: int


def figure(tallies: Sequence[Tally]) -> Figure | None:
    """All trials together; None where no trial has anything to count."""
    counted = [tally for tally in tallies if tally.weight]
    if not counted:
        return None
    totals, weights = (np.array(of, np.float64) for of in zip(*((t.total, t.weight) for t in counted)))
    low = high = None
    if len(counted) > 1:
        picks = resamples(len(counted))
        low, high = _bounds(totals[picks].sum(axis=1) / weights[picks].sum(axis=1))
    return Figure(float(totals.sum() / weights.sum()), low, high, len(counted))


def pooled(trials: Sequence[Sequence[object]], measure: Callable[[list[int]], float | None]) -> Figure | None:
    """A measure that does not add up (ECE, AUROC), taken over the trials with the given numbers together."""
    whole = measure(list(range(len(trials))))
    if whole is None:
        return None
    low = high = None
    if len(trials) > 1:
        again = [value for pick in resamples(len(trials), 200) if (value := measure(pick.tolist())) is not None]
        low, high = _bounds(np.array(again)) if again else (None, None)
    return Figure(whole, low, high, len(trials))


def resamples(trials: int, times: int = RESAMPLES) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """[times, trials] numbers of trials drawn with replacement, the same each time."""
    return np.random.default_rng(SEED).integers(0, trials, (times, trials))


def _bounds(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
