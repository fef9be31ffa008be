"""Questions that need eyes: who was where, with whom, without a word, how often, how long, first and last."""

from __future__ import annotations

from collections.abc import Iterator

from robot_memory.evaluation.trial import Expected
from robot_memory.evaluation.worlds.asking import Answer, Ask, Kind, Unclear
from robot_memory.evaluation.worlds.record import Heard, Record, Seen, shared_ns
from robot_memory.evaluation.worlds.windows import lines_in, seen_in, time_answer
from robot_memory.streams.media import SECOND

TOGETHER_NS = 3 * SECOND  # who shares the view for less has not clearly been together
APART_NS = 120 * SECOND  # appearances less far apart are not clearly two


def kinds() -> Iterator[Kind]:
    yield Kind("who_was_here", "multi-detail", True, ("when",), _who_was_here)
    yield Kind("who_came_silently", "cross-modal", True, ("when",), _who_came_silently)
    yield Kind("who_was_in_room", "place", True, ("room", "when"), _who_was_in_room)
    yield Kind("who_was_first", "time", True, ("when",), _who_was_first)
    yield Kind("with_whom", "person", True, ("subject", "when"), _with_whom)
    yield Kind("with_whom_in", "place", True, ("subject", "room"), _with_whom_in)
    yield Kind("last_seen_where", "place", True, ("subject",), _last_seen_where)
    yield Kind("last_seen_when", "time", True, ("subject",), _last_seen_when)
    yield Kind("first_seen_when", "time", True, ("subject",), _first_seen_when)
    yield Kind("where_was", "place", True, ("subject", "when"), _where_was)
    yield Kind("when_in_room", "time", True, ("subject", "room", "when"), _when_in_room)
    yield Kind("how_often_seen", "count", True, ("subject", "when"), _how_often_seen)
    yield Kind("how_long", "count", True, ("subject", "when"), _how_long)
    yield Kind("how_many_people", "count", True, ("room", "when"), _how_many_people)
    yield Kind("was_here", "general", True, ("subject", "when"), _was_here)


def _who_was_here(record: Record, ask: Ask) -> Answer | None:
    assert ask.when is not None
    seen = seen_in(record, ask.when)
    _nobody_unseen(seen, lines_in(record, ask.when))
    return _names(record, seen)


def _nobody_unseen(seen: list[Seen], lines: list[Heard]) -> None:
    """Raises Unclear where a voice was heard of somebody who was not to be seen about then: were they here?"""
    for line in lines:
        if not any(one.who == line.who and shared_ns(one, line) > -APART_NS for one in seen):
            raise Unclear


def _seen_of(record: Record, ask: Ask) -> list[Seen]:
    """The subject's appearances in the stretch of days, in order of time. Unclear where they were also only heard."""
    assert ask.subject is not None and ask.when is not None
    seen = [one for one in seen_in(record, ask.when) if one.who == ask.subject.who]
    _nobody_unseen(seen, [line for line in lines_in(record, ask.when) if line.who == ask.subject.who])
    return sorted(seen, key=lambda one: one.start_ns)


def _who_came_silently(record: Record, ask: Ask) -> Answer | None:
    """Who was seen and said nothing in all that time. Unclear where somebody who did speak also came without a word."""
    assert ask.when is not None
    seen, spoken = seen_in(record, ask.when), lines_in(record, ask.when)
    silent = [one for one in seen if not any(line.who == one.who and shared_ns(line, one) > 0 for line in spoken)]
    if not silent or {one.who for one in silent} & {line.who for line in spoken}:
        raise Unclear
    return _names(record, silent)


def _who_was_in_room(record: Record, ask: Ask) -> Answer | None:
    """None where the robot was not in that room in all that time; an empty room is not asked about."""
    return _names(record, _seen_there(record, ask))


def _seen_there(record: Record, ask: Ask) -> list[Seen]:
    """Who was seen in a room in a stretch of days. Unclear where it was empty, or somebody was only heard."""
    assert ask.when is not None
    seen = [one for one in seen_in(record, ask.when) if one.room == ask.room]
    if not seen and record.visited(ask.room, ask.when.day):
        raise Unclear
    _nobody_unseen(seen, [line for line in lines_in(record, ask.when) if line.room == ask.room])
    return seen


def _who_was_first(record: Record, ask: Ask) -> Answer | None:
    assert ask.when is not None
    seen = sorted(seen_in(record, ask.when), key=lambda one: one.start_ns)
    _nobody_unseen(seen, lines_in(record, ask.when))
    if len(seen) > 1 and seen[1].start_ns - seen[0].start_ns < TOGETHER_NS:
        raise Unclear
    return _names(record, seen[:1])


def _names(record: Record, seen: list[Seen], but: str = "") -> Answer | None:
    """All who were seen; their names must be known."""
    names = tuple(dict.fromkeys(one.who for one in seen))
    if not names:
        return None
    if not record.named.issuperset(names):
        raise Unclear
    traps = tuple(name for name in record.people() if name not in names and name != but)
    return Answer(Expected("names", names, traps=traps), tuple(one.moment for one in seen))


