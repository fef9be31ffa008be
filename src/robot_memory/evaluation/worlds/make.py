"""Makes a world from a seed: the same seed and options give the same world, always and everywhere."""

from __future__ import annotations

import random
import re

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.options import MOST_SEED
from robot_memory.evaluation.worlds import dayplan, facts, people, rooms
from robot_memory.evaluation.worlds.bank import Bank, Name, load
from robot_memory.evaluation.worlds.bookkeeping import Ledger, ledger, wording
from robot_memory.evaluation.worlds.dialogue import Script, Writer
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.phrasing import Phrasing
from robot_memory.evaluation.worlds.world import Options, Person, Wording, World

LIMITS = {"days": (1, 28), "people": (2, 30), "rooms": (1, 12)}
SPARE = ("home", "likes", "owns", "opinion", "plan", "appointment", "promise", "job", "place")
SPARE_EACH = 4


class WorldImpossible(RobotMemoryError):
    """A world of a size that cannot be made."""


def make(seed: int, days: int = 3, people: int = 6, rooms: int = 4) -> World:
    """The world of a seed. Raises WorldImpossible."""
    options = Options(days, people, rooms)
    if not 0 <= seed <= MOST_SEED:
        raise WorldImpossible(f"a world of seed {seed}: choose 0 to {MOST_SEED}")
    for what, (low, high) in LIMITS.items():
        if not low <= getattr(options, what) <= high:
            raise WorldImpossible(f"a world of {getattr(options, what)} {what}: choose {low} to {high}")
    return _made(seed, options)


def _made(seed: int, options: Options) -> World:
    bank, size = load(), (seed, options.days, options.people, options.rooms)
    cast, strangers = people.cast(dice(*size, "people"), bank.names, options.people)
    floor = rooms.floor(dice(*size, "rooms"), bank.rooms, options.rooms)
    when = dayplan.calendar(dice(*size, "calendar"), options.days)
    planner = dayplan.DayPlanner(dice(*size, "days"), options, cast, floor)
    planned = [planner.day(day.number) for day in when.days]
    known = facts.plan(dice(*size, "facts"), bank, cast, strangers, options.days)
    phrasing = Phrasing(dice(*size, "phrases"), bank, _called(bank, cast, strangers), known)
    every = [episode for episodes in planned for episode in episodes]
    writer = Writer(dice(*size, "dialogue"), phrasing, known, cast, floor, every)
    for day, episodes in zip(when.days, planned, strict=True):
        for number, episode in enumerate(episodes):
            writer.write(episode, day, number)
    script, book = writer.script, ledger(known, writer.script)
    return World(
        seed,
        options,
        when.zone,
        when.offset_s,
        when.days,
        cast,
        tuple(name.text for name in strangers),
        floor,
        tuple(script.episodes),
        book.facts,
        book.tellings,
        book.wordings,
        spare_values(dice(seed, options.days, options.people, options.rooms, "spare"), bank, book, script),
        dict(script.named),
        dict(script.rooms_named),
    )


def _called(bank: Bank, cast: tuple[Person, ...], strangers: tuple[Name, ...]) -> dict[str, Name]:
    known = {name.text: name for name in bank.names}
    return {name: known[name] for name in [person.name for person in cast] + [name.text for name in strangers]}


def spare_values(throw: random.Random, bank: Bank, book: Ledger, script: Script) -> tuple[tuple[str, Wording], ...]:
    """Values (attribute, wording) of which no word was ever said in a world."""
    lines = (line.text.casefold() for episode in script.episodes for line in episode.lines)
    said = {word for line in lines for word in re.findall(r"\w+", line)}
    spare: list[tuple[str, Wording]] = []
    for attribute in SPARE:
        found: dict[str, Wording] = {}
        for _ in range(60):
            one = wording(attribute, bank.values[attribute].draw(throw))
            key = next(one.slots[slot] for slot in ("what", "topic", "thing", "value") if slot in one.slots)
            if not any(word in said for word in re.findall(r"\w+", key.casefold()) if len(word) > 2):
                found[key] = one
            if len(found) == SPARE_EACH:
                break
        spare += [(attribute, one) for one in found.values()]
    return tuple(spare)
