"""A made-up memory of talk: sentences of common and of rare words, from a seed, and their vectors.

What is said comes from the phrase bank of worlds, with small talk behind it; one line in ten has a word that hardly any
other has. Some sentences are really embedded, and a line's vector lies around that of the sentence it holds: to embed
all of them would take a slow embedder a quarter of an hour.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from robot_memory.evaluation.bench.plain import PlainMemory, made_up, unit
from robot_memory.evaluation.truth import ATTRIBUTES
from robot_memory.evaluation.worlds.bank.filling import fill
from robot_memory.evaluation.worlds.bank.phrases import Bank, load
from robot_memory.language.embedder import TextEmbedder

EMBEDDED = 800  # sentences, or a fifth as many as there are memories
RARE = 0.1  # of the lines
SYLLABLES = "bradorfengilhaxjorkellummevnorpimquarusstitovulmvekwixyarzed"  # of three letters each
SAID, CALLED = " said: “", "It is called "
PEOPLE = 40  # faces and voices


def spoken(memories: int, embedder: TextEmbedder, seed: int = 0) -> PlainMemory:
    """People who talk, or are in view, with vectors of the embedder's kind."""
    dice, rng, bank = np.random.default_rng(seed), Random(seed), load()
    plain = replace(made_up(memories, 1, PEOPLE, seed), semantic=np.zeros(memories, np.bool_))
    statements = [_statement(rng, bank) for _ in range(min(EMBEDDED, memories // 5))]
    which = dice.integers(0, len(statements), memories)
    noise = unit(dice.standard_normal((memories, embedder.dimension), np.float32))
    about = dict(zip(plain.edge_memory.tolist(), plain.edge_entity.tolist(), strict=True))
    texts = [
        _line(rng, bank, about.get(memory), statements[n])
        for memory, n in zip(plain.ids.tolist(), which.tolist(), strict=True)
    ]
    return replace(plain, texts=texts, vectors=unit(embedder.embed(statements)[which] + noise))


def _statement(rng: Random, bank: Bank) -> str:
    values, voice = bank.values[rng.choice(ATTRIBUTES)], rng.choice(("first", "third"))
    name, other = rng.sample(bank.names, 2)
    given = dict.fromkeys(values.given, other.text)
    value = values.draw(rng, None, voice, **given)
    return fill(rng.choice(bank.statements[values.attribute][voice]), name.as_subject(), value.slots)


def _line(rng: Random, bank: Bank, entity: int | None, statement: str) -> str:
    if entity is not None and entity % 2 == 0:
        return f"<face_{entity}> was in view."
    speaker = "someone" if entity is None else f"<voice_{entity}>"
    rest = f"{CALLED}{_rare(rng)}." if rng.random() < RARE else rng.choice(bank.small_talk)
    return f"{speaker}{SAID}{statement} {rest}”"


def _rare(rng: Random) -> str:
    """One of 8,000 words that nobody ever said."""
    return "".join(SYLLABLES[at : at + 3] for at in rng.choices(range(0, len(SYLLABLES), 3), k=3))
