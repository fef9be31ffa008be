"""What "it", "them", "he" and "she" stand for: what was named last before, in this turn or the lines just before."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from robot_memory.memorization.speech.persons import NAME, Person, gender, is_names, kin, persons
from robot_memory.memorization.speech.sentences import Sentence, without_openings
from robot_memory.memorization.speech.subjects import subject_at
from robot_memory.memorization.speech.tables import listed
from robot_memory.memorization.speech.values import cut_off, liking, small_at_start

THINGS = frozenset(["it", "they", "them", "that", "this", "these", "those"])
HE, SHE = frozenset(("he", "him", "his")), frozenset(("she", "her", "hers"))
WHERE = re.compile(r"\b(?:in|at|from|near|into|around|via|through) $", re.I)  # a place follows
LIKED = re.compile(
    r"\b(?:like|likes|love|loves|enjoy|enjoys|hate|hates|tried|adore|adores|care for|cares for|"
    r"(?:about|of|on|to|at) (?=the\b)|about|of) ?(?P<v>[a-z][\w' -]+)$",
    re.I,
)


@dataclass
class Mentions:
    """What has been named so far; `person` and `thing` as said."""

    person: str = ""
    thing: str = ""
    topic: str = ""  # a thing named alone or as what somebody likes: "Olives?"; what "love them" is about

    def note(self, sentence: Sentence) -> None:
        """Takes in a sentence after it has been read."""
        text = without_openings(sentence.text)
        if named := last_person(sentence.text):
            self.person = named
        if topic := _topic(sentence, text):
            self.topic = self.thing = topic
        elif thing := _thing(text):
            self.thing, self.topic = thing, ""

    def stands_for(self, subject: str) -> str:
        """The subject with a pronoun replaced by what it stands for; as it is where nothing is known."""
        lower = subject.lower()
        if lower in HE | SHE:
            return self.person if _may_be(self.person, lower) else subject
        if lower in ("it", "they") and self.thing:
            return self.thing
        return subject

    def named(self, text: str) -> str:
        """The text with its first word replaced, where that is a pronoun whose person is known."""
        first, _, rest = text.partition(" ")
        meant = self.stands_for(first) if first.lower() in HE | SHE and first.lower() not in ("his", "her") else first
        return f"{meant} {rest}" if rest else text

    def named_before(self, text: str, pronoun: str) -> str:
        """Whom a pronoun means by what stands before it in its own sentence, "" where nobody is named there."""
        named = last_person(text)
        return named if pronoun.lower() in HE | SHE and _may_be(named, pronoun.lower()) else ""

    def him(self) -> Person | None:
        found = persons(self.person) if self.person else []
        return found[0] if len(found) == 1 else None


def _may_be(person: str, pronoun: str) -> bool:
    if not person:
        return False
    found = persons(person)
    known = gender(found[0].name) if found and found[0].of else ""
    words = [gender(word) for word in person.split()]
    known = known or next((one for one in words if one), "")
    return known in ("", "m" if pronoun in HE else "f")


def last_person(text: str) -> str:
    """The person named last in a text, "my sister" too; "" where nobody is."""
    found = re.finditer(rf"\b(?:[Mm]y|[Oo]ur|{NAME}'s) {kin()}\b(?: {NAME})?|{NAME}", text)
    said = [match[0] for match in found if not WHERE.search(text[: match.start()])]
    for name in reversed([one.removesuffix("'s") for one in said]):
        if name.startswith(("My ", "Our ")):
            name = name[0].lower() + name[1:]
        if " " in name and not is_names(name) and is_names(name.split(" ", 1)[1]):
            return name.split(" ", 1)[1]  # "Ask Victor"
        if " " in name and persons(name) and not is_names(name):
            return name
        if is_names(name) and not (text.startswith(name) and not _first_is_person(text, name)):
            return name
    return ""


def _first_is_person(text: str, name: str) -> bool:
    """Whether the first word of a sentence is a name, not just a word with a capital."""
    rest = text[len(name) :]
    return (
        bool(
            re.match(
                r"(?:'s|,)? ?(?:is|has|was|will|likes|loves|hates|enjoys|lives|works|thinks|says|goes|does|can|\W*$)",
                rest,
            )
        )
        or " " in name
    )


def _topic(sentence: Sentence, text: str) -> str:
    """A thing that is named alone, or as what somebody likes or is asked about."""
    subject = subject_at(text)
    words = text.split()
    alone = sentence.mark == "?" or sentence.text.lower().startswith(("oh", "ah", "mm"))
    if subject is None and words and len(words) <= 5 and alone and words[0].lower() not in _no_topics():
        called, comma, _ = text.partition(",")  # "Peter, where is it?"
        return "" if comma and is_names(called) else small_at_start(_plain(text))
    told = LIKED.search(text)
    found = liking(told["v"]) if told else []
    return found[0] if len(found) == 1 and not persons(found[0]) else ""


def _thing(text: str) -> str:
    """A subject that is no person: "The cycle lanes"."""
    subject = subject_at(text)
    thing = _plain(subject.text) if subject is not None else ""
    return "" if thing.lower() in listed("grammar", "pronouns") or persons(thing) else thing


@cache
def _no_topics() -> frozenset[str]:
    return (
        listed("grammar", "pronouns")
        | listed("grammar", "no_topics")
        | listed("grammar", "interjections")
        | listed("grammar", "orders")
    )


def _plain(thing: str) -> str:
    thing = cut_off(thing)
    first = thing.split(" ", 1)[0]
    return thing[:1].lower() + thing[1:] if thing and first.lower() in listed("grammar", "determiners") else thing
