"""Finds time phrases: pieces in a row ("last Tuesday", "at 9"), with bounds ("before", "since") or ends ("from … to").

What a phrase means is worked out in meaning.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from robot_memory.control.times import words
from robot_memory.control.times.bounds import BOUND, BUT_UNTIL, ENDING, OPENING, edge_behind, meaning_of
from robot_memory.control.times.elements import Clip, Element, Hours, Routine, Slice
from robot_memory.control.times.patterns import count_of, pattern, unit_of
from robot_memory.control.times.rules import RULES, Rule
from robot_memory.control.times.span import UnknownTime
from robot_memory.control.times.wall import Now

PREPOSITION = "(?:on|in|at|around|during|over|throughout|of|from|for)"
LEAD = re.compile(rf"{PREPOSITION}\s+(?:the\s+(?=(?:morning|evening|afternoon)\b))?")
GAP = re.compile(r"\s*,?\s+|-(?=\w)|\s*-\s*(?=\d)")
ONWARD = re.compile(r"\s+(?:on|onwards?|until\s+now|to\s+now)(?!\w)(?!\s+\w+day)")
DISTANCE = pattern("(?:(?P<the>the(?: very)?)|{count}) {unit} (?P<side>before|after|prior to|following)")
BETWEEN = re.compile(r"(?:in\s+)?between\s+|from\s+")
FROM = re.compile(r"from\s")
TO = re.compile(r"\s*(?:,\s*)?(?:to|and|until|till|through|up\s+to)\s+|\s*-\s*")
OR = re.compile(r"\s*(?:and|or|to|through|until)\s+|\s*-\s*(?=\w)")
PREVIOUS_WORD = re.compile(r"(\w+)\W*$")
NEXT_WORD = re.compile(r"[^\S\n]*-?\s*([\w']+)")
BE = r"\b(?:was|were|is|are|be|been|so|too|very|how)\s+"
PREDICATE = re.compile(rf"{BE}(?:(?!here|there|home|in|at|on)\w+\s+)?$")  # "was Ben late on Monday"
# "In" and the like before words that want none; "in this month" is said, but not "who came in this month".
ADVERB = re.compile(r"(?:in|on|over|around)\s+(?:today|yesterday|tomorrow|tonight)(?!\w)")
ADVERB_OR_NOT = re.compile(r"(?:in|over|around)\s+(?:this|last|next)\s")
PASSED_BY = re.compile(r"\b(?:drop|stop|com|pass|walk|stand|swing|swung|cam|stood|go|went)\w*\s+$")  # "who came by"
TAKES_ADVERB = re.compile(rf"{PASSED_BY.pattern}|{BE}(?:(?!here|there|home)\w+\s+)?$")
DETERMINERS = words.listed("a an the my our your his her their its each every no some")


@dataclass(frozen=True)
class Found:
    """A piece and where it stands."""

    start: int
    end: int
    element: Element


@dataclass(frozen=True)
class Phrase:
    """Pieces before a bound, the bound, and the pieces it is put to; with `to`, up to these.

    `distance`: at least, at most, unit: that long before or after (the bound); counts of 0: next to it.
    """

    start: int
    end: int
    around: tuple[Element, ...]
    bound: str = ""
    at: tuple[Element, ...] = ()
    to: tuple[Element, ...] = ()
    distance: tuple[float, float, str] | None = None


class Grammar:
    """Reads the phrases of one text in lower case."""

    def __init__(self, text: str, now: Now) -> None:
        self._text, self._now, self._start = text, now, 0

    def phrases(self) -> list[Phrase]:
        """All phrases, in order, none over another. Raises UnknownTime for one that cannot be meant."""
        found: list[Phrase] = []
        end = 0
        for word in re.finditer(r"(?<![\w'])(?=\w)", self._text):
            if word.start() >= end and (phrase := self._phrase(word.start())):
                found.append(phrase)
                end = phrase.end
        return found

    def _phrase(self, start: int) -> Phrase | None:
        self._start = start
        if ranged := self._between(start) or self._distant(start) or self._bounded(start):
            return ranged
        around, end = self._row(start)
        if around and isinstance(around[0].element, Slice) and PREDICATE.search(self._text, 0, start):
            return None
        position = self._skip(end) if around else start
        if around and (ranged := self._between(position) or self._bounded(position)):
            return replace(ranged, start=start, around=_elements(around))
        if not around or not _is_phrase(around, self._rest(end)):
            return None
        edge, close = edge_behind(self._text, end)
        if edge:
            return Phrase(start, close, (), edge, _elements(around))
        joined = self._joined(around, end)
        return joined or Phrase(start, end, _elements(around))

    def _between(self, start: int) -> Phrase | None:
        """ "between X and Y", "from X to Y", "after X but before Y"."""
        opening = BETWEEN.match(self._text, start)
        if not opening:
            return None
        first, end = self._row(opening.end())
        joint = TO.match(self._text, end) if first else None
        if not joint:
            return None
        second, close = self._row(joint.end(), first[-1])
        if not second:
            return None
        return Phrase(start, close, (), "between", _elements(first), _elements(second))

    def _distant(self, start: int) -> Phrase | None:
        """ "two weeks before 3 May", "the day after Christmas", "an hour before lunch"."""
        said = DISTANCE.match(self._text, start)
        if not said:
            return None
        found, end = self._row(self._skip(said.end()))
        if not found or isinstance(found[0].element, Clip):
            return None
        low, high = (0.0, 0.0) if said["the"] else count_of(said["count"])
        side = "before" if said["side"].startswith(("before", "prior")) else "after"
        return Phrase(start, end, (), side, _elements(found), (), (low, high, unit_of(said["unit"])))

    def _bounded(self, start: int) -> Phrase | None:
        bound = BOUND.match(self._text, start)
        if not bound or (bound["bound"] == "by" and PASSED_BY.search(self._text, 0, start)):
            return None
        found, end = self._row(bound.end())
        name = meaning_of(bound["bound"])
        if not found or isinstance(found[0].element, Clip):
            return None
        if name == "from":
            onward = ONWARD.match(self._text, end)
            if not onward and not isinstance(found[0].element, Hours):
                return None
            return Phrase(start, onward.end() if onward else end, (), "since", _elements(found))
        until = BUT_UNTIL.match(self._text, end)
        if until and name in OPENING:
            second, close = self._row(until.end(), found[-1])
            if second:
                return Phrase(start, close, (), "between", _elements(found), _elements(second))
        edge, close = edge_behind(self._text, end)  # "by 10 at the latest": says no more than "by"
        same = edge and name in (ENDING if edge in ENDING else OPENING)
        return Phrase(start, close if same else end, (), name, _elements(found))

    def _joined(self, first: Sequence[Found], end: int) -> Phrase | None:
        """ "yesterday or today", "Monday to Wednesday", "2-4 pm": from the one to the other."""
        joint = OR.match(self._text, end)
        if not joint or any(isinstance(f.element, (Slice, Clip, Routine)) for f in first):
            return None
        second, close = self._row(joint.end(), first[-1])
        if not second or any(isinstance(f.element, Hours) != isinstance(first[-1].element, Hours) for f in second[:1]):
            return None
        return Phrase(first[0].start, close, (), "between", _elements(first), _elements(second))

    def _row(self, start: int, previous: Found | None = None) -> tuple[list[Found], int]:
        """Pieces in a row from here."""
        found: list[Found] = []
        position = start
        while piece := self._piece(position, found[-1] if found else previous):
            found.append(piece)
            position = self._skip(piece.end)
            if position == piece.end and not isinstance(piece.element, Slice):
                break
            if FROM.match(self._text, position):  # the beginning of "from 9 to 11"
                break
        while found and isinstance(found[-1].element, (Slice, Clip)) and len(found) > 1:  # "yesterday the beginning of"
            found.pop()
        if found and isinstance(found[-1].element, Slice):
            return [], start
        return found, found[-1].end if found else start

    def _piece(self, start: int, previous: Found | None) -> Found | None:
        lead = LEAD.match(self._text, start)
        if lead and self._is_adverb(start):
            return None
        best: tuple[int, Rule, re.Match[str]] | None = None
        for position in (start, lead.end()) if lead else (start,):
            for rule in RULES:
                match = rule.pattern.match(self._text, position)
                if match and (best is None or match.end() > best[0]) and self._allowed(rule, match, previous):
                    best = match.end(), rule, match
        if best is None:
            return None
        end, rule, match = best
        try:
            return Found(start, end, rule.meaning(match, self._now))
        except (ValueError, OverflowError) as error:
            raise UnknownTime(self._text[start:end]) from error

    def _is_adverb(self, start: int) -> bool:
        """True for the "in" of "who dropped in today" and of "was Anna in last night"."""
        if ADVERB.match(self._text, start):
            return True
        return bool(ADVERB_OR_NOT.match(self._text, start) and TAKES_ADVERB.search(self._text, 0, start))

    def _allowed(self, rule: Rule, match: re.Match[str], previous: Found | None) -> bool:
        before = PREVIOUS_WORD.search(self._text, self._start if rule.after else 0, match.start())
        word = before[1] if before else ""
        if rule.after and word not in rule.after and not (previous and "*" in rule.after):
            return False
        if not rule.alone:
            return True
        if not rule.after and word in DETERMINERS:
            return False
        return (word == "on" and not rule.after) or _free(self._text[match.end() :])

    def _skip(self, end: int) -> int:
        gap = GAP.match(self._text, end)
        return gap.end() if gap else end

    def _rest(self, end: int) -> str:
        return self._text[end:]


FOLLOWING = (
    words.FOLLOWERS
    | frozenset(words.WEEKDAYS)
    | frozenset(words.PARTS)
    | frozenset(words.NUMBERS)
    | {"noon", "next", "ago"}
)


def _free(rest: str) -> bool:
    """True if what follows is no noun that would take the word before for itself."""
    after = NEXT_WORD.match(rest)
    return not after or after[1] in FOLLOWING or after[1][0].isdigit() or bool(edge_behind(rest, 0)[0])


def _elements(found: Sequence[Found]) -> tuple[Element, ...]:
    return tuple(one.element for one in found)


def _is_phrase(found: Sequence[Found], rest: str) -> bool:
    """Not only "late" or "the end"; "earlier" alone is one if nothing is compared: "earlier than Ben"."""
    first = found[0].element
    if all(isinstance(one.element, (Slice, Clip)) for one in found):
        return len(found) == 1 and isinstance(first, Clip) and not first.later and _free(rest)
    return True
