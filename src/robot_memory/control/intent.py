"""What a question asks for. Three kinds now: who was here, when someone was seen, what someone said.

A table of patterns; what fits none of them is OTHER: it is looked into, and not answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from robot_memory.control.clock import Zone
from robot_memory.control.times import Span, UnknownTime, span_in

ANY_TIME = Span()


class Kind(Enum):
    WHO = "who was here"
    WHEN = "when someone was seen"
    SAID = "what someone said"
    OTHER = "something else"


@dataclass(frozen=True)
class Intent:
    """A parsed question. `who` is a name or id as written; `topic` what the words should be about; `order` first,
    last or all.
    """

    kind: Kind
    who: str = ""
    topic: str = ""
    order: str = ""
    span: Span = ANY_TIME


NAME = r"(?P<who>[^?]+?)"
ORDER = r"(?P<order>last |first )?"
TOPIC = r"(?: about (?P<topic>[^?]+?))?"
HERE = r"(?: (?:here|there|in|around|over|by|in view|in the room|with you|you))*"
BE = "was|were|is|are|has been|have been"
SAY = "say|said|tell|told|mention|mentioned|talk|talked"

TABLE = (
    (Kind.WHO, rf"who (?:all )?(?:{BE}|came|visited|stopped by){HERE}"),
    (Kind.WHO, r"who (?:did|have) you (?:see|seen|meet|met)(?: here)?"),
    (Kind.WHO, r"(?:which|what) people (?:were|are) (?:here|there|in view)"),
    (Kind.WHEN, rf"when did you {ORDER}(?:see|meet|notice) {NAME}(?P<late> last| first)?"),
    (Kind.WHEN, rf"when (?:was|were) {NAME} {ORDER}(?:here|seen|around|in view|in the room)"),
    (Kind.WHEN, rf"when did {NAME} {ORDER}(?:come|visit|arrive|show up|stop by)(?: here| in| by)?"),
    (Kind.SAID, rf"what (?:did|has) {NAME} (?:{SAY})(?: (?:to )?(?:you|us|me))?{TOPIC}"),
    (Kind.SAID, rf"what (?:was|were) {NAME} (?:saying|talking){TOPIC}"),
)
PATTERNS = tuple((kind, re.compile(rf"^{pattern}\s*\??$", re.IGNORECASE)) for kind, pattern in TABLE)


def parse(text: str, now_ns: int, zone: Zone) -> Intent:
    """The intent of a question. Raises UnknownTime for a time that is not understood, or hangs on an event."""
    span, rest = span_in(text.strip(), now_ns, zone)
    rest = " ".join(rest.split())
    for kind, pattern in PATTERNS:
        if match := pattern.match(rest):
            if span.anchor or span.routine:  # these need a range, and nothing here looks up what a time hangs on
                raise UnknownTime(span.words)
            found = {key: (value or "").strip() for key, value in match.groupdict().items()}
            order = (found.get("order") or found.get("late") or "").lower()
            return Intent(kind, found.get("who", ""), found.get("topic", ""), order, span)
    return Intent(Kind.OTHER, span=span)
