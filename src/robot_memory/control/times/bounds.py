"""Words that bound a time, by what they mean: "before", "not until", "no later than", "on Monday or later".

"Not before" and "not after" take in the time that is named, as "since" and "until" do; a denied bound is never read
as the bound it denies.
"""

from __future__ import annotations

import re

LATE, EARLY = "(?:(?:by|at) )?(?:no|not)(?: any)? later than", "(?:no|not)(?: any)? (?:earlier|sooner) than"
BOUNDS = {  # the meaning: how it is said
    "before": "before|prior to|earlier than|sooner than",
    "until": "until|till|up to|up until|up till",
    "by": "by",
    "after": "after|past|later than",
    "since": "since|as of",
    "from": "from",
    "not before": f"not (?:before|until|till|prior to)|{EARLY}|(?:on|at|during) or after",
    "not after": f"not (?:after|past)|{LATE}|(?:on|at|during) or before",
}
ENDING, OPENING = ("before", "until", "by", "not after"), ("after", "since", "from", "not before")
CLOSE = "(?:(?:right|just|shortly|immediately|soon|some ?time|any ?time|ever|not long) )?"
EDGES = {  # what may be said behind a time
    "not after": "at (?:the )?(?:very )?latest|or (?:earlier|before|sooner)(?= ?(?:$|[?!.,;]))",
    "not before": "at (?:the )?(?:very )?earliest|or (?:later|after)(?= ?(?:$|[?!.,;]))",
}


def _spaced(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ?", r"\s*").replace(" ", r"\s+"))


def _said(names: tuple[str, ...]) -> str:
    return "|".join(BOUNDS[name] for name in names)


BOUND = _spaced(f"{CLOSE}(?P<bound>{_said(tuple(BOUNDS))}) ")
BUT_UNTIL = _spaced(f" ?,? ?(?:and |but )?(?:{_said(('before', 'until', 'not after'))}) ")
MEANINGS = [(name, _spaced(said)) for name, said in BOUNDS.items()]
EDGE_WORDS = [(name, _spaced(rf" ?,? (?:{said})(?!\w)")) for name, said in EDGES.items()]


def meaning_of(said: str) -> str:
    """ "no later than" -> "not after"."""
    return next(name for name, words in MEANINGS if words.fullmatch(said))


def edge_behind(text: str, end: int) -> tuple[str, int]:
    """What "at the latest" or "or later" makes of the time that ends here, and where it ends; "" without one."""
    for name, said in EDGE_WORDS:
        if match := said.match(text, end):
            return name, match.end()
    return "", end
