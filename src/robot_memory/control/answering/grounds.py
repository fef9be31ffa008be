"""What an answer rests on, in a few numbers, and how sure they make it: one scale for all pages that answer.

The weights say how much a ground is worth on the scale of log-odds. `make calibrate` fits them to half of the building
worlds (347 answers of the even seeds from 0 to 10, 24 of them wrong); a ground without weight did not tell right from
wrong there, since pages abstain where it is low.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from robot_memory.control.answer import Answer

BIAS = 1.2
WEIGHTS = {"named": 0.0, "asked": 0.0, "own": 0.75, "again": 1.15, "heard": 0.0, "supported": 0.35, "rivals": -0.45}
OFTEN = 3  # observations; more of them add nothing


@dataclass(frozen=True)
class Grounds:
    """Each from 0 (bad) to 1 (good) where nothing else is said.

    `named`: how surely the person asked about is the one meant; 1 where nobody is named. `asked`: how clearly the
    question wants what is answered (`Wish.sure`). `own`: seen, or the person's own word; 0: hearsay. `observations`:
    how often it was seen or said (1 or more). `heard`: the transcript's confidence. `supported`: how well what was
    found fits the question; of a claim that matches exactly 1, of a line only recalled the verdict's `supported`.
    `rivals`: 1 where another answer stands against it with equal right, 0 where none does.
    """

    named: float = 1.0
    asked: float = 1.0
    own: float = 1.0
    observations: int = 1
    heard: float = 1.0
    supported: float = 1.0
    rivals: float = 0.0

    def features(self) -> dict[str, float]:
        """By the names of WEIGHTS, each 0 to 1."""
        again = (min(max(self.observations, 1), OFTEN) - 1) / (OFTEN - 1)
        given = {name: float(getattr(self, name)) for name in WEIGHTS if name != "again"}
        return {**given, "again": again}


def resting(answer: Answer, grounds: Grounds) -> Answer:
    """The answer with the confidence that these grounds give it."""
    return replace(answer, confidence=confidence(grounds), grounds=tuple(grounds.features().items()))


def confidence(grounds: Grounds) -> float:
    """How likely it is that the answer is right, 0 to 1."""
    odds = BIAS + sum(WEIGHTS[name] * min(1.0, max(0.0, value)) for name, value in grounds.features().items())
    return 1 / (1 + math.exp(-odds))
