"""When counts are enough to say "usually", and when to say that it is over. Plain statistics, nothing learned.

Usual is what happened on at least LEAST_DAYS days, on more than half of the chances there were, at a rate that is
surely above USUAL: by the lower bound of Wilson's score interval (Wilson 1927), one-sided at 95 %. Wilson's, because a
robot has seen few days: the plain normal bound would be 1.0 for three of three. And so often by accident must be
unlikely, however many such rules were tried (Bonferroni's correction of an exact binomial test): where a person is
seen all over the house, some room and hour come together by chance.

Over is what a change point explains better than bad luck (the generalised likelihood ratio of Page's test, 1955): the
surer it was, the fewer misses it takes. Of what is usual on four weekdays of five, two or three.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

LEAST_DAYS = 3
USUAL = 0.4  # three of three, four of five and twelve of twenty are surely above it; half of any number never is enough
Z = 1.645  # one-sided 95 %
# how likely all rules of one person together may be to hold an accident: so strict because they are looked at every day
# anew, and what seems chance comes in clusters (a guest's month, a week of talks); by made-up lives
BY_CHANCE = 0.0002
STAYS = 0.1  # what was found usual stays so with a weaker bound: it must not come and go with every day
ENDS = 0.03  # how likely what is usual ends with a chance; found on made-up lives: more ends too much, less ends late


def lower_bound(hits: int, chances: int) -> float:
    """The rate that hits among chances are surely above; 0 without chances."""
    if not chances:
        return 0.0
    rate, spread = hits / chances, Z * Z / chances
    half = Z * math.sqrt(rate * (1 - rate) / chances + spread / (4 * chances))
    return (rate + spread / 2 - half) / (1 + spread)


def by_chance(hits: int, chances: int, base: float) -> float:
    """How likely at least so many hits are where each chance gives one with the probability `base`, between 0 and 1. By
    logarithms: after years of days the ways to choose them are more than a float can hold.
    """
    ways = [
        math.lgamma(chances + 1) - math.lgamma(n + 1) - math.lgamma(chances - n + 1) for n in range(hits, chances + 1)
    ]
    yes, no = math.log(base), math.log1p(-base)
    return min(1.0, sum(math.exp(w + n * yes + (chances - n) * no) for n, w in enumerate(ways, start=hits)))


def base_rate(hits: int, chances: int) -> float:
    """How often it happens elsewhere, by Laplace's rule; at most USUAL: what is usual at any hour is so at this."""
    return min(USUAL, (hits + 1) / (chances + 2))


def is_usual(hits: int, chances: int, base: float, tried: float, known: bool = False) -> bool:
    """Whether that is a rule. `tried`: how many rules it is one of; `known`: it was found to be one before."""
    if hits < LEAST_DAYS or 2 * hits <= chances:
        return known and hits >= LEAST_DAYS and lower_bound(hits, chances) >= USUAL - STAYS
    least, accident = (USUAL - STAYS, 10 * BY_CHANCE) if known else (USUAL, BY_CHANCE)
    return lower_bound(hits, chances) >= least and by_chance(hits, chances, base) * tried <= accident


def end_of(happened: Sequence[bool], base: float) -> int | None:
    """The last of these chances, in order of time, before it came to happen no more often than by `base`; None where
    it goes on.
    """
    every, so_far, last = sum(happened), 0, None
    best = _likelihood(every, len(happened)) - math.log(ENDS)
    for n, one in enumerate(happened[:-1], start=1):
        so_far += one
        if not one:
            continue
        later, misses = every - so_far, len(happened) - n - (every - so_far)
        ending = _likelihood(so_far, n) + later * math.log(base) + misses * math.log(1 - base)
        if ending > best:
            best, last = ending, n - 1
    return last


def _likelihood(hits: int, chances: int) -> float:
    """Log-likelihood of a series by its own rate, by Laplace's rule."""
    rate = (hits + 1) / (chances + 2)
    return hits * math.log(rate) + (chances - hits) * math.log(1 - rate)
