"""A name is taken only where somebody gives it: as recognisers write it, with their commas and capitals."""

from __future__ import annotations

import pytest

from robot_memory.memorization.introductions import introduced


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Hello, my name is Grace.", ["Grace"]),
        ("Hello, My name is Grace.", ["Grace"]),
        ("My name's Joaquín, nice to meet you.", ["Joaquín"]),
        ("Hi, I'm Siobhan.", ["Siobhan"]),
        ("I am Xiu and I live next door.", ["Xiu"]),
        ("Yes I am Grace and I write programs.", ["Grace"]),
        ("It's me, Kaleb!", ["Kaleb"]),
        ("You can call me Ann.", ["Ann"]),
        ("My name is Mary Ann. Please call me Mary.", ["Mary Ann", "Mary"]),
        ("I’m O'Brien.", ["O'Brien"]),
    ],
)
def test_self_introductions(said: str, names: list[str]) -> None:
    assert introduced(said) == names


@pytest.mark.parametrize(
    "said",
    [
        "I'm happy to be here.",
        "I'm sorry.",
        "I am late, Grace.",
        "Her name is Grace.",
        "This is Grace.",
        "What is your name?",
        "My name is not important.",
        "I told Grace I'm tired.",
        "I'm Monday's child they say",
        "Grace, I am here.",
        "",
    ],
)
def test_no_introduction(said: str) -> None:
    assert introduced(said) == []
