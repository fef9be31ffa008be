"""What a question asks for. Three kinds now: who was here, when someone was seen, what someone said.

A table of patterns; what fits none of them is OTHER and will be declined, not guessed at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from robot_memory.control.clock import Span, Zone, span_in


class Kind(Enum):
    WHO = "who was here"
    WHEN = "when someone was seen"
    SAID = "what someone said"
    OTHER = "something else"


@dataclass(frozen=True)
class Intent:
    """A parsed question. `who` is a name or id as written; `topic` what the words should be about; `order` first, last or all."""

    kind: Kind
    who: str = ""
    topic: str = ""
    order: str = ""
    span: Span = Span()


WHO_NAMED = r"(?P<who>[^?]+?)"
END = r"\s*\??$"

PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (Kind.WHO, rf"^who (?:all )?(?:was|were|is|are|has been|have been|came|visited|stopped by)(?: (?:here|there|in|around|over|by|in view|in the room|with you|you))*{END}"),
        (Kind.WHO, rf"^who (?:did|have) you (?:see|seen|meet|met)(?: here)?{END}"),
        (Kind.WHO, rf"^(?:which|what) people (?:were|are) (?:here|there|in view){END}"),
        (Kind.WHEN, rf"^when did you (?P<order>last |first )?(?:see|meet|notice) {WHO_NAMED}(?P<late> last| first)?{END}"),
        (Kind.WHEN, rf"^when (?:was|were) {WHO_NAMED} (?P<order>last |first )?(?:here|seen|around|in view|in the room){END}"),
        (Kind.WHEN, rf"^when did {WHO_NAMED} (?P<order>last |first )?(?:come|visit|arrive|show up|stop by)(?: here| in| by)?{END}"),
        (Kind.SAID, rf"^what (?:did|has) {WHO_NAMED} (?:say|said|tell|told|mention|mentioned|talk|talked)(?: (?:to )?(?:you|us|me))?(?: about (?P<topic>[^?]+?))?{END}"),
        (Kind.SAID, rf"^what (?:was|were) {WHO_NAMED} (?:saying|talking)(?: about (?P<topic>[^?]+?))?{END}"),
    )
)


def parse(text: str, now_ns: int, zone: Zone) -> Intent:
    """The intent of a question. Raises UnknownTime for a time phrase that is not understood."""
    span, rest = span_in(text.strip(), now_ns, zone)
    rest = " ".join(rest.split())
    for kind, pattern in PATTERNS:
        if match := pattern.match(rest):
            found = {key: (value or "").strip() for key, value in match.groupdict().items()}
            order = (found.get("order") or found.get("late") or "").lower()
            return Intent(kind, found.get("who", ""), found.get("topic", ""), order, span)
    return Intent(Kind.OTHER, span=span)
