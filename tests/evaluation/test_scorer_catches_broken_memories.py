"""Each broken memory is caught by the figures made for it, and a perfect one is perfect in all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import broken_memories as memories
import pytest
import small_trial

from robot_memory.evaluation.scoring import rows
from robot_memory.evaluation.scoring.many import Evaluation
from robot_memory.evaluation.scoring.run import MachineFailed, run
from robot_memory.evaluation.scoring.score import Score, score
from robot_memory.evaluation.scoring.summary import summarise

KS = (1, 5, 10, 20)


def measured(memory: type[memories.Perfect], folder: Path) -> dict[str, Any]:
    """Figures and calibration of a memory, by name."""
    own = scored(memory, folder)
    summary = summarise(Evaluation(("small",), (own.subject,), (own,), (), "normalised", KS), "small")
    subject = summary["subjects"][own.subject]
    found = {key: figure["mean"] for key, figure in subject["figures"].items()}
    calibration = {k: v["mean"] for k, v in subject["calibration"].items() if isinstance(v, dict)}
    return {**found, **calibration}


def scored(memory: type[memories.Perfect], folder: Path) -> Score:
    trial = small_trial.trial()
    return score(trial, run(trial, memory(folder, trial), KS), ks=KS)


@pytest.fixture
def perfect(tmp_path: Path) -> dict[str, Any]:
    return measured(memories.Perfect, tmp_path)


def test_a_perfect_memory_is_perfect(perfect: dict[str, Any]) -> None:
    ones = "answers.net answerable.right unanswerable.abstained sight.right persons.exact links.precision "
    ones += "links.recall names.known facts.precision facts.recall recall@5 recall@10 recall@20 auroc"
    assert {key: perfect[key] for key in ones.split()} == dict.fromkeys(ones.split(), 1.0)
    noughts = "answerable.wrong answerable.abstained answerable.error unanswerable.wrong persons.fused persons.split "
    noughts += "persons.switches persons.unknown persons.mistaken names.wrong names.missing facts.false_per_hour "
    noughts += "facts.stale facts.beyond problems aurc ece brier"
    assert {key: perfect[key] for key in noughts.split()} == dict.fromkeys(noughts.split(), 0.0)
    assert perfect["persons.true"] == perfect["persons.found"] == perfect["names.right"] == 3
    assert all(perfect[f"type:{kind}.right"] == 1 for kind in ("count", "time", "first-person", "changed"))
    assert perfect["recall@1"] == pytest.approx((8 + 0.5 + 0.5) / 10)  # two questions need two things
    assert perfect["store.bytes_per_hour"] == pytest.approx(50_000 / 0.05)


def test_lost_sentences_cost_recall_and_accuracy_but_no_persons(tmp_path: Path, perfect: dict[str, Any]) -> None:
    broken = measured(memories.DropsEachThirdSentence, tmp_path)
    for key in ("recall@5", "recall@10", "recall@20", "answerable.right", "answers.net"):
        assert broken[key] < perfect[key] - 0.15, key
    assert broken["answerable.abstained"] == pytest.approx(1 - broken["answerable.right"])
    about_persons = [k for k in perfect if k.startswith(("persons", "links", "names"))]
    assert {k: broken[k] for k in about_persons} == {k: perfect[k] for k in about_persons}


def test_two_people_swapped_are_caught_as_persons_links_and_names(tmp_path: Path, perfect: dict[str, Any]) -> None:
    broken = measured(memories.SwapsTwoPeople, tmp_path)
    assert broken["persons.exact"] == 1  # three are found, so the count alone would not do
    assert broken["persons.fused"] == 2
    assert broken["persons.switches"] == 2
    assert broken["persons.mistaken"] > 0.1
    assert broken["names.wrong"] == 2 and broken["names.right"] == 1
    assert broken["names.known"] == pytest.approx(1 / 3)
    assert broken["links.recall"] < 1
    assert broken["type:person.right"] == 0 and broken["type:count.right"] == 1
    assert broken["recall@5"] == perfect["recall@5"]


def test_fused_voices_are_caught(tmp_path: Path) -> None:
    broken = measured(memories.FusesAllVoices, tmp_path)
    assert broken["persons.fused"] == 1
    assert broken["persons.exact"] == 1  # the faces are still three
    assert broken["persons.mistaken"] > 0.2
    assert broken["links.recall"] == pytest.approx(1 / 3)
    assert broken["persons.split"] == 0


def test_split_people_are_caught(tmp_path: Path) -> None:
    broken = measured(memories.SplitsPeople, tmp_path)
    assert broken["persons.found"] > 3 and broken["persons.exact"] == 0
    assert broken["persons.split"] >= 5 and broken["persons.fused"] == 0
    assert broken["persons.mistaken"] == 0
    assert broken["names.missing"] == 3


def test_one_that_always_answers_is_caught(tmp_path: Path, perfect: dict[str, Any]) -> None:
    broken = measured(memories.AnswersAlways, tmp_path)
    assert broken["answerable.right"] == 1  # so the right ones alone would not do
    assert broken["unanswerable.wrong"] == 1 and broken["unanswerable.abstained"] == 0
    assert broken["answers.net"] == pytest.approx((10 - 5) / 10)
    assert broken["coverage"] == 1
    assert broken["aurc"] > 0.05 > perfect["aurc"]


def test_one_that_never_answers_wins_nothing(tmp_path: Path) -> None:
    for silent in (memories.AbstainsAlways, memories.SaysItDoesNotKnow):
        broken = measured(silent, tmp_path)
        assert broken["answers.net"] == 0 and broken["coverage"] == 0
        assert broken["answerable.abstained"] == broken["unanswerable.abstained"] == 1


def test_a_confidence_that_is_none_is_an_error(tmp_path: Path) -> None:
    broken = measured(memories.SureBeyondReason, tmp_path)
    assert broken["answerable.error"] == 1 and broken["answers.net"] == 0


def test_overconfidence_is_caught(tmp_path: Path) -> None:
    broken = measured(memories.Overconfident, tmp_path)
    assert broken["ece"] == pytest.approx(0.5) and broken["brier"] == pytest.approx(0.5)
    assert broken["answerable.wrong"] == 0.5


def test_invented_facts_are_caught(tmp_path: Path) -> None:
    broken = measured(memories.InventsFacts, tmp_path)
    assert broken["facts.false_per_hour"] == pytest.approx(3 / 0.05)
    assert broken["facts.precision"] == pytest.approx(10 / 13)
    assert broken["facts.recall"] == 1


def test_a_lost_not_and_what_is_over_are_caught(tmp_path: Path) -> None:
    broken = measured(memories.TurnsFactsRound, tmp_path)
    assert broken["facts.stale"] == 1
    assert broken["facts.false_per_hour"] == pytest.approx(1 / 0.05)
    assert broken["facts.recall"] == pytest.approx(9 / 10)


def test_saying_everything_wins_nothing(tmp_path: Path) -> None:
    broken = measured(memories.SaysEverything, tmp_path)
    assert broken["answerable.right"] == 0 and broken["unanswerable.wrong"] == 1
    assert broken["recall@1"] == 0 and broken["recall@5"] < 0.5  # one span over all of it is many things found


def test_one_that_raises_is_an_error_and_the_run_goes_on(tmp_path: Path) -> None:
    own = scored(memories.RaisesNowAndThen, tmp_path)
    errors = [one for one in own.graded if one.verdict.kind == "error"]
    assert [one.question.id for one in own.graded if one.reply is None] == [one.question.id for one in errors]
    assert len(errors) == 4 and len(own.graded) == 15
    assert "cannot parse" in errors[0].verdict.why
    assert any("no such face" in problem for problem in own.problems)
    assert any("no names today" in problem for problem in own.problems)
    assert own.tallies["answerable.right"].value == pytest.approx(7 / 10)


@pytest.mark.parametrize(
    ("memory", "told"),
    [
        (memories.FillsTheDisk, "clip small/1.*No space left"),
        (memories.CannotReadItsStore, "names: .*is the disk full"),
    ],
)
def test_a_full_disk_is_no_figure_of_a_memory(memory: type[memories.Perfect], told: str, tmp_path: Path) -> None:
    with pytest.raises(MachineFailed, match=told):
        scored(memory, tmp_path)


def test_questions_are_asked_at_their_time_and_by_the_label_of_who_asks(tmp_path: Path) -> None:
    trial = small_trial.trial()
    memory = memories.NotesWhen(tmp_path, trial)
    run(trial, memory, KS)
    assert memory.clips_by_then["q0"] == 2  # at 09:31:10: two clips had ended
    assert memory.clips_by_then["q1"] == 6
    assert {q.id: q.asker for q in memory.asked}["q9"] == "ben"
    assert {q.asker for q in memory.asked if q.id != "q9"} == {""}


def test_every_row_of_the_table_is_a_figure_that_exists(tmp_path: Path) -> None:
    own = scored(memories.Perfect, tmp_path)
    summary = summarise(Evaluation(("small",), ("Perfect",), (own,), (), "normalised", KS), "small")
    shown = {row.key for section in rows.sections(summary) for row in section.rows}
    every = {row.key for part in (rows._answers, rows._persons, rows._facts, rows._confidence) for row in part()}
    assert every <= shown
