"""Whatever is heard: claims, names and places, or none; never an error that would cost the clip."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from robot_memory.memorization.naming.own import introduced
from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.saying import sentence
from robot_memory.memorization.speech.told import Line
from robot_memory.memory.insertion.claim import normalise
from robot_memory.memory.insertion.sentence import Frame

HEARD = """
I I'm you he she they it my your Anna Ben Anna's brother sister wife called like likes hate love live lives in
Leeds work works as nurse teacher the keys car are is was used to not never no on Friday at three tomorrow every
Monday promise will going have has got cat dog says said thinks that who what where when ? . , ! ; : … - — “ ” '
" and but or if because now before any more 42 years old 15:30 dentist appointment favourite there here them his
her its we our don't can't actually sorry mean wait than of with for by from drawer under put moved nickname
everybody calls me Kate
"""
TALK = st.lists(st.sampled_from(HEARD.split()), max_size=25).map(" ".join)


def check(text: str, before: str) -> None:
    talk = [Line(before, "voice_2", 0, 20_000)]
    for told in claims_in(Line(text, "voice_1", 10**9, 20_000), talk):
        assert told.subject.strip() and told.attribute and told.value.strip() and told.polarity in (1, -1)
        assert sentence(told.subject, told.attribute, told.value, told.polarity)
        normalise(Frame(told.subject, told.attribute, told.value, told.polarity), 20_000)
    assert all(name.strip() for name in introduced(text))


@settings(max_examples=400, deadline=None)
@given(TALK, TALK)
@example("The keys? They're in the drawer.", "Where are the keys?")
@example("", "?")
def test_words_of_talk_in_any_order(text: str, before: str) -> None:
    check(text, before)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80), st.text(max_size=20))
@example("<voice_99> likes <face_1>", "")
@example("I" * 3000, "")
@example("a " * 2000, "")
def test_any_letters(text: str, before: str) -> None:
    check(text, before)


def test_a_token_that_was_spoken_is_nobodys() -> None:
    told = claims_in(Line("I like <face_1>.", "voice_1", 0, 20_000), [])
    assert not any(re.search(r"<\w+_\d+>", one.subject) for one in told)
