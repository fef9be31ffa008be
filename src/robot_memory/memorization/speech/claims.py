"""The claims of a line of talk: everything it tells about anybody, as Told. Nothing that is asked, supposed, mocked,
sung or told by somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from robot_memory.memorization.speech import attributes, dated, things, values
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.completing import completed
from robot_memory.memorization.speech.mending import broken_up, is_correction, mended
from robot_memory.memorization.speech.opinions import opinions, whole_opinions
from robot_memory.memorization.speech.persons import NAME, Person, is_names
from robot_memory.memorization.speech.relations import relations
from robot_memory.memorization.speech.resolving import Mentions
from robot_memory.memorization.speech.sentences import Sentence, sentences, without_openings
from robot_memory.memorization.speech.spelled import spelled_out
from robot_memory.memorization.speech.stance import foreign, opened, unquoted, weighed
from robot_memory.memorization.speech.told import SPEAKER, Line, Told

TOLD_BY_THE_WAY = ("", "question", "order", "unsure")  # stances in which "my sister Anna" is told nevertheless
LINES_BEFORE = 2
CALLING = re.compile(r"(?:would|could|can|will) you (?:mind |please |just )*call(?:ing)? me (?P<v>[^,?]+)", re.I)
CALLED = re.compile(rf"\b(?:called|named) {NAME}")  # who a name is given to is not whom "her" means
HEARSAY = re.compile(
    r"\b(?:told|tells|telling) (?:me|us|you|everyone|everybody)\b|\bwho (?:says|said|"
    r"mentioned|let on|claims|claimed)\b|\b(?:hear|heard|hearing) (?:from|that)\b|"
    r"\b(?:(?!I\b)[A-Z][\w'-]+|he|she|they|people) (?:says?|said|mentioned|claims?|"
    r"claimed|reckons?|reckoned|explained|swears|insists|writes)\b"
)


def claims_in(line: Line, talk: Sequence[Line] = ()) -> list[Told]:
    """The claims of a line, in the order they are made, each once. `talk`: the lines before it."""
    plain = spelled_out(line.text)
    if foreign(plain):
        return []
    reader = _Reader(line, talk)
    said = completed(sentences(broken_up(unquoted(plain))), talk[-1].text if talk else "")
    found: list[Told] = []
    read: list[Sentence] = []
    for number, sentence in enumerate(said):
        if read and is_correction(sentence):
            meant = mended(found, read, said[number:], reader.again, line)
            if meant is not None:
                found = meant
                break
        found += reader.read(sentence)
        read.append(sentence)
    return list(dict.fromkeys(found))


class _Reader:
    """Reads the sentences of a line one after the other, with what was named before in mind."""

    def __init__(self, line: Line, talk: Sequence[Line]) -> None:
        self._line, self._before = line, list[Clause]()
        self._asked = _asked(talk[-1], line) if talk else ""
        self._mentions = Mentions()
        for earlier in talk[-LINES_BEFORE:]:
            for sentence in sentences(spelled_out(earlier.text)):
                self._mentions.note(sentence)
            if "?" not in earlier.text[-3:]:
                self._mentions.topic = ""

    def again(self, said: list[Sentence]) -> list[Told]:
        """The claims of these sentences alone, as if nothing had been said before them."""
        return [told for sentence in said for told in _Reader(self._line, ()).read(sentence)]

    def read(self, sentence: Sentence) -> list[Told]:
        weighed_clauses = weighed(sentence)
        found = self._of_the_whole(sentence, weighed_clauses)
        for clause in weighed_clauses:
            known = self._resolved(clause, sentence)
            found += self._of(known)
            self._before.append(known)
            self._mentions.note(Sentence(clause.text, clause.mark))
        self._mentions.note(sentence)
        return _agreeing(found)

    def _resolved(self, clause: Clause, sentence: Sentence) -> Clause:
        if not clause.subject:
            return clause
        before = sentence.text.partition(clause.text)[0]
        meant = self._mentions.named_before(before, clause.subject) or self._mentions.stands_for(clause.subject)
        return replace(clause, subject=meant)

    def _of(self, clause: Clause) -> list[Told]:
        found = opinions(attributes.unfronted(clause), self._mentions.thing)
        if clause.asserts and self._means_a_name(clause):
            meant = clause.subject if is_names(clause.subject) else self._mentions.person
            told = relations(f"{meant} {clause.predicate}.", clause.said, None)
            found += [replace(one, polarity=clause.polarity, past=clause.past or one.past) for one in told]
        if clause.asserts:
            found += attributes.claims(clause, self._mentions.topic)
        if clause.asserts or clause.why == "order":
            found += things.claims(clause, self._line, self._before, self._asked)
            found += dated.claims(clause, self._line, self._before)
        return found

    def _means_a_name(self, clause: Clause) -> bool:
        """Whether a clause's subject is a name that its own words do not say: "she", "that", or the one before."""
        that = clause.subject.lower() in ("that", "this", "it") and is_names(self._mentions.person)
        return that or (is_names(clause.subject) and not clause.text.startswith(clause.subject))

    def _of_the_whole(self, sentence: Sentence, parts: list[Clause]) -> list[Told]:
        """What a sentence tells by its form as a whole, or by the way."""
        why = {clause.why for clause in parts}
        said = sentence.text + sentence.mark
        found: list[Told] = []
        if HEARSAY.search(said):
            return found
        if why <= set(TOLD_BY_THE_WAY):
            found += relations(opened(said)[0], said, self._mentions.him())
        if why <= set(TOLD_BY_THE_WAY):
            named = {name for name in re.findall(NAME, CALLED.sub("", said)) if is_names(name.removesuffix("'s"))}
            found += attributes.presupposed(sentence.text, said, Person(named.pop()) if len(named) == 1 else None)
            if sentence.mark == "?" and (called := CALLING.match(said)):
                found += [Told(SPEAKER, "name", name, 1, "", False, said) for name in values.called(called["v"])]
        if sentence.mark == "?" or "question" in why or why & {"reported", "mocked", "recited"}:
            return found
        sure = [clause.text for clause in parts if clause.asserts]
        entire = [without_openings(sentence.text), sentence.text]
        for text in dict.fromkeys(entire + sure):
            known = text in sure or "unsure" not in why
            text = self._mentions.named(text)
            found += attributes.whole_claims(text, said) if known else []
            found += whole_opinions(text, said, self._mentions.thing)
        return found


def _asked(before: Line, line: Line) -> str:
    """The line before, if it asks and somebody else answers."""
    return before.text if "?" in before.text and before.speaker != line.speaker else ""


def _agreeing(found: list[Told]) -> list[Told]:
    """Each claim once: the same subject, attribute and value is told by its first form only."""
    kept: dict[tuple[str, str, str, str, bool], Told] = {}
    for one in found:
        if one.attribute == "name" and one.of:  # "my brother is called Tom" says who the brother is
            one = replace(one, attribute="relation", subject=one.of, value=f"{one.subject} {one.value}", of="")
        kept.setdefault((one.subject, one.of, one.attribute, one.value.lower(), one.past), one)
    return list(kept.values())
