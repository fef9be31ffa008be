"""What "it", "them", "he" and "she" stand for: what was named last before, in this turn or the lines just before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from robot_memory.memorization.speech.persons import NAME, Person, gender, is_names, kin, persons
from robot_memory.memorization.speech.sentences import Sentence, without_openings
from robot_memory.memorization.speech.subjects import is_name, subject_at
from robot_memory.memorization.speech.tables import listed, opening
from robot_memory.memorization.speech.values import cut_off, liking

THINGS = frozenset("it they them that this these those".split())
HE, SHE = frozenset(("he", "him", "his")), frozenset(("she", "her", "hers"))
LIKED = re.compile(r"\b(?:like|likes|love|loves|enjoy|enjoys|hate|hates|tried|adore|adores|about|of) (?P<v>[a-z][\w' -]+)$", re.I)


@dataclass
class Mentions:
    """What has been named so far; `person` and `thing` as said."""

    person: str = ""
    thing: str = ""

    def note(self, sentence: Sentence) -> None:
        """Takes in a sentence after it has been read."""
        text = without_openings(sentence.text)
        if (named := last_person(sentence.text)):
            self.person = named
        if (thing := _topic(sentence, text)):
            self.thing = thing

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
    found = [m[0] for m in re.finditer(rf"\b(?:my|our|{NAME}'s) {kin()}\b(?: {NAME})?|{NAME}", text)]
    for said in reversed(found):
        name = said.removesuffix("'s")
        if " " in name and persons(name) and not is_names(name):
            return name
        if is_names(name) and not (text.startswith(name) and not _first_is_person(text, name)):
            return name
    return ""


def _first_is_person(text: str, name: str) -> bool:
    """Whether the first word of a sentence is a name, not just a word with a capital."""
    rest = text[len(name) :]
    return bool(re.match(r"(?:'s|,)? ?(?:is|has|was|will|likes|loves|hates|enjoys|lives|works|thinks|says|goes|does|can|\W*$)", rest)) or " " in name


def _topic(sentence: Sentence, text: str) -> str:
    subject = subject_at(text)
    if subject is None and len(text.split()) <= 6 and not opening("grammar", "orders_open").match(text):
        thing = text if not persons(text) else ""
        words = thing.split()
        return _plain(thing) if words and words[0].lower() not in listed("grammar", "pronouns") | listed("grammar", "no_topics") else ""
    if sentence.mark == "?" and (asked := LIKED.search(text)):
        found = liking(asked["v"])
        return found[0] if found else ""
    if subject is not None and subject.text.lower() not in listed("grammar", "pronouns") and not persons(subject.text):
        return _plain(subject.text)
    if subject is not None and (told := LIKED.search(text)):
        found = liking(told["v"])
        return found[0] if found else ""
    return ""


def _plain(thing: str) -> str:
    thing = cut_off(thing)
    first = thing.split(" ", 1)[0]
    return thing[:1].lower() + thing[1:] if thing and first.lower() in listed("grammar", "determiners") else thing


def names_in(texts: Iterable[str]) -> list[str]:
    return [name for text in texts if (name := last_person(text))]


def is_bare_name(text: str) -> bool:
    return all(is_name(word) for word in text.split())
