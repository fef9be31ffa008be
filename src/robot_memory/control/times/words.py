"""The words of time and what they are taken to mean. Change a meaning here, and nowhere else.

Hours are hours of the day and may pass 24, into the next day.
"""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a list, in no order."""
    return frozenset(text.split())


def numbered(text: str, first: int) -> dict[str, int]:
    """The words of a list and their numbers."""
    return {word: number for number, word in enumerate(text.split(), start=first)}


NUMBERS = numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
    first=0,
)
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
ORDINALS = numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    first=1,
) | {"thirtieth": 30, "thirty-first": 31}
# Counts that are not exact: at least, at most.
LOOSE_COUNTS = {"a couple": (1.5, 3.5), "couple": (1.5, 3.5), "a few": (2.0, 6.0), "few": (2.0, 6.0)}
LOOSE_COUNTS |= {"several": (3.0, 8.0), "some": (2.0, 6.0), "a handful": (3.0, 6.0)}

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORT_WEEKDAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4}
MONTHS = tuple(
    numbered("january february march april may june july august september october november december", first=1)
)
SHORT_MONTHS = {"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10}
SHORT_MONTHS |= {"nov": 11, "dec": 12}

# Seconds of a unit; from a day on, the calendar counts and these serve only a clock that has none.
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "fortnight": 1209600}
UNITS |= {"month": 30 * 86400, "year": 365 * 86400}
SHORT_UNITS = {"sec": "second", "min": "minute", "hr": "hour", "h": "hour", "s": "second"}

# Part of the day: from, to; early ends, late begins. "Last night" and "Tuesday night" begin with the evening.
PARTS = {
    "morning": (5, 12, 8, 10),
    "afternoon": (12, 18, 14, 16),
    "evening": (18, 24, 20, 21),
    "night": (18, 29, 21, 22),
    "dead of night": (21, 29, 24, 26),  # "at night", "during the night"
    "small hours": (0, 5, 2, 3),
    "day": (0, 24, 10, 18),
}
# Meal: earliest, usually from, usually to, latest. "At lunch" is the outer pair, "before" and "after" the inner.
MEALS = {
    "breakfast": (6.5, 7.5, 8.5, 10),
    "brunch": (10, 11, 13, 14),
    "lunch": (11.5, 12, 13, 14),
    "dinner": (17.5, 18.5, 19.5, 21),
    "supper": (17.5, 18.5, 19.5, 21),
}
NAMED_HOURS = {"noon": 12, "midday": 12, "midnight": 0}
DAYTIME = range(7, 19)  # the hour meant by "yesterday at 3": 15, for few ask about 3 at night

# Minutes to either side of a moment, by how finely it is said.
SLACK = {"quarter": 10, "five": 5, "minute": 1, "exactly": 1}
ROUGH_SLACK = {"hour": 30, "minute": 15}

# Northern meteorological seasons: the first month; three months each.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
# Feast: month, day, days long. Easter moves: days counted from Easter Sunday.
FEASTS = {
    "christmas eve": (12, 24, 1),
    "christmas day": (12, 25, 1),
    "christmas": (12, 24, 3),
    "xmas": (12, 24, 3),
    "boxing day": (12, 26, 1),
    "new year's eve": (12, 31, 1),
    "new year's day": (1, 1, 1),
    "new year's": (1, 1, 1),
    "new year": (1, 1, 1),
    "halloween": (10, 31, 1),
    "valentine's day": (2, 14, 1),
}
EASTER_FEASTS = {"good friday": (-2, 1), "easter sunday": (0, 1), "easter monday": (1, 1), "easter": (-2, 4)}

# Phrases that mean some while before now: from, to, in seconds ago; vague where people differ much.
WHILES = {
    "a moment ago": (120, 0),
    "moments ago": (120, 0),
    "a second ago": (30, 0),
    "just now": (300, 0),
    "a little while ago": (7200, 120),
    "a short while ago": (7200, 120),
    "a short time ago": (7200, 120),
    "not long ago": (7200, 120),
    "right now": (3, 0),
    "at the moment": (3, 0),
    "at this moment": (3, 0),
    "currently": (3, 0),
    "now": (3, 0),
    "recently": (14 * 86400, 0),
    "lately": (14 * 86400, 0),
    "these days": (14 * 86400, 0),
    "nowadays": (14 * 86400, 0),
}
NOW_WORDS = frozenset(("right now", "at the moment", "at this moment", "currently", "now"))
VAGUE_WORDS = frozenset(("recently", "lately", "these days", "nowadays"))

# A bare hour ("at 9") or a bare weekday is a time only before one of these, or before the end: "at 9 tables" is none.
FOLLOWERS = listed(
    "about after and around at before between but by during for from i in is it last of on or sharp since so that the "
    "then they this to today tomorrow tonight till until was we were what when where who with yesterday you did do "
    "does has have had how are he she exactly o'clock a an if because while"
)

# Words that take an "about" some way behind them: a time that follows it is a topic, "what did Anna say about Monday".
ONLY_ABOUT = listed(  # these say nothing but about something: "what did they talk about yesterday" asks for its topic
    "talk talks talked talking chat chats chatted chatting speak speaks spoke spoken speaking argue argues argued "
    "arguing dream dreams dreamt dreamed dreaming quarrel quarrelled quarreled quarrelling quarreling fight fought "
    "fighting joke joked joking gossip gossiped gossiping laugh laughed laughing complain complained complaining"
)
TAKE_ABOUT = ONLY_ABOUT | listed(
    "say says said saying tell tells told telling know knows knew known knowing think thinks thought thinking ask asks "
    "asked asking hear hears heard hearing read reads reading write writes wrote written writing learn learned learnt "
    "remember remembers remembered recall recalls forget forgot forgotten mention mentions mentioned explain explained "
    "wonder wonders wondered worry worries worried care cares cared feel feels felt lie lied discuss discussed report "
    "reported reveal revealed share shared announce announced claim claimed question questions story stories news word "
    "words remark remarks conversation conversations discussion anything something everything nothing opinion opinions "
    "idea ideas plan plans memory memories fact facts detail details information book books letter letters song songs "
    "happy sad angry glad sorry upset excited nervous curious sure certain right wrong concerned disappointed"
)
