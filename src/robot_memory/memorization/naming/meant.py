"""Whom a name is meant for, where somebody else says it: only if it can be nobody but one.

What is said of "Clara" names the one other face in view; what is said to "Anna" the one other person in the talk. Who
has given another name is not renamed by others, and a name that somebody absent bears names nobody present.
"""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.memorization.naming.others import Presented
from robot_memory.memorization.naming.stretch import Spoken, Stretch
from robot_memory.memory.people.names import INTRODUCED, INTRODUCTION, OPERATOR, SPELLING, Hearing, one_name
from robot_memory.streams.media import SECOND

AROUND_NS = SECOND  # before and after a line: who is in view then is there
ENTERS_NS = 4 * SECOND  # after "this is Clara": she may have to step into the picture
TALK_NS = 60 * SECOND  # who spoke within a minute is in the talk
REPLY_NS = 10 * SECOND  # who is spoken to answers within
FIRM = (INTRODUCTION, INTRODUCED, SPELLING, OPERATOR)  # sources that a name said in passing never overrules


def speaking_one(line: Spoken, name: str, talk: Stretch) -> int | None:
    """Whose own name a line gives: the voice, or, where it said too little to be told, the one face in view, if nobody
    else has spoken for a while.
    """
    if line.voice is not None:
        return line.voice
    view = talk.in_view(line.start_ns - AROUND_NS, line.end_ns + AROUND_NS)
    if not view or len(view) > 1 or talk.heard(line.start_ns - TALK_NS, line.start_ns):
        return None
    ((person, face),) = view.items()
    return face if _may_bear(person, name, talk) else None


def introduced_one(line: Spoken, given: Presented, talk: Stretch) -> int | None:
    """The face, or else the voice, of whom a line introduces."""
    speaker = talk.speaker(line)
    view = talk.in_view(line.start_ns - AROUND_NS, line.end_ns + ENTERS_NS)
    if speaker is None or view is None or speaker not in talk.faced:
        return None
    others = {person: face for person, face in view.items() if person != speaker}
    if given.asked and _replies(line, speaker, talk):
        return None  # "have you met Anna?" was asked of the one who is there
    if len(others) == 1:
        ((person, face),) = others.items()
        return face if _may_bear(person, given.name, talk) else None
    return _next_voice(line, given, speaker, talk) if not others and not given.asked else None


def _next_voice(line: Spoken, given: Presented, speaker: int, talk: Stretch) -> int | None:
    """Whoever speaks next, if nobody else was in the talk before, and who it is was never said."""
    before = {talk.speaker(one) for one in talk.heard(line.start_ns - TALK_NS, line.start_ns)} - {speaker}
    after = [one for one in talk.heard(line.end_ns, line.end_ns + REPLY_NS) if talk.speaker(one) != speaker]
    if before or not after or len({talk.speaker(one) for one in after}) > 1:
        return None
    voice = after[0].voice
    assert voice is not None
    return voice if not talk.names(talk.person[voice]) and _may_bear(talk.person[voice], given.name, talk) else None


def addressed_one(line: Spoken, name: str, talk: Stretch) -> int | None:
    """The face or voice of whom a line speaks to by name."""
    speaker = talk.speaker(line)
    view = talk.in_view(line.start_ns - AROUND_NS, line.end_ns + AROUND_NS)
    if speaker is None or view is None or speaker in talk.bearers(name):
        return None
    voices = {
        talk.person[one.voice]: one.voice
        for one in talk.heard(line.start_ns - TALK_NS, line.end_ns + REPLY_NS)
        if one.voice is not None and talk.person[one.voice] != speaker
    }
    there = (voices | view).keys() - {speaker}
    named = [person for person in talk.bearers(name) if person in there and _firm(talk.names(person))]
    if len(named) == 1:  # it is known who is called so, and they are here
        return (voices | view)[named[0]]
    person = _only_other(line, speaker, set(voices), set(view), talk)
    if person is None or not _may_bear(person, name, talk):
        return None
    return (view | voices)[person]


def _only_other(line: Spoken, speaker: int, voices: set[int], view: set[int], talk: Stretch) -> int | None:
    """The one other person in a talk of two. A face and a voice that nothing joins yet may be one person: that is
    believed only of a voice that answers.
    """
    if len(voices) > 1:
        return None
    strangers = view - voices - {speaker}
    if not voices:  # only seen: then the speaker's own face must be known, or it may be the one in view
        return next(iter(strangers)) if len(strangers) == 1 and speaker in talk.faced else None
    (other,) = voices
    if not strangers:
        return other
    faceless = sum(one not in talk.faced for one in (speaker, other))
    return other if len(strangers) <= faceless and _replies(line, speaker, talk) == other else None


def _replies(line: Spoken, speaker: int, talk: Stretch) -> int | None:
    """Who speaks next after a line, soon, if it is not the speaker."""
    later = talk.heard(line.end_ns, line.end_ns + REPLY_NS)
    following = next((one for one in later if one.start_ns >= line.start_ns and one.row != line.row), None)
    who = talk.speaker(following) if following else None
    return None if who == speaker else who


def _may_bear(person: int, name: str, talk: Stretch) -> bool:
    """Nothing speaks against it: the person has given no other name, and nobody else is known by this one."""
    if any(other != person for other in talk.bearers(name)):
        return False
    firm = _firm(talk.names(person))
    return not firm or any(one_name(name, one.name) for one in firm)


def _firm(hearings: Sequence[Hearing]) -> list[Hearing]:
    return [one for one in hearings if one.source in FIRM]
