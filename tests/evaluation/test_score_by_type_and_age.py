"""Recall comes apart by type of question and by how old the evidence was: in the figures and in the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import broken_memories as memories
import pytest
import small_trial

from robot_memory.evaluation.scoring import report
from robot_memory.evaluation.scoring.ages import AGES, age
from robot_memory.evaluation.scoring.many import Evaluation
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.scoring.score import Score, score
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.scoring.table import table
from robot_memory.evaluation.subject import Asked, Found
from robot_memory.evaluation.trial import Trial
from told import at

HOUR, DAY = 3600, 86_400
ASKED = {"q0": 90, "q1": 2 * HOUR, "q2": 3 * DAY, "q3": 10 * DAY, "q4": 200 * DAY}  # seconds from the start


class FindsTea(memories.Perfect):
    """Finds evidence of one question alone."""

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        return super().recall(question, k) if question.id == "q0" else ()


def spread() -> Trial:
    trial = small_trial.trial()
    return replace(trial, questions=tuple(replace(one, at_ns=at(ASKED.get(one.id, 180))) for one in trial.questions))


def summary_of(score: Score, ks: tuple[int, ...] = (1, 5, 10, 20)) -> dict[str, Any]:
    return summarise(Evaluation(("small",), (score.subject,), (score,), (), "normalised", ks), "small")


@pytest.mark.parametrize(
    ("seconds", "name"),
    [
        (0, "minutes"),
        (HOUR - 1, "minutes"),
        (HOUR, "hours"),
        (DAY - 1, "hours"),
        (DAY, "days"),
        (7 * DAY, "weeks"),
        (30 * DAY - 1, "weeks"),
        (30 * DAY, "months"),
        (4000 * DAY, "months"),
    ],
)
def test_evidence_has_an_age_when_it_is_asked_for(seconds: int, name: str) -> None:
    question = small_trial.QUESTIONS[8]  # its evidence is two lines
    end_ns = max(moment.end_ns for moment in question.evidence)
    assert age(replace(question, at_ns=end_ns + seconds * 10**9)) == name
    assert age(replace(question, evidence=())) == ""


def test_recall_by_type_and_by_age(tmp_path: Path) -> None:
    trial = spread()
    tallies = score(trial, run(trial, FindsTea(tmp_path, trial))).tallies
    assert tallies["recall@10"].value == 0.1
    assert (tallies["type:general.recall@10"].total, tallies["type:general.recall@10"].weight) == (1, 2)
    assert tallies["type:place.recall@1"].value == 0 and tallies["type:multi-hop.recall@20"].weight == 1
    by_age = {name: tallies[f"age:{name}.recall@10"] for name in AGES}
    assert {name: (one.total, one.weight) for name, one in by_age.items()} == {
        "minutes": (1, 6),
        "hours": (0, 1),
        "days": (0, 1),
        "weeks": (0, 1),
        "months": (0, 1),
    }


def test_types_and_ages_add_up_to_the_whole(tmp_path: Path) -> None:
    trial = spread()
    tallies = score(trial, run(trial, memories.DropsEachThirdSentence(tmp_path, trial))).tallies
    for k in (1, 5, 10, 20):
        whole = tallies[f"recall@{k}"]
        for kind in ("type:", "age:"):
            own = [one for key, one in tallies.items() if key.startswith(kind) and key.endswith(f".recall@{k}")]
            assert sum(one.weight for one in own) == whole.weight == 10
            assert sum(one.total for one in own) == pytest.approx(whole.total)


def test_the_table_and_the_report_have_a_row_for_each(tmp_path: Path) -> None:
    trial = spread()
    summary = summary_of(score(trial, run(trial, FindsTea(tmp_path, trial))))
    lines = table(summary).splitlines()
    types = lines.index("Evidence by type of question, recall@10")
    ages = lines.index("Evidence by age when asked, recall@10")
    confidence = lines.index("Confidence")
    assert [line.split()[0] for line in lines[types + 1 : ages]] == [
        "changed", "count", "cross-modal", "first-person", "general", "multi-hop", "person", "place", "time",
    ]  # fmt: skip
    assert [line.split() for line in lines[ages + 1 : confidence]][:2] == [
        ["minutes", "(6)", "0.167"],
        ["hours", "(1)", "0.000"],
    ]
    assert "Evidence by age when asked, recall@10" in report.report(summary)


def test_without_recall_at_10_the_largest_is_shown(tmp_path: Path) -> None:
    trial = spread()
    own = score(trial, run(trial, FindsTea(tmp_path, trial), (1, 3)), ks=(1, 3))
    assert "\nEvidence by type of question, recall@3\n" in table(summary_of(own, (1, 3)))


def test_locomo_is_told_by_its_categories(tmp_path: Path) -> None:
    from test_locomo_file import talk, written

    from robot_memory.evaluation.public import locomo
    from robot_memory.evaluation.subjects.bm25 import named

    (source,) = locomo.sources(written([talk()], tmp_path))
    trial = source.open()
    tallies = score(trial, run(trial, named(tmp_path, trial))).tallies
    assert tallies["type:multi-detail.recall@10"].value == 1 and "type:time.recall@10" in tallies
