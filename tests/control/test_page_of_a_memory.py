"""A memory as a page: one file, all of it inside, nothing in it that acts, and readable by its owner alone."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from searched import START, Told, told_at

from robot_memory import cli
from robot_memory.control.answer import Evidence, Outcome
from robot_memory.control.page.answers import Asked
from robot_memory.control.page.page import page
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.insertion.sentence import Frame

EVIL = "<script>alert('x')</script><img src=https://example.org/x>"


@pytest.fixture
def told(tmp_path: Path, embedder: TextEmbedder) -> Iterator[Told]:
    with told_at(tmp_path / "memory.sqlite", embedder) as (told, _):
        yield told


def written(told: Told, *asked: Asked) -> str:
    with told.graph.store.snapshot() as db:
        return page(db, asked, START)


def test_people_facts_and_answers_are_on_it(told: Told) -> None:
    because = Evidence(1, "episodic", "heard", "Anna said: “I like green tea.”", START, START)
    text = written(told, Asked("What does Anna like?", "Green tea.", Outcome.ANSWERED, "", 0.9, (because,)))
    for words in ("Anna", "Ben", "Clara lives in Berlin.", "What does Anna like?", "Green tea.", "90% sure", "I like"):
        assert words in text
    assert text.index('id="people"') < text.index('id="answers"') < text.index('id="day"') < text.index('id="told"')


def test_what_no_longer_holds_is_struck_out(told: Told) -> None:
    (clara,) = told.person("Dora", "voice")
    told.remember(f"<{clara}> lives in Rome.", [clara], 10, frame=Frame(f"<{clara}>", "home", "Rome"))
    told.remember(f"<{clara}> lives in Oslo.", [clara], 20, frame=Frame(f"<{clara}>", "home", "Oslo"))
    text = written(told)
    assert "<s>Dora lives in Rome.</s>" in text and "<span>Dora lives in Oslo.</span>" in text


def test_remembered_words_are_data(told: Told) -> None:
    (evil,) = told.person(EVIL, "voice")
    told.remember(f"<{evil}> said: “{EVIL}”", [evil], 30)
    told.remember(f"<{evil}> likes it.", [evil], 40, frame=Frame(f"<{evil}>", "likes", EVIL))
    text = written(told, Asked(EVIL, EVIL, Outcome.ANSWERED, EVIL, 1.0))
    assert "<script" not in text and "<img src=https" not in text
    assert "&lt;script&gt;" in text


def test_it_needs_nothing_else(told: Told) -> None:
    told.snapshot(5, b"\xff\xd8 picture")
    text = written(told)
    assert not re.search(r"""(?:src|href)=["'](?!data:|#)""", text) and "url(" not in text and "@import" not in text


def test_it_is_its_owners_alone(told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "day.html"
    store = str(told.graph.store.path)
    assert cli.main(["page", "--store", store, str(out), "--ask", "What does Clara do?", "--ask", "xyzzy?"]) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert str(out) in capsys.readouterr().out
    assert "xyzzy?" in out.read_text("utf-8")


def test_a_folder_that_is_not_there_is_told(told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["page", "--store", str(told.graph.store.path), str(tmp_path / "none" / "day.html")]) == 1
    assert "name a file in a folder" in capsys.readouterr().err


def test_an_empty_memory_is_a_page_too(tmp_path: Path, embedder: TextEmbedder) -> None:
    from robot_memory.memory.storage.store import Store

    with Store(tmp_path / "empty.sqlite") as store, store.snapshot() as db:
        assert "Nobody yet." in page(db, (), START)
