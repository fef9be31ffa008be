"""Why two sentences may not be taken for one, however alike their vectors are.

Where in doubt it objects: it is asked only whether to merge or to link, and what is left apart is not lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from robot_memory.memory.insertion.claim import LEADING_TO_A_TIME
from robot_memory.memory.insertion.wording.amounts import amount_of, as_amounts
from robot_memory.memory.insertion.wording.numbers import in_figures, value_of
from robot_memory.memory.insertion.wording.spelling import spell, split_words
from robot_memory.memory.insertion.wording.tables import listed, opposites, table
from robot_memory.memory.insertion.wording.times import as_times
from robot_memory.memory.tokens import TOKEN

QUOTE = re.compile(r"[“\"«„]")


class Text:
    """A sentence as the rules look at it: as written, its words, its words with numbers and times as one, and those
    without the "on" of "on Tuesday".
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.raw = split_words(text)
        self.words = spell(self.raw)
        self.counted = as_amounts(as_times(in_figures(self.words)))
        pairs = zip(self.counted, [*self.counted[1:], ""])
        self.plain = {word for word, then in pairs if not (word in LEADING_TO_A_TIME and then[:1] == "@")}
        self.tokens = list(dict.fromkeys(TOKEN.findall(text)))


def veto(one: str, other: str) -> str | None:
    """What stands against taking two sentences for one; None: nothing that these rules know of."""
    if one == other:
        return None
    a, b = Text(one), Text(other)
    return next((name for name, differs in RULES if differs(a, b)), None)


def _entities(a: Text, b: Text) -> bool:
    return set(a.tokens) != set(b.tokens)


def _speaker(a: Text, b: Text) -> bool:
    """Somebody said it, and it is so, are two things; so are two who said it."""
    quoted = [bool(QUOTE.search(one.text)) for one in (a, b)]
    return quoted[0] != quoted[1] or (quoted[0] and QUOTE.split(a.text)[0] != QUOTE.split(b.text)[0])


def _roles(a: Text, b: Text) -> bool:
    """The same people in another order: who greeted whom."""
    return a.tokens != b.tokens or (Counter(_names(a)) == Counter(_names(b)) and _names(a) != _names(b))


def _question(a: Text, b: Text) -> bool:
    return ("?" in a.text) != ("?" in b.text)


def _negation(a: Text, b: Text) -> bool:
    negations = listed("words", "negations")
    return sum(word in negations for word in a.words) != sum(word in negations for word in b.words)


def _numbers(a: Text, b: Text) -> bool:
    return _differ(a, b, lambda word: value_of(word) is not None or (word[-2:] == "th" and word[:-2].isdecimal()))


def _amounts(a: Text, b: Text) -> bool:
    return _differ(a, b, lambda word: amount_of(word) is not None)


def _times(a: Text, b: Text) -> bool:
    calendar = listed("vetoes", "times")
    return _differ(a, b, lambda word: word[0] == "@" or word in calendar)


def _opposites(a: Text, b: Text) -> bool:
    """A word here whose opposite is there, where it is not in both."""
    only_a, only_b = set(a.words) - set(b.words), set(b.words) - set(a.words)
    return any(not opposites().get(word, frozenset()).isdisjoint(only_b) for word in only_a)


def _classes(a: Text, b: Text) -> bool:
    """Words of a class (might, must; all, some; his, her) that only one of them has."""
    for name in table("vetoes")["classes"]:
        words = frozenset(table("vetoes")["classes"][name].split())
        if words & a.plain != words & b.plain:
            return True
    return False


def _other_names(a: Text, b: Text) -> bool:
    """A capital that is not only that of a first word, or two first words that may both be names."""
    lower = [{word.casefold() for word in one.raw} for one in (a, b)]
    if any(name.casefold() not in lower[1] for name in _names(a)):
        return True
    if any(name.casefold() not in lower[0] for name in _names(b)):
        return True
    first = [_first(one) for one in (a, b)]
    openers = listed("vetoes", "openers")
    return bool(first[0] and first[1]) and first[0] != first[1] and openers.isdisjoint(first)


def _order(a: Text, b: Text) -> bool:
    """The same words in another order: the dog chased the cat."""
    return a.counted != b.counted and Counter(a.counted) == Counter(b.counted)


def _differ(a: Text, b: Text, of: Callable[[str], bool]) -> bool:
    """Whether the words for which `of` is true are others, or another number of them."""
    found = [Counter(word for word in text.counted if of(word)) for text in (a, b)]
    return found[0] != found[1]


def _names(text: Text) -> list[str]:
    """Words with a capital, the first word of a sentence not counted."""
    inside = re.sub(r"(?:^|[.!?:“\"]\s*)\w+", " ", text.text)
    return [word for word in split_words(inside) if word[0].isupper() and word != "I"]


def _first(text: Text) -> str:
    """The first word, in small letters, if it has a capital."""
    return text.raw[0].casefold() if text.raw and text.raw[0][0].isupper() else ""


RULES: tuple[tuple[str, Callable[[Text, Text], bool]], ...] = (
    ("entities", _entities),
    ("speaker", _speaker),
    ("roles", _roles),
    ("question", _question),
    ("negation", _negation),
    ("numbers", _numbers),
    ("amounts", _amounts),
    ("times", _times),
    ("opposites", _opposites),
    ("classes", _classes),
    ("names", _other_names),
    ("order", _order),
)
