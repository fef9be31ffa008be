"""What a time phrase comes to: a range in ns, or an event that has to be found first, or neither."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A time range in ns, half-open; None: unbounded. `words` is the phrase as it may be repeated in an answer.

    `anchor`: the range hangs on an event that memory has to find: ("before", "anna came"); a distance belongs to the
    relation: ("two days after", "the party"). `routine`: every morning, on Sundays; bounds hold as far as given.
    `vague`: recently, the other day; better a preference than a filter. `future`: all of it lies ahead.
    """

    start_ns: int | None = None
    end_ns: int | None = None
    words: str = ""
    anchor: tuple[str, str] | None = None
    routine: bool = False
    vague: bool = False
    future: bool = False


class UnknownTime(ValueError):
    """A time phrase that is not understood; its message is the phrase, `hint` says what to ask instead."""

    def __init__(self, phrase: str, hint: str = "Try today, yesterday, this morning or the last 10 minutes.") -> None:
        super().__init__(phrase)
        self.hint = hint
