"""Times that hang on an event: "before Anna came", "while they cooked", "two days after the party".

Which event is meant only memory can tell; here its words are found. "When did …" and "tell me when …" ask for a time
and name none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.control.times.patterns import NAMES
from robot_memory.control.times.words import listed

CONJUNCTIONS = "before|after|while|whilst|when|whenever|since|until|till|once|as soon as|by the time|during|prior to"
DENIED = {"not before": "after", "not until": "after", "not till": "after", "not after": "until"}
DENIED |= {"no later than": "until", "not later than": "until"}
DENIED |= {"no earlier than": "after", "not earlier than": "after", "no sooner than": "after"}
RELATIONS = "|".join((*DENIED, CONJUNCTIONS)).replace(" ", r"\s+")
SAME = {"whilst": "while", "whenever": "when", "till": "until", "as soon as": "when", "once": "when"}
SAME |= {"by the time": "until", "prior to": "before"} | DENIED
NEAR = r"(?:right|just|shortly|immediately|soon|directly|long|some time|ever)\s+"
NEXT_TO = r"the\s+(?:very\s+)?(?:day|night|morning|evening|week|month|year)"
DISTANCE = rf"(?:{NEXT_TO}|(?:{NAMES['count']})\s+(?:{NAMES['unit']}))\s+"
ANCHOR = re.compile(
    rf"\b(?:(?:{NEAR})|(?P<distance>{DISTANCE}))?\b(?P<relation>{RELATIONS})\s+(?P<event>\w[^,;:?!.\n]*)"
)
# Words before which "when" and "before" ask, or belong to the verb: "tell me when", "look after the dog".
ASKING = re.compile(
    r"(?:[?!.;:]|\b(?:know|knows|knew|known|remembers?|recall|forget|forgot|wonder|exactly|and|since|until|by|from|about"
    r"|matter|decide|guess))\s*$"
)
# These own the "when" that follows, unless the question asks something else: "what did Anna say when …".
TELLING = re.compile(r"\b(?:tells?|told|asks?|asked|say|said|sees?|saw|me|us|you|is|was|that)\s*$")
ASKS_ELSE = re.compile(r"(?:what|who|whom|whose|where|which|how|why)\b")
# Words that take "after" or "before" for themselves: "look after the dog", "stand before the judge".
OWNERS = {
    "after": listed(
        "look looks looked looking take takes took taken name named call called ask asks asked run ran go goes went "
        "chase chased one time day year week come comes thing"
    ),
    "before": listed("stand stood stands appear appeared come comes life kneel knelt"),
}
LAST_WORD = re.compile(r"(\w+)\s+$")
QUESTION = listed("did do does is are was were will would can could should has have had shall may might")
NO_EVENT = re.compile(r"(?:all|that|this|then|now|and|or|long|everything|ever|on|in|at|by|about|was|is|did|do|again)\b")
ASKED_INSTEAD = re.compile(r"\s(?=(?:who|what|where|which|whom|whose|how|did|was|were|do|does|is|are)\s)")


@dataclass(frozen=True)
class Anchor:
    """Where it stands in the text, its relation with a distance if any, and the words of the event."""

    start: int
    end: int
    relation: str
    event: str


def anchor_in(text: str) -> Anchor | None:
    """The first anchor of a text in lower case."""
    position = 0
    while match := ANCHOR.search(text, position):
        if _names_event(text, match):
            return _anchor(text, match)
        position = match.start("event")
    return None


def _names_event(text: str, match: re.Match[str]) -> bool:
    relation, event = match["relation"], match["event"]
    before = text[: match.start("relation")]
    if relation in ("when", "whenever") and (
        event.split()[0] in QUESTION
        or (not before.strip() and "," not in match.string[match.end("event") :])
        or ASKING.search(before)
        or (TELLING.search(before) and not ASKS_ELSE.match(before.lstrip()))
    ):
        return False
    if relation == "once" and not before.rstrip().endswith(",") and before.strip():
        return False
    owner = LAST_WORD.search(before)
    if owner and not match["distance"] and owner[1] in OWNERS.get(relation, ()):
        return False
    return not NO_EVENT.match(event)


def _anchor(text: str, match: re.Match[str]) -> Anchor:
    end = match.end("event")
    if not text[: match.start()].strip():  # "before Anna came who was here": the question follows
        asked = ASKED_INSTEAD.search(text, match.start("event"), end)
        end = asked.start() if asked else end
    end = match.start("event") + len(text[match.start("event") : end].rstrip(" \t\n\0"))
    relation = " ".join(match["relation"].split())
    relation = SAME.get(relation, relation)
    if match["distance"]:
        relation = f"{' '.join(match['distance'].split())} {relation}"
    return Anchor(match.start(), end, relation, " ".join(text[match.start("event") : end].replace("\0", " ").split()))
