"""What people tell of themselves and of others: the stories of claims_stories.yaml, each as one turn."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.told import Line, Told

STORIES = yaml.safe_load(Path(__file__).with_name("claims_stories.yaml").read_text("utf-8"))
CASES = [(text, told) for stories in STORIES.values() for text, told in stories.items()]


@pytest.mark.parametrize(("text", "told"), CASES, ids=[text for text, _ in CASES])
def test_a_turn_tells(text: str, told: list[str]) -> None:
    found = [shown(one) for one in claims_in(Line(text, "voice_1", day=20_000)) if one.attribute not in OTHERS]
    assert sorted(found) == sorted(told)


OTHERS = ("place", "appointment", "promise", "plan", "routine")  # these have tests of their own


def shown(one: Told) -> str:
    """ "was - I likes: opera"."""
    marks = ("was " if one.past else "") + ("- " if one.polarity < 0 else "")
    return f"{marks}{one.of + '/' if one.of else ''}{one.subject} {one.attribute}: {one.value}"
