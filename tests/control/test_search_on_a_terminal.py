"""`robot-memory search`: memories are found on a terminal, beside a running robot and without one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from searched import Told, told_at

from robot_memory import cli
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.storage.store import Store

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[Path]:
    """Somebody writes it all the while."""
    path = tmp_path_factory.mktemp("terminal") / "memory.sqlite"
    with told_at(path, embedder):
        yield path


def search(memory: Path, *words: str) -> int:
    return cli.main(["search", *words, "--store", str(memory)])


def test_results_are_lines_with_time_sentence_reason_and_id(memory: Path, capsys: Capture) -> None:
    assert search(memory, "Who", "likes", "tea?", "--limit", "1") == 0
    understood, first, more = capsys.readouterr().out.splitlines()
    assert understood.startswith("understood: asks who; topic ") and understood.endswith("tea")
    assert first.startswith("Monday 2 March 2026 09:31:00  Anna said: “I like green tea.”  (memory 1: meaning, words")
    assert more == "… and more: --limit 2"


def test_filters_are_options(memory: Path, capsys: Capture) -> None:
    for words, sentences in (
        (["--person", "anna", "--person", "person_2"], ["Anna and Ben play chess."]),
        (["--kind", "semantic"], ["Clara lives in Berlin.", "Anna and Ben play chess."]),
        (["--when", "on 3 March 2026"], ["Ben said: “I drink coffee.”", "Anna was in view."]),
        (["--since", "2026-03-04", "--until", "2026-03-04"], ["Anna and Ben play chess."]),
        (["--since", "2026-03-03T09:31"], ["Clara lives in Berlin.", "Anna and Ben play chess.", "Ben said: “I drink"]),
        (["--until", "2026-03-02T09:31:30Z"], ["Anna said: “I like green tea.”"]),
        (["--at", "1", "2", "--within", "0.5"], ["Anna was in view."]),
        (["--place", "garden"], ["Ben said: “We met in the garden.”"]),
        (["--as-of", "2026-03-02T23:00Z"], ["Ben said: “We met in the garden.”", "Anna said: “I like green tea.”"]),
        (["--before-clip", "4"], ["Anna said: “I like green tea.”"]),
        (["drink", "--mode", "keyword"], ["Ben said: “I drink coffee.”"]),
    ):
        assert search(memory, *words) == 0, words
        lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("understood")]
        assert len(lines) == len(sentences) and all(s in line for s, line in zip(sentences, lines)), (words, lines)


def test_everything_is_there_as_json_and_leads_on(memory: Path, capsys: Capture) -> None:
    assert search(memory, "What does Ben drink?", "--json", "--limit", "4") == 0
    page = json.loads(capsys.readouterr().out)
    best = page["results"][0]
    assert (best["text"], best["clip"], best["people"]) == ("Ben said: “I drink coffee.”", 7, [2])
    assert best["channels"]["person"] == 0.5 and page["understood"]["persons"] == ["Ben (person_2)"]
    assert search(memory, "What does Ben drink?", "--json", "--cursor", page["next_cursor"]) == 0
    rest = json.loads(capsys.readouterr().out)
    assert len(rest["results"]) == 2 and rest["next_cursor"] == ""


def test_explained_results_say_more(memory: Path, capsys: Capture) -> None:
    assert search(memory, "Where does Clara live?", "--limit", "1", "--explain") == 0
    out = capsys.readouterr().out
    assert "score 0." in out and "vector 0." in out and "claims: person_3 home Berlin" in out and "clip " in out


def test_nothing_found_is_said_with_an_exit_code_of_its_own(memory: Path, capsys: Capture) -> None:
    assert search(memory, "--when", "in 2019") == 2
    assert "nothing that is remembered fits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["x" * 5000], "5,000 characters"),
        (["tea\x1b[31m"], "control characters"),
        (["--person", "Zoe"], "nobody goes by 'Zoe'"),
        (["--person", "person_99"], "nobody is known as person_99"),
        (["--asker", "voice_1"], "nobody goes by"),
        (["--when", "at Whitsun"], "time"),
        (["--when", "the garden"], "names no range of time"),
        (["--since", "sometime"], "names no time"),
        (["--since", "2026-03-04", "--until", "2026-03-02"], "swap its ends"),
        (["--when", "today", "--since", "today"], "leave out"),
        (["--at", "1", "2"], "--within"),
        (["--within", "2"], "--at X Y"),
        (["--at", "nan", "2", "--within", "2"], "finite"),
        (["--at", "1", "2", "--within", "-2"], "radius above 0"),
        (["--place", "cellar"], "no place called 'cellar'"),
        (["--session", "x"], "no session 'x'"),
        (["--cursor", "x"], "no cursor"),
        (["--limit", "0"], "above 0"),
        (["--before-clip", "-3"], "no clip -3"),
    ],
    ids=lambda one: str(one)[:40],
)
def test_a_mistake_costs_one_clear_line(memory: Path, capsys: Capture, words: list[str], told: str) -> None:
    assert search(memory, *words) == 1
    said = capsys.readouterr()
    assert said.out == "" and told in said.err and len(said.err.splitlines()) == 1


def test_no_memory_and_an_empty_one(tmp_path: Path, capsys: Capture) -> None:
    assert search(tmp_path / "none.sqlite", "tea") == 1
    assert "none.sqlite" in capsys.readouterr().err and not list(tmp_path.iterdir())
    with Store(tmp_path / "empty.sqlite"):
        pass
    for words in ([], ["tea"], ["--mode", "keyword", "tea"]):
        assert search(tmp_path / "empty.sqlite", *words) == 2
        assert "nothing is remembered yet" in capsys.readouterr().out


def test_without_its_model_only_a_search_by_meaning_is_missing(
    memory: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_MEMORY_MODELS", str(tmp_path / "no models"))
    assert search(memory, "tea") == 1
    assert "robot-memory models fetch" in capsys.readouterr().err
    assert search(memory, "tea", "--mode", "keyword") == 0
    assert search(memory, "--person", "Anna") == 0


def test_what_was_heard_moves_no_cursor(tmp_path: Path, embedder: TextEmbedder, capsys: Capture) -> None:
    path = tmp_path / "memory.sqlite"
    with told_at(path, embedder) as (told, _):
        assert isinstance(told, Told)
        told.remember("<voice_3> said: “\x1b[2J\r\nrm -rf”", ["voice_3"], 5 * 86_400)
    assert search(path, "--limit", "1", "--explain") == 0
    assert "\x1b" not in (out := capsys.readouterr().out) and "rm -rf" in out.splitlines()[0]
