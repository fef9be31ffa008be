"""Tokens are parsed, never replaced as substrings: <face_1> is not the beginning of <face_12>."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_memory.memory.tokens import TOKEN, split, tokens_in, with_names

NAMES = {"face_1": "Anna", "face_12": "Bert", "voice_1": "Carl", "person_1": "Dora"}


def test_each_token_gets_its_own_name() -> None:
    text = "<face_12> met <face_1>, <voice_1> and <person_1>; <face_1> left."
    assert with_names(text, NAMES.__getitem__) == "Bert met Anna, Carl and Dora; Anna left."
    assert tokens_in(text) == ["face_12", "face_1", "voice_1", "person_1"]


def test_names_that_look_like_tokens_are_not_read_again() -> None:
    assert with_names("<face_1> waves", {"face_1": "<face_2>", "face_2": "x"}.__getitem__) == "<face_2> waves"
    assert with_names("<face_1> waves", lambda token: r"\1 \g<0>") == r"\1 \g<0> waves"


def test_what_only_looks_like_a_token_is_left_alone() -> None:
    for text in (
        "face_1",
        "<face_>",
        "<face_1",
        "<Face_1>",
        "<face_1a>",
        "< face_1>",
        "<face-1>",
        "<surface_1>",
        "<face_-1>",
    ):
        assert tokens_in(text) == []
    assert tokens_in("<<face_1>>") == ["face_1"]


def test_the_sentence_begins_with_a_capital() -> None:
    assert (
        with_names("<face_1> was in view.", lambda _: "someone who said 'Anna'")
        == "Someone who said 'Anna' was in view."
    )
    assert with_names("", str) == "" and with_names("<face_1>", lambda _: "") == ""


@pytest.mark.parametrize(
    "bad", ["", "face", "face_", "face_x", "face_-1", "face_1.5", "car_1", "<face_1>", "face_1_2", "_1"]
)
def test_what_is_no_token_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="write face_3, voice_7 or person_2"):
        split(bad)


@given(st.sampled_from(["face", "voice", "person"]), st.integers(0, 10**12))
def test_split_undoes_writing(kind: str, number: int) -> None:
    assert split(f"{kind}_{number}") == (kind, number)
    assert TOKEN.fullmatch(f"<{kind}_{number}>")


@given(st.lists(st.integers(0, 200), min_size=1, max_size=20), st.text(alphabet="<>_face voi1 2", max_size=10))
def test_any_mix_of_tokens(numbers: list[int], between: str) -> None:
    between = between.replace("<", "").replace(">", "")
    text = between.join(f"<face_{n}>" for n in numbers)
    assert tokens_in(text) == [f"face_{n}" for n in dict.fromkeys(numbers)]
    assert with_names("." + text, lambda token: "{" + token + "}") == "." + between.join(
        f"{{face_{n}}}" for n in numbers
    )
