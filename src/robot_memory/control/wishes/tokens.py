"""A question as plain tokens: persons as P, verbs in one form, what adds nothing left out.

"What's Anna's job?" and "what is Ben's job" are both "what be P 's job". Every token knows where it stood, so that what
a frame finds can be cut from the question as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from robot_memory.control.understanding.carriers import carried
from robot_memory.control.understanding.reading import ASKER, ROLE, Reading
from robot_memory.control.understanding.words import APOSTROPHES, SPOKEN, Word, words_in
from robot_memory.control.wishes.kinsfolk import with_kin
from robot_memory.control.wishes.tables import lemmas, listed, phrases
from robot_memory.control.wishes.token import ASKING, PERSON, PRONOUN, ROBOT, Token, tidied

PRONOUNS = {
    **dict.fromkeys(("i", "me", "myself", "we", "us", "ourselves"), (ASKING,)),
    **dict.fromkeys(("my", "our", "mine", "ours"), (ASKING, "'s")),
    **dict.fromkeys(("he", "she", "him", "himself", "herself"), (PRONOUN,)),
    **dict.fromkeys(("his", "hers"), (PRONOUN, "'s")),
    **dict.fromkeys(("you", "yourself"), (ROBOT,)),
    **dict.fromkeys(("your", "yours"), (ROBOT, "'s")),
    **dict.fromkeys(("it", "they", "them", "itself", "themselves"), ("it",)),
    **dict.fromkeys(("its", "their"), ("it", "'s")),
    "whom": ("who",),
    "whereabouts": ("where",),
}
MODALS = {
    "will": "will", "would": "will", "shall": "will", "can": "can", "could": "can", "should": "should",
    "may": "can", "might": "can", "must": "must", "ought": "should", "cannot": "can",
}  # fmt: skip
PERSONS = frozenset((PERSON, ASKING, PRONOUN))
KEPT = frozenset((("how", "regularly"), ("who", "else"), ("somewhere", "else")))
CLITICS = {"ll": "will", "d": "will", "re": "be", "m": "be", "ve": "have"}
ASK_OR_POINT = frozenset(("who", "what", "where", "when", "how", "why", "which", "that", "there", "here"))
DOING = re.compile(r"(?:to|in|at|on|for|a|an|the|about|with|here|there|from|my|his|her|of|forward|up|out|)")
SOMEBODY = frozenset(("somebody", "someone", "anybody", "anyone", "nobody", "everybody", "everyone"))
AFTER_BE = re.compile(
    r"(?:\w+ing|a|an|the|not|at|in|on|from|to|for|with|here|there|been|got|up|about|into|like|known|called)"
)
PERFECT = re.compile(r"(?:been|got|had|gotten|\w+ed)")
WHEN = re.compile(r"(?:since |until |till |by |for |from )?when ")
SEEKING = re.compile(r"\b(?:i'm|i am|we're|we are) $", re.IGNORECASE)  # "I'm after the camera"
AFTER_HER = re.compile(  # "her" before these owns nothing
    r"(?:to|at|in|on|with|from|by|for|about|here|there|and|or|but|is|was|are|were|last|today|again|say|says|said|if|when|"
    r"first|together|without|like|live|lives|in|up|over|this|yesterday)"
)


def plain(reading: Reading, described: tuple[int, int] | None = None, timeless: bool = True) -> tuple[Token, ...]:
    """A question's tokens. `described`: [start, end) of words that describe a person: they count as one. `timeless`:
    without the time phrase.
    """
    text = reading.words.translate(APOSTROPHES)
    words = words_in(text)
    left = carried(text) + (_timed(reading, text) if timeless else [])
    people = _people(reading, text, described)
    made: list[Token] = []
    for number, word in enumerate(words):
        hyphen = bool(made) and word.start > 0 and text[word.start - 1] == "-" and made[-1].end == word.start - 1
        if hyphen and made[-1].text != PERSON:
            made[-1] = Token(f"{made[-1].text}-{word.plain}", made[-1].start, word.start + len(word.base))  # one word
            made += _clitic(word, _following(words, number), made[-1].text)
            continue
        if made and (word.opens or word.breaks):
            made.append(Token("." if word.opens else ",", word.start, word.start))
        if not any(start <= word.start < end for start, end in left):
            made += _token(words, number, people)
    return tuple(with_kin(tidied(_without_dropped(_robot(made)))))


@cache
def as_tokens(key: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a list, in the form of tokens."""
    return tuple(tuple(" ".join(map(as_token, phrase)).split()) for phrase in phrases(key))


@cache
def as_token(word: str) -> str:
    """The form in which a word stands among tokens; "my" is two."""
    return " ".join(PRONOUNS[word]) if word in PRONOUNS else MODALS.get(word) or lemmas().get(word, word)


def _timed(reading: Reading, text: str) -> list[tuple[int, int]]:
    """Where the time phrase stands, if it is one: not in "when Ben will come" where that is what is asked."""
    span = reading.span.words.translate(APOSTROPHES).lower()
    at = text.lower().find(span) if span else -1
    asked = reading.span.anchor is not None and reading.asks == "when" and WHEN.match(span)
    return [] if at < 0 or asked or SEEKING.search(text[:at]) else [(at, at + len(span))]


