"""Talk in plain spelling: straight quotes, one space, contractions spelled out. "I'm not Ben's boss" becomes
"I am not Ben's boss": an 's is "is" or "has" by what follows it, and otherwise says whose.
"""

from __future__ import annotations

import re

from robot_memory.memorization.speech.tables import listed

QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "…": "..."})
SHORT = (
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\bshan't\b", re.I), "shall not"),
    (re.compile(r"\bcannot\b", re.I), "can not"),
    (re.compile(r"\bcan't\b", re.I), "can not"),
    (re.compile(r"\b(?:ain't)\b", re.I), "am not"),
    (re.compile(r"\b(\w+)n't\b", re.I), r"\1 not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|wo|ca|would|could|should)nt\b", re.I), r"\1 not"),
    (re.compile(r"\blet's\b", re.I), "let us"),
    (re.compile(r"\b(i)'?m\b", re.I), r"\1 am"),
    (re.compile(r"(\w)'re\b", re.I), r"\1 are"),
    (re.compile(r"(\w)'ve\b", re.I), r"\1 have"),
    (re.compile(r"(\w)'ll\b", re.I), r"\1 will"),
    (
        re.compile(r"\b(I|you|he|she|we|they|it)'d (better|rather|love|like|prefer|be|go|have|never)\b", re.I),
        r"\1 would \2",
    ),
    (re.compile(r"\b(I|you|he|she|we|they|it)'d (\w+(?:ed|en|ne|wn|ught))\b", re.I), r"\1 had \2"),
    (re.compile(r"\b(I|you|he|she|we|they|it|who)'d\b", re.I), r"\1 would"),
    (re.compile(r"\b(?:gonna)\b", re.I), "going to"),
    (re.compile(r"\b(?:wanna)\b", re.I), "want to"),
    (re.compile(r"\b(?:gotta)\b", re.I), "got to"),
)
PRONOUN_S = re.compile(
    r"\b(he|she|it|that|there|here|what|who|where|when|how|this|everyone|everybody|"
    r"somebody|nobody|one|all|else|thing)'s\b",
    re.I,
)
NOUN_S = re.compile(r"(?<=\w)'s(?= (?P<next>[\w'-]+)(?: (?P<after>[\w'-]+))?)")
PARTICIPLE = re.compile(
    r"^(?:been|got|had|gone|lost|\w{3,}ed|become|grown|taken|bought|made|never|always|just|already)$"
)
HAS_AFTER = re.compile(
    r"^\s+(?:never |always |just |already |only |not )?(?:been|got|had|lost|become|"
    r"grown|bought|started|moved|lived|worked|loved|hated|liked|owned|retired|stopped)\b",
    re.I,
)


def spelled_out(text: str) -> str:
    """The text in plain spelling."""
    plain = " ".join(text.translate(QUOTES).split())
    plain = re.sub(r"\bi\b(?=['\s,.!?]|$)(?!\.e)", "I", plain)
    for short, long in SHORT:
        plain = short.sub(long, plain)
    plain = PRONOUN_S.sub(lambda found: found[1] + _is_or_has(plain[found.end() :]), plain)
    return NOUN_S.sub(_of_noun, plain)


def _is_or_has(rest: str) -> str:
    return " has" if HAS_AFTER.match(rest) else " is"


def _of_noun(found: re.Match[str]) -> str:
    """ "is" or "has" where a noun's 's is followed by what no noun could begin; else the possessive."""
    following, after = found["next"], (found["after"] or "").lower()
    word = following.lower()
    if word in ("been", "got") or (word in ("always", "never", "just", "already") and PARTICIPLE.match(after)):
        return " has"
    starts_no_noun = word in listed("grammar", "after_is") or (
        word.endswith("ing") and after in listed("grammar", "after_ing")
    )
    return " is" if starts_no_noun or word.isdigit() else "'s"
