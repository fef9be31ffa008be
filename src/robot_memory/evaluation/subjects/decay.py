"""A flat text memory searched by StreamMeCo's time-decay retrieval (arXiv 2604.09000), and by the same without decay.

Vectors alone, as in `flat`; a question is shown the 20 lines of one round, each clip's share by its mean cosine and its
age (0.1 a clip, from the newest clip on). A round has no order, which recall at 5 or 10 needs: its lines are ranked by
cosine times decay.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from robot_memory.evaluation.subjects.flat import FlatSubject, wordllama
from robot_memory.evaluation.subjects.transcript import Line, Scores, with_names
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.retrieval.parity.candidates import by_clip
from robot_memory.memory.retrieval.parity.decay import shown
from robot_memory.memory.retrieval.parity.presets import PUBLISHED
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session


class DecaySubject(FlatSubject):
    """Clips are numbered as they come, silent ones too. Raises ModelMissing."""

    NAME = "tmr"
    FADES = True

    def _begin(self, embedder: TextEmbedder) -> None:
        super()._begin(embedder)
        self._newest, self._clips = -1, list[int]()

    def watch(self, observation: ClipObservation, session: Session) -> None:
        self._newest += 1
        super().watch(observation, session)

    def _added(self, lines: list[Line]) -> None:
        super()._added(lines)
        self._clips += [self._newest] * len(lines)

    def _score(self, question: str) -> Scores:
        """1 for the best line that is shown, less for each further one, 0 for what is not shown."""
        cosines, clips = super()._score(question), np.array(self._clips, np.int64)
        among = by_clip(np.arange(len(clips)), clips, cosines.astype(np.float32))
        round_ = shown(among, before_clip=self._newest if self.FADES else None)
        lines = np.concatenate([among.ids[rows] for rows in round_.values()])
        age = self._newest - clips[lines] if self.FADES else np.zeros(len(lines))
        faded = cosines[lines] * np.exp(-PUBLISHED.rate * age)
        lines = lines[np.lexsort((-cosines[lines], -faded))]
        scores = np.zeros(len(clips))
        scores[lines] = 1 - np.arange(len(lines)) / max(len(lines), 1)
        return scores

    def confidence(self, question: str) -> float:
        """The cosine of the line that it quotes."""
        best = int(np.argmax(self.scores(question)))
        return min(1.0, max(0.0, float(super()._score(question)[best])))


class UndecayedSubject(DecaySubject):
    """As published where no moment is given: shares by the mean cosine alone."""

    NAME = "tmr-undecayed"
    FADES = False


named = with_names(DecaySubject)
with_wordllama = partial(DecaySubject, open_embedder=wordllama, name="tmr-wordllama")
with_wordllama_named = with_names(with_wordllama)
undecayed_named = with_names(UndecayedSubject)
undecayed_with_wordllama = partial(UndecayedSubject, open_embedder=wordllama, name="tmr-undecayed-wordllama")
undecayed_with_wordllama_named = with_names(undecayed_with_wordllama)
