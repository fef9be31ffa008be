#!/usr/bin/env python3
"""Weights of what an answer rests on, fitted so that a confidence of 0.8 is right in 80 of 100: `make calibrate`.

Half of the building worlds (even seeds) are asked with perfect and with erring perception; a ridge-regularised logistic
regression of right against wrong on the grounds of each answer gives the weights for control/answering/grounds.py. The
other half (odd seeds) is not looked at: its calibration error is what `robot-memory evaluate` prints.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.control.answering.grounds import WEIGHTS
from robot_memory.evaluation.scoring.judge import RIGHT, WRONG, NormalisedJudge
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.subjects.oracle import OracleSubject
from robot_memory.evaluation.worlds.trials import trial

SEEDS = range(0, 20, 2)
RIDGE = 1.0  # a prior as strong as one answer; of few wrong ones no weight should run away
STEPS = 50
AGAINST = ("rivals",)  # grounds that speak against an answer

Floats = NDArray[np.float64]
Row = tuple[tuple[tuple[str, float], ...], bool]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, nargs="*", default=list(SEEDS))
    args = options.parse_args()
    rows = [row for seed in args.seeds for oracle in (False, True) for row in answers(seed, oracle)]
    bias, weights = fitted(rows)
    right = sum(one for _, one in rows)
    print(f"{len(rows)} answers of {len(args.seeds)} worlds, perceived and perfect, {right} right")
    print(f"BIAS = {bias:.2f}")
    print("WEIGHTS = {" + ", ".join(f'"{name}": {weight:.2f}' for name, weight in weights.items()) + "}")


def answers(seed: int, oracle: bool) -> Iterator[Row]:
    """What each answer of a world rests on, and whether it was right; silence is neither."""
    asked = trial(seed)
    with tempfile.TemporaryDirectory() as folder:
        subject = OracleSubject(Path(folder), asked) if oracle else MemorySubject(Path(folder))
        try:
            result = run(asked, subject, ks=(1,))
        finally:
            subject.close()
    judge = NormalisedJudge()
    for one in result.askings:
        if one.reply is None or not one.reply.grounds:
            continue
        verdict = judge.judge(one.question, one.reply, asked.truth).kind
        if verdict in (RIGHT, WRONG):
            yield one.reply.grounds, verdict == RIGHT


def fitted(rows: Sequence[Row]) -> tuple[float, dict[str, float]]:
    """Bias and weights. A good ground must not lower a confidence, nor a bad one raise it: what the rows do not bear
    out has no weight.
    """
    names = list(WEIGHTS)
    kept = names
    while True:
        bias, weights = _fit(rows, kept)
        against = [name for name in kept if weights[name] * (-1 if name in AGAINST else 1) < 0]
        if not against:
            return bias, {name: weights.get(name, 0.0) for name in names}
        kept = [name for name in kept if name != min(against, key=lambda name: -abs(weights[name]))]


def _fit(rows: Sequence[Row], names: Sequence[str]) -> tuple[float, dict[str, float]]:
    """By Newton's method."""
    features = np.array([[1.0, *(dict(grounds)[name] for name in names)] for grounds, _ in rows])
    right = np.array([float(one) for _, one in rows])
    prior = RIDGE * np.eye(len(names) + 1)
    prior[0, 0] = 1e-6
    weights: Floats = np.zeros(len(names) + 1)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (right - likely) - prior @ weights
        curve = (features.T * (likely * (1 - likely))) @ features + prior
        weights = weights + np.linalg.solve(curve, slope)
    return float(weights[0]), dict(zip(names, weights[1:].tolist(), strict=True))


if __name__ == "__main__":
    main()
