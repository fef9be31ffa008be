"""What somebody thinks of something: "I find the lanes useless", "in Ben's opinion the fair is a nuisance"."""

from __future__ import annotations

import re

from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.patterns import compiled
from robot_memory.memorization.speech.persons import Person, person, persons
from robot_memory.memorization.speech.subjects import is_name
from robot_memory.memorization.speech.tables import listed
from robot_memory.memorization.speech.told import HEARER, Told
from robot_memory.memorization.speech.values import cut_off, small_at_start

NO_TOPIC = frozenset(
    [
        "if",
        "because",
        "what",
        "how",
        "my",
        "your",
        "a",
        "an",
        "some",
        "myself",
        "yourself",
        "himself",
        "herself",
        "any",
        "more",
        "another",
        "one",
        "and",
        "nothing",
        "anything",
    ]
)
OPINION = re.compile(r"opinion|view|belief|that is what")
JUDGED = re.compile(r"(?P<t>.+?) (?P<is>is|are|was|were)(?P<not> not)? (?P<j>.+)")


def opinions(clause: Clause, topic: str = "") -> list[Told]:
    """What the clause's subject thinks; the clause may be a guess by its form ("I think …")."""
    subjects = [one for one in persons(clause.subject) if one.name != HEARER] if clause.subject else []
    if not subjects or clause.modal or clause.why not in ("", "unsure", "reported"):
        return []
    for pattern in compiled("opinion", "thinks"):
        if fit := pattern.fullmatch(clause.predicate):
            if value := judged(fit["v"], topic):
                return [
                    Told(s.name, "opinion", value, clause.polarity, s.of, clause.past, clause.said) for s in subjects
                ]
            return []
    for pattern in compiled("opinion", "finds"):
        if fit := pattern.match(clause.predicate):
            for split in _splits(clause.predicate[fit.start("t") :]):
                if value := judged(f"{split[0]} {_is(split[0], topic)} {split[1]}", topic):
                    return [
                        Told(s.name, "opinion", value, clause.polarity, s.of, clause.past, clause.said)
                        for s in subjects
                    ]
    return []


def _splits(text: str) -> list[tuple[str, str]]:
    """Ways to part what is judged from how: "the cycle lanes | a waste of money"; the judgement begins with praise or
    blame, an article or "very".
    """
    words = text.split()
    found = []
    for at in range(1, min(7, len(words))):
        word = words[at].lower().strip(",")
        if word in listed("opinion", "judging") or (
            word in listed("values", "judgement_starts") and at + 1 < len(words)
        ):
            found.append((" ".join(words[:at]), " ".join(words[at:])))
    return found


def _is(topic: str, before: str) -> str:
    head = topic.split(" of ")[0].split()[-1].lower()
    if head in ("it", "them") and before:
        head = before.split(" of ")[0].split()[-1].lower()
    return "are" if head == "them" or (head.endswith("s") and not head.endswith(("ss", "us", "is"))) else "is"


def judged(text: str, topic: str = "", sure: bool = False) -> str:
    """A judgement as an opinion's value, "" where nothing is judged. `sure`: it was called an opinion."""
    fit = JUDGED.fullmatch(re.sub(r"^that ", "", text.strip(" ,.").replace("nothing but ", "nothing-but ")))
    if fit is None:
        return ""
    what, how = fit["t"].strip(" ,"), cut_off(fit["j"])
    if what.lower() in ("it", "they", "them", "that", "this"):
        what = topic
    words = what.split()
    if not words or len(words) > 6 or words[0].lower() in listed("opinion", "no_topics") | NO_TOPIC:
        return ""
    if any(word.lower() in ("i", "you", "we", "think", "thinks", "who", "say", "says") for word in words):
        return ""
    if words[0].lower() == "the" and len(words) == 1:
        return ""
    known = any(
        re.sub(r"\W", "", word.lower()) in listed("opinion", "judging") for word in how.replace("-", " ").split()
    )
    if re.search(r"\b(?:is|are|was|were|will|would)\b", how):
        return ""
    if not how or len(how.split()) > 8 or not (known or sure):
        return ""
    how = how.replace("nothing-but", "nothing but")
    return f"{_opening(what)} {fit['is'].replace('was', 'is').replace('were', 'are')}{fit['not'] or ''} {how}"


def _opening(what: str) -> str:
    """ "The lanes" as "the lanes"; a name or a day keeps its capital."""
    first = what.split(" ", 1)[0].lower()
    return what[:1].lower() + what[1:] if first in listed("grammar", "determiners") else small_at_start(what)


def whole_opinions(text: str, said: str, topic: str = "") -> list[Told]:
    """Opinions of a whole sentence: "in my opinion the fair is a nuisance"."""
    small = text[:1].lower() + text[1:] if not is_name(text.split(" ", 1)[0]) else text
    for pattern in compiled("opinion", "whole"):
        for form in dict.fromkeys((small, text[:1].lower() + text[1:])):
            fit = pattern.fullmatch(form)
            if fit is None:
                continue
            groups = fit.groupdict()
            named = groups.get("who") or groups.get("whose")
            whom = person(named) if named else Person("I")
            sure = OPINION.search(pattern.pattern) is not None
            text = fit["v"] if "v" in groups else f"{fit['t']} {_is(fit['t'], topic)} {fit['j']}"
            if whom and whom.name != HEARER and (value := judged(text, topic, sure)):
                polarity = -1 if re.search(r" (?:is|are) not ", value) else 1
                value = value.replace(" not ", " ", 1) if polarity < 0 else value
                return [Told(whom.name, "opinion", value, polarity, whom.of, False, said)]
    return []
