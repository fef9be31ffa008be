"""The plain baselines on the development half of LoCoMo, within 0.02 of what was measured before and elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from locomo_data import locomo_dev

from robot_memory.errors import ModelMissing
from robot_memory.evaluation.public import locomo
from robot_memory.evaluation.scoring.judge import NormalisedJudge
from robot_memory.evaluation.scoring.many import Evaluation, Task, by_name, work
from robot_memory.evaluation.scoring.score import Score
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.subjects import flat

KS = (5, 10, 20)
MEASURED = {  # recall of evidence at 5, 10, 20
    "bm25+names": (0.53, 0.60, 0.68),
    "flat-wordllama+names": (0.34, 0.41, 0.50),
    "flat+names": (0.41, 0.51, 0.60),
    "hybrid+names": (0.50, 0.61, 0.71),
    "context+names": (0.60, 0.71, 0.79),
}


def measured(*names: str) -> dict[str, Any]:
    """The summary's subjects, each conversation searched by itself."""
    found = locomo.sources(locomo_dev())
    done = [one for source in found for one in work(Task(source, by_name(names), KS, NormalisedJudge(), ""))]
    scores = tuple(one for one in done if isinstance(one, Score))
    assert len(scores) == len(done), done
    subjects: dict[str, Any] = summarise(Evaluation((), names, scores, (), "normalised", KS), "locomo")["subjects"]
    return subjects


def recall(subject: dict[str, Any]) -> list[float]:
    return [subject["figures"][f"recall@{k}"]["mean"] for k in KS]


def test_keywords_and_the_static_table() -> None:
    try:
        flat.wordllama()
    except ModelMissing as error:
        pytest.skip(str(error))
    known = measured("bm25+names", "flat-wordllama+names", "hybrid-wordllama+names", "context-wordllama+names")
    for name in ("bm25+names", "flat-wordllama+names"):
        assert recall(known[name]) == pytest.approx(MEASURED[name], abs=0.02), name
    assert known["bm25+names"]["questions"] == 999
    assert known["flat-wordllama+names"]["models"]["text_embedding"] == "wordllama-l2-256"
    _, flat_, hybrid, context = (recall(known[name])[1] for name in known)
    assert flat_ < hybrid < context


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_minilm() -> None:
    """A minute or two on one core."""
    try:
        flat.product()
    except ModelMissing as error:
        pytest.skip(str(error))
    names = ("flat+names", "hybrid+names", "context+names")
    known = measured(*names)
    for name in names:
        assert recall(known[name]) == pytest.approx(MEASURED[name], abs=0.02), name
    # 0.57 was measured before, how is not known: this is the best cosine of a whole turn over all 999 questions
    assert known["flat+names"]["calibration"]["auroc"]["mean"] == pytest.approx(0.55, abs=0.02)
