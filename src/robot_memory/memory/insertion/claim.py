"""A frame as it is compared: two frames that make the same claim, however worded, give equal claims.

What is not understood stays as it was written, so that a difference is a difference: to keep one claim twice is a
smaller harm than to make one of two. Raise NORMALISER whenever a rule or a table changes what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from robot_memory.memory.insertion.attributes import Attribute, named, spelled
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.insertion.wording import negation
from robot_memory.memory.insertion.wording.amounts import amount_of, as_amounts
from robot_memory.memory.insertion.wording.inflection import gerund, plain_verb, singular
from robot_memory.memory.insertion.wording.numbers import in_figures, written
from robot_memory.memory.insertion.wording.spelling import spell, split_words
from robot_memory.memory.insertion.wording.tables import listed, table
from robot_memory.memory.insertion.wording.times import as_times
from robot_memory.memory.tokens import sole_token

NORMALISER = 1
LEADING_TO_A_TIME = ("at", "on")  # "on Tuesday" is Tuesday
SPANS = {"from", "to", "between", "until", "till"}
LIMITS = {"by", "before", "after", "since", "from", "until", "till", "around", "about"}  # "by Tuesday" is not
MATTER = "|"  # stands between what a value is about and what changes about it


@dataclass(frozen=True)
class Claim:
    """`value` is for reading, `norm` for comparing. `matter`: claims of one subject, attribute and matter exclude each
    other ("": the attribute has but one); None: nothing excludes this one. A norm begins with its matter.
    """

    subject: str
    attribute: str
    value: str
    polarity: int
    norm: str
    matter: str | None


def normalise(frame: Frame, day: int | None = None) -> Claim:
    """The claim of a frame. `day` it is made on: days since 1970, local, for "tomorrow"; None: unknown."""
    value, sign = negation.of_value(frame.value)
    words, flip = negation.of_attribute(spelled(frame.attribute))
    attribute, polarity = named(words, (1 if frame.polarity >= 0 else -1) * sign * flip)
    norm, matter = _norm(value, attribute, day)
    return Claim(subject_of(frame.subject), attribute.name, value, polarity, norm, matter)


def subject_of(text: str) -> str:
    """<voice_3> for a token with or without brackets; a thing without article and capitals."""
    token = sole_token(text)
    if token is not None:
        return f"<{token}>"
    words = _no_articles(spell(split_words(text)))
    while (figures := in_figures(words)) != words:  # what is stored must come out of this as it is
        words = figures
    return " ".join(words) or text.strip()


def _norm(value: str, attribute: Attribute, day: int | None) -> tuple[str, str | None]:
    words = as_amounts(as_times(in_figures(_stripped(_spelled(value, attribute), attribute)), day))
    words = [word for word in _no_articles(words) if word not in attribute.drop] or words
    if attribute.years:
        words = _in_years(words)
    if attribute.digits and all(word.lstrip("+").isdecimal() or word == "+" for word in words):
        words = ["".join(words)]
    about, when = _parted(words)
    if attribute.clause and about:
        about = [plain_verb(about[0]), *about[1:]]
    if attribute.gerund and len(about) > 1 and about[0] == "to":
        about = [gerund(about[1]), *about[2:]]
    text = " ".join(about)
    if not words:
        text = " ".join(value.casefold().split())
    return _with_matter(text, " ".join(when), attribute)


def _with_matter(text: str, when: str, attribute: Attribute) -> tuple[str, str | None]:
    """The norm, and what of it claims that exclude each other share."""
    state = _states().get(text) if attribute.kind == "state" and not when else None
    if state is not None:
        return f"{state}{MATTER}{text}", state + MATTER
    norm = f"{text}{MATTER}{when}" if when else text
    if attribute.kind == "one":
        return norm, ""
    return norm, text + MATTER if attribute.kind == "one_each" and when else None


def _spelled(value: str, attribute: Attribute) -> list[str]:
    """Words in standard spelling; plurals folded where the attribute is about kinds of things. A word with a capital
    may be a name (Williams), which has no plural.
    """
    raw = split_words(value)
    if not attribute.generic:
        return spell(raw)
    words = list[str]()
    for word in raw:
        words += [word] if word.istitle() else [singular(one) for one in spell([word])]
    return spell(words)


def _stripped(words: list[str], attribute: Attribute) -> list[str]:
    for phrase in sorted(attribute.strip, key=len, reverse=True):
        if tuple(words[: len(phrase)]) == phrase and len(words) > len(phrase):
            return words[len(phrase) :]
    return words


def _no_articles(words: list[str]) -> list[str]:
    """Without articles; one at the very end is a letter (plan A)."""
    empty = listed("words", "articles") | listed("words", "indefinite")
    return [word for place, word in enumerate(words) if word not in empty or place == len(words) - 1]


def _in_years(words: list[str]) -> list[str]:
    found = list[str]()
    for word in words:
        amount = amount_of(word)
        found.append(written(amount[0] / 12) if amount and amount[1] == "mo" and amount[0] % 12 == 0 else word)
    return found


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """What a value is about, and its times in one order: "on Tuesday go swimming" is "go swimming on Tuesday". Where
    times make a span (from Monday to Friday), all stays as it stands.
    """
    leads = {before for before, word in zip(["", *words], words) if word.startswith("@")}
    if leads & SPANS and sum(word.startswith("@") for word in words) > 1:
        return words, []
    about, when = list[str](), list[str]()
    for word in words:
        if not word.startswith("@"):
            about.append(word)
            continue
        lead = about.pop() if about and about[-1] in {*LEADING_TO_A_TIME, *LIMITS} else ""
        when.append(f"{lead} {word}" if lead in LIMITS else word)
    return about, sorted(when)


@cache
def _states() -> dict[str, str]:
    """Word -> the first word of the states that exclude each other."""
    rows = [line.split() for line in table("opposites")["states"].splitlines()]
    return {word: row[0] for row in rows for word in row}
