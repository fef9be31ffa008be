"""What an operator may ask for, as the services and the command line take it: checked, applied in one durable change,
and said in words.

What a request may hold is checked here, so that neither a program's mistake nor a hostile one reaches the tables.
"""

from __future__ import annotations

import getpass
import re
import unicodedata
from dataclasses import dataclass

from robot_memory.memory.insertion.order import reorder
from robot_memory.memory.people import corrections, explain, journal, undoing
from robot_memory.memory.people.corrections import LONGEST_NAME, CorrectionInvalid
from robot_memory.memory.people.journal import ChangeUnknown, Word
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store

LONGEST_ACTOR, LONGEST_REASON = 80, 1000
MOST_ENTITIES = 1000
UNNAMED = "operator"  # who says so where nobody says who
NUMBER = "[1-9][0-9]{0,17}"  # what fits SQLite's integers
TOKEN = re.compile(rf"(person|face|voice|memory)_({NUMBER})")
BREAKING = {"Cc", "Cs", "Zl", "Zp"}  # categories of characters that no single line of text holds


@dataclass(frozen=True)
class Name:
    """`person` (person_4) is called so; an empty name takes the name away."""

    person: str
    name: str


@dataclass(frozen=True)
class Merge:
    """`other` is the same human as `keep`."""

    keep: str
    other: str


@dataclass(frozen=True)
class Split:
    """These faces and voices of the person are another human's."""

    person: str
    entities: tuple[str, ...]


@dataclass(frozen=True)
class Undo:
    """The change is taken back."""

    change: str


Correction = Name | Merge | Split | Undo


@dataclass(frozen=True)
class Corrected:
    """What was done, in words; the change it is, for undoing it; the person that a split made."""

    change: str
    message: str
    new_person: str = ""


def correct(store: Store, wanted: Correction, word: Word) -> Corrected:
    """Make a correction, whole and durable. Raises PersonUnknown, ChangeUnknown, CorrectionInvalid or
    CorrectionRefused.
    """
    word = Word(
        line_of(word.actor, "actor", LONGEST_ACTOR) or UNNAMED,
        line_of(word.reason, "reason", LONGEST_REASON),
        word.at_ns,
    )
    wanted = _checked(wanted)
    with store.write() as db:
        person = ""
        if isinstance(wanted, Name):
            change = corrections.name_person(db, wanted.person, wanted.name, word)
        elif isinstance(wanted, Merge):
            change = corrections.merge_persons(db, wanted.keep, wanted.other, word)
        elif isinstance(wanted, Split):
            change, person = corrections.split_person(db, wanted.person, wanted.entities, word)
        else:
            change = undoing.undo(db, int(wanted.change), word)
        reorder(db, journal.get(db, change).entities)
        return Corrected(str(change), explain.summary(journal.get(db, change), People(db)), person)


def token_of(text: str, *kinds: str) -> str:
    """The id, if it is one of these kinds. Raises CorrectionInvalid."""
    found = TOKEN.fullmatch(text)
    if found is None or found[1] not in kinds:
        examples = {"person": "person_4", "face": "face_3", "voice": "voice_7", "memory": "memory_17"}
        raise CorrectionInvalid(f"{quoted(text)} is no id: write {' or '.join(examples[kind] for kind in kinds)}")
    return text


def line_of(text: str, what: str, longest: int) -> str:
    """A short text in one line, its spaces made even. Raises CorrectionInvalid for what breaks lines or is no text."""
    if len(text) > longest:
        raise CorrectionInvalid(f"the {what} has {len(text)} characters: at most {longest} are taken")
    if any(unicodedata.category(letter) in BREAKING for letter in text):
        raise CorrectionInvalid(f"the {what} {quoted(text)} holds line breaks or control characters")
    return " ".join(text.split())


def quoted(text: str, longest: int = 40) -> str:
    """Somebody else's text in a message of ours: in ASCII, in one line, not too long."""
    return ascii(text if len(text) <= longest else f"{text[:longest]}…")


def login_name() -> str:
    """Who sits at the terminal."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user without an entry, as in containers
        return UNNAMED


def _checked(wanted: Correction) -> Correction:
    """The correction with ids that can be looked up and a name that can be shown."""
    if isinstance(wanted, Name):
        name = line_of(wanted.name, "name", LONGEST_NAME)
        if TOKEN.fullmatch(name):
            raise CorrectionInvalid(f"{name} is an id, no name: to join two persons, merge them")
        return Name(token_of(wanted.person, "person"), name)
    if isinstance(wanted, Merge):
        return Merge(token_of(wanted.keep, "person"), token_of(wanted.other, "person"))
    if isinstance(wanted, Split):
        if not 0 < len(wanted.entities) <= MOST_ENTITIES:
            raise CorrectionInvalid(f"name 1 to {MOST_ENTITIES} faces and voices that leave, e.g. voice_7")
        entities = tuple(dict.fromkeys(token_of(one, "face", "voice") for one in wanted.entities))
        return Split(token_of(wanted.person, "person"), entities)
    if not re.fullmatch(NUMBER, wanted.change):
        raise ChangeUnknown(f"there is no change {quoted(wanted.change)}: list them with robot-memory changes")
    return wanted
