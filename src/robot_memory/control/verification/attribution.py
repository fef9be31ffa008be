"""Whom a sentence speaks of: its speaker, the one spoken to, or somebody it names.

"I painted it" is about whoever says it, "your painting is lovely" about whoever hears it, "Anna paints" about Anna.
A turn often does all three, so each sentence is shared out by itself.

| sentence                                | of the speaker | why                                                    |
|-----------------------------------------|----------------|--------------------------------------------------------|
| I, my                                   | 1.00           | speaks of oneself                                      |
| you, your                               | 0.15           | asks or praises the other; "you know" is rarely more   |
| both                                    | 0.50           | "I love your painting"                                 |
| we, our                                 | 0.85           | the speaker is of the party, the hearer perhaps        |
| none, a question ("For walking?")       | 0.35           | one asks about the other's matters                     |
| none, a statement ("Three times a week")| 0.75           | one answers about oneself                              |

What is not the speaker's is the hearers'. Somebody else who is named, and not merely called, takes NAMED of it all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from robot_memory.control.verification.asked import Asked, Passage
from robot_memory.control.verification.vocabulary import FIRST, PLURAL, SECOND
from robot_memory.control.verification.wording import words

NAMED = 0.7
UNCLEAR = 0.5  # it is not known whom a passage speaks of
_CALL = r"(?:hey|hi|hello|bye|thanks|thank you|wow|oh|yes|yeah|no|sorry|congrats|congratulations|morning|night)"


def share(sentence: str, passage: Passage, asked: Asked) -> float:
    """How much of a sentence speaks of the persons asked about: 0 none of it, 1 all; 1 if nobody is asked about."""
    if not asked.persons:
        return 1.0
    called, named = _persons_in(sentence, asked.names)
    others = named - {passage.speaker}
    if not passage.speaker:
        subjects = others or passage.about
        return _part(subjects, asked.persons) if subjects else UNCLEAR
    spoken_to = called or passage.hearers
    own = own_part(sentence)
    told = own * (passage.speaker in asked.persons) + (1 - own) * _part(spoken_to, asked.persons)
    return NAMED * _part(others, asked.persons) + (1 - NAMED) * told if others else told


@lru_cache(maxsize=20_000)
def own_part(sentence: str) -> float:
    """How much of a sentence speaks of its speaker, by the table above."""
    said = set(words(sentence))
    first, second = bool(said & FIRST), bool(said & SECOND)
    if first or second:
        return 0.5 if first and second else 1.0 if first else 0.15
    if said & PLURAL:
        return 0.85
    return 0.35 if sentence.rstrip().endswith("?") else 0.75


def _part(subjects: frozenset[str], asked: frozenset[str]) -> float:
    """The asked persons' part among those a sentence may be about."""
    return len(subjects & asked) / len(subjects) if subjects else 0.0


def _persons_in(sentence: str, names: Mapping[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """(who is called, who is spoken of): "Anna, look!" calls her, "Anna paints" speaks of her."""
    called, named = set[str](), set[str]()
    lowered = sentence.lower()
    for name, person in names.items():
        if name.lower() in lowered and re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE):
            (called if _calls(sentence, name) else named).add(person)
    return frozenset(called), frozenset(named)


def _calls(sentence: str, name: str) -> bool:
    own = re.escape(name)
    return bool(re.search(rf"(?:^|[,;:—-]\s*|\b{_CALL}\s+){own}\s*(?:[,.!?…—-]|$)", sentence, re.IGNORECASE))
