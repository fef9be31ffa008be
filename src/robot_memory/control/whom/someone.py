"""Somebody or something a question means, as far as claims can be looked up: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from robot_memory.control.answer import Evidence
from robot_memory.memorization.speech.saying import is_plural
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.tokens import split

YOU = "you"
ARTICLES = ("the", "a", "an", "this", "that", "these", "those")
OWNERS = ("my", "your", "his", "her", "our", "their")
YOURS = {"my": "your", "your": "my"}  # the asker's word -> the robot's
DOUBTFUL = 0.7  # how much a name is worth that was heard once


@dataclass(frozen=True)
class Someone:
    """`called`: how to speak of them ("Anna", "you", "Anna's brother"). `person`: the id, None of one nobody has met.

    `subjects`: what claims of them have as subject: a token of theirs, the name as it may have been told of before they
    were known by it, "<person_2>'s brother". `sure`: 0 to 1, how surely they are meant. `because`: the memories that
    led from the words to them. `thing`: it is no person. `many`: several at once, for a sentence.
    """

    called: str
    person: int | None = None
    subjects: tuple[str, ...] = ()
    sure: float = 1.0
    because: tuple[Evidence, ...] = ()
    thing: bool = False
    many: bool = False

    @property
    def plural(self) -> bool:
        """Whether "are" and "have" follow."""
        return self.asker or self.many or (self.thing and is_plural(self.called))

    @property
    def asker(self) -> bool:
        return self.called == YOU

    @property
    def key(self) -> str:
        """The same for all ways to mean one human: "person_2", "ben"."""
        return f"person_{self.person}" if self.person is not None else self.called.casefold()


def thing(words: str) -> Someone:
    """What a question asks about that is no person: "the car keys". Whose it is may not have been said with it."""
    first, _, rest = words.partition(" ")
    owned = first.lower() in OWNERS or first.endswith(("'s", "’s"))
    if rest and (owned or first.lower() in ARTICLES):
        called = f"{YOURS.get(first.lower(), first)} {rest}" if owned else f"the {rest}"
        return Someone(called, None, (words, rest), thing=True)
    return Someone(f"the {words}", None, (words,), thing=True)


def person_of(token: str, people: People) -> Person | None:
    """Whom voice_3, face_2 or person_1 stands for."""
    try:
        kind, number = split(token.strip("<>"))
        return people.get(number) if kind == "person" else people.of_entity(number)
    except (ValueError, KeyError):  # no token, or of nobody
        return None


def met(person: Person, people: People, sure: float = 1.0, because: tuple[Evidence, ...] = ()) -> Someone:
    """A person of the store. Their name counts as subject only where nobody else has it."""
    names = [name for name in dict.fromkeys((person.name, *person.others)) if name]
    own = tuple(name for name in names if len(_named(name, people)) == 1)
    sure *= DOUBTFUL if person.doubtful else 1.0
    return Someone(person.name or person.describe(), person.id, (f"<{person.token}>", *own), sure, because)


def heard_of(name: str, people: People, sure: float = 1.0, because: tuple[Evidence, ...] = ()) -> Someone:
    """Whoever goes by a name as it is written: a person of the store, else somebody only talked about."""
    known = _named(name, people)
    if len(known) == 1:
        return met(known[0], people, sure, because)
    return Someone(name, None, (name,), sure, because)


def _named(name: str, people: People) -> list[Person]:
    """Everyone called exactly so; "person 4" and the like mean who is described so."""
    folded = name.casefold()
    return [
        one
        for one in people.all()
        if folded in (one.name.casefold(), one.describe().casefold())
        or folded in (other.casefold() for other in one.others)
    ]
