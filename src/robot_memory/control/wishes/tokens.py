"""A question as plain tokens: persons as P, verbs in one form, what adds nothing left out.

"What's Anna's job?" and "what is Ben's job" are both "what be P 's job". Every token knows where it stood, so that what
a frame finds can be cut from the question as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from robot_memory.control.understanding import tables as understanding
from robot_memory.control.understanding.carriers import carried
from robot_memory.control.understanding.reading import ASKER, ROLE, Reading
from robot_memory.control.understanding.words import APOSTROPHES, SPOKEN, Word, words_in
from robot_memory.control.wishes.tables import lemmas, listed, phrases

PERSON, ASKING, PRONOUN, ROBOT, KIN = "P", "I", "H", "R", "KIN"
ME = frozenset(("i", "me", "myself", "we", "us", "ourselves"))
MY = frozenset(("my", "our", "mine", "ours"))
OTHERS = frozenset(("he", "she", "him", "himself", "herself"))
THEIRS = frozenset(("his", "hers"))
YOU, YOUR = frozenset(("you", "yourself")), frozenset(("your", "yours"))
IT = frozenset(("it", "they", "them", "itself", "themselves"))
MODALS = {
    "will": "will", "would": "will", "shall": "will", "can": "can", "could": "can", "should": "should",
    "may": "can", "might": "can", "must": "must", "ought": "should", "cannot": "can",
}  # fmt: skip
QUESTION = frozenset(("who", "what", "where", "when", "how", "why", "which", "whose", "that", "there", "here"))
AFTER_BE = re.compile(
    r"(?:\w+ing|a|an|the|not|at|in|on|from|to|for|with|here|there|been|got|up|about|into|like|known|called)"
)
PERFECT = re.compile(r"(?:been|got|had|gotten|\w+ed)")
ENDS_HER = re.compile(
    r"(?:to|at|in|on|with|from|by|for|about|here|there|and|or|but|is|was|are|were|last|today|again|say|says|said|if|when|"
    r"home|first|together|without|like|live|lives|in|up|over|this|yesterday)"
)


@dataclass(frozen=True)
class Token:
    """A word in its plain form, and where it stands in the question; "," and "." stand for what separates clauses."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Plain:
    """The tokens of a question, and `past`: its verb says that it was."""

    tokens: tuple[Token, ...]
    past: bool


def plain(reading: Reading, described: tuple[int, int] | None = None) -> Plain:
    """A question's tokens. `described`: [start, end) of words that describe a person: they count as one."""
    text = reading.words.translate(APOSTROPHES)
    words = words_in(text)
    left = _left_out(reading, text)
    people = _people(reading, text, described)
    made: list[Token] = []
    for number, word in enumerate(words):
        if any(start <= word.start < end for start, end in left):
            if made and word.opens:
                made.append(Token(".", word.start, word.start))
            continue
        if made and (word.opens or word.breaks):
            made.append(Token("." if word.opens else ",", word.start, word.start))
        made += _token(words, number, people)
    past = any(word.plain.removesuffix("n't") in ("did", "was", "were", "had") for word in words)
    return Plain(tuple(_kin(_without_dropped(made))), past)


def spelled(tokens: Sequence[Token]) -> str:
    """Tokens as one text in which every token is followed by a space."""
    return "".join(f"{token.text} " for token in tokens)


def _left_out(reading: Reading, text: str) -> list[tuple[int, int]]:
    """Where carriers and the time phrase stand."""
    left = carried(text)
    span = reading.span.words.translate(APOSTROPHES)
    at = text.lower().find(span.lower()) if span else -1
    return [*left, (at, at + len(span))] if at >= 0 else left


def _people(reading: Reading, text: str, described: tuple[int, int] | None) -> list[tuple[int, int]]:
    """Where persons are named or told by a role that nobody owns ("the postman")."""
    names = [one.words for one in reading.mentions if one.how != ASKER and not (one.how == ROLE and one.of)]
    found = [described] if described else []
    for name in (*names, *reading.unknown_names):
        spoken = re.compile(rf"(?<!\w)<?{re.escape(name.translate(APOSTROPHES))}>?(?!\w)", re.IGNORECASE)
        found += [match.span() for match in spoken.finditer(text)]
    return found


