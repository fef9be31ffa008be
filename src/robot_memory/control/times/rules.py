"""The table of phrases: pattern, meaning, and what has to stand before it where the words alone are no time.

Where several patterns fit, the longest counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from robot_memory.control.times import calendar_words as cal
from robot_memory.control.times import clock_words as clk
from robot_memory.control.times import stretch_words as far
from robot_memory.control.times import words
from robot_memory.control.times.elements import Clip, Element, Routine, Slice
from robot_memory.control.times.patterns import ordinal_of, pattern
from robot_memory.control.times.wall import Now

BOUNDS = "before after since until till by from between to through than"
IN = f"and around in during of throughout over {BOUNDS} early late mid"
AT = f"at and {BOUNDS}"
ON = f"on at around over during early late of {BOUNDS}"
MEAL = f"at during over around {BOUNDS}"

STEP = "(?P<step>last|this|next|past|previous|coming)"
AHEAD = "(?:on|from|this|next|coming)"
NAMED_DAYS = " ".join((*words.WEEKDAYS, *words.SHORT_WEEKDAYS, "yesterday", "today", "tomorrow"))
FULL_DAY = f"(?P<weekday>{'|'.join(words.WEEKDAYS)})"
ROUGHLY = "(?:around|about|roughly|approximately|shortly)"
ROUGH = "(?:(?:around|about|roughly|approximately|nearly|almost|some|exactly|precisely|shortly|just) )?"
MORE = "(?:(?P<more>over|more than|less than|about|around|roughly|some|nearly|almost|exactly|just|maybe|like) )?"
PARTS = "(?P<part>mornings?|afternoons?|evenings?|nights?)"


WITHIN = "(?:in|during|within|over|for)? ?"
UPTO = "(?:to|and|-|until|till|through)"
FROM = "(?:from |between )?"
ON_YEAR = "(?:,? {year})?"
PAST_TO = "(?P<past>half|quarter|five|ten|twenty|twenty-five)(?: minutes)? (?P<side>past|to|after|before)"
EVERY = "(?:every|each|most) (?:single )?(?:other )?"
DAYS = f"(?:{'|'.join(words.WEEKDAYS)})s"
WHILES = "|".join(sorted(words.WHILES, key=len, reverse=True))
PLURALS = "(?:week ?days|weekends|mornings|afternoons|evenings|nights|springs|summers|autumns|winters)"


@dataclass(frozen=True)
class Rule:
    """`after`: words of which one has to stand right before ("*": or another piece); empty: the pattern is enough.
    `alone`: must not be followed by a noun: "at 9 tables", "the Sunday Times", "before Christmas dinner".
    """

    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str], Now], Element]
    after: frozenset[str] = frozenset()
    alone: bool = False


def rule(text: str, meaning: Callable[[re.Match[str], Now], Element], after: str = "", alone: bool = False) -> Rule:
    return Rule(pattern(text), meaning, frozenset(after.split()), alone)


def routine(said: re.Match[str], now: Now) -> Element:
    return Routine()


def sliced(which: str) -> Callable[[re.Match[str], Now], Element]:
    return lambda said, now: Slice(which)


def nth_week(said: re.Match[str], now: Now) -> Element:
    return Slice("week", -1 if said["ordinal"] == "last" else ordinal_of(said["ordinal"]))


RULES = (
    # days
    rule("(?:all (?:of )?|(?:all day|the whole day) )?(?:today|yesterday|tomorrow)", cal.nearby_day),
    rule("the day (?:before yesterday|after tomorrow)", cal.nearby_day),
    rule("(?:all day(?: long)?|the whole day|(?:all )?this day)", cal.nearby_day),
    rule("the other day", cal.the_other_day),
    rule(FULL_DAY, cal.weekday, alone=True),
    rule("{weekday}", cal.weekday, after=ON),
    rule("the {weekday}(?= of )", cal.weekday),
    rule(f"(?:the )?{STEP} {{weekday}}", cal.stepped_weekday),
    rule("the {weekday} (?P<step>before last)", cal.stepped_weekday),
    rule(r"(?<!for\s){count} (?P<unit>weeks?|fortnights?) (?:last {weekday}|yesterday)", far.weeks_before),
    rule(rf"(?<!for\s){{count}} (?:weeks?|fortnights?) (?:{AHEAD} {{weekday}}|today|tomorrow)", cal.unclear),
    rule(rf"(?<!for\s){{count}} (?:months?|years?) (?:{AHEAD}|last) {{weekday}}", cal.unclear),
    rule(rf"(?<!for\s){{count}} years? {STEP} (?:{{month}}|{{season}}|{{feast}})", cal.unclear),
    rule(f"(?:on |(?:the )?{STEP} )?(?:{FULL_DAY}|yesterday|tomorrow) (?:week|fortnight)", cal.unclear, alone=True),
    # parts of a day
    rule("(?P<step>last|this) {part}", cal.this_part),
    rule("tonight", cal.this_part),
    rule("(?P<step>yesterday|tomorrow) {part}", cal.this_part),
    rule("the {part} (?P<step>before last)", cal.this_part),
    rule("(?:in|during|on|through|throughout) (?:the )?{part}", cal.part_of_day),
    rule("(?:by|at) {part:part}", cal.part_of_day),
    rule("(?:in )?the (?:middle of the night|small hours|wee hours)", lambda said, now: cal.part_of("small hours")),
    rule("(?:all|the whole) {part}(?: long)?", cal.part_of_day),
    rule("the {part}(?= (?:of|before|after))", cal.part_of_day),
    rule("{part}", cal.part_of_day, after=f"* {BOUNDS}", alone=True),
    rule("{part}", cal.part_of_day, after=NAMED_DAYS),  # "on Sunday afternoon Anna was here"
    # weeks, months, years
    rule("(?:(?P<step>last|this|next|previous|coming) (?P<which>week|weekend|month|year))", cal.named_unit),
    rule("(?P<step>all|the whole) (?P<which>week|weekend|month|year)(?: long)?", cal.named_unit),
    rule("the (?P<which>week|weekend|month|year) before last", cal.unit_before_last),
    rule("(?:the )?weekend", cal.the_weekend, after=f"at on over during {BOUNDS}"),
    rule("{month}", cal.month, after=IN),
    rule("{month} (?:of )?{year}", cal.month_and_year),
    rule(f"(?!this (?:may|march)(?! *[?.,!]| *$))(?:the )?{STEP} {{month}}", cal.stepped(cal.month), alone=True),
    rule("(?:the year )?{year}", cal.year, after=f"* {IN} and", alone=True),
    rule(r"(?:the )?(?P<century>1[89]|20)?'?(?P<tens>\d)0'?s", cal.decade, after=f"in during of {BOUNDS} the"),
    rule("(?:the )?{season}", cal.season, after=IN, alone=True),
    rule(f"(?:the )?{STEP} {{season}}", cal.stepped(cal.season), alone=True),
    rule("the {season} (?P<step>before last)", cal.stepped(cal.season)),
    # dates and feasts
    rule("(?:the )?{dayth:day} (?:of )?{month}(?:,? (?:of )?{year})?", cal.date),
    rule("(?:the )?{ordinal:day} of {month}(?:,? {year})?", cal.date),
    rule("{month} (?:the )?{dayth:day},? (?:of )?{year}", cal.date),
    rule(r"{month} (?:the )?(?P<day>\d{1,2}(?:st|nd|rd|th))", cal.date),
    rule("{month} (?:the )?{dayth:day}(?!:|\\d)", cal.date, alone=True),
    rule(f"{FROM}(?:the )?{{dayth:day}} ?{UPTO} ?(?:the )?{{dayth:last}} (?:of )?{{month}}{ON_YEAR}", cal.date),
    rule(f"{FROM}{{month}} (?:the )?{{dayth:day}} ?{UPTO} ?(?:the )?{{dayth:last}}{ON_YEAR}", cal.date),
    rule(r"(?P<year>\d{4})(?P<sep>-)(?P<one>\d\d)-(?P<two>\d\d)", cal.numeric_date),
    rule(r"(?P<one>\d\d?)(?P<sep>[./])(?P<two>\d\d?)(?P=sep)(?P<year>(?:19|20)\d\d)", cal.numeric_date),
    rule(r"the (?P<dayth>\d{1,2}(?:st|nd|rd|th))", cal.day_of_month, after=f"* on of {BOUNDS}", alone=True),
    rule(r"(?:the {ordinal:dayth}|(?P<digits>\d{1,2}(?:st|nd|rd|th)))", cal.day_of_month, after=NAMED_DAYS, alone=True),
    rule("{feast}", cal.feast, after=f"* and {ON}", alone=True),
    rule(f"(?:the )?{STEP} {{feast}}", cal.stepped(cal.feast), alone=True),
    # hours
    rule(f"{ROUGH}{{hour}}(?: sharp| on the dot| exactly)?", clk.clock, after=AT, alone=True),
    rule(f"{ROUGHLY} {{hour}}(?:ish)?", clk.clock, alone=True),
    rule(f"{ROUGH}{{hour}}:{{minute}}(?: ?{{half}})?(?: sharp)?", clk.clock),
    rule(f"{ROUGH}{{hour}} ?(?:{{half}}|o'clock)(?: sharp| on the dot)?", clk.clock),
    rule(f"{ROUGH}(?:a )?{PAST_TO} {{hour}}(?: {{half}})?", clk.spoken_clock),
    rule("{hour:first}(?::{minute:firstminute})? ?(?:-|to) ?{hour}(?::{minute})? ?{half}", clk.clock_range),
    rule(f"{ROUGH}{{named}}", clk.named_hour, after=f"* and {AT}"),
    rule(f"{ROUGHLY} {{named}}", clk.named_hour),
    rule("{meal}(?:[- ]?time| hour| break)?", clk.meal, after=f"* and {MEAL}", alone=True),
    # measured from now
    rule(f"{MORE}{{count}} {{unit}}(?P<andhalf> and a half)? ago", far.ago),
    rule(f"{MORE}{{count}} and a (?P<andhalf>half) {{unit}} ago", far.ago),
    rule("{count} {unit}(?P<andhalf> and a half)? ago (?P<from>today|yesterday)", far.ago_counted_from),
    rule("{count} {unit} before (?P<from>yesterday)", far.ago_counted_from),
    rule("{count} (?P<which>weekend|month|year)s ago", far.weekdays_ago),
    rule(f"{{count}} (?P<which>{DAYS}) ago", far.weekdays_ago),
    rule(WITHIN + "(?:the )?(?:last|past) {count} {unit}", far.last_units),
    rule(WITHIN + "(?:the )?(?:last|past) (?P<count>half)(?: an?)? {unit}", far.last_units),
    rule(WITHIN + "(?:the last|(?:the |this )?past) {unit}", far.last_units),
    rule(WITHIN + "(?:the )?next {count} {unit}", far.next_units),
    rule("(?:in|within) {count} {unit}(?:'s? time)?", far.ahead),
    rule("{count} {unit} (?:from now|from today|ahead|hence)", far.ahead),
    rule(f"(?!now (?:and|that|then))(?:{WHILES})(?! of| when| that)", far.a_while),
    # a part of what follows
    rule("(?:(?:the )?early(?: part)?|the (?:beginning|start)|(?:beginning|start)(?= of))", sliced("early")),
    rule("(?:(?:the )?mid|the middle(?: part)?|middle(?= of))", sliced("mid")),
    rule("(?:(?:the )?late(?:r part)?|the end|end(?= of))", sliced("late")),
    rule("(?:in )?the first half of", sliced("first half")),
    rule("(?:in )?the (?:second|last) half of", sliced("second half")),
    rule("(?:in )?the (?P<ordinal>last|first|second|third|fourth|fifth) week (?:of|in)", nth_week),
    rule("(?:in )?the week (?:of|around|containing)", sliced("week around")),
    rule("earlier(?: on)?", lambda said, now: Clip(later=False)),
    rule("later(?: on)?", lambda said, now: Clip(later=True)),
    # what happens again and again
    rule(f"{EVERY}(?:day|week|weekend|month|year|hour|minute|{{weekday}}|{{part}})s?", routine),
    rule(f"(?:(?:on|at|in) )?(?:the )?{DAYS}", routine),
    rule(f"(?:on|at|in|during) (?:the )?{PLURALS}", routine),
    rule("(?:on )?{weekday} (?:mornings|afternoons|evenings|nights)", routine),
    rule("on an? {weekday}(?: {part})?", routine),
    rule("(?:once|twice|(?:{numberword}|\\d+) times) (?:an?|per|every|each) (?:hour|day|week|month|year)", routine),
)  # fmt: skip
