"""A Socratic memory (Zeng et al. 2022; the baseline of the M3-Agent paper): each clip put into words, nothing more.

Episodic sentences alone, no people, no facts: "Two faces were in view. Someone said: …". One retrieval round finds the
clip whose description is nearest, and the nearest of its sentences is the answer.
"""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from robot_memory.evaluation.subject import Asked, Found, Reply
from robot_memory.evaluation.subjects.flat import FlatSubject, wordllama
from robot_memory.evaluation.subjects.transcript import Line, with_names
from robot_memory.language.embedder import TextEmbedder
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session

INFERRED = "inferred"  # a description covers what was seen and what was heard


class SocraticSubject(FlatSubject):
    """Its lines are clips, described. Raises ModelMissing."""

    NAME = "socratic"

    def _begin(self, embedder: TextEmbedder) -> None:
        super()._begin(embedder)
        self._sentences: list[list[str]] = []

    def watch(self, observation: ClipObservation, session: Session) -> None:
        if sentences := self._described(observation):
            self._sentences.append(sentences)
            end_ns = max([observation.end_ns, *(turn.end_ns for turn in observation.turns)])
            line = Line(observation.start_ns, end_ns, "", " ".join(sentences))
            self._lines.append(line)
            self._added([line])

    def ask(self, question: Asked) -> Reply:
        begun = time.perf_counter()
        scores = self.scores(question.text)
        sure = self.confidence(question.text)
        if not scores.size or sure <= 0 or sure < self._least:
            return Reply("I don't know.", "ABSTAINED", sure, (), time.perf_counter() - begun)
        best = int(np.argmax(scores))
        sentences = self._sentences[best]
        nearest = int(np.argmax(self._embedder.embed(sentences) @ self._embedder.embed([question.text])[0]))
        cited = (self._found(best, float(scores[best])),)
        return Reply(sentences[nearest], "ANSWERED", sure, cited, time.perf_counter() - begun)

    def _found(self, number: int, score: float) -> Found:
        line = self._lines[number]
        return Found(line.start_ns, line.end_ns, INFERRED, line.text, score)

    def _described(self, seen: ClipObservation) -> list[str]:
        key = seen.session, seen.sequence
        faces = len(seen.tracks)
        sentences = [f"{faces} {'face was' if faces == 1 else 'faces were'} in view."] if faces else []
        for n, turn in enumerate(seen.turns):
            if turn.text:
                who = (self._speakers(key, n) if self._speakers else "") or "Someone"
                sentences.append(f"{who} said: “{turn.text}”")
        return sentences


named = with_names(SocraticSubject)
with_wordllama = partial(SocraticSubject, open_embedder=wordllama, name="socratic-wordllama")
with_wordllama_named = with_names(with_wordllama)
