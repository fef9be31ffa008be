"""People over ROS: who is known, corrections of who is who, and the journal of every change.

Each service is a coroutine that awaits the desk lane. Whatever a request holds, it gets an outcome and words.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

from robot_memory_msgs.msg import Change, Outcome, Person
from robot_memory_msgs.srv import ListChanges, ListPeople, MergePersons, NamePerson, SplitPerson, UndoChange

from robot_memory.control import corrections, history, roster
from robot_memory.control.corrections import Corrected, Correction, Merge, Name, Split, Undo, quoted
from robot_memory.control.service import MemoryService
from robot_memory.errors import RobotMemoryError
from robot_memory.lanes import Busy
from robot_memory.memory.people.corrections import CorrectionInvalid, CorrectionRefused, PersonUnknown
from robot_memory.memory.people.journal import ChangeUnknown, Word
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.questions import lane_result
from robot_memory.ros.sessions import NOT_ACTIVE

LOG = logging.getLogger("robot_memory.ros")
NAME_STATES = {
    "none": Person.NAME_NONE,
    "heard": Person.NAME_HEARD,
    "confirmed": Person.NAME_CONFIRMED,
    "given": Person.NAME_GIVEN,
}
OUTCOMES: dict[type[Exception], int] = {
    PersonUnknown: Outcome.NOT_FOUND,
    ChangeUnknown: Outcome.NOT_FOUND,
    CorrectionInvalid: Outcome.INVALID,
    CorrectionRefused: Outcome.REFUSED,
    Busy: Outcome.BUSY,
    sqlite3.Error: Outcome.NOT_READY,  # a full disk, a file that was taken away
}


class PeopleDesk:
    """Serves people for a memory server. `service()` is the memory, or None while there is none; `changed` is called
    after a correction.
    """

    def __init__(
        self, node: MemoryNode, service: Callable[[], MemoryService | None], changed: Callable[[], None]
    ) -> None:
        self._node, self._service, self._changed = node, service, changed
        for kind, name, answer in (
            (ListPeople, "list_people", self._list_people),
            (NamePerson, "name_person", self._name_person),
            (MergePersons, "merge_persons", self._merge_persons),
            (SplitPerson, "split_person", self._split_person),
            (UndoChange, "undo_change", self._undo_change),
            (ListChanges, "list_changes", self._list_changes),
        ):
            node.create_service(kind, name, answer, qos_profile=qos.SERVICES)

    async def _list_people(self, request: Any, response: Any) -> Any:
        known = await self._at_the_desk(response, lambda service: roster.everyone(service.store))
        if known is not None:
            fill_page(request, response, [one for one in known if one.name or not request.only_named])
        return response

    async def _name_person(self, request: Any, response: Any) -> Any:
        return await self._correct(request, response, Name(request.person_id, request.name))

    async def _merge_persons(self, request: Any, response: Any) -> Any:
        return await self._correct(request, response, Merge(request.keep_id, request.merge_id))

    async def _split_person(self, request: Any, response: Any) -> Any:
        return await self._correct(request, response, Split(request.person_id, tuple(request.entities)))

    async def _undo_change(self, request: Any, response: Any) -> Any:
        return await self._correct(request, response, Undo(request.change_id))

    async def _correct(self, request: Any, response: Any, wanted: Correction) -> Any:
        word = Word(request.actor, request.reason, self._node.now_ns())
        done = await self._at_the_desk(response, lambda service: corrections.correct(service.store, wanted, word))
        if done is not None:
            fill_corrected(response, done)
            self._changed()
        return response

    async def _list_changes(self, request: Any, response: Any) -> Any:
        since_ns = convert.to_ns(request.since)
        page = await self._at_the_desk(
            response,
            lambda service: history.page(service.store, request.subject, since_ns, request.limit, request.cursor),
        )
        if page is not None:
            response.changes, response.next_cursor = [_change_message(one) for one in page.entries], page.next
        return response

    async def _at_the_desk(self, response: Any, job: Callable[[MemoryService], Any]) -> Any:
        """What the job returns, run in the desk lane; None where it could not, and the response says why."""
        service = self._service()
        if service is None:
            response.outcome, response.message = Outcome.NOT_READY, NOT_ACTIVE
            return None
        try:
            done = await lane_result(self._node, service.desk.submit(lambda: job(service)))
        except CancelledError:
            response.outcome, response.message = Outcome.NOT_READY, NOT_ACTIVE
            return None
        except tuple(OUTCOMES) as error:
            response.outcome = next(number for kind, number in OUTCOMES.items() if isinstance(error, kind))
            known = isinstance(error, RobotMemoryError)
            response.message = str(error) if known else f"the memory cannot be used: {error}"
            return None
        except Exception as error:  # one request must not end the node
            LOG.exception("a request about people failed")
            response.outcome, response.message = Outcome.ERROR, f"the request could not be worked on: {error}"
            return None
        response.outcome = Outcome.DONE
        return done


def fill_corrected(response: Any, done: Corrected) -> None:
    response.message = done.message
    if isinstance(response, UndoChange.Response):
        response.new_change_id = done.change
    else:
        response.change_id = done.change
    if isinstance(response, SplitPerson.Response):
        response.new_person_id = done.new_person


def fill_page(request: Any, response: Any, known: list[roster.Known]) -> None:
    """The people asked for, as many as wanted, and where the next page begins."""
    wanted = {*request.ids}
    if wanted:
        known = [one for one in known if wanted & {one.id, *one.aliases}]
        if lost := wanted - {id for one in known for id in (one.id, *one.aliases)}:
            named = ", ".join(quoted(id) for id in sorted(lost)[:5])
            response.outcome, response.message = Outcome.NOT_FOUND, f"nobody is known as {named}"
            return
    names = [one.id for one in known]
    if request.cursor and request.cursor not in names:
        response.outcome, response.message = Outcome.INVALID, f"{quoted(request.cursor)} is no cursor of this list"
        return
    first = names.index(request.cursor) if request.cursor else 0
    last = first + request.limit if request.limit else len(known)
    response.people = [_person_message(one) for one in known[first:last]]
    response.next_cursor = names[last] if last < len(names) else ""


def _person_message(one: roster.Known) -> Person:
    return Person(
        id=one.id,
        name=one.name,
        name_state=NAME_STATES[one.state],
        other_names=list(one.other_names),
        description=one.description,
        faces=list(one.faces),
        voices=list(one.voices),
        link_confidence=one.link_confidence,
        aliases=list(one.aliases),
        maybe_same=list(one.maybe_same),
        first_seen=convert.to_time(one.first_ns),
        last_seen=convert.to_time(one.last_ns),
        crop_uri=one.crop_uri,
    )


def _change_message(entry: history.Entry) -> Change:
    one = entry.change
    return Change(
        id=str(one.id),
        stamp=convert.to_time(one.at_ns),
        actor=one.actor,
        action=one.action,
        subjects=list(one.subjects),
        summary=entry.summary,
        reason=one.reason,
        undone=one.undone,
        undoable=entry.undoable,
    )
