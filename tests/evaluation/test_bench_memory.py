"""`robot-memory bench memory` measures what it says it measures, as data and as a table. How fast is no matter here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robot_memory import cli
from robot_memory.evaluation.bench import commands, hybrid, memory, neighbours, scanning
from robot_memory.evaluation.bench.asking import KINDS
from robot_memory.evaluation.bench.plan import PARTS, Plan

TINY = ["bench", "memory", "--sizes", "120,300", "--dimensions", "16", "--rounds", "3"]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """All parts but for the graph of neighbours, as JSON."""
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(out := StringIO()):
        assert cli.main([*TINY, "--only", "scan", "published", "hybrid", "--json"]) == 0
    return dict(json.loads(out.getvalue()))


def of(told: dict[str, Any], part: str) -> list[dict[str, Any]]:
    return [one for one in told["figures"] if one["part"] == part]


def test_the_machine_and_the_models_are_told(told: dict[str, Any]) -> None:
    assert {"processor", "cores", "numpy", "blas", "sqlite"} <= told["machine"].keys()
    assert told["machine"]["blas_threads"] == "1"
    assert told["models"]["text_embedding"]
    assert "clusters" in told["vectors"] and told["left_out"] == []


def test_every_figure_is_a_ratio_to_something_of_the_same_run(told: dict[str, Any]) -> None:
    for one in told["figures"]:
        assert one["measured"] > 0, one
        assert (one["ratio"] is None) == (one["against"] is None or one["unit"] == ""), one
        assert one["ratio"] is None or one["ratio"] > 0, one


def test_each_size_is_measured_in_each_part(told: dict[str, Any]) -> None:
    for part in ("scan", "published", "opening", "hybrid"):
        assert {one["memories"] for one in of(told, part)} == {120, 300}, part
    for size in (120, 300):
        named = {one["figure"] for one in of(told, "hybrid") if one["memories"] == size}
        assert set(KINDS.values()) <= named
        assert {one["against"] for one in of(told, "published")} == {
            "published work on lists",
            "published work on arrays",
        }


def test_an_exact_scan_misses_nothing(told: dict[str, Any]) -> None:
    found = [one["measured"] for one in of(told, "scan") if one["figure"].startswith("recall")]
    assert found == [1.0, 1.0]


def test_the_published_work_finds_the_same(told: dict[str, Any]) -> None:
    assert [one["more"]["same_memories"] for one in of(told, "published")] == [1.0] * 12


def test_a_store_that_was_opened_answers_rightly(told: dict[str, Any]) -> None:
    assert all(one["more"]["right"] for one in of(told, "opening"))


def test_the_stages_are_the_whole_of_a_question(told: dict[str, Any]) -> None:
    stages = [one for one in of(told, "hybrid") if one["memories"] == 300 and one["more"].get("stage")]
    assert sum(one["ratio"] for one in stages) == pytest.approx(len(KINDS))
    assert {"embedding", "vectors", "keywords (SQL)", "rest (Python)"} <= {one["more"]["stage"] for one in stages}


def test_slow_statements_come_with_their_plans(told: dict[str, Any]) -> None:
    (slowest,) = (
        one["more"]["statements"]
        for one in of(told, "hybrid")
        if one["memories"] == 300 and one["more"].get("statements")
    )
    assert all(one["sql"].startswith(("SELECT", "WITH")) and one["plan"] for one in slowest)
    assert len({one["sql"] for one in slowest}) == len(slowest)


def test_targets_are_of_the_sizes_they_were_set_for(told: dict[str, Any]) -> None:
    assert all(one["target"]["met"] in (True, False) for one in told["figures"] if one["target"])
    assert not any(one["target"] for one in of(told, "hybrid"))  # 20 ms are for 100,000


def test_the_table_has_a_line_for_each_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*TINY, "--only", "scan"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = (line for line in lines if line.startswith("figure"))
    rows = [line for line in lines if " × 16: " in line]
    assert len(rows) == 8
    assert head.split() == ["figure", "measured", "against", "ratio", "target"]
    assert rows[1][head.index("against") :].startswith("reading as many bytes")
    assert "clusters" in lines[1]


def test_ctrl_c_prints_what_there_is_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(plan: Plan, product: object) -> object:
        (plan.folder / "half-made.sqlite").touch()
        raise KeyboardInterrupt

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(hybrid, "measure", interrupted)
    assert cli.main([*TINY, "--only", "scan", "hybrid", "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert told["left_out"] == ["interrupted: the rest was not measured"]
    assert {one["part"] for one in told["figures"]} == {"scan"}
    assert not list(tmp_path.iterdir())


def test_without_hnswlib_that_part_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "missing", lambda: "hnswlib is not installed — pip install hnswlib")
    assert cli.main([*TINY, "--only", "neighbours"]) == 0
    assert "neighbours: hnswlib is not installed — pip install hnswlib" in capsys.readouterr().out


def test_the_graph_of_neighbours_finds_what_a_scan_finds(tmp_path: Path) -> None:
    pytest.importorskip("hnswlib", reason="the graph of neighbours needs it")
    figures = list(neighbours.measure(Plan((400,), (16,), 3, tmp_path)))
    assert [one.name for one in figures] == [
        "building",
        "search, top 10, re-ranked exactly",
        "recall@10 after re-rank",
        "loading its cache",
        "inserting one",
        "taking one out",
    ]
    assert all(one.measured > 0 for one in figures)
    assert all(one.met for one in figures if one.target)


@pytest.mark.parametrize("options", ["--sizes 99", "--sizes 1000,", "--dimensions x", "--rounds 0", "--only speed"])
def test_what_cannot_be_measured_is_refused(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", "memory", *options.split()])
    assert ended.value.code == 2
    assert options.split()[0] in capsys.readouterr().err


def test_recall_notices_a_search_that_misses() -> None:
    from robot_memory.evaluation.bench.plain import made_up, questions
    from robot_memory.memory.vectors.exact import ExactIndex

    made = made_up(300, 16, 4)
    index = ExactIndex(16)
    index.add(made.ids, made.vectors, made.clips)
    asked = questions(made, 10)
    assert scanning.recall(index, made, asked) == 1.0
    index.remove(made.ids[::2])
    assert scanning.recall(index, made, asked) < 0.9


def test_parts_are_named_once() -> None:
    assert set(PARTS) == {"scan", "published", "hybrid", "neighbours", "compression"}
    assert commands.ABOUT and memory.VECTORS
