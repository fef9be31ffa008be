"""A name that is spelt out is taken as it is spelt, and nothing else that is spelt is a name."""

from __future__ import annotations

import pytest

from robot_memory.memorization.naming.spelling import spelt


@pytest.mark.parametrize(
    ("said", "heard", "name"),
    [
        ("That's J-O-A-Q-U-I-N.", "Walkin", ""),
        ("That's J-O-A-Q-U-I-N.", "Joaquim", "Joaquin"),
        ("I'm Shavon, S I O B H A N.", "Shavon", "Siobhan"),
        ("S. I. O. B. H. A. N.", "Shavonne", "Siobhan"),
        ("A, double n, A.", "Ana", "Anna"),
        ("It's Ann with an e.", "Ann", "Anne"),
        ("It's Anne with an e.", "Anne", "Anne"),
        ("Anna with a double n.", "Ana", "Anna"),
        ("Caleb with a K.", "Caleb", "Kaleb"),
        ("Sarah without an h.", "Sarah", "Sara"),
        ("Philip with two l's.", "Philip", "Phillip"),
        ("That's B-E-N.", "Ben Fischer", "Ben Fischer"),
    ],
)
def test_as_it_is_spelt(said: str, heard: str, name: str) -> None:
    assert spelt(said, [heard]) == ([name] if name else [])


@pytest.mark.parametrize(
    "said",
    ["I saw it on the B B C.", "The password is X-K-C-D.", "I came with a friend.", "Tea with a b.", "U S A", "Hello."],
)
def test_what_else_is_spelt_is_no_name(said: str) -> None:
    assert spelt(said, ["Anna", "Ben"]) == []
