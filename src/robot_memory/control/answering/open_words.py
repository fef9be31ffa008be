"""The tables behind answers in somebody's own words: what surrounds a phrase, what kind of phrase a question wants.

Classes of English words, short and closed; nothing here speaks of one question. All in small letters.
"""

from __future__ import annotations

import re

from robot_memory.language.function_words import FUNCTION_WORDS

_ARTICLES = "a an the this that these those some any"
_OWNERS = "my your his her its our their"
_PRONOUNS = """
i you he she it we they i'm i've i'd i'll you're he's she's it's we're they're there's that's here's what's
"""
_PLACING = "in at on to from near by into inside outside around across under behind beside"
_LEADING = "next close top front back left right of"  # "next to", "on top of"
_REASONS = "because 'cause cause since so to for as"
_LINKING = "is are was were isn't aren't wasn't weren't"
_BREAKING = "because but so while although though when if since where who which that then than"
# Say nothing of their own at the edge of a phrase.
_FILLING = """
really so very just even also too well actually totally definitely lately recently now then still already always
quite pretty super kinda like yeah yes no oh wow hey hi hello thanks thank please okay ok sure haha
got get gotten getting gonna wanna been being have has had do does did can could will would should might must
bit lot lots kind sort thing things stuff something anything everything one ones
not don't doesn't didn't won't can't couldn't wouldn't haven't hasn't cause
photo photos photography picture pictures pic pics image
"""
_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen couple few several once
twice thrice half
"""
ARTICLES, OWNERS, PRONOUNS = frozenset(_ARTICLES.split()), frozenset(_OWNERS.split()), frozenset(_PRONOUNS.split())
PLACING, LEADING = frozenset(_PLACING.split()), frozenset(_LEADING.split())
GIVING_REASON = frozenset(_REASONS.split())
LINKING, BREAKING = frozenset(_LINKING.split()), frozenset(_BREAKING.split())
FILLING = frozenset(_FILLING.split()) | FUNCTION_WORDS | PRONOUNS | LINKING
NUMBERS = frozenset(_NUMBERS.split())
NUMBER = re.compile(r"\d[\d,.:]*")

# Told as it happens: the day of telling is the day it was.
HAPPENING = re.compile(
    r"\b(?:just|finally|now|currently|at the moment|here's|here is|this is|tonight|(?:i'm|we're|i am|we are) \w+ing)\b",
    re.IGNORECASE,
)

# Moments as people tell them: every form is looked up in the calendar from the moment at which it was said.
_COUNT = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?few|(?:a )?couple(?: of)?"
    r"|several)"
)
_UNIT = r"(?:days?|nights?|weeks?|weekends?|months?|years?)"
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thurs?|fri|satur|sat|sun)(?:day)?"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
TOLD_TIMES = re.compile(
    r"\b(?:the day before yesterday|yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening)|last night"
    rf"|(?:last|this past|past|this|next|coming) (?:week(?:end)?|month|year|{_WEEKDAY}|{_MONTH}|{_SEASON})"
    rf"|{_COUNT} {_UNIT} (?:ago|back)"
    rf"|in {_COUNT} {_UNIT}"
    rf"|(?:on )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?"
    rf"|(?:on )?{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|(?:on|over|this|by) (?:the )?(?:{_WEEKDAY}|weekend)"
    rf"|(?:back )?in (?:early |late |mid-?)?{_MONTH}(?:,? (?:of )?\d{{4}})?|(?:back )?in \d{{4}})\b",
    re.IGNORECASE,
)
LENGTH = re.compile(
    rf"\b{_COUNT}(?: and a half)? (?:second|minute|hour|day|week|month|year|decade)s?(?: and a half)?\b", re.IGNORECASE
)
OFTEN = re.compile(
    rf"\b(?:(?:once|twice|{_COUNT} times?)(?: or (?:once|twice|{_COUNT} times?))? (?:a|an|every|each|per) \w+"
    rf"|every (?:other |single |{_COUNT} )?\w+|daily|weekly|monthly|yearly|on \w+days)\b",
    re.IGNORECASE,
)
COUNTED = re.compile(
    rf"\b(?:\d[\d,.]*(?: (?:hundred|thousand|million))?|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
