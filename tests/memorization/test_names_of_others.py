"""Who is introduced, and who is spoken to: read off the words alone."""

from __future__ import annotations

import pytest

from robot_memory.memorization.naming.addressed import addressed
from robot_memory.memorization.naming.others import presented


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("This is Clara.", "Clara"),
        ("Hi, this is my big sister, Clara.", "Clara"),
        ("Meet my brother Ben.", "Ben"),
        ("Have you met Anna?", "Anna"),
        ("Let me introduce you to my friend Anna.", "Anna"),
        ("I'd like you all to meet Siobhan.", "Siobhan"),
    ],
)
def test_introduced_by_somebody_else(said: str, name: str) -> None:
    assert [one.name for one in presented(said)] == [name]


@pytest.mark.parametrize(
    "said",
    [
        "This is Grace speaking.",
        "Nice to meet you, Ben.",
        "I want to meet Anna at five.",
        "This is Anna's cup.",
        "Is this Anna?",
        "He said this is Anna.",
        "This is not Anna.",
        "My brother Ben lives in Leeds.",
    ],
)
def test_nobody_is_introduced(said: str) -> None:
    assert presented(said) == []


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Thanks, Anna.", "Anna"),
        ("Thanks Anna!", "Anna"),
        ("Anna, could you pass me that?", "Anna"),
        ("Hello, Anna, come in.", "Anna"),
        ("See you, Ben.", "Ben"),
        ("Oh, hi Anna, I didn't hear you.", "Anna"),
        ("Anna! How are you?", "Anna"),
        ("What do you think, Siobhan?", "Siobhan"),
        ("Well, Anna, what do you think?", "Anna"),
        ("Don't get up, Anna, I'll find the door.", "Anna"),
        ("Good night, Dr Patel.", "Dr Patel"),
    ],
)
def test_spoken_to_by_name(said: str, name: str) -> None:
    assert addressed(said) == [name]


@pytest.mark.parametrize(
    "said",
    [
        "I met Clara, Anna and Ben.",
        "Have you met my brother, Ben?",
        "Could you ask my wife, Anna?",
        "I live in Leeds, England.",
        "Thanks, everyone.",
        "Good morning, robot.",
        "Hello, Mum.",
        "Tomorrow, could you come?",
        "Honestly, could you stop?",
        "Ah, Ben. Yes, he has a job as a baker.",
        "Leila? She's a chemist.",
        "Thanks to Anna.",
        "Hello, I'm Anna.",
        "Ben, Anna is here.",
        "thanks anna",
    ],
)
def test_nobody_is_spoken_to(said: str) -> None:
    assert addressed(said) == []
