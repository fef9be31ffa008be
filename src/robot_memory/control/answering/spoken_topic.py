"""Which lines speak of something: by its words in any form, the rare ones counting more than the common.

Meaning alone is not enough here: what merely resembles a topic was not said of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from robot_memory.control.answer import Evidence
from robot_memory.control.answering.seen_vocabulary import AROUND
from robot_memory.control.understanding.tables import listed
from robot_memory.control.verification import wording

ENOUGH = 0.65  # of a topic's weight that a line must hold, where none holds all of it
TOPIC_WORDS = 2  # from so many on, a line may lack one


def topic_words(text: str) -> tuple[str, ...]:
    """The stems that carry a topic, in their order; none where it says nothing."""
    content = wording.content(text) or tuple(word for word in wording.words(text) if word not in listed("empty"))
    kept = [word for word in content if word not in AROUND]
    return tuple(dict.fromkeys(root(word) for word in kept or content))


def about(lines: Iterable[Evidence], topic: Sequence[str]) -> list[Evidence]:
    """The lines that speak of a topic, in order of time; all of them where it is empty."""
    quoted = {one.memory: one for one in sorted(lines, key=lambda one: (one.start_ns, one.memory)) if one.quote}
    said = {memory: roots(one.quote) for memory, one in quoted.items()}
    whole = [memory for memory, stems in said.items() if stems.issuperset(topic)]
    if not whole and len(topic) >= TOPIC_WORDS:
        weight = {word: _rarity(word, said.values()) for word in topic}
        need = ENOUGH * sum(weight.values())
        held = {memory: sum(weight[word] for word in stems & weight.keys()) for memory, stems in said.items()}
        whole = [memory for memory, share in held.items() if share >= need]
    return [quoted[memory] for memory in whole]


def root(word: str) -> str:
    """What is left when no more endings go: "watering" and "water" are one."""
    while (shorter := wording.stem(word)) != word:
        word = shorter
    return word


@lru_cache(maxsize=20_000)
def roots(text: str) -> frozenset[str]:
    """The roots of every word of a text."""
    return frozenset(root(stem) for stem in wording.stems(text))


def _rarity(word: str, said: Iterable[frozenset[str]]) -> float:
    every = list(said)
    holding = sum(word in stems for stems in every)
    return math.log(1 + (len(every) + 0.5) / (holding + 0.5))
