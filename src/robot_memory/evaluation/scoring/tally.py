"""A figure as a sum over a weight, so that trials add up; means with 95 % intervals by resampling trials.

Percentile bootstrap over trials (Efron 1979): questions of one world hang together, worlds do not. Percentiles of few
trials lie too close together; they are spread as Student's t asks for (Hesterberg 2015), and below FEWEST not given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

RESAMPLES, FEWEST = 2000, 5
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
    """A mean over trials, and the bounds of its 95 % interval: None where fewer than FEWEST trials count."""

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
    if len(counted) >= FEWEST:
        picks = resamples(len(counted))
        low, high = _bounds(totals[picks].sum(axis=1) / weights[picks].sum(axis=1), len(counted))
    return Figure(float(totals.sum() / weights.sum()), low, high, len(counted))


def pooled(trials: Sequence[Sequence[object]], measure: Callable[[list[int]], float | None]) -> Figure | None:
    """A measure that does not add up (ECE, AUROC), taken over the trials with the given numbers together."""
    whole = measure(list(range(len(trials))))
    if whole is None:
        return None
    low = high = None
    if len(trials) >= FEWEST:
        again = [value for pick in resamples(len(trials), 200) if (value := measure(pick.tolist())) is not None]
        low, high = _bounds(np.array(again), len(trials)) if again else (None, None)
    return Figure(whole, low, high, len(trials))


def resamples(trials: int, times: int = RESAMPLES) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """[times, trials] numbers of trials drawn with replacement, the same each time."""
    return np.random.default_rng(SEED).integers(0, trials, (times, trials))


def _bounds(values: np.ndarray[tuple[int], np.dtype[np.float64]], trials: int) -> tuple[float, float]:
    outside = 100 * NormalDist().cdf(-_student(trials - 1) * (trials / (trials - 1)) ** 0.5)
    low, high = np.percentile(values, [outside, 100 - outside])
    return float(low), float(high)


def _student(freedom: int) -> float:
    """Student's t that 2.5 % exceed (Abramowitz and Stegun 26.7.5; within 0.01 from 4 degrees of freedom on)."""
    z = NormalDist().inv_cdf(0.975)
    terms = (
        z**3 + z,
        (5 * z**5 + 16 * z**3 + 3 * z) / 24,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 96,
    )
    return float(z + sum(term / 4 / freedom**n for n, term in enumerate(terms, start=1)))
