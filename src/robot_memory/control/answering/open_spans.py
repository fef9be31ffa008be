"""The part of a sentence that answers a question: a phrase of a few words, by what stands around it.

Every run of words within a clause is a candidate, scored by a table of weights: does it stand behind the question's
words, does it say more than they do, is it of the kind that "who" or "where" wants. What tells is closed classes of
English words (open_words.py); no phrase and no question is known by itself. The weights were set by hand on two of
LoCoMo's conversations; three others had a say in which features were left out. The optimum is flat.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.control.answering import open_words as words
from robot_memory.control.answering.open_asked import Wanted
from robot_memory.control.verification import wording

TOKEN = re.compile(r"[#@]?\w+(?:[-'’.&+]\w+)*(?:\+|%)?|[$€£]\d[\d,.]*")
HARD = re.compile(r"[.!?;:—–()…]|\s-\s|\s-{2}\s?")
QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
LONGEST = 14  # words of a phrase
NEAR = 0.6  # "verb" of a phrase that stands right behind it, or behind an article

WEIGHTS = {
    "verb": 3.0,  # right behind what is done in the question
    "right": 2.4,  # behind any of its words
    "noun": 1.7,  # beside the noun it asks for: "which book"
    "content": 2.5,  # says something new: up to three words
    "more": 1.0,  # and up to four beyond these
    "echo": -0.6,  # says again what was asked
    "capital": 2.2,  # begins with a name
    "placed": 0.6,  # behind "in", "at"
    "reason": 1.0,  # behind "because", "for"
    "quoted": 0.5,
    "last": 0.7,  # ends where the clause ends
    "pronoun": -1.1,  # a subject inside: two clauses
    "breaks": -0.3,  # so does "because"
    "links": -1.5,  # and "is"
}
MORE = {  # what a kind of question gives beyond that
    "where": {"placed": 4.0, "last": 1.0, "capital": 0.4},
    "who": {"capital": 0.4},
    "why": {"reason": 1.2},
    "how": {"last": 0.5},
}


@dataclass(frozen=True)
class Token:
    """A word of a sentence. `hard`: a clause ends before it; `comma`: one stands before it."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    hard: bool
    comma: bool

    @property
    def filling(self) -> bool:
        """Says nothing of its own at the edge of a phrase."""
        return self.low in words.FILLING and not self.counts

    @property
    def counts(self) -> bool:
        return self.low in words.NUMBERS or bool(words.NUMBER.fullmatch(self.low))


@dataclass(frozen=True)
class Phrase:
    """A candidate: its words, and how well it stands. `fits`: it stands where the answer to such a question does."""

    text: str
    score: float
    fits: bool


def tokens(sentence: str) -> list[Token]:
    """The words of a sentence, with what stands between them."""
    found: list[Token] = []
    last = 0
    for match in TOKEN.finditer(sentence):
        between = sentence[last : match.start()]
        low = match.group().lower().replace("’", "'")
        bare = re.sub(r"'s$", "", low)
        hard = not found or bool(HARD.search(between))
        found.append(Token(match.group(), low, wording.stem(bare), match.start(), match.end(), hard, "," in between))
        last = match.end()
    return found


def phrases(sentence: str, wanted: Wanted) -> list[Phrase]:
    """Candidates, best first."""
    told, more = tokens(sentence), MORE.get(wanted.kind, {})
    quoted = [(match.start(1), match.end(1)) for match in QUOTED.finditer(sentence)]
    found = []
    for first, last in _runs(told):
        seen = features(told, first, last, wanted, quoted)
        score = sum((WEIGHTS[name] + more.get(name, 0.0)) * value for name, value in seen.items())
        start = _start(told, first, wanted.kind)
        found.append(Phrase(sentence[told[start].start : told[last].end], score, _fits(seen, wanted)))
    return sorted(found, key=lambda one: -one.score)


