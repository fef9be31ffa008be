"""What stands against taking two sentences for one, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_memory.memory.insertion.vetoes import veto

APART = [
    ("entities", "<face_1> waves.", "<face_12> waves."),
    ("entities", "<face_1> waves.", "<face_1> and <face_2> wave."),
    ("roles", "<face_1> greets <face_2>.", "<face_2> greets <face_1>."),
    ("roles", "Then Anna taught Ben.", "Then Ben taught Anna."),
    ("speaker", "<voice_1> said: “I like tea.”", "<voice_1> likes tea."),
    ("speaker", "Anna said: “I like tea.”", "Bert said: “I like tea.”"),
    ("question", "Anna likes tea.", "Anna likes tea?"),
    ("negation", "Anna likes tea.", "Anna doesn't like tea."),
    ("negation", "Anna drinks tea with milk.", "Anna drinks tea without milk."),
    ("numbers", "Anna has two cats.", "Anna has 3 cats."),
    ("numbers", "Anna came first.", "Anna came second."),
    ("amounts", "Anna ran 5 km.", "Anna ran 5 miles."),
    ("amounts", "It costs £5.", "It costs €5."),
    ("times", "They meet on Tuesday.", "They meet on Thursday."),
    ("times", "They meet on Tuesday.", "They meet on Tuesdays."),
    ("times", "They meet at 8 am.", "They meet at 8 pm."),
    ("times", "They meet in the morning.", "They meet in the evening."),
    ("times", "They met yesterday.", "They met today."),
    ("opposites", "The door is open.", "The door is closed."),
    ("opposites", "Anna turned left.", "Anna turned right."),
    ("opposites", "Anna likes tea.", "Anna hates tea."),
    ("classes", "Anna might come.", "Anna will come."),
    ("classes", "Anna is ill.", "Anna was ill."),
    ("classes", "All the cups are blue.", "Some of the cups are blue."),
    ("classes", "It is her bag.", "It is my bag."),
    ("classes", "The cup is on the table.", "The cup is under the table."),
    ("names", "They went to Rome.", "They went to Oslo."),
    ("names", "Anna likes tea.", "Bella likes tea."),
    ("order", "the dog chased the cat", "the cat chased the dog"),
]
TOGETHER = [
    ("<face_1> pours some tea.", "<face_1> is pouring tea."),
    ("Anna has two cats.", "Anna has 2 cats."),
    ("The bag weighs five kilos.", "The bag weighs 5 kg."),
    ("They meet on Tuesday at 8 am.", "They meet Tuesday at 08:00."),
    ("The door is open.", "The door is open"),
    ("He doesn't like tea.", "He does not like tea."),
]


@pytest.mark.parametrize(("why", "one", "other"), APART)
def test_apart(why: str, one: str, other: str) -> None:
    assert (veto(one, other) is not None) and (veto(other, one) is not None)
    if why not in ("negation", "times"):
        assert veto(one, other) == why


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_nothing_stands_against(one: str, other: str) -> None:
    assert veto(one, other) is None and veto(other, one) is None


PIECES = "<face_1> <voice_2> Anna likes no tea on Tuesday 5 kg “ ? is at half past three"
pieces = st.lists(st.sampled_from(PIECES.split()))


@given(pieces.map(" ".join), pieces.map(" ".join))
def test_either_way_round(one: str, other: str) -> None:
    assert (veto(one, other) is None) == (veto(other, one) is None)
    assert veto(one, one) is None
