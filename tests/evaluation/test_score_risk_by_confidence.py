"""What would be risked if only the surest questions were answered, on data small enough to reckon by hand."""

from __future__ import annotations

from pathlib import Path

import broken_memories as memories
import pytest
import small_trial
from hypothesis import given
from hypothesis import strategies as st

from robot_memory.evaluation.scoring import calibration
from robot_memory.evaluation.scoring.calibration import COVERAGES, Outcome
from robot_memory.evaluation.scoring.many import Evaluation
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.scoring.score import score
from robot_memory.evaluation.scoring.summary import outcomes, summarise
from robot_memory.evaluation.scoring.table import table
from robot_memory.evaluation.subject import Asked, Found, Reply


def asked(confidence: float, answerable: bool, found: bool | None = True, answered: bool = False) -> Outcome:
    return Outcome(confidence, answered, False, answerable, found)


FOUR = [asked(0.9, True), asked(0.8, True, False), asked(0.7, False), asked(0.6, True)]


def test_unanswerable_questions_among_those_kept() -> None:
    assert [calibration.unanswerable(FOUR, share) for share in (0.25, 0.5, 0.75, 1.0)] == [
        0,
        0,
        pytest.approx(1 / 3),
        0.25,
    ]
    assert calibration.unanswerable(FOUR, 0.625) == pytest.approx(0.5 / 2.5)  # half of the third is kept
    assert calibration.unanswerable(FOUR[:2], 0.5) is None and calibration.unanswerable([], 1.0) is None


def test_evidence_that_was_not_found_is_a_risk_as_well() -> None:
    risks = [calibration.unfound(FOUR, share) for share in (0.25, 0.5, 0.75, 1.0)]
    assert risks == [0, 0.5, pytest.approx(2 / 3), 0.5]
    assert calibration.unfound([*FOUR, asked(0.5, True, None)], 0.5) is None and calibration.unfound([], 1.0) is None


def test_to_abstain_changes_nothing() -> None:
    spoken = [Outcome(one.confidence, True, one.right, one.answerable, one.found) for one in FOUR]
    assert [calibration.unfound(spoken, share) for share in COVERAGES] == [
        calibration.unfound(FOUR, share) for share in COVERAGES
    ]


def test_those_of_equal_confidence_at_the_border_count_as_their_mean() -> None:
    some = [asked(0.9, True), *[asked(0.5, False)] * 2, *[asked(0.5, True)] * 2]
    for order in (some, some[::-1]):
        assert calibration.unanswerable(order, 0.6) == pytest.approx((0 + 2 * 0.5) / 3)


ASKED = st.builds(asked, st.sampled_from((0.0, 0.2, 0.5, 1.0)), st.booleans(), st.booleans())


@given(st.lists(ASKED, min_size=1), st.sampled_from(COVERAGES), st.randoms())
def test_no_order_matters_and_the_second_risk_is_never_smaller(
    some: list[Outcome], share: float, throw: object
) -> None:
    first, second = calibration.unanswerable(some, share), calibration.unfound(some, share)
    assert second is not None and 0 <= (first or 0) <= second + 1e-9 and second <= 1 + 1e-9
    throw.shuffle(again := list(some))  # type: ignore[attr-defined]
    assert calibration.unanswerable(again, share) == pytest.approx(first) if first is not None else True
    assert calibration.unfound(again, share) == pytest.approx(second)
    if share == 1:
        assert (first or 0) == pytest.approx(sum(not one.answerable for one in some) / len(some))


class Guesses(memories.Perfect):
    """Holds back all it says, is sure of what nobody can know, and finds nothing for one question."""

    def ask(self, question: Asked) -> Reply:
        return Reply("I don't know.", "ABSTAINED", 0.9 if question.id in ("q10", "q11") else 0.5)

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        return () if question.id == "q1" else super().recall(question, k)


def test_both_risks_are_in_the_json_and_in_the_table(tmp_path: Path) -> None:
    trial = small_trial.trial()
    own = score(trial, run(trial, Guesses(tmp_path, trial)))
    summary = summarise(Evaluation(("small",), ("Guesses",), (own,), (), "normalised", (1, 5, 10, 20)), "small")
    told = summary["subjects"]["Guesses"]["calibration"]
    assert [key for key in told if key.startswith("un")] == [
        f"{risk}@{share}" for risk in ("unanswerable", "unfound") for share in ("0.3", "0.5", "0.7", "0.9", "1")
    ]
    assert told["unanswerable@1"]["mean"] == pytest.approx(5 / 15) and told["unfound@1"]["mean"] == pytest.approx(
        6 / 15
    )
    # of the 4.5 surest two cannot be answered, and 3 of the 13 others; one of them was not found
    assert told["unanswerable@0.3"]["mean"] == pytest.approx((2 + 2.5 * 3 / 13) / 4.5)
    assert told["unfound@0.3"]["mean"] == pytest.approx((2 + 2.5 * 4 / 13) / 4.5)
    said = table(summary)
    assert "\nRisk, if only the surest questions were answered\n" in said
    rows = {line.strip().rpartition("  ")[0].strip(): line.split()[-2] for line in said.splitlines() if " %" in line}
    assert rows["unanswerable, of the surest 30 %"] == "57.3"
    assert rows["or evidence not in the first 10, of 100 %"] == "40.0"


def test_whether_it_was_found_is_not_known_without_recall_at_10(tmp_path: Path) -> None:
    trial = small_trial.trial()
    own = score(trial, run(trial, Guesses(tmp_path, trial), (1, 5)), ks=(1, 5))
    assert {one.found for one in outcomes(own) if one.answerable} == {None}
    summary = summarise(Evaluation(("small",), ("Guesses",), (own,), (), "normalised", (1, 5)), "small")
    assert summary["subjects"]["Guesses"]["calibration"]["unfound@0.5"] is None
    assert "not in the first 10" not in table(summary) and "unanswerable, of the surest" in table(summary)
