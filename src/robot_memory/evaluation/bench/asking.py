"""Questions to a made-up memory of talk: of common words, of rare ones, about a person, a time, or as of a moment."""

from __future__ import annotations

from random import Random

from robot_memory.evaluation.bench.filling import end_of, start_of
from robot_memory.evaluation.bench.plain import PlainMemory
from robot_memory.evaluation.bench.sentences import CALLED, SAID
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.retrieval.query import Query

KINDS = {
    "common": "a question of common words",
    "rare": "a question with a rare word",
    "person": "a question about a person",
    "time": "a question about the last tenth of the time",
    "as_of": "a question as of a moment before that",
}
PERSON = ((0, 1),)  # one of the family
MOST = 400  # questions that are made


class Asking:
    """Questions in the words of the memory itself, so that every keyword has something to find."""

    def __init__(self, memory: PlainMemory, seed: int = 2) -> None:
        rng = Random(seed)
        said = [text.partition(SAID)[2].rstrip("”") for text in memory.texts if SAID in text]
        self._common = [line.partition(CALLED)[0].strip() for line in rng.sample(said, min(MOST, len(said)))]
        called = [line.partition(CALLED)[2].rstrip(".") for line in said if CALLED in line]
        self._rare = rng.sample(called, min(MOST, len(called))) or ["zed"]
        last = int(memory.clips[-1])
        self._now_ns, self._lately_ns = end_of(last), start_of(last - last // 10)

    @property
    def wordings(self) -> list[str]:
        """Some texts, for a search by their vectors alone."""
        return self._common

    def text(self, kind: str, number: int) -> str:
        if kind == "rare":
            return f"Who mentioned the {self._rare[number % len(self._rare)]}?"
        return f"Who said this: {self._common[number % len(self._common)]}"

    def query(self, kind: str, number: int, embedder: TextEmbedder) -> Query:
        """Question `number` of a kind, embedded."""
        text = self.text(kind, number)
        return Query(
            text=text,
            vector=embedder.embed([text])[0],
            now_ns=self._now_ns,
            asked=PERSON if kind == "person" else (),
            start_ns=self._lately_ns if kind == "time" else None,
            recorded_by_ns=self._lately_ns if kind == "as_of" else None,
        )
