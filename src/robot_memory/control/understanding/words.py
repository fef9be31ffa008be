"""A question as words with their places in it, so that whatever is read from it can be pointed at and taken away.

Nothing is lost: capitals, accents and apostrophes stay in `text`; `plain` is the form that tables are looked up in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.control.understanding.tables import listed

APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'"})
WORD = re.compile(r"[^\s!-&(-/:-@\[-^`{-~“”„«»…‐-—¿¡。，、！？：；（）「」『』《》\x00-\x1f]+")
CLITIC = re.compile(r"(.+)'(s|d|ll|re|ve|m)", re.IGNORECASE | re.DOTALL)
SPOKEN = {"whats": "what", "whos": "who", "wheres": "where", "hows": "how", "whens": "when"}
UNPOINTED = re.compile(r"(?:do|did|does|is|are|was|were|ca|wo|would|could|should|have|has|had)nt")
NEGATED = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}
QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』]{1,500})[\"”“»」』]|(?<!\w)['‘]([^'‘’]{1,500})['’](?!\w)")
BREAK = re.compile(r"[,;:.?!()—–\n，。！？；：]")
SENTENCE = re.compile(r"[.?!\n。！？]\s|[\n。！？]")


@dataclass(frozen=True)
class Word:
    """`text` as written, at [start, end); `plain` in small letters without the clitic ('s, 'll, …), which is `clitic`.

    `breaks`: a comma or more stands before it; `opens`: a sentence begins with it. `capital`: written with a capital
    that means something, so a name perhaps.
    """

    text: str
    plain: str
    start: int
    end: int
    clitic: str
    breaks: bool
    opens: bool
    capital: bool
    quoted: bool

    @property
    def base(self) -> str:
        """The text without its clitic."""
        return self.text[: -len(self.clitic) - 1] if self.clitic else self.text

    @property
    def auxiliary(self) -> bool:
        return self.positive in listed("auxiliaries")

    @property
    def positive(self) -> str:
        """The word without its "not": didn't → did."""
        return NEGATED.get(self.plain, self.plain.removesuffix("n't"))


def words_in(text: str) -> list[Word]:
    """The words of a text, in order."""
    whole = (len(text) - len(text.lstrip()), len(text.rstrip()))  # a question in quotation marks is no quotation
    quotes = [match.span() for match in QUOTED.finditer(text) if match.span() != whole]
    even = text.translate(APOSTROPHES)  # of the same length
    found, before = list[Word](), 0
    telling = _capitals_tell(even)
    for match in WORD.finditer(even):
        start, end = match.start(), match.end()
        while start < end and even[start] == "'":
            start += 1
        while start < end and even[end - 1] == "'":
            end -= 1
        if start == end:
            continue
        gap = even[before:start]
        plain, clitic = _plain(even[start:end])
        breaks = not found or bool(BREAK.search(gap))
        if breaks and found and gap == ". " and found[-1].plain in listed("titles"):
            breaks, gap = False, " "  # Dr. Smith
        opens = not found or bool(SENTENCE.search(gap))
        quoted = any(first < start < last for first, last in quotes)
        capital = telling and even[start].isupper()
        found.append(Word(text[start:end], plain, start, end, clitic, breaks, opens, capital, quoted))
        before = end
    return found


def clauses(words: list[Word]) -> list[list[Word]]:
    """The words between one comma, or more than a comma, and the next."""
    parts: list[list[Word]] = []
    for word in words:
        if word.breaks or not parts:
            parts.append([])
        parts[-1].append(word)
    return parts


def _plain(text: str) -> tuple[str, str]:
    lowered = text.lower()
    if lowered in SPOKEN:
        return SPOKEN[lowered], ""
    if UNPOINTED.fullmatch(lowered):
        return f"{lowered[:-2]}n't", ""
    if match := CLITIC.fullmatch(text):
        return match[1].lower(), match[2].lower()
    return lowered, ""


def _capitals_tell(text: str) -> bool:
    """Whether capitals mark names: not in a headline, where "Did" and "About" have them too, nor in a shout."""
    within = [word for word in WORD.findall(text)[1:] if len(word) > 1 and word[0].isalpha()]
    if within and all(word.isupper() for word in within):
        return len(within) == 1
    small = [word for word in within if word.lower() in listed("empty") | listed("auxiliaries") | listed("speaking")]
    small = [word for word in small if word.lower() not in listed("words_that_are_names")]
    return len([word for word in small if word[0].isupper()]) * 2 <= len(small)
