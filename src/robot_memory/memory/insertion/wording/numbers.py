"""Numbers in words and figures, as one: "twenty-one" is 21, "two hundred and five" 205, "third" 3th, "twice" 2 times.

Vague ones ("a couple of", "several") stay words.
"""

from __future__ import annotations

from fractions import Fraction

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
SMALL = {word: value for value, word in enumerate(ONES.split())}
ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {word: 10 * n for n, word in enumerate(ROUND.split(), 2)}
SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9}
RANKS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
)
ORDINALS = {word: value for value, word in enumerate(RANKS.split(), 1)} | {
    f"{word[:-1]}ieth": value for word, value in TENS.items()
}
TIMES = {"once": "1", "twice": "2", "thrice": "3"}
Found = tuple[Fraction, int]  # a value, and after which word it ends
THIRD = 3  # figures in a group


def value_of(word: str) -> Fraction | None:
    """What a word in figures stands for; None for other words and for codes, which begin with a zero (007)."""
    if not word[-1:].isdigit():
        return None
    whole = word.lstrip("-")
    groups = whole.split(".")[0].split(",")
    if len(groups) > 1 and any(len(group) != THIRD for group in groups[1:]):
        return None
    plain = whole.replace(",", "")
    if not plain.replace(".", "", 1).isdecimal() or (plain[0] == "0" and plain.split(".")[0] != "0"):
        return None
    return -Fraction(plain) if word.startswith("-") else Fraction(plain)


def written(value: Fraction) -> str:
    """In figures, the same for equal numbers."""
    return str(value.numerator) if value.denominator == 1 else format(float(value), ".6g")


def in_figures(words: list[str]) -> list[str]:
    """The words with every number in figures."""
    found, place = list[str](), 0
    while place < len(words):
        taken, place = _next(words, place, found[-1] if found else "")
        found += taken
    return found


def _next(words: list[str], place: int, before: str) -> tuple[list[str], int]:
    """What stands for the words from `place` on, and the place after them."""
    word = words[place]
    if words[place : place + 3] == ["half", "an", "hour"]:
        return ["30", "minutes"], place + 3
    if word in TIMES:
        return [TIMES[word], "times"], place + 1
    if word[:-2].isdecimal() and word.endswith(("st", "nd", "rd", "th")):
        return [f"{int(word[:-2])}th"], place + 1
    tens = TENS.get(word, 0)
    last = words[place + 1] if tens and place + 1 < len(words) else word
    counted = tens or value_of(before) is not None
    if last in ORDINALS and (not tens or ORDINALS[last] < 10) and not (last == "second" and counted):  # five second(s)
        return [f"{tens + ORDINALS[last]}th"], place + (2 if tens else 1)
    value, after = _number(words, place)
    return ([written(value)], after) if after > place else ([word], place + 1)


def _number(words: list[str], place: int) -> Found:
    """The number that begins at `place`; ends there if none does."""
    if words[place : place + 3] == ["half", "a", "dozen"]:
        return Fraction(6), place + 3
    article = words[place] == "a" and words[place + 1 : place + 2] in (["hundred"], ["dozen"], *([s] for s in SCALES))
    total, at = Fraction(0), place + article
    group, after = (Fraction(1), at) if article else _group(words, at)
    while after > at or article:
        article = False
        scale = words[after] if after < len(words) else ""
        if scale == "hundred" and after == place + 1 and total == 0 and group == 1:
            group, after = _hundreds(words, after, group)
            scale = words[after] if after < len(words) else ""
        if scale == "dozen":
            return total + group * 12, after + 1
        if scale not in SCALES:
            return total + group, after
        total, at = total + group * SCALES[scale], after + 1
        joined = at + (words[at : at + 1] == ["and"] and at + 1 < len(words) and _group(words, at + 1)[1] > at + 1)
        group, after = _group(words, joined)
        if after == joined:
            return total, at
        at = joined
    return total, at


def _group(words: list[str], place: int) -> Found:
    """A number below a thousand, or one in figures, with its decimals."""
    if place >= len(words):
        return Fraction(0), place
    figures = value_of(words[place])
    value, after = (figures, place + 1) if figures is not None else _below_hundred(words, place)
    if after > place and words[after : after + 1] == ["hundred"]:
        return _hundreds(words, after, value)
    return _decimals(words, value, after) if after > place else (value, place)


def _hundreds(words: list[str], place: int, count: Fraction) -> Found:
    """`place`: where "hundred" stands."""
    after = place + 1
    rest = after + (words[after : after + 1] == ["and"])
    more, end = _below_hundred(words, rest)
    return (count * 100 + more, end) if end > rest else (count * 100, after)


def _below_hundred(words: list[str], place: int) -> Found:
    if place >= len(words):
        return Fraction(0), place
    if words[place] in SMALL:
        return Fraction(SMALL[words[place]]), place + 1
    if words[place] not in TENS:
        return Fraction(0), place
    ones = SMALL.get(words[place + 1], 0) if place + 1 < len(words) else 0
    together = 0 < ones < 10
    return Fraction(TENS[words[place]] + ones * together), place + 1 + together


def _decimals(words: list[str], value: Fraction, place: int) -> Found:
    """ "… point five" behind a number."""
    end = place + 1
    while words[place : place + 1] == ["point"] and end < len(words) and SMALL.get(words[end], 10) < 10:
        value += Fraction(SMALL[words[end]], 10 ** (end - place))
        end += 1
    return (value, end) if end > place + 1 else (value, place)
