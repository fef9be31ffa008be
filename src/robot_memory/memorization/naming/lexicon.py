"""What is known of words as names: given names, those that are words as well, and capitalised words that are none."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

import yaml


def is_given(word: str) -> bool:
    """A common given name."""
    return plain(word) in _listed("given")


def is_word(word: str) -> bool:
    """A given name that is an ordinary word too: Grace, Mark, Will."""
    return plain(word) in _listed("words")


def is_other(word: str) -> bool:
    """A word that begins with a capital and is no name: Scottish, Friday, Mum."""
    return plain(word) in _listed("not_names")


def is_title(word: str) -> bool:
    return plain(word).rstrip(".") in _listed("titles")


def is_particle(word: str) -> bool:
    """A small word within a full name: de, van."""
    return plain(word) in _listed("particles")


def plain(word: str) -> str:
    """In lower case, without accents."""
    letters = unicodedata.normalize("NFKD", word.replace("’", "'").casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@cache
def _listed(key: str) -> frozenset[str]:
    table: dict[str, str] = yaml.safe_load(files(__package__).joinpath("lexicon.yaml").read_text("utf-8"))
    return frozenset(table[key].split())
