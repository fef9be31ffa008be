"""Patterns of the attribute tables: lines of regular expressions with names in braces, compiled once.

`{v}` what is told, `{who}` a person as subject or object, `{whose}` his or her possessive; the others are below. A
pattern fits a clause or a sentence as a whole.
"""

from __future__ import annotations

import re
from functools import cache

from robot_memory.memorization.speech.persons import NAME, kin
from robot_memory.memorization.speech.tables import table

BE = r"(?:am|is|are|was|were|be|been)"
ADVERBS = (
    r"(?:(?:really|always|just|also|simply|still|truly|most|so|particularly|especially|absolutely|actually|\w+ly) )*"
)
PLACEHOLDER = re.compile(r"\{(\w+)\}")


@cache
def _macros() -> dict[str, str]:
    relative = rf"(?:my|our|his|her|{NAME}'s) {kin()}(?: {NAME})?"
    who = rf"(?:I|me|we|us|you|he|she|him|her|they|them|{relative}|(?:our |poor |old )?{NAME})"
    whose = rf"(?:my|our|your|his|her|their|{relative}'s|(?:our |poor )?{NAME}'s?)"
    return {
        "v": r"(?P<v>.+?)",
        "t": r"(?P<t>.+?)",
        "j": r"(?P<j>.+?)",
        "who": rf"(?P<who>{who})",
        "whose": rf"(?P<whose>{whose})",
        "me": r"(?P<who>me|us)",
        "mine": rf"(?P<whose>mine|ours|yours|hers|his|{NAME}'s)",
        "be": BE,
        "adv": ADVERBS,
        "as": r"(?:as )?",
        "who_again": who,
        "whose_again": whose,
        "who_long": rf"(?P<long>{NAME})",
        "v_long": rf"(?P<long>{NAME})",
        "kin": rf"(?P<kin>{kin()})",
        "name": rf"(?P<name>{NAME})",
        "who_has": rf"(?P<who>I|we|he|she|(?:our )?{NAME})",
        "whose_of": rf"(?P<whose>mine|ours|his|hers|{NAME}'s)",
        "pair": r"(?P<pair>(?:good |best |close |old )?\w+)",
    }


@cache
def compiled(attribute: str, section: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a section of an attribute's table, in order; none where there is no such section."""
    lines = str(table(attribute).get(section, "")).splitlines()
    return tuple(re.compile(spelled(line.strip())) for line in lines if line.strip())


def spelled(line: str) -> str:
    """A line of a table as a regular expression; what is named twice is a group the first time only."""
    seen: set[str] = set()

    def put(found: re.Match[str]) -> str:
        name = found[1]
        known = _macros().get(name)
        if known is None:
            return found[0]
        again = name in seen
        seen.add(name)
        return _macros()[f"{name}_again"] if again and f"{name}_again" in _macros() else known

    return PLACEHOLDER.sub(put, line)
