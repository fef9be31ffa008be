"""Questions about who spoke of something: who, when, in which room, and who else was in view just then."""

from __future__ import annotations

from collections.abc import Iterator

from robot_memory.evaluation.trial import Expected
from robot_memory.evaluation.worlds.asking import ME, NAMED, Answer, Ask, Kind, Unclear
from robot_memory.evaluation.worlds.record import Heard, Record, Seen, shared_ns
from robot_memory.evaluation.worlds.windows import lines_in, time_answer
from robot_memory.streams.media import SECOND

TALK_NS = 60 * SECOND  # voices this near a line are of the same talk
SURE_NS = SECOND  # in view for so long of a line, or clearly not at all


def kinds() -> Iterator[Kind]:
    refs = (NAMED, ME)
    yield Kind("who_said", "general", False, ("value",), _who)
    yield Kind("who_said_when", "time", False, ("value", "when"), _who_when)
    yield Kind("who_said_in", "cross-modal", True, ("value", "room"), _who_in)
    yield Kind("when_said", "time", False, ("subject", "value"), _when, refs=refs)
    yield Kind("where_said", "cross-modal", True, ("subject", "value"), _where, refs=refs)
    yield Kind("who_while", "cross-modal", True, ("subject", "value"), _who_while, refs=refs)
    yield Kind("how_many_while", "count", True, ("subject", "value"), _how_many_while, refs=refs)


def _who(record: Record, ask: Ask) -> Answer | None:
    return _tellers(record, record.mentions(ask.value))


def _who_when(record: Record, ask: Ask) -> Answer | None:
    assert ask.when is not None
    inside = lines_in(record, ask.when)
    return _tellers(record, [line for line in record.mentions(ask.value) if line in inside])


def _who_in(record: Record, ask: Ask) -> Answer | None:
    return _tellers(record, [line for line in record.mentions(ask.value) if line.room == ask.room])


def _tellers(record: Record, lines: list[Heard]) -> Answer | None:
    names = tuple(dict.fromkeys(line.who for line in lines))
    if not names:
        return None
    traps = tuple(name for name in record.people() if name not in names)
    return Answer(Expected("names", names, traps=traps), tuple(line.moment for line in lines))


def _line(record: Record, ask: Ask) -> Heard | None:
    """The one line in which the subject spoke of it."""
    assert ask.subject is not None
    lines = [line for line in record.mentions(ask.value) if line.who == ask.subject.who]
    if len(lines) > 1:
        raise Unclear
    return lines[0] if lines else None


def _when(record: Record, ask: Ask) -> Answer | None:
    line = _line(record, ask)
    return None if line is None else time_answer(line.start_ns, line.end_ns, (line.moment,))


def _where(record: Record, ask: Ask) -> Answer | None:
    line = _line(record, ask)
    if line is None:
        return None
    if line.room not in record.rooms:
        raise Unclear
    traps = tuple(room for room in sorted(record.rooms) if room != line.room)
    return Answer(Expected("text", (line.room,), traps=traps), (line.moment,))


def _others(record: Record, line: Heard) -> list[Seen]:
    """Who but the speaker was in view during a line. Unclear where somebody unseen took part: were they there?"""
    near = [one for one in record.seen_on(line.day) if one.who != line.who and shared_ns(one, line) > -SURE_NS]
    if any(shared_ns(one, line) < SURE_NS for one in near):
        raise Unclear
    voices = [one.who for one in record.heard_on(line.day) if one.who != line.who and shared_ns(one, line) > -TALK_NS]
    if not {one.who for one in near}.issuperset(voices):
        raise Unclear
    return near


def _who_while(record: Record, ask: Ask) -> Answer | None:
    line = _line(record, ask)
    if line is None:
        return None
    others = _others(record, line)
    names = tuple(dict.fromkeys(one.who for one in others))
    if not names or not record.named.issuperset(names):
        raise Unclear
    traps = tuple(name for name in record.people() if name not in (*names, line.who))
    evidence = (line.moment, *(one.moment for one in others))
    return Answer(Expected("names", names, traps=traps), evidence)


def _how_many_while(record: Record, ask: Ask) -> Answer | None:
    """How many others were in view; not asked where there was nobody."""
    line = _line(record, ask)
    if line is None:
        return None
    others = _others(record, line)
    if not others:
        raise Unclear
    evidence = (line.moment, *(one.moment for one in others))
    return Answer(Expected("number", (str(len({one.who for one in others})),)), evidence)
