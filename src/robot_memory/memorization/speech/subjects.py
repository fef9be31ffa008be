"""What stands before a verb: "I", "Ben", "my brother", "the car keys", "Ben's wife". Whose matter a clause is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.memorization.speech.tables import listed

WORD = re.compile(r"[^\W_][\w'&-]*|\$?\d+", re.UNICODE)
BARE = frozenset(("home", "work", "post", "dinner", "mail"))  # nouns that open a clause without an article
LONGEST = 7  # words of a subject


@dataclass(frozen=True)
class Subject:
    """`text` as said; `end`: where the predicate begins in the text it was found in."""

    text: str
    end: int

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.split())


def subject_at(text: str) -> Subject | None:
    """The subject a text begins with, if a verb follows it."""
    found = list(WORD.finditer(text[:120]))
    if not found:
        return None
    words = [match[0] for match in found]
    lower = [word.lower() for word in words]
    if lower[0] in listed("grammar", "pronouns"):
        return _after_pronoun(text, found, lower)
    if lower[0] in listed("grammar", "determiners"):
        return _before_verb(text, found, lower, 1)
    if is_name(words[0]) or (words[0][0].isupper() and lower[0].endswith("ing")) or lower[0] in BARE:
        return _before_verb(text, found, lower, 0)
    return None


def is_name(word: str) -> bool:
    """Whether a word is written as a name is, and is no word of grammar or calendar."""
    lower = word.lower().removesuffix("'s")
    return (
        word[:1].isupper()
        and lower not in listed("grammar", "no_names") | listed("grammar", "orders")
        and not (lower.endswith("ing") and len(lower) > 6)
    )


def _after_pronoun(text: str, found: list[re.Match[str]], lower: list[str]) -> Subject | None:
    """A pronoun with a verb behind it: "I, for one, like" and "you two like" count, "that one" does not."""
    at = 1
    while at < len(lower) and lower[at] in listed("grammar", "adverbs"):
        at += 1
    if at >= len(lower):
        return None
    verb = lower[at]
    known = verb in listed("grammar", "finite")
    of_any_verb = lower[0] in ("i", "we", "they", "you") and verb not in listed("grammar", "no_verbs")
    of_third = lower[0] in ("he", "she", "it") and (verb.endswith(("s", "ed")) and len(verb) > 3)
    if known or of_any_verb or of_third:
        return Subject(found[0][0], _skip(text, found[0].end()))
    if lower[0] in ("this", "that", "these", "those"):
        return _before_verb(text, found, lower, 1)
    return None


def _before_verb(text: str, found: list[re.Match[str]], lower: list[str], least: int) -> Subject | None:
    """Words up to the first verb that is known as one; commas end it, but not in "my sister, Anna, is"."""
    for at in range(max(1, least), min(LONGEST, len(lower))):
        between = text[found[at - 1].end() : found[at].start()]
        if between.strip(" ") and not (between.strip() == "," and at <= 3):
            return None
        word = lower[at]
        if word in listed("grammar", "finite") and not (
            at == 1 and least == 1 and word not in listed("grammar", "auxiliaries")
        ):
            subject = _trimmed(text[: found[at].start()])
            return Subject(subject, found[at].start()) if subject else None
        if word in listed("grammar", "no_subject"):
            return None
    return None


def _trimmed(text: str) -> str:
    words = text.strip(" ,").split()
    while len(words) > 1 and words[-1].lower() in listed("grammar", "adverbs"):
        words.pop()
    return " ".join(words).rstrip(",")


def _skip(text: str, at: int) -> int:
    return at + len(text[at:]) - len(text[at:].lstrip(" ,"))
