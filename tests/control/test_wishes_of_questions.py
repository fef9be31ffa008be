"""What a question wants: one kind, with what it gives; and nothing where no kind fits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from reading_cast import Cast

from robot_memory.control.clock import Zone
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.wishes.wanted import wish_of
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder

NOW = 1_772_784_000 * 1_000_000_000  # Friday 6 March 2026, 08:00 UTC
CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("wished.yaml").read_text("utf-8"))
FIELDS = ("attribute", "subject", "value", "relation", "polarity", "every", "silent")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Cast(tmp_path_factory.mktemp("cast") / "m.sqlite", {1: ("Anna",), 2: ("Ben",), 3: ("Clara",)}) as people:
        yield Reader(people)


def wished(reader: Reader, text: str, embedder: TextEmbedder | None = None) -> Wish:
    return wish_of(reader.read(text, NOW, Zone()), embedder)


@pytest.mark.parametrize("case", CASES, ids=[case["ask"] for case in CASES])
def test_a_question_wants(reader: Reader, case: dict[str, Any]) -> None:
    wish = wished(reader, case["ask"])
    assert wish.kind is Kind[case["kind"]]
    given = {name: case[name] for name in FIELDS if name in case}
    assert {name: getattr(wish, name) for name in given} == given


def test_likeness_helps_where_no_form_fits(reader: Reader, embedder: TextEmbedder) -> None:
    odd = "Which profession would Anna put on a form?"
    assert wished(reader, odd, embedder).attribute in ("job", "")


def test_no_question_is_an_error(reader: Reader, embedder: TextEmbedder) -> None:
    for text in ("", "?", "Anna", "who who who", "\u202e", "when?" * 50, "person_1 person_2 person_3?"):
        assert isinstance(wished(reader, text, embedder), Wish)


def test_the_unclear_is_less_sure(reader: Reader, embedder: TextEmbedder) -> None:
    assert wished(reader, "What does Anna do for a living?", embedder).sure > 0.9
    assert wished(reader, "Bananas, perhaps?", embedder).sure < 0.9
