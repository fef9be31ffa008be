"""People say what they are called in many ways: as written, and as recognisers write it where no doubt is left."""

from __future__ import annotations

import pytest

from robot_memory.memorization.naming.own import introduced


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
        ("Grace here.", ["Grace"]),
        ("Good morning, the name's Grace.", ["Grace"]),
        ("Grace, pleased to meet you.", ["Grace"]),
        ("People call me Kate.", ["Kate"]),
        ("At work everybody calls me Kate.", ["Kate"]),
        ("I go by Kate.", ["Kate"]),
        ("I'd rather be called Kate.", ["Kate"]),
        ("This is Grace speaking.", ["Grace"]),
        ("Hello, it's Grace again.", ["Grace"]),
        ("I'm, um, Grace.", ["Grace"]),
        ("I'm Maria de la Cruz, the new nurse.", ["Maria de la Cruz"]),
        ("I am Dr Patel.", ["Dr Patel"]),
        ("I'm Will.", ["Will"]),
        ("My name is Christian.", ["Christian"]),
        ("I'm Grace and this is Ben.", ["Grace"]),
    ],
)
def test_self_introductions(said: str, names: list[str]) -> None:
    assert introduced(said) == names


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("my name is grace", ["Grace"]),
        ("hi i'm siobhan", ["Siobhan"]),
        ("HELLO MY NAME IS GRACE", ["Grace"]),
        ("please call me kate", ["Kate"]),
        ("i'm grace", []),
        ("i'm happy", []),
        ("my name is hard to spell", []),
        ("call me later", []),
    ],
)
def test_without_capitals_only_where_no_doubt_is_left(said: str, names: list[str]) -> None:
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
        "I'm Scottish.",
        "I'm Friday's replacement.",
        "I'm Grace's sister.",
        "I'm Head of Sales.",
        "I'm OK.",
        "I'm Christian.",
        "Over here.",
        "Nobody here.",
        "Same here.",
        "It's Anna.",
        "My dog's name is Rex.",
        "She said I'm Grace.",
        "Don't call me Kate.",
        "Nobody calls me Kate.",
        "If I were called Kate I'd scream.",
        "Imagine they call me Kate.",
        "Why do they call me Kate?",
        "Call me on Monday.",
        "They used to call me Kate.",
        "I'm not Grace.",
        "Hey Tim, nice to meet you!",
    ],
)
def test_no_introduction(said: str) -> None:
    assert introduced(said) == []
