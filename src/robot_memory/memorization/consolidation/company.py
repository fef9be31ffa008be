"""Who is usually together: of the days on which both were seen, on how many they were seen with each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from robot_memory.memorization.consolidation.bands import EVERY, slot_of
from robot_memory.memorization.consolidation.bounds import base_rate
from robot_memory.memorization.consolidation.patterns import Day, Pattern, find, follow
from robot_memory.memorization.consolidation.routines import Found
from robot_memory.memorization.consolidation.rule import ROUTINE, WITH, Held, Rule, few
from robot_memory.memorization.consolidation.seen import Meeting
from robot_memory.memory.insertion.sentence import Frame


def company(
    token: str,
    met: Sequence[Meeting],
    days: Mapping[int, AbstractSet[int]],
    others: Mapping[int, str],
    held: Mapping[int, Held],
    offset_s: int,
) -> Iterator[Found]:
    """With whom somebody usually is. `days`: person -> days on which this one and that one were both seen; `others`:
    person -> token, of those that may be told of, the rest having it told of them; `held`: person -> the rule held.
    """
    together: dict[int, dict[int, Meeting]] = defaultdict(dict)
    for one in met:
        together[one.person].setdefault(one.day, one)
    chances = {person: both | together[person].keys() for person, both in days.items()}
    for person in sorted(together.keys() & others.keys() & chances.keys()):
        first, rest = together[person], [other for other in chances if other != person]
        base = base_rate(sum(len(together[one]) for one in rest), sum(len(chances[one]) for one in rest))
        series = [Day(number, number in first) for number in sorted(chances[person])]
        known = held.get(person)
        if known is None:
            pattern = find(series, base, len(rest) + 1, weekly=False)
        else:
            pattern = follow(series, _known(known, offset_s), base, len(rest) + 1, weekly=False)
            if known.until_ns is not None and (pattern is None or pattern.over):
                continue  # it has ended and has not begun anew
        if pattern or known:
            yield Found(_rule(token, others[person], first, pattern) if pattern else None, known)
    yield from (Found(None, one) for person, one in held.items() if person not in together and one.until_ns is None)


def _known(held: Held, offset_s: int) -> Pattern:
    since = slot_of(held.since_ns, offset_s).day
    return Pattern(EVERY, since, since, 0, 0, held.until_ns is not None)


def _rule(token: str, other: str, first: Mapping[int, Meeting], found: Pattern) -> Rule:
    hits = [first[number] for number in sorted(first) if found.since <= number <= found.last]
    bare = f"<{token}> and <{other}> {'used to be' if found.over else 'are'} often together"
    return Rule(
        Frame(f"<{token}>", ROUTINE, f"{WITH}<{other}>"),
        f"{bare} ({found.hits} of the {found.chances} days on which I saw both).",
        f"{bare}.",
        (token, other),
        found.hits,
        few([one.memory for one in hits]),
        hits[0].start_ns,
        hits[-1].end_ns,
        hits[-1].end_ns if found.over else None,
    )
