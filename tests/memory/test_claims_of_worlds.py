"""No two values that generated worlds can draw are taken for one, and their several forms are."""

from __future__ import annotations

import random

import pytest

from robot_memory.evaluation.truth import ATTRIBUTES
from robot_memory.evaluation.worlds.bank import tables
from robot_memory.evaluation.worlds.bank.values import Values, read_values
from robot_memory.memory.insertion.claim import normalise
from robot_memory.memory.insertion.sentence import Frame

MOST = 400


@pytest.fixture(params=ATTRIBUTES)
def values(request: pytest.FixtureRequest) -> Values:
    return read_values(request.param, tables.read("calendar"))


def test_two_values_are_two(values: Values) -> None:
    texts = sorted({value.text for value in values.all(**dict.fromkeys(values.given, "Clara"))})
    some = random.Random(1).sample(texts, min(MOST, len(texts)))
    claims = [normalise(Frame("x", values.attribute, text)) for text in some]
    assert len({claim.norm for claim in claims}) == len(some)
    assert {(claim.attribute, claim.polarity) for claim in claims} == {(values.attribute, 1)}


@pytest.mark.parametrize(
    ("attribute", "forms"),
    [
        ("job", ("value", "value_np")),
        ("home", ("value", "value_in")),
        ("age", ("value", "value_words", "value_np")),
        ("owns", ("value", "value_np")),
    ],
)
def test_the_forms_of_a_value_are_one(attribute: str, forms: tuple[str, ...]) -> None:
    for value in read_values(attribute, tables.read("calendar")).all():
        assert len({normalise(Frame("x", attribute, value.slots[form])).norm for form in forms}) == 1, value.text
