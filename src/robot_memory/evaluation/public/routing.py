"""How the product understands questions that others have worded: the kind each goes to, the times and names it finds.

Counts, no judgement: a question that is declined today may be answered tomorrow, and its wording is not ours.
"""

from __future__ import annotations

import re
import sqlite3
from calendar import month_name
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.wishes.wanted import wish_of
from robot_memory.control.wishes.wish import Kind
from robot_memory.evaluation.public.bm25 import BM25, best
from robot_memory.evaluation.public.questionsets import Item, QuestionSet
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.schema import STEPS
from robot_memory.streams.media import SECOND

NOW_NS = 1_772_452_800 * SECOND  # 2 March 2026, noon: "today" must mean something, what does not matter
UNKNOWN_TIME = "time not understood"
NOT_NAMES = frozenset(month_name)
MID_SENTENCE = re.compile(r"(?<=[\w,;:'’\"] )[A-Z][a-z]+\b")
SEVERAL = 2  # times a capitalised word stands within a sentence before it is taken for a name anywhere


@dataclass(frozen=True)
class Routed:
    """What became of one question: its kind's name or UNKNOWN_TIME; the time phrase and the person found."""

    kind: str
    phrase: str = ""
    who: str = ""


@dataclass
class Row:
    """Sums over the questions of one type."""

    questions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    unknown_times: Counter[str] = field(default_factory=Counter)
    naming: int = 0  # questions that seem to name somebody
    named: int = 0  # of these, questions in which the parser found a person

    def as_json(self) -> dict[str, Any]:
        return {
            "questions": self.questions,
            "kinds": dict(self.kinds.most_common()),
            "declined": self.kinds[Kind.OTHER.name],
            "time_understood": sum(self.times.values()),
            "time_not_understood": sum(self.unknown_times.values()),
            "understood_phrases": dict(self.times.most_common(10)),
            "unknown_phrases": dict(self.unknown_times.most_common(10)),
            "naming_somebody": self.naming,
            "person_found": self.named,
        }


def route(text: str) -> Routed:
    """One question through the product's own parser."""
    try:
        reading = _reader().read(text, NOW_NS, Zone())
    except UnknownTime as error:
        return Routed(UNKNOWN_TIME, str(error))
    who = " ".join((*(mention.words for mention in reading.mentions), *reading.unknown_names))
    return Routed(wish_of(reading).kind.name, reading.span.words, who)


@cache
def _reader() -> Reader:
    """Of somebody who knows nobody: which names there are is seen by their capitals alone."""
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    for step in STEPS:
        db.executescript(step)
    return Reader(People(db))


def routing(questions: QuestionSet) -> dict[str, Row]:
    """Rows by question type, "all" first. A question of several types counts in each."""
    names = names_in(item.stem for item in questions.items)
    rows: dict[str, Row] = {"all": Row()}
    for item in questions.items:
        for row in (rows["all"], *(rows.setdefault(kind, Row()) for kind in item.types)):
            _count(row, item, names)
    return rows


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Words that seem to be names: capitalised within sentences, and more than once. An estimate, places included."""
    found = Counter(word for text in texts for word in set(MID_SENTENCE.findall(text)))
    return frozenset(word for word, count in found.items() if count >= SEVERAL and word not in NOT_NAMES)


def _count(row: Row, item: Item, names: frozenset[str]) -> None:
    routed = route(item.stem)
    row.questions += 1
    row.kinds[routed.kind] += 1
    if routed.kind == UNKNOWN_TIME:
        row.unknown_times[routed.phrase] += 1
    elif routed.phrase:
        row.times[routed.phrase] += 1
    named = names & set(re.findall(r"\w+", item.stem))
    row.naming += bool(named)
    row.named += any(name in routed.who for name in named)


def consistency(questions: QuestionSet) -> dict[str, Any]:
    """What can be checked of a file by itself: clips against timestamps, options, answers among the options."""
    items = questions.items
    fits = [item.clip_fits for item in items if item.clip_fits is not None]
    choices = [item for item in items if item.options]
    return {
        "videos": len(questions.films),
        "questions": len(items),
        "with_before_clip": sum(item.before_clip is not None for item in items),
        "before_clip_fits_timestamp": sum(fits),
        "before_clip_contradicts": [item.id for item in items if item.clip_fits is False],
        "multiple_choice": len(choices),
        "options": dict(Counter(len(item.options) for item in choices)),
        "answer_among_options": sum(answer_number(item) is not None for item in choices),
    }


def answer_number(item: Item) -> int | None:
    """Which option the published answer is."""
    answer = re.sub(r"^[A-H]\. ", "", item.answer).strip()
    return item.options.index(answer) if answer in item.options else None


@dataclass(frozen=True)
class Hits:
    """How often BM25 finds the reasoning written for a question: among its own video's, and among all. `chance` is what
    a blind choice within the video would reach.
    """

    questions: int
    in_video: float
    over_all: float
    chance: float


def reasoning_hits(questions: QuestionSet) -> Hits | None:
    """Question -> its own `reasoning`, hit@1. None where the reasonings are in another script, or are the answers.

    A sanity check, no more: both were worded by the same person.
    """
    films = [film for film in questions.films if all(_latin(item.reasoning) for item in film.items)]
    items = [item for film in films for item in film.items if not item.options]
    if len(items) < len(questions.items) / 2:
        return None
    index = BM25([item.reasoning for item in items])
    own = {item.id: film.name for film in films for item in film.items}
    of_film: dict[str, list[int]] = {}
    for n, item in enumerate(items):
        of_film.setdefault(own[item.id], []).append(n)
    in_video = over_all = 0
    for n, item in enumerate(items):
        scores = index.scores(item.text)
        over_all += best(scores) == n
        mine = of_film[own[item.id]]
        found = best(scores[mine])
        in_video += found is not None and mine[found] == n
    chance = len(of_film) / len(items)
    return Hits(len(items), in_video / len(items), over_all / len(items), chance)


def _latin(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and sum(ord(letter) < 0x250 for letter in letters) > 0.9 * len(letters)