def _people(reading: Reading, text: str, described: tuple[int, int] | None) -> list[tuple[int, int]]:
    """Where persons are named or told by a role that nobody owns ("the postman")."""
    names = [one.words for one in reading.mentions if one.how != ASKER and not (one.how == ROLE and one.of)]
    found = [described] if described else []
    for name in (*names, *reading.unknown_names):
        found += [match.span() for match in named(name).finditer(text)]
    return found


@lru_cache(maxsize=1000)
def named(name: str) -> re.Pattern[str]:
    """Where somebody is named in a text: a mention of Min-jun is "Min jun"."""
    pieces = r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", name.translate(APOSTROPHES))))
    return re.compile(rf"(?<!\w)<?{pieces}>?(?!\w)", re.IGNORECASE)


def _token(words: Sequence[Word], number: int, people: Sequence[tuple[int, int]]) -> list[Token]:
    """A word's tokens; of a name of several words the first one's."""
    word = words[number]
    following = _following(words, number)
    inside = next((span for span in people if span[0] <= word.start < span[1]), None)
    if inside is None:
        made = _base(word, following[0] if following else None)
        return made + _clitic(word, following, made[-1].text)
    goes_on = any(inside[0] <= other.start < word.start for other in words[:number])
    made = [] if goes_on else [Token(PERSON, word.start, inside[1])]
    return made + (_clitic(word, following, PERSON) if word.end >= inside[1] else [])


def _following(words: Sequence[Word], number: int) -> list[Word]:
    """The next two words of the same clause."""
    found: list[Word] = []
    for word in words[number + 1 : number + 3]:
        if word.breaks:
            break
        found.append(word)
    return found


def _base(word: Word, following: Word | None) -> list[Token]:
    start, end = word.start, word.start + len(word.base)
    if word.plain == "her":
        alone = following is None or AFTER_HER.fullmatch(following.plain)
        return [Token(PRONOUN, start, end), *([] if alone else [Token("'s", end, end)])]
    if word.plain in PRONOUNS:
        return [Token(text, start if at == 0 else end, end) for at, text in enumerate(PRONOUNS[word.plain])]
    negated = [Token("not", end, end)] if word.plain.endswith("n't") or word.plain == "cannot" else []
    positive = word.positive
    known = MODALS.get(positive) or lemmas().get(positive, positive)
    past = known not in ("be", positive) and known not in MODALS.values() and not positive.endswith(("s", "ing"))
    return [Token(known, start, end, past), *negated]


def _clitic(word: Word, following: Sequence[Word], before: str) -> list[Token]:
    """What "'s", "'ll", "'ve" and the like stand for, by the two words that follow."""
    at = word.end
    after, then = ([one.plain for one in following] + ["", ""])[:2]
    if not word.clitic:
        return [Token("be", at, at)] if word.text.lower() in SPOKEN else []
    if word.clitic != "s":
        had = word.clitic == "d" and _done(after)
        return [Token("have" if had else CLITICS[word.clitic], at, at)]
    if word.plain == "let":
        return []
    if before == PERSON and not after:
        return [Token("'s", at, at)]  # "a thing of Anna's"
    verbal = word.plain in ASK_OR_POINT | SOMEBODY or before in (PRONOUN, "it") or not after
    verbal = verbal or AFTER_BE.fullmatch(after) is not None or _done(after)
    if before == PERSON and after.endswith("ing") and (after in listed("appointments") or not DOING.fullmatch(then)):
        return [Token("'s", at, at)]  # "Anna's hearing test"
    if not verbal:
        return [Token("'s", at, at)]
    if word.plain in ("what", "where", "how") and after in ("he", "she") and lemmas().get(then) == then:
        return []  # "what's he do"
    return [Token("have" if PERFECT.fullmatch(after) or _done(after) else "be", at, at)]


def _done(word: str) -> bool:
    """Whether it is a verb in the form that follows "have": "promised", "moved"."""
    return lemmas().get(word, word) != word and not word.endswith(("s", "ing"))


def _robot(tokens: list[Token]) -> list[Token]:
    """With the one spoken to for "the robot"."""
    made: list[Token] = []
    for token in tokens:
        if token.text == "robot" and made and made[-1].text == "the":
            made[-1] = Token(ROBOT, made[-1].start, token.end)
        else:
            made.append(token)
    return made


def _without_dropped(tokens: list[Token]) -> list[Token]:
    """The tokens without words that add nothing."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        texts = tuple(token.text for token in tokens[at : at + 8])
        phrase = next((len(one) for one in as_tokens("dropped_phrases") if texts[: len(one)] == one), 0)
        length = 0 if texts[phrase : phrase + 1] == ("'s",) else phrase  # "for me" is not the beginning of "for my car"
        if not length and texts[0] in listed("dropped"):
            verb = texts[0] == "please" and set(texts[1:2]) & PERSONS  # "can I please Anna with tea"
            length = 0 if verb or (kept and (kept[-1].text, texts[0]) in KEPT) else 1
        kept += [] if length else [tokens[at]]
        at += length or 1
    return kept
