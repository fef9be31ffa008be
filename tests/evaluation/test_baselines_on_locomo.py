"""The plain baselines on the development half of LoCoMo, within 0.02 of what was measured before and elsewhere."""

from __future__ import annotations

import pytest
from locomo_data import locomo_dev

from robot_memory.errors import ModelMissing
from robot_memory.evaluation.subjects import flat
from robot_memory.evaluation.subjects.recall_table import KS, Row, auroc, locomo_table, table_text

MEASURED = {  # baseline, text embedding -> recall of evidence at 5, 10, 20
    ("bm25", "none"): (0.53, 0.60, 0.68),
    ("flat", "wordllama-l2-256"): (0.34, 0.41, 0.50),
    ("flat", "minilm-l6-v2"): (0.41, 0.51, 0.60),
    ("hybrid", "minilm-l6-v2"): (0.50, 0.61, 0.71),
    ("context", "minilm-l6-v2"): (0.60, 0.71, 0.79),
}


def compare(rows: list[Row]) -> int:
    """Rows that have figures to compare with, and how many those are."""
    compared = 0
    for row in rows:
        wanted = MEASURED.get((row.baseline.removesuffix("+names"), row.models.get("text_embedding", "none")))
        if wanted:
            compared += 1
            assert [row.recall[k] for k in KS] == pytest.approx(wanted, abs=0.02), table_text([row])
    return compared


def test_keywords_and_the_static_table(embedder: object) -> None:
    rows = locomo_table(locomo_dev(), [flat.product])
    assert compare(rows) == 2
    assert rows[0].questions == 760
    assert {row.baseline for row in rows} == {"bm25+names", "flat+names", "hybrid+names", "context+names"}
    assert "wordllama-l2-256" in table_text(rows)
    by_name = {row.baseline: row.recall[10] for row in rows}
    assert by_name["flat+names"] < by_name["hybrid+names"] < by_name["context+names"]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_minilm() -> None:
    """A minute or two on one core."""
    try:
        rows = locomo_table(locomo_dev(), [flat.minilm])
    except ModelMissing as error:
        pytest.skip(str(error))
    assert compare(rows) == 4
    # 0.57 was measured before, how is not known: this is the best cosine of a whole turn over all 999 questions
    assert next(row for row in rows if row.baseline == "flat+names").auroc == pytest.approx(0.55, abs=0.02)


def test_auroc() -> None:
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auroc([0.1], [0.9]) == 0.0
    assert auroc([0.5, 0.5], [0.5]) == 0.5
    assert auroc([0.9, 0.2], [0.5]) == 0.5
    assert auroc([], [0.5]) == 0.5
