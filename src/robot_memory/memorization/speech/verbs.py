"""The plain form of a verb: "prepare" for preparing, "go" for goes."""

from __future__ import annotations

import re

from robot_memory.memorization.speech.tables import table
from robot_memory.memory.insertion.wording.inflection import plain_verb

LOST_E = re.compile(  # a stem that ends so has lost its e: bak-ing, clos-ing, danc-ing, prepar-ing, cycl-ing, chang-ing
    r"(?:[^aeiou][aeiuoy](?:[kdzvgcmp]|s)|[^aeiou][aiouy]r|[^aeiou]i[nl]|[bcdfgkptz]l|[vcu]|[aeiou]s|ns|rs|rg|dg|"
    r"(?:arr|ch|pl|exch)an?g|[bcdfghjklmnprstvwxz][ao]t|[^aeiou]it|[uo]t)$"
)
NO_E = re.compile(
    r"(?:visit|edit|credit|audit|profit|limit|exhibit|focus|tutor|monitor|elop|allop|iship|er|en|on|al|el)$"
)


def plain(verb: str) -> str:
    """ "swim" for swims and swimming."""
    known = table("dated")["irregular"].get(verb)
    if known or not verb.endswith("ing") or len(verb) < 6:
        return str(known or plain_verb(verb))
    stem = verb[:-3]
    regular = plain_verb(verb)
    if regular != stem:
        return regular
    return f"{stem}e" if LOST_E.search(stem) and not NO_E.search(stem) else regular
