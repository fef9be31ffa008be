"""The claims of a line of talk: everything it tells about anybody, as Told. Nothing that is asked, supposed, mocked,
sung or told by somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from robot_memory.memorization.speech import attributes, dated, things
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.completing import completed
from robot_memory.memorization.speech.mending import broken_up, is_correction, mended
from robot_memory.memorization.speech.opinions import opinions, whole_opinions
from robot_memory.memorization.speech.relations import relations
from robot_memory.memorization.speech.resolving import Mentions
from robot_memory.memorization.speech.sentences import Sentence, sentences, without_openings
from robot_memory.memorization.speech.spelled import spelled_out
from robot_memory.memorization.speech.stance import foreign, unquoted, weighed
from robot_memory.memorization.speech.told import Line, Told

TOLD_BY_THE_WAY = ("", "question", "order", "unsure")  # stances in which "my sister Anna" is told nevertheless
LINES_BEFORE = 2
HEARSAY = re.compile(
    r"\b(?:told|tells|telling) (?:me|us|you|everyone|everybody)\b|\bwho (?:says|said|mentioned|let on|claims|claimed)\b|\b(?:hear|heard|hearing) (?:from|that)\b|"
    r"\b(?:(?!I\b)[A-Z][\w'-]+|he|she|they|people) (?:says?|said|mentioned|claims?|claimed|reckons?|reckoned|explained|swears|insists|writes)\b"
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
            meant = mended(found, read, said[number:], reader.again)
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
            known = self._resolved(clause)
            found += self._of(known)
            self._before.append(known)
            self._mentions.note(Sentence(clause.text, clause.mark))
        self._mentions.note(sentence)
        return _agreeing(found)

    def _resolved(self, clause: Clause) -> Clause:
        return replace(clause, subject=self._mentions.stands_for(clause.subject)) if clause.subject else clause

    def _of(self, clause: Clause) -> list[Told]:
        found = opinions(attributes.unfronted(clause), self._mentions.thing)
        if clause.asserts:
            found += attributes.claims(clause, self._mentions.topic)
            found += things.claims(clause, self._line, self._before)
            found += dated.claims(clause, self._line, self._before)
        return found

    def _of_the_whole(self, sentence: Sentence, parts: list[Clause]) -> list[Told]:
        """What a sentence tells by its form as a whole, or by the way."""
        why = {clause.why for clause in parts}
        said = sentence.text + sentence.mark
        found: list[Told] = []
        if HEARSAY.search(said):
            return found
        if why <= set(TOLD_BY_THE_WAY):
            found += relations(said, said, self._mentions.him())
        if why <= set(TOLD_BY_THE_WAY):
            found += attributes.presupposed(sentence.text, said)
        if sentence.mark == "?" or "question" in why or why & {"reported", "mocked", "recited"}:
            return found
        for text in dict.fromkeys((sentence.text, without_openings(sentence.text), *(c.text for c in parts if c.asserts))):
            text = self._mentions.named(text)
            found += attributes.whole_claims(text, said)
            found += whole_opinions(text, said, self._mentions.thing)
        return found


def _agreeing(found: list[Told]) -> list[Told]:
    """Each claim once: the same subject, attribute and value is told by its first form only."""
    kept: dict[tuple[str, str, str, str, bool], Told] = {}
    for one in found:
        if one.attribute == "name" and one.of:  # "my brother is called Tom" says who the brother is
            one = replace(one, attribute="relation", subject=one.of, value=f"{one.subject} {one.value}", of="")
        kept.setdefault((one.subject, one.of, one.attribute, one.value.lower(), one.past), one)
    return list(kept.values())
