"""What verification takes and gives: a question as read, remembered passages as found, and the verdict. Plain data.

Persons are ids of the caller's choosing (tokens, row ids as text), the same in a question and in its passages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from robot_memory.control.verification import wording


@dataclass(frozen=True)
class Term:
    """A word that carries what is asked, and how many of the memories hold it in any form (0: it was never said)."""

    text: str
    memories: int

    @property
    def stem(self) -> str:
        return wording.stem(self.text)


@dataclass(frozen=True)
class Asked:
    """A question. `words` are its content words without names and without the time phrase (`wording.content`).

    `persons`: whom it asks about ("I" is the asker), empty if nobody is named. `names`: every name known and whose it
    is, to see who else a passage speaks of. `memories`: how many there are in all. Times in ns, half-open, None: no
    bound. `place`: a place it names, as the passages call it; its words stay among `words`. `denied`: it asks for what
    is not so ("what does Anna not eat?").
    """

    words: tuple[Term, ...]
    memories: int
    persons: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    start_ns: int | None = None
    end_ns: int | None = None
    place: str = ""
    denied: bool = False

    @property
    def timed(self) -> bool:
        return self.start_ns is not None or self.end_ns is not None

    def rarity(self, word: Term) -> float:
        """BM25's weight of a word: > 0, the higher the fewer memories hold it."""
        count = min(max(word.memories, 0), self.memories)
        return math.log(1 + (self.memories - count + 0.5) / (count + 0.5))


@dataclass(frozen=True)
class Passage:
    """A memory that was found, whoever it speaks of. `text`: the words as said, or the sentence remembered.

    `speaker` said it, empty if nobody did or it is not known who; `hearers` were spoken to (who else spoke within a
    minute); `about`: whom the memory is about. `cosine` with the question, -1 to 1.
    """

    memory: int
    text: str
    speaker: str = ""
    hearers: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    start_ns: int = 0
    end_ns: int = 0
    cosine: float = 0.0
    place: str = ""


class Support(Enum):
    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Check:
    """Whether one part of a question is held up, and by which memory (None: by none)."""

    standing: Support = Support.UNKNOWN
    memory: int | None = None


@dataclass(frozen=True)
class Verdict:
    """`supported`: 0 to 1, one half where the evidence speaks for neither side. `reasons`: in plain words, the
    weightiest first.
    """

    supported: float
    reasons: tuple[str, ...]
    person: Check = Check()
    attribute: Check = Check()
    time: Check = Check()
    place: Check = Check()
