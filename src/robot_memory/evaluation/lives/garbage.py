"""What a recogniser makes of noise: words in a row that nobody said, heard badly, by some voice or by none."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from robot_memory.evaluation.lives.life import Garbage
from robot_memory.evaluation.worlds.bank import Bank
from robot_memory.evaluation.worlds.world import Episode, spoken_s
from robot_memory.streams.media import SECOND

STOCK = ("Thanks for watching.", "you you you", "Mm. Mm. Mm.", "Subtitles by", "bye bye bye bye")
SYLLABLES = ("ba", "re", "lo", "ken", "tis", "mu", "ar", "shi", "dom", "ve", "nal", "gro", "pi", "sto", "que")
STOCKED, MADE_UP = 0.1, 0.25  # share of stock phrases; of words that are none
CLIP_S = 30.0
HEARD = 1.3  # sentences that a line of talk becomes: it, and now and then a fact
SEEN = 1.35  # sentences that a face in a clip becomes: it, and now and then who was with it


def garbage(throw: random.Random, bank: Bank, episodes: Sequence[Episode], share: float) -> tuple[Garbage, ...]:
    """As much as makes `share` of all that is remembered, in order of time; anywhere in an episode."""
    words = sorted({word.strip(".,!?'\"").casefold() for line in bank.small_talk for word in line.split()} - {""})
    expected = sum(_sentences(episode) for episode in episodes)
    count = round(expected * share / (1 - share))
    chosen = throw.choices(episodes, [episode.duration_s for episode in episodes], k=count) if count else []
    return tuple(sorted((_one(throw, words, episode) for episode in chosen), key=lambda one: one.start_ns))


def _sentences(episode: Episode) -> float:
    """About how many sentences an episode becomes."""
    seen = sum((entry.path[-1].at_s - entry.path[0].at_s) / CLIP_S + 1 for entry in episode.entries)
    return HEARD * len(episode.lines) + SEEN * seen


def _one(throw: random.Random, words: Sequence[str], episode: Episode) -> Garbage:
    text = throw.choice(STOCK) if throw.random() < STOCKED else " ".join(_nonsense(throw, words))
    at_s = throw.uniform(0.0, max(0.0, episode.duration_s - spoken_s(text)))
    there = [entry.who for entry in episode.entries if entry.path[0].at_s <= at_s <= entry.path[-1].at_s]
    heard = sorted({line.who for line in episode.lines} & set(there))
    like = throw.choice(heard) if heard and throw.random() < 0.5 else ""
    start_ns = episode.at_ns(at_s)
    return Garbage(
        start_ns,
        start_ns + round(spoken_s(text) * SECOND),
        text,
        like,
        round(throw.uniform(0.2, 0.65), 3),
        round(throw.uniform(0.05, 0.7), 3),
    )


def _nonsense(throw: random.Random, words: Sequence[str]) -> Iterator[str]:
    for _ in range(throw.randint(3, 9)):
        made_up = "".join(throw.choices(SYLLABLES, k=throw.randint(2, 3)))
        yield made_up if throw.random() < MADE_UP else throw.choice(words)
