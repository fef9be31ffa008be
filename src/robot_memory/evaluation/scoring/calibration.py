"""Does confidence mean anything? Risk against coverage, expected calibration error, Brier score, AUROC.

Risk–coverage after El-Yaniv and Wiener (2010), ECE after Naeini et al. (2015), Brier (1950). An answered question
counts as right or wrong; to abstain lowers coverage and carries no risk. `unanswerable` and `unfound` look at all
questions, abstained or not: would confidence be a good reason to answer?
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

BINS = 15
COVERAGES = (0.3, 0.5, 0.7, 0.9, 1.0)  # where risk is printed
FIRST = 10  # things found, of which one must be evidence lest an answer come from nothing


@dataclass(frozen=True)
class Outcome:
    """One question's end: how sure the reply was, whether it answered and was right, whether anybody could know, and
    whether any of its evidence was among the FIRST found (None where that was not looked at).
    """

    confidence: float
    answered: bool
    right: bool
    answerable: bool
    found: bool | None = None


@dataclass(frozen=True)
class Bin:
    """Answers of like confidence: their mean confidence, the share that was right, and how many they are."""

    confidence: float
    right: float
    count: int


def risk_coverage(outcomes: Sequence[Outcome]) -> list[tuple[float, float]]:
    """(coverage, risk) as the threshold falls: the share of all questions answered, and the share wrong among those.
    Answers of equal confidence come together.
    """
    points, answered, wrong = list[tuple[float, float]](), 0, 0
    for _, group in groupby(_surest_first(outcomes), key=lambda one: one.confidence):
        own = list(group)
        answered += len(own)
        wrong += sum(not one.right for one in own)
        points.append((answered / len(outcomes), wrong / answered))
    return points


def area_under_risk(outcomes: Sequence[Outcome]) -> float | None:
    """AURC: the mean risk over the coverages reached, one answer after another (ties in their mean order); None
    without answers. Lower is better; compare it at like coverage.
    """
    risks, answered, wrong = list[float](), 0, 0.0
    for _, group in groupby(_surest_first(outcomes), key=lambda one: one.confidence):
        own = list(group)
        share = sum(not one.right for one in own) / len(own)
        for _one in own:
            answered += 1
            wrong += share
            risks.append(wrong / answered)
    return float(np.mean(risks)) if risks else None


def bins(outcomes: Iterable[Outcome]) -> list[Bin]:
    """The answers in BINS equal steps of confidence; empty steps are left out."""
    answers = [one for one in outcomes if one.answered]
    found = []
    for step, group in groupby(sorted(answers, key=_step), key=_step):
        own = list(group)
        assert 0 <= step < BINS
        found.append(
            Bin(
                sum(one.confidence for one in own) / len(own),
                sum(one.right for one in own) / len(own),
                len(own),
            )
        )
    return found


def ece(outcomes: Iterable[Outcome]) -> float | None:
    """Mean distance of confidence and accuracy over the bins, weighed by their answers; None without answers."""
    found = bins(outcomes)
    total = sum(one.count for one in found)
    return sum(one.count * abs(one.confidence - one.right) for one in found) / total if total else None


def brier(outcomes: Iterable[Outcome]) -> float | None:
    """Mean squared distance of confidence from what came true, over the answers; None without answers."""
    squares = [(one.confidence - one.right) ** 2 for one in outcomes if one.answered]
    return sum(squares) / len(squares) if squares else None


def auroc(outcomes: Sequence[Outcome]) -> float | None:
    """The chance that a question somebody can answer got a higher confidence than one nobody can (ties half; Mann and
    Whitney 1947). An abstention counts with the confidence of the answer it held back. None without both kinds.
    """
    values = np.array([one.confidence for one in outcomes], np.float64)
    positive = np.array([one.answerable for one in outcomes], bool)
    if not len(values) or positive.all() or not positive.any():
        return None
    negatives = np.sort(values[~positive])
    below, up_to = (np.searchsorted(negatives, values[positive], side) for side in ("left", "right"))
    return float((below + up_to).mean() / (2 * len(negatives)))


def unanswerable(outcomes: Sequence[Outcome], coverage: float) -> float | None:
    """The risk to answer what nobody can know: the share of unanswerable questions among those kept, where the least
    sure are left out until `coverage` of all questions are kept. An abstention counts with the confidence of the answer
    it held back. Questions of equal confidence have no order: those at the border count as their mean does. None
    without unanswerable questions.
    """
    bad = [not one.answerable for one in outcomes]
    return _share_kept(outcomes, bad, coverage) if any(bad) else None


def unfound(outcomes: Sequence[Outcome], coverage: float) -> float | None:
    """The risk to answer from nothing: as `unanswerable`, and questions count as well that somebody can answer but of
    whose evidence nothing was among the FIRST found. A question whose evidence nobody has listed misses none. None
    where it was not looked at.
    """
    if not outcomes or any(one.found is None for one in outcomes):
        return None
    return _share_kept(outcomes, [not (one.answerable and one.found) for one in outcomes], coverage)


def _share_kept(outcomes: Sequence[Outcome], bad: Sequence[bool], coverage: float) -> float:
    """The share of bad ones among the surest, `coverage` of all; whoever stands on the border counts in part."""
    sure = np.array([one.confidence for one in outcomes], np.float64)
    levels, level = np.unique(-sure, return_inverse=True)
    counts = np.bincount(level, minlength=len(levels))
    wrong = np.bincount(level, weights=np.array(bad, np.float64), minlength=len(levels))
    kept = np.clip(coverage * len(sure) - (np.cumsum(counts) - counts), 0, counts)  # of each level of confidence
    return float((kept * wrong / counts).sum() / kept.sum())


def _surest_first(outcomes: Iterable[Outcome]) -> list[Outcome]:
    return sorted((one for one in outcomes if one.answered), key=lambda one: -one.confidence)


def _step(outcome: Outcome) -> int:
    return max(0, min(int(outcome.confidence * BINS), BINS - 1))
