"""`robot-memory search`: finding memories on a terminal, straight from the store; nobody's lock is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from robot_memory.control.agent import now_for, zone_of
from robot_memory.control.answer import Evidence
from robot_memory.control.clock import Zone, say, say_date
from robot_memory.control.history import person_meant
from robot_memory.control.moments import SINCE, UNTIL, moment_of, range_of
from robot_memory.control.searching import Means, SearchPage, search_page
from robot_memory.control.searchrequest import SearchInvalid, SearchRequest
from robot_memory.control.service import models_of, profile_of
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store

NOTHING_FOUND = 2  # the exit code, as of a question that is not answered
FOUND_BY = {
    "vector": "meaning",
    "keyword": "words",
    "neighbour": "what was said around it",
    "occasion": "its conversation",
    "person": "whom it concerns",
    "time": "its time",
    "sight": "it was seen",
    "telling": "tells a time",
    "recent": "recent",
    "earlier": "no longer so",
    "asking": "though it only asks",
}


@dataclass(frozen=True)
class Wanted:
    """What was typed: `request` as far as it needs no memory to be read; names of people, and times in words."""

    request: SearchRequest
    persons: tuple[str, ...] = ()
    asker: str = ""
    since: str = ""
    until: str = ""
    when: str = ""
    as_of: str = ""


@dataclass(frozen=True)
class Show:
    """How the results are printed."""

    explain: bool = False
    as_json: bool = False


def search(path: Path, wanted: Wanted, show: Show, wall_ns: int) -> int:
    """Print what is found; exit code 0 if anything is, 2 if nothing."""
    with Store(path, readonly=True) as store, store.snapshot() as db:
        profile = profile_of(db)
        zone, people = zone_of(db), People(db)
        request = _request(wanted, people, now_for(db, wall_ns), zone)
        means = Means(
            lambda: open_text_embedder(profile.model("text_embedding")),
            lambda: MemoryGraph(store, models_of(profile)).index,  # of a store that is only read: nothing to close
        )
        page = search_page(store, means, request, wall_ns)
    if show.as_json:
        print(json.dumps(_whole(page), indent=1, ensure_ascii=False))
    else:
        print("\n".join(lines(page, zone, show.explain)))
    return 0 if page.evidence else NOTHING_FOUND


def lines(page: SearchPage, zone: Zone, explain: bool) -> Iterator[str]:
    """What was understood, and a line for each result."""
    if page.read:
        yield f"understood: {_in_words(page.read)}"
    for one in page.evidence:
        why = ", ".join(FOUND_BY[name] for name, _ in one.channels if name in FOUND_BY)
        yield f"{_moment(one.start_ns, zone)}  {_printable(one.text)}  (memory {one.memory}{why and ': '}{why})"
        if explain:
            yield from (f"    {line}" for line in _explained(one, zone))
    if page.message:
        yield page.message
    if page.next_cursor:
        yield f"… and more: --limit {2 * len(page.evidence)}"


def _explained(one: Evidence, zone: Zone) -> Iterator[str]:
    channels = ", ".join(f"{name} {score:.3f}" for name, score in one.channels)
    yield f"score {one.score:.3f} of {channels or 'nothing'}"
    often = f"observed {one.count} times" if one.count > 1 else "observed once"
    yield f"clip {one.clip} of session {_printable(one.session)}, {one.source}, {often}"
    for fact in one.facts:
        yield _printable(f"claims: {fact.subject} {fact.attribute} {'not ' * fact.negated}{fact.value}")
    if one.valid_until_ns is not None:
        yield f"true until {_moment(one.valid_until_ns, zone)}"
    if one.archived:
        yield "archived"


def _request(wanted: Wanted, people: People, now_ns: int, zone: Zone) -> SearchRequest:
    """With people's ids for their names and stamps for times. Raises NameUnclear, PersonUnknown or MomentUnclear."""
    if wanted.when and (wanted.since or wanted.until):
        raise SearchInvalid("--when names a range: leave out --since and --until")
    as_of_ns = moment_of(wanted.as_of, UNTIL, now_ns, zone) if wanted.as_of else None
    moment: Callable[[str, str], int] = partial(moment_of, now_ns=as_of_ns or now_ns, zone=zone)
    start_ns = moment(wanted.since, SINCE) if wanted.since else None
    end_ns = moment(wanted.until, UNTIL) if wanted.until else None
    if wanted.when:
        span = range_of(wanted.when, as_of_ns or now_ns, zone)
        start_ns, end_ns = span.start_ns, span.end_ns
    return replace(
        wanted.request,
        persons=tuple(person_meant(people, one) for one in wanted.persons),
        asker=person_meant(people, wanted.asker) if wanted.asker else "",
        start_ns=start_ns,
        end_ns=end_ns,
        as_of_ns=as_of_ns,
    )


def _whole(page: SearchPage) -> dict[str, Any]:
    results = [{**asdict(one), "channels": dict(one.channels)} for one in page.evidence]
    return {"understood": page.read, "results": results, "next_cursor": page.next_cursor, "message": page.message}


def _in_words(read: Mapping[str, Any]) -> str:
    """ "asks what; persons Anna (person_1); time yesterday, from …; topic coffee"."""
    return "; ".join(f"{name.replace('_', ' ')} {_value(value)}".strip() for name, value in read.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(str(part) if name == "words" else f"{name} {part}" for name, part in value.items())
    if value is True:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _moment(stamp_ns: int, zone: Zone) -> str:
    return " ".join(filter(None, (say_date(stamp_ns, zone), say(stamp_ns, zone))))


def _printable(text: str) -> str:
    """What was heard moves no cursor of a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