def _runs(told: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """(first, last) of every run of words that begins and ends with a word of its own, within a clause."""
    for first, one in enumerate(told):
        if one.filling:
            continue
        for last in range(first, min(first + LONGEST, len(told))):
            if last > first and told[last].hard:
                break
            if not told[last].filling:
                yield first, last


def features(
    told: Sequence[Token], first: int, last: int, wanted: Wanted, quoted: Sequence[tuple[int, int]] = ()
) -> dict[str, float]:
    """By the names of WEIGHTS, each 0 to 1."""
    run = told[first : last + 1]
    after = told[last + 1] if last + 1 < len(told) and not told[last + 1].hard else None
    own = [one for one in run if not one.filling]
    fresh = [one for one in own if one.stem not in wanted.stems]
    lead, inside = _lead(told, first), {one.low for one in run[1:]}
    near = told[max(0, first - 1) : last + 2]
    return {
        "verb": _behind(told, first, {wanted.verb}),
        "right": _behind(told, first, wanted.stems),
        "noun": float(any(one.stem == wanted.noun for one in near)),
        "content": min(len(fresh), 3) / 3,
        "more": max(0, min(len(fresh), 7) - 3) / 4,
        "echo": 1 - len(fresh) / len(own) if own else 1.0,
        "capital": float(bool(fresh) and fresh[0].text[:1].isupper() and not told[first].hard),
        "placed": float(lead == "from" if wanted.origin else _placed(told, first, lead)),
        "reason": float(lead in words.GIVING_REASON),
        "quoted": float(any(a <= run[0].start and run[-1].end <= b for a, b in quoted)),
        "last": float(after is None),
        "pronoun": float(bool(inside & words.PRONOUNS)),
        "breaks": float(bool(inside & words.BREAKING)),
        "links": float(bool(inside & words.LINKING)),
    }


def _placed(told: Sequence[Token], first: int, lead: str) -> bool:
    """Does the word before put it somewhere? "To the shop" does, "to know" does not."""
    owned = first > 0 and told[first - 1].low in words.ARTICLES | words.OWNERS
    return lead in words.PLACING and (lead != "to" or owned or told[first].text[:1].isupper())


def _fits(seen: Mapping[str, float], wanted: Wanted) -> bool:
    """A place behind "in", a name for "who", else right behind what is done or beside the noun asked for."""
    if wanted.kind == "where":
        named = bool(seen["capital"]) or not wanted.noun  # "in which city" wants a name
        return bool(seen["placed"]) and named and not seen["pronoun"] and not seen["breaks"]
    if wanted.kind in ("who", "whose"):
        return bool(seen["capital"]) and not seen["pronoun"] and seen["content"] < 1
    beside = seen["verb"] >= NEAR or (seen["noun"] > 0 and bool(wanted.noun)) or bool(seen["quoted"])
    return beside and not seen["pronoun"] and not seen["breaks"]


def _start(told: Sequence[Token], first: int, kind: str) -> int:
    """Where the phrase begins with its article, and a place with its "in"."""
    start = first
    if start and told[start - 1].low in words.ARTICLES and not told[start].hard:
        start -= 1
    while kind == "where" and start and not told[start].hard and told[start - 1].low in words.PLACING | words.LEADING:
        start -= 1
    return start


def _lead(told: Sequence[Token], first: int) -> str:
    """The word before, past an article or "my"."""
    if not first or told[first].hard:
        return ""
    before = told[first - 1].low
    past = before in words.ARTICLES | words.OWNERS and first > 1 and not told[first - 1].hard
    return told[first - 2].low if past else before


def _behind(told: Sequence[Token], first: int, stems: Collection[str]) -> float:
    """1 right behind a word of these stems, less the further; 0 where none stands before."""
    last = next((n for n in range(first - 1, -1, -1) if told[n].stem in stems), None)
    return 0.0 if last is None else 1 / (1 + (first - 1 - last) / 2)
