"""Words that are about time, but that no rule understood: they are reported whole, never ignored."""

from __future__ import annotations

from robot_memory.control.times import words
from robot_memory.control.times.patterns import NAMES, pattern

UNITS = "second minute hour day night morning afternoon evening weekend week fortnight month quarter season semester"
UNIT = f"(?:{'|'.join([*UNITS.split(), 'term', 'year', 'decade', 'century'])})s?"
WEEKDAY = f"(?:{'|'.join(words.WEEKDAYS)})"
MONTH = f"(?:{'|'.join(month for month in words.MONTHS if month not in ('march', 'may'))})"
NUMBER = f"(?:{NAMES['count']})"
COUNT = f"(?:(?:{NUMBER}|many|[a-z]+ly|[a-z]+ few) )?"
LONG_WHILE = "(?:(?:a )?(?:very )?long|some|(?:a )?good) (?:time|while)"
AT = "(?:(?:on|in|at|during|by|since|until|from|over) )?(?:the )?"
TWILIGHT = "(?:dawn|dusk|sunrise|sunset|daybreak|nightfall|bedtime|tea ?time)"
ABOUT_TIME = tuple(
    pattern(rf"(?<!\w)(?:{text})")
    for text in (
        rf"(?<!how\s)(?:{LONG_WHILE} |a while |ages |{NUMBER} (?:\w+ ){{0,2}}|\w+ )ago",
        rf"{AT}(?:last|past|next|previous|coming|following) {COUNT}{UNIT}",
        rf"{AT}(?:that|those|same|these) {UNIT}",
        rf"(?:the )?(?:{COUNT}{UNIT}) (?:earlier|later|prior|beforehand|afterwards?)",
        rf"(?:the |{NUMBER} ){UNIT} (?:before|after|afterwards?)(?= *(?:$|[?!.,;]))",
        rf"(?:at|before|after|around|since|until|by) {TWILIGHT}",
        r"at (?:that|the same|the) time(?! of| as\b)",  # "at the same time as Anna" is with her
        "back then|in (?:those|the old) days|back in the day|once upon a time",
        "(?:the )?(?:end|beginning|start|middle) of (?:the|that) (?:week|month|year)",
        rf"(?:on|since|until|till|last|next|this) {WEEKDAY}",
        r"(?:at )?\d{1,2}(?: ?[ap]\.?m\b| o'clock)",
        r"at \d{1,2}:\d\d",
        r"\d{4}-\d\d?-\d\d?",
        rf"\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}",
        r"(?:the )?\w+ century",
    )
)


def not_understood(text: str) -> tuple[int, int] | None:
    """Where the first such phrase of a text in lower case stands, and where it ends."""
    found = [match.span() for one in ABOUT_TIME if (match := one.search(text))]
    return min(found, default=None)
