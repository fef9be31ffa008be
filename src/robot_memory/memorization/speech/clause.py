"""A clause of talk, weighed: who or what it is about, what is said of it, and whether it is claimed at all."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Clause:
    """`text`: the clause in plain spelling ("I do not like olives"), openings such as "well, actually" left out.

    `subject`: as said, "" for an order or a fragment ("my brother", "Ben", "it"). `predicate`: what is said of it, made
    affirmative and bare of adverbs that tell nothing ("like olives"): patterns need not think of "don't really like".
    `polarity` -1: it is not so. `past`: it was so and is no longer (polarity is then how it was). `modal`: will, would,
    could … or "". `asserts`: the speaker claims that it is so; otherwise `why` not: "question", "supposed", "reported",
    "unsure", "mocked", "recited", "order". `joint`: the word that joins it to the clause before. `said`: the sentence
    it is from, spelled out; `sentence` its number.
    """

    text: str
    subject: str = ""
    predicate: str = ""
    polarity: int = 1
    past: bool = False
    modal: str = ""
    asserts: bool = True
    why: str = ""
    joint: str = ""
    mark: str = ""
    said: str = ""
    sentence: int = 0

    def doubted(self, why: str) -> Clause:
        """The same, but not claimed."""
        return replace(self, asserts=False, why=self.why or why)

    @property
    def says(self) -> str:
        """Subject and predicate: the whole clause made affirmative, for patterns that do not begin with the subject."""
        return f"{self.subject} {self.predicate}".strip()
