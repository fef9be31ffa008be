"""Options are heeded or refused, files that shall be written are tried before anything is measured, and what cannot be
measured costs the exit code.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robot_memory import cli
from robot_memory.evaluation.public.convert_command import StartUnknown, moment_ns
from robot_memory.evaluation.worlds import files

SET = {"v": {"qa_list": [{"question": "Who was here?", "answer": "Anna"}]}}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.json").write_text(json.dumps(SET))
    (tmp_path / "empty").mkdir()
    assert cli.main(["world", "make", "--seed", "2", "--days", "1", "--people", "3", "--rooms", "1", "w"]) == 0
    return tmp_path


def run(words: str) -> int:
    try:
        return cli.main([word.strip("'") for word in words.split()])
    except SystemExit as exit:
        return int(str(exit.code))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("evaluate 7 --data set.json", "7 is seeds of worlds: --data is for a world's folder, a bag, locomo"),
        ("evaluate 7 --videos empty --limit 3", "--videos is for m3bench and videomme; --limit is for"),
        ("evaluate m3bench --data set.json --report r.html --k 3", "a public set: --report is for seeds of worlds"),
        ("evaluate speech --data empty --workers 2 --cells", "--workers is for"),
        ("evaluate videomme --data set.json --ray local --baseline bm25", "--baseline is for"),
        ("evaluate m3bench --data set.json --out o.jsonl", "give their folder too, --videos DIR"),
        ("evaluate m3bench --data set.json --subject nosuch", "no memory called 'nosuch'"),
        ("evaluate m3bench --data set.json --videos empty --out empty", "--out empty: is a folder"),
        ("evaluate m3bench --data set.json --videos empty --out no/where", "--out no/where: cannot be written"),
        ("evaluate m3bench --data set.json --videos empty --out /dev/full", "--out /dev/full: is no file"),
        ("evaluate w --data none.json", "--data none.json: there is no such file"),
        ("evaluate w --report empty", "--report empty: is a folder"),
        ("evaluate w --report no/where.html", "--report no/where.html: cannot be written"),
        ("evaluate ''", "'' is nothing to measure on"),
        ("evaluate w --data ''", "is empty: name a file"),
        (f"evaluate {'9' * 5000}", "a seed is a whole number from 0 to"),
        ("evaluate 0-99999999999", "a seed is a whole number from 0 to"),
        ("world make --seed -3 v", "is no seed"),
        (f"world make --seed {'9' * 5000} v", "is no seed"),
        ("world make --seed 3 ''", "is empty: name a file"),
        ("world make --seed 3 w", "are there already"),
        ("world convert none.mp4 ''", "is empty"),
    ],
)
def test_what_does_not_fit_is_refused(words: str, told: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    before = sorted(here.rglob("*"))
    assert run(words) != 0
    said = capsys.readouterr()
    assert told in said.err and not said.out
    assert sorted(here.rglob("*")) == before


def test_films_that_are_not_there_are_no_result(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate m3bench --data set.json --videos empty") == 1
    assert "nothing was answered" in capsys.readouterr().out


def test_figures_are_printed_before_the_report_is_lost(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate w --subject bm25 --report /dev/full") == 1
    said = capsys.readouterr()
    assert "answerable" in said.out and "No space left" in said.err


def test_a_memory_that_fails_costs_the_exit_code(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from robot_memory.evaluation import subjects

    monkeypatch.setitem(subjects.ORACLES, "shaky", "broken_memories:RaisesNowAndThen")
    monkeypatch.setitem(subjects.ORACLES, "full", "broken_memories:FillsTheDisk")
    monkeypatch.setattr("robot_memory.evaluation.scoring.many._Processes", _Here)
    assert run("evaluate w --subject bm25") == 0
    assert run("evaluate w --subject shaky --baseline full") == 1
    said = capsys.readouterr()
    assert "INCOMPLETE shaky: it failed" in said.err and "FAILED world w, full: clip" in said.out


class _Here:
    """Trials in this process, where the broken memories are known."""

    def __init__(self, tasks: list[object], workers: int, progress: object) -> None:
        self._tasks = tasks

    def all(self) -> list[object]:
        from robot_memory.evaluation.scoring.many import work

        return [work(task) for task in self._tasks]  # type: ignore[arg-type]


def test_a_world_is_replaced_only_by_force_and_whole(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "w" / "questions.json").write_text("mine")
    assert run("world make --seed 3 --days 1 --people 3 --rooms 1 w") == 1
    assert "(--force)" in capsys.readouterr().err and (here / "w" / "questions.json").read_text() == "mine"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("robot_memory.evaluation.questionfile.write", full)
        assert run("world make --seed 3 --days 1 --people 3 --rooms 1 w --force") == 1
        assert run("world make --seed 3 --days 1 --people 3 --rooms 1 v") == 1
    assert files.load(here / "w").seed == 2 and (here / "w" / "questions.json").read_text() == "mine"
    assert not (here / "v").exists() and len(list((here / "w").iterdir())) == 4
    assert run("world make --seed 3 --days 1 --people 3 --rooms 1 w --force") == 0
    assert files.load(here / "w").seed == 3


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2026-01-01", "has no time and no zone; write 2026-01-01T00:00:00Z, or"),
        ("2026-01-01T09:30", "has no zone; write 2026-01-01T09:30:00Z, or"),
        ("", "write date, time and zone like"),
    ],
)
def test_a_start_without_zone_says_what_to_write(written: str, told: str) -> None:
    with pytest.raises(StartUnknown, match=told):
        moment_ns(written)
