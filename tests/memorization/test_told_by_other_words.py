"""What people tell in words that name no attribute: by what they do all day, leave alone, gave away, or mean to do."""

from __future__ import annotations

import pytest

from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.told import Line

DAY = 20_000


def told(text: str) -> list[tuple[str, str, int, bool]]:
    return [(one.attribute, one.value, one.polarity, one.past) for one in claims_in(Line(text, "voice_1", 10**10, DAY))]


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("I drive a bus for the city.", ("job", "bus driver", 1, False)),
        ("I teach maths at the comprehensive.", ("job", "maths teacher", 1, False)),
        ("I make a living repairing clocks.", ("job", "clock repairer", 1, False)),
        ("I run a small bakery in York.", ("job", "bakery owner", 1, False)),
        ("I bake for a living.", ("job", "baker", 1, False)),
        ("I've never been one for cats.", ("likes", "cats", -1, False)),
        ("You won't catch me eating mushrooms.", ("likes", "mushrooms", -1, False)),
        ("I've gone right off coffee.", ("likes", "coffee", -1, False)),
        ("I finally got rid of the piano.", ("owns", "piano", 1, True)),
        ("There's a rowing boat of mine down at the harbour.", ("owns", "rowing boat", 1, False)),
        ("The ladder's gone back to the shed.", ("place", "in the shed", 1, False)),
        ("I've booked the vet for Thursday at ten.", ("appointment", "vet appointment on Thursday at ten", 1, False)),
        ("One day I want to sail round the world.", ("plan", "sail round the world", 1, False)),
        ("I'm going to learn Welsh.", ("plan", "learn Welsh", 1, False)),
    ],
)
def test_it_is_understood(line: str, claim: tuple[str, str, int, bool]) -> None:
    assert told(line) == [claim]


@pytest.mark.parametrize(
    "line",
    [
        "Her dog is called Biscuit.",
        "I'm going to run to the shop.",
        "I want to take a nap.",
        "There are some places I want to visit.",
        "I cut my finger.",
        "I drive too fast.",
        "I sold the idea to my boss.",
        "We fix it every time.",
    ],
)
def test_nothing_is_made_up(line: str) -> None:
    assert told(line) == []


def replied(asked: str, line: str) -> list[tuple[str, str, str]]:
    before = Line(asked, "voice_1", 10**10, DAY)
    return [
        (one.subject, one.attribute, one.value) for one in claims_in(Line(line, "voice_2", 2 * 10**10, DAY), [before])
    ]


@pytest.mark.parametrize(
    ("asked", "line", "claim"),
    [
        ("Have you seen my bike lock?", "It's hanging on the hook now.", ("bike lock", "place", "on the hook")),
        (
            "Where did the corkscrew go, anyone?",
            "It's in the top drawer now.",
            ("corkscrew", "place", "in the top drawer"),
        ),
        (
            "Peter, where's the torque wrench? It isn't in the box.",
            "I moved it. It's in the drawer under the vice now.",
            ("torque wrench", "place", "in the drawer under the vice"),
        ),
    ],
)
def test_it_is_what_somebody_else_asked_for(asked: str, line: str, claim: tuple[str, str, str]) -> None:
    assert replied(asked, line) == [claim]


def test_she_is_the_person_and_not_the_town() -> None:
    line = Line("My mother lives in Rome. She works as a nurse.", "voice_1", 10**10, DAY)
    found = [(one.subject, one.of, one.attribute, one.value) for one in claims_in(line)]
    assert found == [("mother", "I", "home", "Rome"), ("mother", "I", "job", "nurse")]
