"""A line of talk, and a claim that is made in it. Plain data between the readers of speech and the describer."""

from __future__ import annotations

from dataclasses import dataclass

SPEAKER, HEARER = "I", "you"  # subjects that only the talk can tell


@dataclass(frozen=True)
class Line:
    """One turn of speech. `speaker`: an entity token (voice_3), empty where it is not known whose voice it is.

    `at_ns` is when it began; `day` the local day it was said on, in days since 1970; `weekday` 0 is Monday.
    """

    text: str
    speaker: str = ""
    at_ns: int = 0
    day: int = 0

    @property
    def weekday(self) -> int:
        return (self.day + 3) % 7


@dataclass(frozen=True)
class Told:
    """A claim as it was made: "My brother lives in Leeds" is subject "brother" `of` "I", attribute home, value Leeds.

    `subject`: SPEAKER, HEARER, a name as said ("Ben"), a thing without its article ("car keys"), or with `of` what
    somebody is to the subject of that name or of SPEAKER. `attribute`: a name of attributes.yaml. `value` reads well
    after the attribute and means the same on any later day: no "tomorrow". `polarity` -1: it is not so. `past`: it was
    so and is no longer. `clause`: the words in which it was said, for reading.
    """

    subject: str
    attribute: str
    value: str
    polarity: int = 1
    of: str = ""
    past: bool = False
    clause: str = ""
