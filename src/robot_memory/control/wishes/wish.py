"""What a question wants to be told, apart from whom it is about and when: plain data between reading and answering."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """One kind, one way to answer. SEEN kinds need eyes, SPOKEN ones what was said, TOLD ones what is claimed."""

    # seen
    WHO_WAS_HERE = "who was here"  # `silent`: who said nothing; order first/last; with places: in that room
    COMPANY = "who was with somebody"  # with a `value`: while they spoke of it
    WHERE_SEEN = "where somebody was"  # order last: last seen where
    WHEN_SEEN = "when somebody was here"  # order first or last; with places: in that room
    WAS_HERE = "whether somebody was here"
    HOW_OFTEN_SEEN = "how often somebody was here"
    HOW_LONG_SEEN = "how long somebody was here"
    HOW_MANY_PEOPLE = "how many people were here"  # with a `value`: while somebody spoke of it
    # spoken
    WHAT_SAID = "what somebody said"  # `value`: about what
    WHO_SAID = "who said something"
    WHEN_SAID = "when somebody said something"
    WHERE_SAID = "where somebody said something"
    TALKED_TO = "whom somebody talked to"
    # told
    VALUE = "what is so"  # `attribute` of the subject: job, home, age, likes, owns, name …
    WHEN_DUE = "when something is"  # the time of an appointment, promise, plan or routine `value`
    IS_SO = "whether something is so"  # `attribute` and `value`
    WHO_HAS = "whose attribute has a value"  # "who lives in Leeds?"
    BEFORE = "what was so before"
    # about the robot's last moments, or anything else
    WORKING = "what was just seen or said"  # "what did I just say?", "who just came in?"
    OTHER = "something else"


@dataclass(frozen=True)
class Wish:
    """`attribute`: as in attributes.yaml; of WHEN_DUE "" where nothing says which. `subject`: the thing asked about
    where it is no person ("car keys"), without article. `value`: what the question gives ("dentist appointment",
    "Leeds", the topic of talk; of relation the other person's name). `relation`: "sister" in "who is Anna's sister?".
    `polarity` -1: dislikes. `every`: all values, not one. `silent`: who said no word. `sure`: 0 to 1, how clearly the
    words say so.
    """

    kind: Kind
    attribute: str = ""
    subject: str = ""
    value: str = ""
    relation: str = ""
    polarity: int = 1
    every: bool = False
    silent: bool = False
    sure: float = 1.0
