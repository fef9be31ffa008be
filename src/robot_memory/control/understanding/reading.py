"""What a question was understood to be: whom it mentions, which time and places, what it asks for and about what.

Plain data, all of it shown beside the results, so that a wrong answer can be traced to a wrong reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from robot_memory.control.clock import Zone, iso
from robot_memory.control.times import Span

ANY_TIME = Span()
UTC = Zone()

NAME, ALIAS, SOUND, ASKER, TOKEN, ROLE = "name", "alias", "sound", "asker", "token", "role"


@dataclass(frozen=True)
class Mention:
    """Somebody mentioned by `words`: `persons` are the ids it may mean, none where nobody is known by it.

    `how`: by a name, an alias (another name heard), its sound, a token (person_2), a role ("Anna's brother", "the
    postman"; `of`: whose) or as the asker ("I"). `alike`: those whose names are near, but less so. `speaks`: the
    question has them say something. `in_time`: they only tell when ("after Ben left"). `names`: what `persons` are
    called, in their order.
    """

    words: str
    persons: tuple[int, ...] = ()
    how: str = NAME
    alike: tuple[int, ...] = ()
    of: str = ""
    speaks: bool = False
    in_time: bool = False
    names: tuple[str, ...] = ()

    def shown(self) -> str:
        """ "Anna (person_2)", "Ann: Ann (person_3) or Anne (person_5)", "my brother: not known"."""
        called = " or ".join(f"{name} (person_{id})" for id, name in zip(self.persons, self.names))
        if not called:
            return f"{self.words}: not known"
        return called if len(self.persons) == 1 and self.names[0] == self.words else f"{self.words}: {called}"


@dataclass(frozen=True)
class Place:
    """A phrase of place: "in the kitchen" is `relation` in, `name` kitchen. `known`: it is a place known by name."""

    words: str
    relation: str
    name: str
    known: bool = False


@dataclass(frozen=True)
class Reading:
    """A question as understood.

    `asks`: who, whose, when, where, what, which, why, how, how many, how much, how often, how long, yes/no or list;
    empty where nothing is asked. `counts`: what is counted. `order`: first, last or all (""). `validity`: "latest" for
    what holds now ("still"), "earlier" for what held before ("used to"). `negated`: it asks for what is not so.
    `compares`: two things are weighed against each other, which nothing here works out. `robot`: it speaks of the
    robot itself. `pronoun`: the first "she" or the like where nobody is mentioned whom it could mean.

    `topic`: the content words to look for. `wording`: the question for an embedder, with names for tokens and without
    its time phrase. Both keep a time phrase that hangs on an event ("after the party"): it is found by its words.
    """

    words: str
    asks: str = ""
    mentions: tuple[Mention, ...] = ()
    unknown_names: tuple[str, ...] = ()
    robot: bool = False
    pronoun: str = ""
    span: Span = ANY_TIME
    order: str = ""
    validity: str = ""
    counts: str = ""
    negated: bool = False
    compares: bool = False
    places: tuple[Place, ...] = ()
    topic: str = ""
    wording: str = ""
    zone: Zone = UTC

    @property
    def persons(self) -> tuple[int, ...]:
        """Everyone that the question may be about, each once, in the order of mention."""
        about = [mention.persons for mention in self.mentions if not mention.in_time]
        return tuple(dict.fromkeys(id for persons in about for id in persons))

    @property
    def ambiguous(self) -> tuple[Mention, ...]:
        """Mentions that may mean several persons."""
        return tuple(mention for mention in self.mentions if len(mention.persons) > 1)

    def shown(self) -> dict[str, Any]:
        """What was understood, for a person to read and for JSON; what was not asked is left out."""
        parts: dict[str, Any] = {
            "asks": self.asks,
            "counts": self.counts,
            "persons": [mention.shown() for mention in self.mentions],
            "unknown_names": list(self.unknown_names),
            "pronoun": self.pronoun,
            "time": self._time(),
            "order": self.order,
            "validity": self.validity,
            "places": [place.words for place in self.places],
            "negated": self.negated,
            "compares": self.compares,
            "topic": self.topic,
        }
        return {name: value for name, value in parts.items() if value}

    def _time(self) -> dict[str, str]:
        ends = (("from", self.span.start_ns), ("until", self.span.end_ns))
        times = {name: iso(stamp_ns, self.zone) for name, stamp_ns in ends if stamp_ns is not None}
        return {"words": self.span.words, **times} if times or self.span.words else {}
