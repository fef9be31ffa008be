"""LoCoMo with what its editors left out: things said again in other words, and the small talk of every day between.

As published every turn says something new, so that nothing could be forgotten at no cost. What is said again counts as
the turn it repeats: whoever keeps the one may lose the other.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from robot_memory.evaluation.public.locomo import trial
from robot_memory.evaluation.public.locomofile import Conversation, Sitting, Turn
from robot_memory.evaluation.subject import Found
from robot_memory.evaluation.trial import HEARD, Moment, Trial
from robot_memory.evaluation.worlds.bank import load
from robot_memory.evaluation.worlds.dice import dice

AGAIN = 0.35  # share of the turns that are said again
VERBATIM = 0.3  # of these, in the same words
CHATTED = 0.5  # share of the turns that small talk follows
FAR = 12  # turns later, at most, that something is said again
STOCK = 40  # small talk that two people have: the same few lines over and over
LEADS = (
    "As I said, {}",
    "Like I told you, {}",
    "I said it before: {}",
    "So, as I was saying, {}",
    "You know how it is: {}",
    "Anyway, {}",
    "I keep coming back to it: {}",
)
TAILS = ("{} That's what I meant.", "{} Just so you know.", "{} I might have said so.", "{} Anyway.")


@dataclass(frozen=True)
class Redundant:
    """A trial and what was said again in it: where -> the turn that it repeats."""

    trial: Trial
    echoes: Mapping[tuple[int, int], Moment]

    def heard_first(self, found: Found) -> Found:
        """What was found, as the turn that it repeats, if it does."""
        first = self.echoes.get((found.start_ns, found.end_ns)) if found.stream == HEARD else None
        return found if first is None else replace(found, start_ns=first.start_ns, end_ns=first.end_ns)


def redundant(talk: Conversation, seed: int) -> Redundant:
    """The conversation with redundancy of a seed."""
    throw = dice(talk.id, "redundancy", seed)
    bank = load()
    stock = throw.sample([*bank.small_talk, *bank.small_talk_replies], STOCK)
    longer = replace(talk, sittings=tuple(_sitting(throw, sitting, stock) for sitting in talk.sittings))
    made = trial(longer)
    lines = dict(zip((turn.id for turn in longer.turns), made.truth.lines, strict=True))
    echoes = {}
    for name, line in lines.items():
        first = lines.get(name.partition("+")[0])
        if "+" in name and first is not None:
            echoes[line.start_ns, line.end_ns] = Moment(first.start_ns, first.end_ns, HEARD)
    return Redundant(replace(made, name=f"locomo {talk.id}, redundancy {seed}"), echoes)


def _sitting(throw: random.Random, sitting: Sitting, stock: Sequence[str]) -> Sitting:
    """Ids of added turns: that of the turn said again with "+again", or the one they follow with "~chat"."""
    speakers = list(dict.fromkeys(turn.speaker for turn in sitting.turns))
    turns, waiting = list[Turn](), dict[int, list[Turn]]()
    for n, turn in enumerate(sitting.turns):
        turns.append(turn)
        if throw.random() < AGAIN and turn.text.strip():
            again = Turn(f"{turn.id}+again", turn.speaker, _again(throw, turn.text.strip()), "")
            waiting.setdefault(min(n + throw.randint(2, FAR), len(sitting.turns) - 1), []).append(again)
        if throw.random() < CHATTED:
            turns.append(Turn(f"{turn.id}~chat", throw.choice(speakers), throw.choice(stock), ""))
        turns += waiting.pop(n, [])
    return replace(sitting, turns=tuple(turns))


def _again(throw: random.Random, text: str) -> str:
    if throw.random() < VERBATIM:
        return text
    if throw.random() < 0.5:
        return throw.choice(TAILS).format(text)
    lowered = text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]
    return throw.choice(LEADS).format(lowered)
