"""Makes a life from a seed: the same seed and size give the same life, always and everywhere."""

from __future__ import annotations

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.lives import calendar, dayplan, facts, garbage, habits
from robot_memory.evaluation.lives.life import Life, Month, Size
from robot_memory.evaluation.options import MOST_SEED
from robot_memory.evaluation.worlds import people, rooms
from robot_memory.evaluation.worlds.bank import Bank, Name, load
from robot_memory.evaluation.worlds.bookkeeping import ledger
from robot_memory.evaluation.worlds.dialogue import Writer
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.make import spare_values
from robot_memory.evaluation.worlds.phrasing import Phrasing
from robot_memory.evaluation.worlds.world import Options, Person, World

LIMITS = {
    "days": (1, 730),
    "household": (3, 20),
    "guests": (0, 12),
    "rooms": (2, 12),
    "habits": (0, 20),
    "talks": (0, 20),
    "chats": (0, 20),
    "visits": (0, 40),
}
MOST_PEOPLE = 100  # the bank has names enough for
SILENT = 5  # households of so many have one who never speaks


class LifeImpossible(RobotMemoryError):
    """A life of a size that cannot be made."""


def make(seed: int, size: Size | None = None) -> Life:
    """The life of a seed. Raises LifeImpossible."""
    size = size or Size()
    if not 0 <= seed <= MOST_SEED:
        raise LifeImpossible(f"a life of seed {seed}: choose 0 to {MOST_SEED}")
    for what, (low, high) in LIMITS.items():
        if not low <= getattr(size, what) <= high:
            raise LifeImpossible(f"a life of {getattr(size, what)} {what}: choose {low} to {high}")
    if not 0.0 <= size.garbage < 0.5:
        raise LifeImpossible(f"a life with a share of {size.garbage} garbage: choose 0 to below 0.5")
    months = calendar.months(size.days)
    if size.household + size.guests * len(months) > MOST_PEOPLE:
        raise LifeImpossible(f"a life of more than {MOST_PEOPLE} people: choose fewer guests a month, or fewer days")
    return _made(seed, size, months)


def _made(seed: int, size: Size, months: tuple[Month, ...]) -> Life:
    bank, name = load(), size.named(seed)
    household, guests, strangers = _cast(name, bank, size, months)
    everybody = household + tuple(person for _, some in guests for person in some)
    floor = rooms.floor(dice(name, "rooms"), bank.rooms, size.rooms)
    when = calendar.calendar(dice(name, "calendar"), size.days)
    usual = habits.habits(dice(name, "habits"), household, floor, size.days, size.habits)
    planner = dayplan.DayPlanner(dice(name, "days"), size, household, guests, floor, usual)
    planned = [planner.day(day.number) for day in when.days]
    known = facts.facts(dice(name, "facts"), bank, months, household, guests, strangers)
    phrasing = Phrasing(dice(name, "phrases"), bank, _called(bank, everybody, strangers), known)
    every = [episode for episodes in planned for episode in episodes]
    writer = Writer(dice(name, "dialogue"), phrasing, known, everybody, floor, every)
    for day, episodes in zip(when.days, planned, strict=True):
        for number, episode in enumerate(episodes):
            writer.write(episode, day, number)
    script, book = writer.script, ledger(known, writer.script)
    world = World(
        seed,
        Options(size.days, len(everybody), size.rooms),
        when.zone,
        when.offset_s,
        when.days,
        everybody,
        tuple(one.text for one in strangers),
        floor,
        tuple(script.episodes),
        book.facts,
        book.tellings,
        book.wordings,
        spare_values(dice(name, "spare"), bank, book, script),
        dict(script.named),
        dict(script.rooms_named),
    )
    misheard = garbage.garbage(dice(name, "garbage"), bank, world.episodes, size.garbage)
    return Life(name, size, world, months, usual, misheard)


def _cast(
    name: str, bank: Bank, size: Size, months: tuple[Month, ...]
) -> tuple[tuple[Person, ...], tuple[tuple[Month, tuple[Person, ...]], ...], tuple[Name, ...]]:
    """The household, the guests of each month, and some who never come. One of a larger household never speaks."""
    count = size.household + size.guests * len(months)
    drawn, strangers = people.cast(dice(name, "people"), bank.names, count)
    silent = size.household - 1 if size.household >= SILENT else -1
    everybody = [
        Person(one.name, "silent" if n == silent else "regular" if n < size.household else "visitor", one.gender)
        for n, one in enumerate(drawn)
    ]
    guests = []
    for n, month in enumerate(months):
        first = size.household + n * size.guests
        guests.append((month, tuple(everybody[first : first + size.guests])))
    return tuple(everybody[: size.household]), tuple(guests), strangers


def _called(bank: Bank, cast: tuple[Person, ...], strangers: tuple[Name, ...]) -> dict[str, Name]:
    known = {name.text: name for name in bank.names}
    return {name: known[name] for name in [person.name for person in cast] + [name.text for name in strangers]}