def _token(words: Sequence[Word], number: int, people: Sequence[tuple[int, int]]) -> list[Token]:
    word = words[number]
    following = words[number + 1] if number + 1 < len(words) else None
    inside = next((span for span in people if span[0] <= word.start < span[1]), None)
    if inside:
        goes_on = any(other.start >= inside[0] and other.start < word.start for other in words[:number])
        first = [] if goes_on else [Token(PERSON, word.start, inside[1])]
        owns = word.text.endswith(("s'", "s’")) and not word.clitic
        return first + _clitic(word, following, first or [Token(PERSON, word.start, word.end)], owns)
    base = _base(word, following)
    return base + _clitic(word, following, base, False)


def _base(word: Word, following: Word | None) -> list[Token]:
    plain_word, start, end = word.plain, word.start, word.start + len(word.base)
    positive = word.positive
    if plain_word == "her":
        object_only = following is None or following.breaks or ENDS_HER.fullmatch(following.plain)
        return [Token(PRONOUN, start, end)] if object_only else [Token(PRONOUN, start, end), Token("'s", end, end)]
    for group, token in ((ME, ASKING), (OTHERS, PRONOUN), (YOU, ROBOT), (IT, "it")):
        if plain_word in group:
            return [Token(token, start, end)]
    for group, token in ((MY, ASKING), (THEIRS, PRONOUN), (YOUR, ROBOT)):
        if plain_word in group:
            return [Token(token, start, end), Token("'s", end, end)]
    if plain_word == "their":
        return [Token("it", start, end), Token("'s", end, end)]
    if plain_word == "whom":
        return [Token("who", start, end)]
    if plain_word == "whereabouts":
        return [Token("where", start, end)]
    negated = [Token("not", end, end)] if plain_word.endswith("n't") or plain_word == "cannot" else []
    known = MODALS.get(positive) or lemmas().get(positive, positive)
    if positive == "'d" or positive == "'ll":
        known = "will"
    return [Token(known, start, end), *negated]


def _clitic(word: Word, following: Word | None, base: list[Token], owns: bool) -> list[Token]:
    """What "'s", "'ll", "'ve" and the like stand for."""
    at = word.end
    if owns:
        return [Token("'s", at, at)]
    if not word.clitic and word.text.lower() in SPOKEN:
        return [Token("be", at, at)]
    after = following.plain if following and not following.breaks else ""
    if word.clitic == "s":
        if word.plain == "let":
            return []
        verbal = word.plain in QUESTION or base[-1].text in (PRONOUN, "it") or not after
        if verbal or AFTER_BE.fullmatch(after):
            return [Token("have" if PERFECT.fullmatch(after) and after not in ("called",) else "be", at, at)]
        return [Token("'s", at, at)]
    found = {"ll": "will", "d": "will", "re": "be", "m": "be", "ve": "have"}.get(word.clitic)
    return [Token(found, at, at)] if found else []


def _without_dropped(tokens: list[Token]) -> list[Token]:
    """The tokens without words that add nothing, and without commas that then separate nothing."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        texts = [token.text for token in tokens[at : at + 8]]
        length = next((len(one) for one in _dropped() if tuple(texts[: len(one)]) == one), 0)
        if length:
            at += length
            continue
        if tokens[at].text not in listed("dropped"):
            kept.append(tokens[at])
        at += 1
    tidy: list[Token] = []
    for token in kept:
        if token.text in ",." and (not tidy or tidy[-1].text in ",."):
            if tidy and token.text == ".":
                tidy[-1] = token
            continue
        tidy.append(token)
    while tidy and tidy[-1].text in ",.":
        tidy.pop()
    return tidy


def _kin(tokens: list[Token]) -> list[Token]:
    """With one token KIN for "sister" or "best friend", where that is somebody's or anybody's."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        end = at
        if made and made[-1].text in ("'s", "a", "an", "any", "the", "whose", "as"):
            while end < len(tokens) and tokens[end].text in before_kin():
                end += 1
            if end < len(tokens) and tokens[end].text in kin():
                made.append(Token(KIN, tokens[at].start, tokens[end].end))
                at = end + 1
                continue
        made.append(tokens[at])
        at += 1
    return made


@cache
def kin() -> frozenset[str]:
    return understanding.listed("kin") | listed("kin_more") | listed("jobs")


@cache
def before_kin() -> frozenset[str]:
    return understanding.listed("before_kin") | listed("kin_before")


@cache
def _dropped() -> tuple[tuple[str, ...], ...]:
    """Phrases that add nothing, as tokens."""
    return tuple(tuple(_spoken(word) for word in phrase) for phrase in phrases("dropped_phrases"))


def _spoken(word: str) -> str:
    if word in ME:
        return ASKING
    return ROBOT if word == "you" else MODALS.get(word) or lemmas().get(word, word)
