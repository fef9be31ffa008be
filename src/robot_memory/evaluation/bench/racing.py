"""Contestants on one clock: they take turns, so that what disturbs the machine disturbs all, and medians count.

The clock is the processor time of the thread: each contestant works in this thread alone, so on a machine that does
nothing else it is the time on the wall, and elsewhere it leaves out what others take.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_S, FEWEST = 90.0, 3  # seconds after which no round begins, and rounds that are run in any case
Work = Callable[[int], object]  # takes the number of the round


@dataclass(frozen=True)
class Race:
    """Seconds by contestant, [rounds]: of processor time, and on the wall."""

    seconds: Mapping[str, NDArray[np.float64]]
    wall: Mapping[str, NDArray[np.float64]]

    def ms(self, name: str, percent: float = 50.0) -> float:
        """The median, or another percentile, in milliseconds."""
        return float(np.percentile(self.seconds[name], percent)) * 1e3

    def wall_ms(self, name: str, percent: float = 50.0) -> float:
        """The same on the wall."""
        return float(np.percentile(self.wall[name], percent)) * 1e3

    def best_ms(self, name: str) -> float:
        return float(self.seconds[name].min()) * 1e3

    def ratio(self, name: str, to: str) -> float:
        """The median over the rounds of how many times as long as `to` it took: both in the same moment's weather."""
        return float(np.median(self.seconds[name] / self.seconds[to]))


def race(
    contestants: Mapping[str, Work],
    rounds: int,
    before: Callable[[], object] | None = None,
    least_s: float = 0.0,
    most_s: float = MOST_S,
) -> Race:
    """Each contestant once a round, after a round that does not count, in an order that turns; what takes less than
    `least_s` is repeated until that is over, and its mean counts. `before` is done before each and not timed: to leave
    caches as cold as real life does. No round begins after `most_s`, but three are always run.
    """
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    names, started = list(contestants), time.perf_counter()
    for number in range(-1, rounds):
        if number >= FEWEST and time.perf_counter() - started > most_s:
            break
        for name in names if number % 2 else reversed(names):
            if before:
                before()
            seconds = _turn(contestants[name], number % rounds, least_s)
            if number >= 0:
                taken[name].append(seconds)
    both = {name: np.array(seconds) for name, seconds in taken.items()}
    return Race(*({name: seconds[:, clock] for name, seconds in both.items()} for clock in (0, 1)))


def _turn(work: Work, number: int, least_s: float) -> tuple[float, float]:
    begun, on_the_wall, times = time.thread_time(), time.perf_counter(), 0
    while True:
        work(number)
        times += 1
        wall = time.perf_counter() - on_the_wall
        if wall >= least_s:
            return (time.thread_time() - begun) / times, wall / times
