"""What a user can type, set or call is in the documentation, and what the documentation links to is there."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from robot_memory import cli, config
from robot_memory.evaluation.hostile import bags

ROOT = Path(__file__).parents[2]
DOCS = {page.name: page.read_text() for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]}


def verbs() -> list[str]:
    actions = cli.parser()._actions
    return list(next(action for action in actions if isinstance(action, argparse._SubParsersAction)).choices)


@pytest.mark.parametrize("verb", verbs())
def test_each_verb_is_on_the_page_for_users(verb: str) -> None:
    assert f"`robot-memory {verb}`" in DOCS["using.md"]


def test_each_setting_is_on_its_page() -> None:
    assert DOCS["settings.md"] == config.page(), "run: python -m robot_memory.config > docs/settings.md"


@pytest.mark.parametrize(
    "file", sorted((ROOT / "ros2_ws/src/robot_memory_msgs").glob("*/*.*")), ids=lambda file: file.name
)
def test_each_message_service_and_action_is_on_its_page(file: Path) -> None:
    assert re.search(rf"\b{file.stem}\b", DOCS["interfaces.md"])


@pytest.mark.parametrize("name", sorted(DOCS))
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name if name == "README.md" else ROOT / "docs" / name
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", DOCS[name]):
        assert (page.parent / target).exists(), f"{name} links to {target}, which is not there"


@pytest.mark.parametrize(
    "room", sorted(f.name for f in (ROOT / "src/robot_memory").iterdir() if f.is_dir() and f.name[0] not in "_.")
)
def test_each_room_is_in_the_house(room: str) -> None:
    assert f"`{room}/`" in DOCS["architecture.md"]


@pytest.mark.parametrize("kind", bags.KINDS)
def test_each_kind_of_bad_bag_is_on_its_page(kind: str) -> None:
    assert f"| `{kind}` | {bags.what(kind)} |" in DOCS["bags.md"]
