"""What a sentence's own words say of its use as evidence: that it tells a time, or that it only asks."""

from __future__ import annotations

import re

UNITS = r"(?:week(?:end)?|month|year|day|morning|evening|night|hour|minute)s?"
DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTHS = r"january|february|april|june|july|august|september|october|november|december"  # may and march are verbs, too
DATES = r"\d{1,2}:\d\d|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)|(?:in|of|since|until|last|next) (?:may|march)"
SEASONS = r"summer|winter|spring|autumn"
NEAR = r"yesterday|today|tomorrow|tonight|ago|last|next|since|recently"
TOLD = re.compile(rf"\b(?:{NEAR}|{UNITS}|{DAYS}|{MONTHS}|{SEASONS}|{DATES})\b", re.IGNORECASE)


def tells_time(text: str) -> bool:
    """Is there a word or a date that mostly says when, or how long?"""
    return bool(TOLD.search(text))


def asks(text: str) -> bool:
    """Is it a question, or does what is quoted end as one? A question does not prove what it asks."""
    return text.rstrip(" ”\"'").endswith("?")
