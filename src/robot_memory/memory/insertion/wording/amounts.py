"""Amounts in one unit a dimension: "five kilos" and "5 kg" are 5000_g, "£5" is 5_GBP, "two hours" 7200_s."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from robot_memory.memory.insertion.wording.numbers import value_of, written
from robot_memory.memory.insertion.wording.tables import table

CURRENCIES = ("£", "$", "€")
RATES = ("a", "an", "per", "every", "each")
Conversion = Callable[[Fraction], Fraction]


def as_amounts(words: list[str]) -> list[str]:
    """Words (numbers in figures) with each number and its unit as one word. "a week" behind "times" or an amount is
    a rate: ["per", "week"].
    """
    found, place = list[str](), 0
    while place < len(words):
        taken, used = _amount_at(words, place)
        if not taken and words[place] in RATES and found and (found[-1] == "times" or "_" in found[-1]):
            taken, used = _rate_at(words, place)
        if not taken and words[place] in ("a", "an") and len(words) > place + 1 and len(words[place + 1]) > 2:
            taken, used = _amount_at(["1", *words[place + 1 : place + 2]], 0)
        found += taken or [words[place]]
        place += used or 1
    return found


def amount_of(word: str) -> tuple[Fraction, str] | None:
    """(5000, "g") of "5000_g"."""
    figures, _, unit = word.partition("_")
    value = value_of(figures)
    return (value, unit) if unit and value is not None else None


def _amount_at(words: list[str], place: int) -> tuple[list[str], int]:
    here, then, last = (*words[place : place + 3], "", "")[:3]
    if here in CURRENCIES and (money := value_of(then)) is not None:
        return [_in_base(money, here)], 2
    value = value_of(here)
    if value is None:
        return [], 0
    if then in ("°", "degree", "degrees") and last in ("c", "f", "celsius", "centigrade", "fahrenheit"):
        return [_in_base(value, f"°{last[0]}")], 3
    return ([_in_base(value, then)], 2) if then in _units() else ([], 0)


def _rate_at(words: list[str], place: int) -> tuple[list[str], int]:
    then = words[place + 1] if place + 1 < len(words) else ""
    return (["per", then], 2) if then in _units() else ([], 0)


def _in_base(value: Fraction, unit: str) -> str:
    base, convert = _units()[unit]
    return f"{written(convert(value))}_{base}"


@cache
def _units() -> dict[str, tuple[str, Conversion]]:
    """Word -> the unit it is written in, and how to get there."""
    found: dict[str, tuple[str, Conversion]] = {}
    for bases in table("units").values():
        for base, factors in bases.items():
            for word, factor in factors.items():
                found[str(word)] = ("°C", _celsius) if base == "°F" else (str(base), _times(Fraction(str(factor))))
    found["centigrade"] = found["°c"]
    return found


def _times(factor: Fraction) -> Conversion:
    return lambda value: value * factor


def _celsius(fahrenheit: Fraction) -> Fraction:
    return round((fahrenheit - 32) * Fraction(5, 9), 3)
