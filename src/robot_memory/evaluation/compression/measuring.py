"""What a memory is worth after compression: what it still finds and answers, how much it holds, how fast it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.evaluation.compression.filled import Filled
from robot_memory.evaluation.scoring import overlap
from robot_memory.evaluation.scoring.evidence import Timeline, recall
from robot_memory.evaluation.scoring.judge import RIGHT, WRONG, NormalisedJudge
from robot_memory.evaluation.scoring.tally import Tally
from robot_memory.evaluation.subject import Asked
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.trial import Question

K = 10
ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"
Drop = Callable[[MemorySubject], Collection[int]]  # a memory -> those of its memories that are to go


@dataclass(frozen=True)
class Measured:
    """`tallies`: figure -> sum and weight, so that trials add up; `months`: month -> the same of its questions.

    recall@10, answerable.right, .wrong and .silent, unanswerable.silent, answers.net (right less wrong over the
    answerable), answers.f1 (public sets), rounds, search_s (mean), kept, of, bytes, garbage (share of what is kept),
    garbage.before (share of all), chosen_s (seconds to choose).
    """

    tallies: Mapping[str, Tally]
    months: Mapping[str, Mapping[str, Tally]] = field(default_factory=dict)


def measure(filled: Filled, folder: Path, drop: Drop | None, asking: Callable[[float], None]) -> Measured:
    """Compress a copy in `folder` and ask all questions. `drop` None: it stays whole."""
    subject = filled.copy(folder)
    try:
        counts = _compressed(filled, subject, drop)
        own, months = _Sums(), dict[str, _Sums]()
        timeline, questions = Timeline(filled.case.trial.truth), filled.case.trial.questions
        for number, question in enumerate(questions, start=1):
            sums = [own]
            if month := filled.case.months.get(question.id):
                sums.append(months.setdefault(month, _Sums()))
            _ask(filled, subject, question, timeline, sums)
            asking(number / len(questions))
    finally:
        subject.close()
    return Measured(counts | own.tallies(), {month: sums.tallies() for month, sums in months.items()})


class _Sums:
    """Figures being added up."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, float]] = {}

    def add(self, figure: str, value: float, weight: float = 1.0) -> None:
        total, weights = self._sums.get(figure, (0.0, 0.0))
        self._sums[figure] = total + value, weights + weight

    def tallies(self) -> dict[str, Tally]:
        return {figure: Tally(*sums) for figure, sums in self._sums.items()}


def _compressed(filled: Filled, subject: MemorySubject, drop: Drop | None) -> dict[str, Tally]:
    """Archive what is to go, and count what stays."""
    of, before = _garbage(filled, subject)
    begun = time.perf_counter()
    going = drop(subject) if drop else ()
    chosen_s = time.perf_counter() - begun
    if going:
        with subject.graph.change() as change:
            change.archive(going)
    kept, after = _garbage(filled, subject)
    with subject.graph.store.snapshot() as db:
        size = db.execute("SELECT bytes FROM held WHERE kind = 'memories'").fetchone()[0]
    counts = {
        "kept": Tally(kept, 1),
        "of": Tally(of, 1),
        "bytes": Tally(size, 1),
        "chosen_s": Tally(chosen_s, 1),
    }
    if filled.case.garbage:
        counts |= {"garbage": Tally(after, kept), "garbage.before": Tally(before, of)}
    return counts


def _garbage(filled: Filled, subject: MemorySubject) -> tuple[int, int]:
    """How many memories there are that are not archived, and how many of them nobody said."""
    with subject.graph.store.snapshot() as db:
        rows = db.execute(
            "SELECT turns.start_ns FROM memories LEFT JOIN turns ON turns.id = memories.turn WHERE archived = 0"
        ).fetchall()
    return len(rows), sum(row[0] in filled.case.garbage for row in rows)


def _ask(
    filled: Filled, subject: MemorySubject, question: Question, timeline: Timeline, sums: Collection[_Sums]
) -> None:
    asked = Asked(question.id, question.text, question.at_ns, filled.askers.get(question.asker, ""))
    reply, rounds = subject.answered(asked)
    found, search_s = subject.retrieved(asked, K)
    verdict = NormalisedJudge().judge(question, reply, filled.case.trial.truth)
    found = tuple(filled.case.first(one) for one in found)
    for one in sums:
        one.add("rounds", rounds)
        one.add("search_s", search_s)
        if question.answerable:
            for kind in (RIGHT, WRONG):
                one.add(f"{ANSWERABLE}.{kind}", verdict.kind == kind)
            if question.evidence:
                one.add(f"recall@{K}", recall(found, question.evidence, timeline, K))
        else:
            one.add(f"{UNANSWERABLE}.{WRONG}", verdict.kind == WRONG)
        one.add("answers.net", (verdict.kind == RIGHT) - (verdict.kind == WRONG), float(question.answerable))
        if filled.case.trial.by_words and (f1 := overlap.f1(question, reply, verdict)) is not None:
            one.add("answers.f1", f1)
