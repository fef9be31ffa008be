"""Where in a sentence a name stands: what tells Will from "will" and Grace from "grace", and a name nobody has from a
word.

English puts a name where no article is, before or after verbs that persons have; a word of the same letters stands
elsewhere. The rules look one or two words to each side, no further.
"""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.understanding.tables import listed
from robot_memory.control.understanding.words import Word

NOBODY = Word("", "", 0, 0, "", True, True, False, False)


class Position:
    """A word among its neighbours; at the borders of the text, and of a clause, there is nobody."""

    def __init__(self, words: Sequence[Word], at: int, length: int = 1) -> None:
        self.word = words[at]
        self.last = words[at + length - 1]
        self.before = words[at - 1] if at and not words[at].breaks else NOBODY
        after = at + length
        self.after = words[after] if after < len(words) and not words[after].breaks else NOBODY

    @property
    def named(self) -> bool:
        """Whether the capital of the word is a name's: one within a sentence."""
        return self.word.capital and not self.word.opens

    @property
    def possessive(self) -> bool:
        return self.last.clitic == "s"

    @property
    def place(self) -> bool:
        """After "in", "at" and the like a capital is a place's."""
        return self.before.plain in listed("before_a_place")

    @property
    def month(self) -> bool:
        """In May, last June, 3 April, May 2023: a word of the calendar as a time."""
        if self.word.plain not in listed("calendar"):
            return False
        before, after = self.before.plain, self.after.plain
        return before in listed("before_a_month") or _day(before) or _day(after)

    @property
    def subject(self) -> bool:
        """Between an auxiliary and a verb: "what did WILL say", "has GRACE been here", "where is ROSE"."""
        if not self.before.auxiliary or self.before.clitic:
            return False
        return self.after.plain not in listed("after_a_modal") and not self.after.capital

    @property
    def speaker(self) -> bool:
        """The subject of a verb of speaking: "did XIU say", "XIU told you"."""
        return self.after.plain in listed("speaking") and (self.before is NOBODY or self.subject)

    @property
    def object(self) -> bool:
        """After "about", "with" and the like, or after "see" and "tell", and at the end of what belongs together."""
        if self.before.plain not in listed("before_a_person") | listed("seeing") | listed("speaking"):
            return False
        return self._closes

    @property
    def persons_place(self) -> bool:
        """Where a capital is a person's rather than a thing's: it owns, acts, speaks, is spoken of or spoken to."""
        if len(self.word.base) < 2 or self.word.base.isupper():
            return False  # TV, NASA
        before = self.before.plain
        told = any(before in listed(key) for key in ("before_a_stranger", "speaking", "seeing", "kin", "titles"))
        return self.possessive or self.subject or self.speaker or self.opening or told

    @property
    def opening(self) -> bool:
        """Before its verb at the beginning: "Will said", "Grace is where?", "Rose, where are you?"."""
        return self.before is NOBODY and (
            (self.after.auxiliary and not self.after.clitic and self.after.plain not in ("may", "will"))
            or self.after.plain in listed("speaking")
            or (self.word.opens and self.after is NOBODY)
            or self.after.plain == "and"
        )

    @property
    def fits_a_name(self) -> bool:
        """Whether a word that is also a name is one here."""
        if self.month or self.before.plain in listed("articles") or self.before.plain in listed("first_person"):
            return False
        if self.named and not (self.word.plain in listed("empty") and self.after.plain in listed("after_a_modal")):
            return True
        return self.possessive or self.subject or self.speaker or self.object or self.opening

    @property
    def _closes(self) -> bool:
        after = self.after
        return after is NOBODY or after.auxiliary or after.plain in listed("closing")


def _day(plain: str) -> bool:
    """3, 3rd, 2023."""
    return plain[:1].isdigit() and plain.rstrip("stndrh").isdigit()
