"""Whatever is typed: a range that is none backwards, a rest made of the text's own words, or UnknownTime."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from robot_memory.control.clock import Zone
from robot_memory.control.times import Span, UnknownTime, span_in
from robot_memory.control.times import words as known

TABLES = (known.FEASTS, known.MEALS, known.MONTHS, known.NAMED_HOURS, known.NUMBERS, known.PARTS, known.UNITS)
WORDS = [word for table in (*TABLES, known.WEEKDAYS, known.WHILES) for word in table]
MORE = """
last next this the a past ago in on at by of before after since until between from to and or yesterday today tomorrow
tonight earlier later middle beginning week every Anna came who was here ? , 9 9:15 31 2024 0 3rd am pm o'clock half
quarter early late end weekend days weeks hours summer 99999 first few couple when while during about around mid-
2026-02-30 12/13/2024 not no than latest or about 15th
"""
WORDS += MORE.split()
ZONES = st.sampled_from([Zone(), Zone("Europe/Berlin"), Zone("America/Los_Angeles"), Zone("Australia/Lord_Howe")])
STAMPS = st.integers(0, 2**63 - 1)
PHRASES = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def check(text: str, now_ns: int, zone: Zone) -> None:
    try:
        span, rest = span_in(text, now_ns, zone)
    except UnknownTime as error:
        phrase = str(error)
    else:
        check_span(text, span, rest)
        return
    assert phrase.strip() and phrase in text


def check_span(text: str, span: Span, rest: str) -> None:
    if span.start_ns is not None and span.end_ns is not None:
        assert span.start_ns < span.end_ns
    words, kept = (Counter(re.findall(r"\w+", one)) for one in (text, rest))
    assert kept <= words
    if span.words and span.words != "now":
        taken = Counter(re.findall(r"\w+", span.words.lower()))
        assert taken <= Counter(re.findall(r"\w+", text.lower())) - Counter(re.findall(r"\w+", rest.lower()))
    else:
        assert span.words or rest == text


@settings(max_examples=600, deadline=None)
@given(PHRASES, STAMPS, ZONES)
@example("Anna day before 3rd", 0, Zone())
@example("between 2 and 3 am", 1_774_800_000_000_000_000, Zone("Europe/Berlin"))
def test_words_of_time_in_any_order(text: str, now_ns: int, zone: Zone) -> None:
    check(text, now_ns, zone)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), STAMPS, ZONES)
@example("İ yesterday ŉ", 1_774_800_000_000_000_000, Zone())
def test_any_text(text: str, now_ns: int, zone: Zone) -> None:
    check(text, now_ns, zone)
