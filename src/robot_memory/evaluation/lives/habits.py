"""The habits of a household: some of its people have one or two, some have none, some break theirs one day."""

from __future__ import annotations

import random
from collections.abc import Sequence

from robot_memory.evaluation.lives.life import Habit
from robot_memory.evaluation.worlds.dayplan import OPENING
from robot_memory.evaluation.worlds.world import Person, Room

LAST_HOUR = OPENING + 9
PATTERNS = (  # weekdays of habits; the common ones more than once
    (0, 1, 2, 3, 4),
    (0, 1, 2, 3, 4),
    (0, 1, 2, 3, 4, 5, 6),
    (0, 2, 4),
    (1, 3),
    (5, 6),
    (1, 2, 3, 4, 5),
)
LEAST, MOST = 0.6, 0.95  # probability of coming on a day of the habit
BROKEN = 0.33  # share of habits that end
WITHOUT = 0.25  # share of the household without any habit
LEAST_DAYS = 14  # a habit lives at least so long before it breaks


def habits(
    throw: random.Random, people: Sequence[Person], rooms: Sequence[Room], days: int, count: int
) -> tuple[Habit, ...]:
    """At most `count`. Nobody has two habits in one hour, and no two habits share a room at one hour."""
    seen = [person.name for person in people if person.seen]
    given = throw.sample(seen, max(1, len(seen) - round(WITHOUT * len(seen))))
    taken: set[tuple[str, int]] = set()
    found: list[Habit] = []
    for n in range(count):
        who = given[n % len(given)]
        room, hour = throw.choice(rooms).name, throw.randrange(OPENING, LAST_HOUR)
        weekdays = throw.choice(PATTERNS)
        probability = round(throw.uniform(LEAST, MOST), 2)
        breaks = throw.random() < BROKEN and days >= 2 * LEAST_DAYS
        broken = throw.randrange(LEAST_DAYS, days - LEAST_DAYS + 1) if breaks else None
        if (room, hour) in taken or (who, hour) in taken:
            continue
        taken |= {(room, hour), (who, hour)}
        found.append(Habit(who, room, hour, hour + 1, weekdays, probability, broken))
    return tuple(found)