def _with_whom(record: Record, ask: Ask) -> Answer | None:
    assert ask.subject is not None
    return _company(record, _seen_of(record, ask), ask.subject.who)


def _with_whom_in(record: Record, ask: Ask) -> Answer | None:
    assert ask.subject is not None
    mine = [one for one in record.seen_of(ask.subject.who) if one.room == ask.room]
    _nobody_unseen(mine, [line for line in record.heard_of(ask.subject.who) if line.room == ask.room])
    return _company(record, mine, ask.subject.who)


def _company(record: Record, mine: list[Seen], who: str) -> Answer | None:
    """Who shared the view; who was always alone is not asked about."""
    pairs = [(one, other) for one in mine for other in record.seen_on(one.day) if other.who != who]
    near = [(one, other) for one, other in pairs if shared_ns(one, other) > -TOGETHER_NS]
    for day in sorted({one.day for one in mine}):
        lines = [line for line in record.heard_on(day) if any(shared_ns(one, line) > 0 for one in mine)]
        _nobody_unseen(record.seen_on(day), lines)
    if any(shared_ns(one, other) < TOGETHER_NS for one, other in near) or (mine and not near):
        raise Unclear
    return _names(record, [other for _, other in near], but=who)


def _last(record: Record, ask: Ask) -> Seen | None:
    """Unclear where the subject was heard after that, or is known by voice alone."""
    assert ask.subject is not None
    last = max(record.seen_of(ask.subject.who), key=lambda one: one.end_ns, default=None)
    heard = record.heard_of(ask.subject.who)
    _nobody_unseen([last] if last else [], [one for one in heard if last is None or one.start_ns > last.end_ns])
    return last


def _last_seen_where(record: Record, ask: Ask) -> Answer | None:
    last = _last(record, ask)
    return None if last is None else _room(record, [last])


def _last_seen_when(record: Record, ask: Ask) -> Answer | None:
    last = _last(record, ask)
    return None if last is None else time_answer(last.start_ns, last.end_ns, (last.moment,))


def _first_seen_when(record: Record, ask: Ask) -> Answer | None:
    assert ask.subject is not None
    first = min(record.seen_of(ask.subject.who), key=lambda one: one.start_ns, default=None)
    heard = record.heard_of(ask.subject.who)
    _nobody_unseen([first] if first else [], [one for one in heard if first is None or one.end_ns < first.start_ns])
    return None if first is None else time_answer(first.start_ns, first.end_ns, (first.moment,))


def _where_was(record: Record, ask: Ask) -> Answer | None:
    seen = _seen_of(record, ask)
    return _room(record, seen) if seen else None


def _room(record: Record, seen: list[Seen]) -> Answer:
    rooms = {one.room for one in seen}
    if len(rooms) > 1 or not rooms <= record.rooms:
        raise Unclear
    (room,) = rooms
    traps = tuple(other for other in sorted(record.rooms) if other != room)
    return Answer(Expected("text", (room,), traps=traps), tuple(one.moment for one in seen))


def _when_in_room(record: Record, ask: Ask) -> Answer | None:
    seen = [one for one in _seen_of(record, ask) if one.room == ask.room]
    if len(seen) > 1:
        raise Unclear
    return time_answer(seen[0].start_ns, seen[0].end_ns, (seen[0].moment,)) if seen else None


def _how_often_seen(record: Record, ask: Ask) -> Answer:
    """Never is not asked about: "not at all" and "I do not know" would both be right."""
    seen = _seen_of(record, ask)
    if not seen or any(b.start_ns - a.end_ns < APART_NS for a, b in zip(seen, seen[1:], strict=False)):
        raise Unclear
    return Answer(Expected("number", (str(len(seen)),)), tuple(one.moment for one in seen))


def _how_long(record: Record, ask: Ask) -> Answer | None:
    """In minutes, rounded up or down; half a minute more or less is not wrong."""
    seen = _seen_of(record, ask)
    if len(seen) > 1:
        raise Unclear
    if not seen:
        return None
    minutes = (seen[0].end_ns - seen[0].start_ns) / SECOND / 60
    if minutes < 0.75:
        raise Unclear
    near = range(max(1, int(minutes - 0.25)), int(minutes + 0.5) + 2)
    fitting = [str(n) for n in near if abs(n - minutes) < 1]
    return Answer(Expected("number", tuple(fitting)), (seen[0].moment,))


def _how_many_people(record: Record, ask: Ask) -> Answer | None:
    if not (seen := _seen_there(record, ask)):
        return None
    return Answer(Expected("number", (str(len({one.who for one in seen})),)), tuple(one.moment for one in seen))


def _was_here(record: Record, ask: Ask) -> Answer:
    """Yes, or no: who was not seen all day was not here, as far as the robot can say."""
    assert ask.when is not None
    seen = _seen_of(record, ask)
    others = seen or seen_in(record, ask.when)
    if not others:
        raise Unclear
    return Answer(Expected("yesno", ("yes" if seen else "no",)), tuple(one.moment for one in others))
