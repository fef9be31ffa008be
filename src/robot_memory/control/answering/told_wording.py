"""Claims in the words of an answer: spoken to the one who asks as "you", several values in one sentence, who says so.

The forms of a single claim are those of memorization/speech/saying; told_words.yaml has what answers add.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from robot_memory.control.answer import Evidence
from robot_memory.control.answering.times import joined
from robot_memory.control.facts.claimed import Claimed
from robot_memory.control.steps import State
from robot_memory.control.whom.someone import YOU, Someone, person_of
from robot_memory.control.wishes.wish import Wish
from robot_memory.memorization.speech.saying import sentence, with_article

SUBJECT = "☞"  # stands for the subject while a sentence is made
LISTABLE = ("likes", "owns", "promise", "plan", "name")  # several values make one sentence


def said(someone: Someone, claims: Sequence[Claimed], past: bool = False) -> str:
    """Claims of one attribute and polarity as a sentence, without a full stop: "Anna likes olives and jazz"."""
    first = claims[0]
    values = list(dict.fromkeys(claim.value for claim in claims))
    if first.attribute == "routine" and first.polarity > 0 and not past:
        return f"{someone.called} usually {joined([_inflected(someone, value) for value in values])}"
    if len(values) == 1 or first.attribute not in LISTABLE:
        return "; ".join(_one(someone, first, value, past) for value in values)
    if first.attribute == "owns":
        values = [with_article(value) for value in values]
    listed = joined(values) if first.polarity > 0 else f"{', '.join(values[:-1])} or {values[-1]}"
    return _one(someone, first, listed, past)


def nobody_told(someone: Someone, key: str, table: str = "asked", value: str = "") -> str:
    """ "Nobody told me what Anna does for a living." `key`: an attribute, or "dislikes"."""
    forms: Mapping[str, str] = _table()[table]
    what = forms.get(key, forms["*"]).format_map({"s": SUBJECT, "v": value or "that", "attribute": key})
    return _nobody(someone, _to(someone, what))


def not_told_whether(someone: Someone, wish: Wish) -> str:
    """ "Nobody told me whether Anna has a dog."."""
    told = sentence(SUBJECT, wish.attribute, wish.value or "so", wish.polarity)
    return _nobody(someone, f"whether {_to(someone, told)}")


def _nobody(someone: Someone, what: str) -> str:
    stranger = someone.person is None and not someone.thing and "'s " not in someone.called
    told: str = _table()["nobody_of_a_stranger" if stranger else "nobody"]
    return told.format(what=what, s=someone.called)


def named_after(told: Claimed, state: State) -> str:
    """Who says so where it is hearsay: "Ben says"; empty where that is not known."""
    if told.own or not told.told.speaker:
        return ""
    return f"{speaker(told.told, state)} {'say' if is_asker(told.told.speaker, state) else 'says'}"


def speaker(told: Evidence, state: State) -> str:
    """Whose words a memory holds: "Ben", "you", "somebody"."""
    if not told.speaker:
        return "somebody"
    return YOU if is_asker(told.speaker, state) else state.people.name_of(told.speaker)


def is_asker(token: str, state: State) -> bool:
    asker = person_of(state.question.asker, state.people)
    return asker is not None and asker.token == token


def whole(text: str) -> str:
    """A sentence with its capital and its stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.!?”' else '.'}"


def _one(someone: Someone, claim: Claimed, value: str, past: bool) -> str:
    return _to(someone, sentence(SUBJECT, claim.attribute, value, claim.polarity, past))


def _to(someone: Someone, text: str) -> str:
    """The sentence with its subject put in, and verbs that go with it."""
    if someone.plural:
        verbs: Mapping[str, str] = _table()["with_many"]
        text = re.sub(rf"{SUBJECT} ({'|'.join(verbs)})\b", lambda match: f"{SUBJECT} {verbs[match[1]]}", text)
    if someone.asker:
        text = text.replace(f"{SUBJECT}'s", "your").replace(f"of {SUBJECT}", "of yours")
    return text.replace(SUBJECT, someone.called)


def _inflected(someone: Someone, doing: str) -> str:
    """ "goes swimming" of "go swimming"; as it is for "you" and for many."""
    if someone.plural:
        return doing
    verb, _, rest = doing.partition(" ")
    if verb in ("be", "have"):
        verb = {"be": "is", "have": "has"}[verb]
    elif verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        verb += "es"
    elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
        verb = verb[:-1] + "ies"
    elif not verb.endswith("ing"):
        verb += "s"
    return f"{verb} {rest}".rstrip()


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("told_words.yaml").read_text("utf-8"))
    return loaded
