"""Who lives in a world: regulars, visitors, somebody who is only heard, somebody who is only seen; some sound alike."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from robot_memory.evaluation.worlds.bank import Name
from robot_memory.evaluation.worlds.world import Person

STRANGERS = 3  # names that are only spoken of
ALIKE_SHARE = 0.5  # worlds in which two people's names sound alike


def cast(throw: random.Random, names: Sequence[Name], count: int) -> tuple[tuple[Person, ...], tuple[Name, ...]]:
    """`count` people, and the names of some who never come."""
    chosen = _names(throw, names, count + STRANGERS)
    people = tuple(Person(name.text, kind, name.gender) for name, kind in zip(chosen, _kinds(count), strict=False))
    return people, tuple(chosen[count:])


def _kinds(count: int) -> list[str]:
    """From three people on somebody is silent, from five on one is a mere voice; at least two are regulars."""
    silent = 0 if count < 3 else 1 if count < 8 else 2
    unseen = 1 if count >= 5 else 0
    visitors = max(0, (count - silent - unseen - 2) // 2)
    regulars = count - silent - unseen - visitors
    return ["regular"] * regulars + ["visitor"] * visitors + ["unseen"] * unseen + ["silent"] * silent


def _names(throw: random.Random, names: Sequence[Name], count: int) -> list[Name]:
    """Different names; in half of the worlds two of the first three sound alike, else no two do."""
    by_sound: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        by_sound[name.sounds or name.text].append(name)
    sounds = throw.sample(sorted(by_sound), count)
    chosen = [throw.choice(by_sound[sound]) for sound in sounds]
    if throw.random() < ALIKE_SHARE:
        pairs = [alike for sound, alike in sorted(by_sound.items()) if len(alike) > 1 and sound not in sounds]
        chosen[:2] = throw.sample(throw.choice(pairs), 2)
    first = chosen[:3]
    throw.shuffle(first)
    return first + chosen[3:]
