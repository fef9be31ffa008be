"""From a question as understood to what is looked for in memory.

The persons asked about are looked for as persons, by their faces and voices, and are "someone" in the sentence that is
compared: a memory tells whose it is by its edges, and reads the same whatever its people come to be called.
"""

from __future__ import annotations

import re

from robot_memory.control.understanding.reading import ASKER, Reading
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Order, Query, Standing
from robot_memory.memory.tokens import TOKEN

ORDERS = {"first": Order.FIRST, "last": Order.LAST}
STANDINGS = {"latest": Standing.LATEST, "earlier": Standing.EARLIER}
TIMED = frozenset(("when", "how long"))


def query_of(reading: Reading, people: People, embedder: TextEmbedder, now_ns: int, as_of_ns: int | None) -> Query:
    """What a question looks for among all that was known by `as_of_ns`. What it asks about and when it was order what
    is found; a caller that wants to cut adds filters.
    """
    persons = [people.get(person) for person in reading.persons]
    sentence = impersonal(reading)
    return Query(
        text=reading.topic,
        vector=embedder.embed([sentence])[0] if sentence else None,
        asked=tuple(person.entities for person in persons if person),
        now_ns=now_ns,
        tells_time=reading.asks in TIMED,
        order=ORDERS.get(reading.order, Order.RELEVANCE),
        standing=STANDINGS.get(reading.validity, Standing.ANY),
        recorded_by_ns=as_of_ns,
    )


def impersonal(reading: Reading) -> str:
    """The question without its time phrase, with "someone" for everyone whom it mentions and who is known."""
    sentence = TOKEN.sub("someone", reading.wording)
    for mention in reading.mentions:
        if mention.persons and mention.how != ASKER:
            sentence = re.sub(rf"(?<!\w){re.escape(mention.words)}(?!\w)", "someone", sentence, flags=re.IGNORECASE)
    return sentence
