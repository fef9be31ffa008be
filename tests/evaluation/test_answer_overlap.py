"""LoCoMo's answer score: words shared with the published answer, by its paper's rules, printed by type of question."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_locomo_file import talk, written

from robot_memory.evaluation import subjects
from robot_memory.evaluation.public import locomo
from robot_memory.evaluation.scoring.many import Evaluation
from robot_memory.evaluation.scoring.overlap import overlap
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.scoring.score import score
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.scoring.table import table


@pytest.mark.parametrize(
    ("answer", "gold", "shared"),
    [
        ("7 May 2023", "7 May 2023", 1.0),
        ("On 7 May 2023.", "7 May, 2023", 6 / 7),  # three words of four, three of three
        ("The cat and a dog", "cat, dog", 1.0),  # articles, "and" and commas count for nothing
        ("She was researching adoption agencies", "Adoption agency", 2 * 2 / (5 + 2)),  # stems
        ("tea tea tea", "tea", 0.5),  # each word as often as it stands
        ("tea", "coffee", 0.0),
        ("", "tea", 0.0),
        ("“Becoming Nicole”", '"Becoming Nicole"', 1.0),
    ],
)
def test_words_are_compared_as_stems_without_articles(answer: str, gold: str, shared: float) -> None:
    assert overlap(answer, gold) == pytest.approx(shared)


def test_each_part_of_a_listed_answer_counts_with_what_fits_it_best() -> None:
    assert overlap("pottery, painting", "painting, camping", "multi-hop") == 0.5
    assert overlap("painting, camping, and more", "camping, painting", "multi-hop") == 1.0
    assert overlap("painting, camping", "camping, painting", "multi-detail") == 1.0  # not taken apart


def test_the_explanation_behind_an_answer_does_not_count() -> None:
    assert overlap("Likely no", "Likely no; she likes tea", "general") == 1.0
    assert overlap("Likely no", "Likely no; she likes tea", "multi-detail") < 1.0


def test_the_score_is_printed_by_type_with_silence_as_the_answer_to_what_nobody_knows(tmp_path: Path) -> None:
    own = talk()
    own["qa"].append(
        {"question": "What did Bo adopt?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": "a dog"}
    )
    (source,) = locomo.sources(written([own], tmp_path))
    trial = source.open()
    subject = subjects.make("bm25", tmp_path, trial)
    scored = score(trial, run(trial, subject))
    values = {key: tally.value for key, tally in scored.tallies.items() if key.endswith(".f1")}
    assert values == {
        "type:multi-detail.f1": pytest.approx(2 / 4),  # “I adopted a dog.” shares dog with "a dog"
        "type:time.f1": 0.0,
        "answerable.f1": pytest.approx(1 / 4),
        "unanswerable.f1": 0.0,  # it answers all the same
        "answers.f1": pytest.approx(1 / 6),
    }
    summary = summarise(Evaluation((trial.name,), ("bm25",), (scored,), (), "normalised", (1, 5)), "locomo")
    assert [one["f1"] for one in summary["questions"]] == [pytest.approx(0.5), 0.0, 0.0]
    printed = table(summary)
    assert "Words shared with the published answer (F1)" in printed and "unanswerable (adversarial): silent" in printed


def test_worlds_have_no_published_answers() -> None:
    import small_trial

    trial = small_trial.trial()
    assert not trial.by_words
