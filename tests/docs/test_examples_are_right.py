"""What the page on stories shows can be used as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robot_memory.evaluation import questionfile, truth
from robot_memory.evaluation.assets import default_assets, voices_apart
from robot_memory.evaluation.story import scriptfile

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/stories.md").read_text()


def shown(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_scripts_are_read() -> None:
    one, day = (scriptfile.parse(text, ROOT / "tests") for text in shown("yaml script"))
    assert [person.name for person in one.people] == ["Dana", "Tom", "eve"]
    assert len(day.episodes) == 2


def test_questions_are_read() -> None:
    (text,) = shown("yaml questions")
    assert [question.answerable for question in questionfile.parse(text, 0)] == [True, True, False]


def test_a_truth_is_read(tmp_path: Path) -> None:
    (text,) = shown("json truth")
    (tmp_path / truth.FILE).write_text(text)
    assert truth.read(tmp_path / truth.FILE).people == ("Dana", "Tom")


@pytest.mark.parametrize("name", [*voices_apart(), *default_assets().faces])
def test_everyone_who_can_play_is_listed(name: str) -> None:
    assert f"`{name}`" in PAGE
