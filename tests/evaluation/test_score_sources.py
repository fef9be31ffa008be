"""What a word of the command line means: seeds, worlds in folders, bags, sets."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import small_trial

from robot_memory.evaluation import truth
from robot_memory.evaluation.scoring.many import by_name, evaluate
from robot_memory.evaluation.scoring.sources import (
    SOURCES,
    BagSource,
    SourceUnknown,
    WorldFolder,
    WorldSource,
    sources,
)
from robot_memory.evaluation.worlds import files
from robot_memory.evaluation.worlds.make import make


def test_seeds() -> None:
    assert sources("7") == [WorldSource(7)]
    assert [source.name for source in sources("0-2,9,1")] == ["world 0", "world 1", "world 2", "world 9"]


@pytest.mark.parametrize("what", ["9-3", "0-999999999", "nosuchthing", "", "-1", "1.5"])
def test_what_is_nothing_is_refused(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceUnknown):
        sources(what or "no/such/bag")


def test_a_bag_and_its_questions(tmp_path: Path) -> None:
    (tmp_path / "other.json").touch()
    (source,) = sources(str(tmp_path), tmp_path / "other.json")
    assert source == BagSource(tmp_path, tmp_path / "other.json")
    assert pickle.loads(pickle.dumps(source)) == source
    with pytest.raises(SourceUnknown, match=r"truth\.json"):
        source.open()


def test_a_folder_of_bags_is_each_of_them_and_a_bad_one_costs_no_other(tmp_path: Path) -> None:
    for name in ("two", "one"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.mcap").touch()
    (tmp_path / "notes").mkdir()
    truth.write(small_trial.TRUTH, tmp_path / "two" / truth.FILE)
    found = sources(str(tmp_path))
    assert found == [BagSource(tmp_path / "one"), BagSource(tmp_path / "two")]
    done = evaluate(found, by_name(["bm25"]))
    assert [failure.source for failure in done.failures] == ["bag one", "bag two"]
    assert "truth.json" in done.failures[0].error and "truth.json" not in done.failures[1].error


def test_sets_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SOURCES, "7", lambda what, data: [WorldSource(len(what))])
    assert sources("7") == [WorldSource(1)]


def test_a_world_in_a_folder_is_asked_the_questions_that_lie_there(tmp_path: Path) -> None:
    files.save(make(3, days=1, people=3), tmp_path / "w", small_trial.QUESTIONS[:2])
    (source,) = sources(str(tmp_path / "w"))
    trial = source.open()
    assert isinstance(source, WorldFolder) and trial.questions == small_trial.QUESTIONS[:2]
    assert next(trial.clips()).observation.start_ns >= trial.truth.start_ns


def test_a_seed_opens_the_same_world_each_time() -> None:
    one, two = WorldSource(4).open(), WorldSource(4).open()
    assert (one.name, one.truth, one.questions) == (two.name, two.truth, two.questions) and one.questions


def test_the_small_trial_can_be_kept_as_a_truth(tmp_path: Path) -> None:
    truth.write(small_trial.TRUTH, tmp_path / truth.FILE)
    assert truth.read(tmp_path / truth.FILE) == small_trial.TRUTH
