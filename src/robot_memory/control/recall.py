"""From a question as understood to what is looked for in memory.

The persons asked about are looked for as persons, by their faces and voices, and are "I" in the sentence that is
compared: a memory tells whose it is by its edges, and reads the same whatever its people come to be called.
"""

from __future__ import annotations

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.understanding.reading import ASKER, Reading
from robot_memory.control.understanding.tables import listed
from robot_memory.control.understanding.words import words_in
from robot_memory.control.verification.wording import neutral
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Order, Query, Standing
from robot_memory.memory.tokens import TOKEN
from robot_memory.streams.media import SECOND

ORDERS = {"first": Order.FIRST, "last": Order.LAST}
STANDINGS = {"latest": Standing.LATEST, "earlier": Standing.EARLIER}
DAY_NS = 23 * 3600 * SECOND  # the shortest, in spring
TOLD_LATER_NS = 14 * DAY_NS
TIMED = frozenset(("when", "how long"))


def understood(text: str, people: People, asker: str, now_ns: int, zone: Zone) -> Reading:
    """The question as read. Where its time phrase is not understood it is read without: what is looked for is worth
    finding whenever it was, while an answer would have to know.
    """
    reader = Reader(people)
    try:
        return reader.read(text, now_ns, zone, asker)
    except UnknownTime as unknown:
        rest = text.replace(str(unknown), " ")
        try:
            return reader.read(rest, now_ns, zone, asker)
        except UnknownTime:
            return Reading(words=text, topic=rest, wording=text, zone=zone)


def query_of(reading: Reading, people: People, embedder: TextEmbedder, now_ns: int, as_of_ns: int | None) -> Query:
    """What a question looks for among all that was known by `as_of_ns`. What it asks about and when it was order what
    is found; a caller that wants to cut adds filters.
    """
    persons = [people.get(person) for person in reading.persons]
    sentence = first_person(reading)
    return Query(
        text=reading.topic,
        vector=embedder.embed([sentence])[0] if sentence else None,
        model=embedder.name,
        asked=tuple(person.entities for person in persons if person),
        now_ns=now_ns,
        during_ns=(reading.span.start_ns, reading.span.end_ns),
        told_later_ns=told_later_ns(reading),
        asks_when=reading.asks in TIMED,
        of_sight=of_sight(reading),
        order=ORDERS.get(reading.order, Order.RELEVANCE),
        standing=STANDINGS.get(reading.validity, Standing.ANY),
        recorded_by_ns=as_of_ns,
    )


def told_later_ns(reading: Reading) -> int:
    """How long after a time people may still tell what they did then: nothing where the question is about the saying
    itself, or about less than a day.
    """
    span = reading.span
    whole_days = span.start_ns is None or span.end_ns is None or span.end_ns - span.start_ns >= DAY_NS
    return TOLD_LATER_NS if whole_days and not any(mention.speaks for mention in reading.mentions) else 0


def of_sight(reading: Reading) -> bool:
    """Is it asked who was in view, rather than what was said?"""
    words = {word.plain for word in words_in(reading.words)}
    return bool(words & (listed("seeing") | listed("presence"))) and not words & listed("speaking")


def first_person(reading: Reading) -> str:
    """The question as the one asked about would put it: "What does Anna paint?" becomes "What does I paint?". Its
    vector is near what people say of themselves, where a name would draw it to lines that only greet her.
    """
    names = [mention.words for mention in reading.mentions if mention.persons and mention.how != ASKER]
    return TOKEN.sub("I", neutral(reading.wording, names))
