"""The questions of a world: chosen so that types, kinds and moments are spread, 45 in a hundred cannot be answered, and
about as many need sight.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from robot_memory.evaluation.trial import TYPES, Question
from robot_memory.evaluation.worlds.asking import BY_FACT, BY_SIGHT, ME, NAMED
from robot_memory.evaluation.worlds.bank import Bank, fill, load
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.pool import Pool, Posed, kinds
from robot_memory.evaluation.worlds.record import Record
from robot_memory.evaluation.worlds.truths import truth
from robot_memory.evaluation.worlds.windows import words
from robot_memory.evaluation.worlds.wordings import phrasings
from robot_memory.evaluation.worlds.world import World
from robot_memory.streams.media import SECOND

COUNT = 80
UNANSWERABLE, SIGHT = 0.45, 0.45
AFTER_NS = 120 * SECOND  # after an episode or a day, before it is asked
MID_DAY, END_OF_DAY = 0.2, 0.4  # of the questions; the rest after everything
WANTED = {  # answerable ones in every world that offers them
    "who_came_silently": 2,
    "who_while": 2,
    "last_seen_where": 1,
    "last_seen_when": 1,
    "was_here": 1,
    "how_often_seen": 1,
    "yesno_job": 1,
}
LATE = 3  # moments in the middle of days that are asked at


def questions(
    world: World, count: int = COUNT, progress: Callable[[float], None] = lambda done: None
) -> tuple[Question, ...]:
    """The questions of a world in the order in which they are asked."""
    bank, known = load(), truth(world)
    throw = dice(world.name, "questions")
    allowed = allowed_ways(bank)
    whole = Record(world, known, world.days[-1].end_ns + AFTER_NS)
    chooser = Chooser(throw)
    asked_at = _moments(world, throw)
    every, done = sum(len(moments) for moments, _ in asked_at), 0
    for moments, share in asked_at:
        records = [Record(world, known, at_ns) for at_ns in moments]
        posed: list[Posed] = []
        for record in records:
            posed += Pool(throw, record, whole, allowed).posed()
            progress((done := done + 1) / every)
        chooser.choose(posed, round(count * share))
    chosen = sorted(chooser.chosen, key=lambda one: one.at_ns)
    return worded(world, bank, throw, chosen)


def questions_at(world: World, at_ns: int, count: int = COUNT) -> tuple[Question, ...]:
    """Questions that are all asked at one moment, as if the world ended there: for a part of it."""
    bank, known = load(), truth(world)
    throw = dice(world.name, "questions", at_ns)
    record = Record(world, known, at_ns)
    chooser = Chooser(throw)
    chooser.choose(list(Pool(throw, record, record, allowed_ways(bank)).posed()), count)
    return worded(world, bank, throw, chooser.chosen)


def allowed_ways(bank: Bank) -> dict[str, set[str]]:
    """Kind -> the ways of referring for which there are words."""
    ways = (NAMED, ME, BY_FACT, BY_SIGHT)
    return {kind.key: {how for how in ways if phrasings(bank, kind, how)} for kind in kinds()}


def _moments(world: World, throw: random.Random) -> list[tuple[list[int], float]]:
    """When questions are asked, and which share of them then."""
    between = []
    for before, after in zip(world.episodes, world.episodes[1:], strict=False):
        if before.day == after.day and after.start_ns - before.end_ns > 2 * AFTER_NS:
            between.append(before.end_ns + AFTER_NS)
    late = between[len(between) // 4 :]
    ends = [day.end_ns + AFTER_NS for day in world.days]
    last = 1 - MID_DAY - END_OF_DAY
    if len(ends) == 1:
        return [(sorted(throw.sample(late, min(LATE, len(late)))), MID_DAY), (ends, END_OF_DAY + last)]
    return [(sorted(throw.sample(late, min(LATE, len(late)))), MID_DAY), (ends[:-1], END_OF_DAY), (ends[-1:], last)]


class Chooser:
    """Takes the least represented first: its type, then its kind; keeps the shares on their way."""

    def __init__(self, throw: random.Random) -> None:
        self._throw = throw
        self.chosen: list[Posed] = []
        self._types: Counter[tuple[bool, str]] = Counter()
        self._kinds: Counter[tuple[bool, str]] = Counter()
        self._swaps: Counter[str] = Counter()
        self._wanted = Counter(WANTED)
        self._asked: set[object] = set()

    def choose(self, posed: Sequence[Posed], count: int) -> None:
        """Take `count` of them, or all there are."""
        left: dict[tuple[bool, bool], list[Posed]] = defaultdict(list)
        shuffled = list(posed)
        self._throw.shuffle(shuffled)
        for one in shuffled:
            left[one.answer is not None, one.sight].append(one)
        for _ in range(count):
            group = self._next_group(left)
            if group is None:
                return
            best = min(range(len(group)), key=lambda n: self._weight(group[n]))
            self._take(group.pop(best))

    def _next_group(self, left: dict[tuple[bool, bool], list[Posed]]) -> list[Posed] | None:
        """What the shares lack now; something else where that has run out."""
        for key in left:
            left[key] = [one for one in left[key] if _identity(one) not in self._asked]
        unanswerable = sum(one.answer is None for one in self.chosen) < UNANSWERABLE * (len(self.chosen) + 1)
        alike = [one for one in self.chosen if (one.answer is None) == unanswerable]
        sight = sum(one.sight for one in alike) < SIGHT * (len(alike) + 1)
        first, second = not unanswerable, unanswerable
        order = [(first, sight), (first, not sight), (second, sight), (second, not sight)]
        return next((left[key] for key in order if left.get(key)), None)

    def _weight(self, one: Posed) -> tuple[float, ...]:
        """Least first: what its type has, and how far its kind leans to one side, lest the kind tell the answer."""
        answerable = one.answer is not None
        mine, others = (self._kinds[side, _form(one)] for side in (answerable, not answerable))
        leaning = 1.5 * mine - others + 0.25 * self._swaps[one.swap]
        first = answerable and self._wanted[one.kind.key] > 0
        return self._types[answerable, one.type] + 0.5 * leaning - 9 * first, leaning, TYPES.index(one.type)

    def _take(self, one: Posed) -> None:
        answerable = one.answer is not None
        self.chosen.append(one)
        self._types[answerable, one.type] += 1
        self._kinds[answerable, _form(one)] += 1
        self._swaps[one.swap] += 1
        self._wanted[one.kind.key] -= one.answer is not None
        self._asked.add(_identity(one))


def _form(one: Posed) -> str:
    """What a reader of the bare words would sort it under."""
    return f"{one.kind.key} {one.ask.subject.how if one.ask.subject else ''}"


def _identity(one: Posed) -> object:
    """The same question at two moments is one question."""
    ask = one.ask
    who = (ask.subject.how, ask.subject.who, ask.subject.words.split(" first ")[0]) if ask.subject else None
    return one.kind.key, who, ask.when, ask.room, ask.value, ask.given


def worded(world: World, bank: Bank, throw: random.Random, chosen: list[Posed]) -> tuple[Question, ...]:
    """The chosen questions in the bank's words, the least used first."""
    used: Counter[str] = Counter()
    made = []
    for number, one in enumerate(chosen):
        how = one.ask.subject.how if one.ask.subject else NAMED
        templates = phrasings(bank, one.kind, how)
        least = min(used[template] for template in templates)
        template = throw.choice([template for template in templates if used[template] == least])
        used[template] += 1
        asker = one.ask.subject.who if one.ask.subject and how == ME else ""
        made.append(
            Question(
                f"{world.name}-{number + 1:03d}",
                fill(template, _slots(world, bank, one)),
                one.at_ns,
                one.type,
                one.expected,
                one.answer.evidence if one.answer else (),
                one.sight,
                asker,
                one.swap,
            )
        )
    return tuple(made)


def _slots(world: World, bank: Bank, one: Posed) -> dict[str, str]:
    ask, slots = one.ask, dict(one.ask.given)
    if ask.subject:
        slots["subject"] = ask.subject.words
        slots |= next((name.as_subject() for name in bank.names if name.text == ask.subject.words), {})
    if ask.when:
        slots["when"] = words(world, ask.when, one.at_ns)
    if ask.room:
        slots |= {"room": ask.room, "room_in": world.room(ask.room).where}
    if ask.value:
        slots["topic"] = ask.value
    return slots


def shares(asked: Sequence[Question]) -> tuple[float, float]:
    """Which parts of the questions cannot be answered, and need sight."""
    total = max(1, len(asked))
    return sum(not one.answerable for one in asked) / total, sum(one.sight for one in asked) / total
