"""Questions about the last moments: "what did I just say?", "who just came in?", "who is here now?".

Answered from the clips that are not committed yet, in which nobody is recognised, and from the newest that are. What
is not committed is marked provisional and may turn out otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered, unknown
from robot_memory.control.answering.seen_people import NAMELESS, called, known
from robot_memory.control.answering.seen_vocabulary import GOES
from robot_memory.control.answering.visits import Visit, visits
from robot_memory.control.steps import Search, State, Step
from robot_memory.control.understanding.reading import ASKER
from robot_memory.control.understanding.words import words_in
from robot_memory.control.verification import wording
from robot_memory.streams.media import SECOND

JUST_NS = 120 * SECOND  # "just" reaches so far back
NOW_NS = 5 * SECOND  # who was in view so lately is here
PROVISIONAL = 0.5
SAME_WORDS = 0.8  # of a line's words, and it is the question itself
JUST = re.compile(
    r"\bjust (?:now|(?:come|came|arrived|entered|walked|showed|appeared|left|gone|went)\b)", re.IGNORECASE
)
SAID = "said"  # what a wish asks for; else what was seen
STRANGER = "somebody whom I have not recognised yet"


def next(state: State) -> Step | Answer:
    """What to look for, or the answer."""
    asks_words = state.wish.attribute == SAID or (not state.wish.attribute and state.reading.asks == "what")
    source = "heard" if asks_words else "seen"
    since_ns = state.question.now_ns - JUST_NS
    look = Search(f"what was just {source}", None, (source,), any_time=True, since_ns=since_ns)
    if (lately := state.hits(look)) is None:
        return look
    if asks_words:
        return _said(lately, state)
    if _plain(state) & GOES:
        return _left(lately, state)
    return _came(lately, state) if JUST.search(state.reading.words) else _now(lately, state)


def is_of_now(state: State) -> bool:
    """Whether a question is about this moment or the one before it: "who is here now?", "who just came in?"."""
    momentary = state.reading.span.start_ns is not None and state.reading.validity == "latest"
    return momentary or JUST.search(state.reading.words) is not None


def _said(lately: Sequence[Evidence], state: State) -> Answer:
    """The last words of whoever is asked about, but for the question itself."""
    lines = [one for one in lately if one.quote and not _is_question(one, state)]
    tokens = {person.token for person in known(state.people, state.reading.persons)}
    own = [one for one in lines if not tokens or one.speaker in tokens or one.provisional]
    if not own:
        return unknown("I heard nothing just now")
    last = max(own, key=lambda one: (one.end_ns, one.start_ns))
    who = _speaker(last, state)
    if last.provisional and tokens:
        text = f"I just heard “{last.quote}”, but can't tell yet whose voice it was"
    elif _asker_only(state):
        text = f"You said “{last.quote}”" if tokens else f"I just heard “{last.quote}”"
    else:
        text = f"{who} said “{last.quote}”"
    return answered(text, [last], state, _grounds(last))


def _came(lately: Sequence[Evidence], state: State) -> Answer:
    """Whoever came into view last."""
    found = visits(one for one in lately if not one.provisional)
    begun = [visit for visit in found if visit.start_ns >= state.question.now_ns - JUST_NS]
    fresh = _fresh(lately, found)
    last = max(begun, key=lambda visit: visit.start_ns, default=None)
    if fresh and (last is None or fresh[-1].start_ns > last.end_ns):
        moment = times.at(fresh[-1].start_ns, state.question.now_ns, state.zone)
        return answered(f"{STRANGER} did, {moment}", fresh[-1:], state, _grounds(fresh[-1]))
    if last is None:
        return unknown("I saw nobody come in just now")
    names = called(known(state.people, [last.person]))
    moment = times.at(last.start_ns, state.question.now_ns, state.zone)
    return answered(f"{times.joined(names) or NAMELESS} did, {moment}", last.seen, state, _grounds(last.seen[0]))


def _left(lately: Sequence[Evidence], state: State) -> Answer:
    """Whoever went out of view last and is not in view again."""
    since_ns = state.question.now_ns - NOW_NS
    gone = [visit for visit in visits(one for one in lately if not one.provisional) if visit.end_ns < since_ns]
    here = {person for one in lately if one.end_ns >= since_ns for person in one.people}
    last = max((visit for visit in gone if visit.person not in here), key=lambda visit: visit.end_ns, default=None)
    if last is None or any(one.provisional for one in lately if one.end_ns >= since_ns):
        return unknown("I can't tell who left just now")  # who is in view may be just they
    names = called(known(state.people, [last.person]))
    moment = times.at(last.end_ns, state.question.now_ns, state.zone)
    return answered(f"{times.joined(names)} did, {moment}", last.seen, state, _grounds(last.seen[-1]))


def _now(lately: Sequence[Evidence], state: State) -> Answer:
    """Who is in view at this moment, as far as they are recognised."""
    since_ns = state.question.now_ns - NOW_NS
    here = [one for one in lately if one.end_ns >= since_ns]
    found = visits(one for one in here if not one.provisional)
    names = called(known(state.people, (visit.person for visit in found)))
    fresh = [one for one in here if one.provisional]
    count = len(fresh) - len(found)
    if fresh and not names:
        names = _recently(lately, fresh, state)
        count = len(fresh) - len(names)
    if count > 0:
        names.append(STRANGER if count == 1 else f"{count} people whom I have not recognised yet")
    if not names:
        return unknown("I see nobody now")
    verb = "is" if len(names) == 1 and not names[0][:1].isdigit() else "are"
    cited = [*(one for visit in found for one in visit.seen), *fresh]
    grounds = _grounds(cited[-1])
    return answered(f"{times.joined(names)} {verb} here now", cited, state, grounds)


def _recently(lately: Sequence[Evidence], fresh: Sequence[Evidence], state: State) -> list[str]:
    """Those who were in view when the open clip began, and have been since: it is they who go on being seen."""
    found = visits(one for one in lately if not one.provisional)
    going_on = [visit for visit in found if any(abs(one.start_ns - visit.end_ns) <= SECOND for one in fresh)]
    return called(known(state.people, (visit.person for visit in going_on)))[: len(fresh)]


def _fresh(lately: Sequence[Evidence], found: Sequence[Visit]) -> list[Evidence]:
    """Faces of the open clips that did not merely stay from the last committed one."""
    ends = [visit.end_ns for visit in found]
    some = (one for one in lately if one.provisional and one.source == "seen")
    new = [one for one in some if not any(abs(one.start_ns - end_ns) <= SECOND for end_ns in ends)]
    return sorted(new, key=lambda one: one.start_ns)


def _is_question(line: Evidence, state: State) -> bool:
    """Whether a line is the question itself, as it was heard."""
    asked, said = wording.stems(state.question.text), wording.stems(line.quote)
    return bool(said) and len(asked & said) >= SAME_WORDS * len(said | asked)


def _speaker(line: Evidence, state: State) -> str:
    persons = [one for one in known(state.people, line.people) if one.token == line.speaker]
    return called(persons)[0] if persons else "somebody"


def _asker_only(state: State) -> bool:
    return any(one.how == ASKER for one in state.reading.mentions)


def _plain(state: State) -> set[str]:
    return {word.plain for word in words_in(state.reading.words)}


def _grounds(one: Evidence) -> Grounds:
    sure = PROVISIONAL if one.provisional else 1.0
    return replace(Grounds(), supported=sure, heard=one.confidence if one.quote and not one.provisional else 1.0)
