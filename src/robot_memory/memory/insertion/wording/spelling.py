"""A text as a list of words in one spelling: letters composed one way, no capitals, no punctuation, contractions
written out. Entity tokens, numbers, clock times and dates stay whole.
"""

from __future__ import annotations

import re
import unicodedata

from robot_memory.memory.insertion.wording.tables import table

PLAIN = str.maketrans("’‘ʼ`⁄−‐‑–—_", "''''/----  ")
HALF_OF_DAY = re.compile(r"(?:(?<=\d)\s*([ap])\.?m\b\.?|\b([ap])\.m\b\.?)", re.IGNORECASE)
WORD = re.compile(
    r"<(?:face|voice|person)_\d+>"
    r"|\d{4}-\d{2}-\d{2}(?!\d)"  # a date
    r"|\d{1,2}:\d{2}(?!\d)"  # a time
    r"|\d+(?:st|nd|rd|th)\b"
    r"|(?<![\w.])-?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?"
    r"|°[CF]\b|[^\W\d]+\d\w*"
    r"|\b(?:no|non)-[^\W\d]+"  # no-nonsense people are not denied
    r"|[^\W\d]+(?:'[^\W\d]+)*"
    r"|(?<=\d)-(?=\d)|[^\w\s.,;:!?\"“”„«»()\[\]{}'…<>-]",
    re.IGNORECASE,
)


def split_words(text: str) -> list[str]:
    """The words with their capitals."""
    text = unicodedata.normalize("NFKC", text)
    tokens = re.split(r"(<(?:face|voice|person)_\d+>)", text)
    tokens[::2] = [HALF_OF_DAY.sub(lambda m: f" {m[1] or m[2]}m ", part.translate(PLAIN)) for part in tokens[::2]]
    return WORD.findall("".join(tokens))


def spell(words: list[str]) -> list[str]:
    """Words in small letters and standard spelling. An article's letter that is written large inside the text
    ("vitamin A") is no article and is kept apart from one.
    """
    found: list[str] = []
    shouted = all(word.isupper() for word in words if word.isalpha())
    for place, word in enumerate(words):
        if word == "A" and place and not shouted:
            found.append("lettera")
        else:
            found += _standard(word.casefold())
    return found


def _standard(word: str) -> list[str]:
    tables = table("words")
    if word in tables["contractions"]:
        return str(tables["contractions"][word]).split()
    for ending, full in tables["contraction_endings"].items():
        if word.endswith(ending) and len(word) > len(ending):
            return [*_standard(word[: -len(ending)]), full]
    if word == "-":
        return ["to"]  # 5-6: from five to six
    if word == "&":
        return ["and"]
    return [tables["spellings"].get(word, word)]
