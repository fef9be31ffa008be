"""What a sentence's own words say of its use as evidence: that it tells a time, or that it only asks."""

from __future__ import annotations

import re

UNITS = r"(?:week(?:end)?|month|year|day|morning|evening|night|hour|minute)s?"
DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTHS = r"january|february|march|april|may|june|july|august|september|october|november|december"
SEASONS = r"summer|winter|spring|autumn"
NEAR = r"yesterday|today|tomorrow|tonight|ago|last|next|since|recently"
TOLD = re.compile(rf"\b(?:{NEAR}|{UNITS}|{DAYS}|{MONTHS}|{SEASONS}|\d+)\b", re.IGNORECASE)


def tells_time(text: str) -> bool:
    """Is there a word or a number that says when, or how long?"""
    return bool(TOLD.search(text))


def asks(text: str) -> bool:
    """Is it a question, or does what is quoted end as one? A question does not prove what it asks."""
    return text.rstrip(" ”\"'").endswith("?")
