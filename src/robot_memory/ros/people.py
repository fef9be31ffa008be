"""People over ROS: who is known, corrections of who is who, and the journal of every change.

Each service is a coroutine that awaits the desk lane. Whatever a request holds, it gets an outcome and words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from robot_memory_msgs.msg import Change, Outcome, Person
from robot_memory_msgs.srv import ListChanges, ListPeople, MergePersons, NamePerson, SplitPerson, UndoChange

from robot_memory.control import history, operator, roster
from robot_memory.control.operator import Corrected, Correction, Merge, Name, Split, Undo
from robot_memory.control.service import MemoryService
from robot_memory.lanes import Busy
from robot_memory.memory.people import names
from robot_memory.memory.people.corrections import CorrectionInvalid, CorrectionRefused, PersonUnknown
from robot_memory.memory.people.journal import ChangeUnknown, Word
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.requests import worked_on

NAME_STATES = {
    names.NONE: Person.NAME_NONE,
    names.HEARD: Person.NAME_HEARD,
    names.CONFIRMED: Person.NAME_CONFIRMED,
    names.GIVEN: Person.NAME_GIVEN,
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
        page = await self._at_the_desk(
            response,
            lambda service: roster.page(
                service.store, list(request.ids), request.only_named, request.limit, request.cursor
            ),
        )
        if page is not None:
            response.people, response.next_cursor = [_person_message(one) for one in page.entries], page.next
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
        done = await self._at_the_desk(response, lambda service: operator.correct(service.store, wanted, word))
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
        def begin(service: MemoryService) -> Future[Any]:
            return service.desk.submit(lambda: job(service))

        return await worked_on(self._node, self._service(), response, begin, OUTCOMES)


def fill_corrected(response: Any, done: Corrected) -> None:
    response.message = done.message
    if isinstance(response, UndoChange.Response):
        response.new_change_id = done.change
    else:
        response.change_id = done.change
    if isinstance(response, SplitPerson.Response):
        response.new_person_id = done.new_person


def _person_message(entry: roster.Entry) -> Person:
    one = entry.known
    return Person(
        id=one.id,
        name=one.name,
        name_state=NAME_STATES[one.state],
        other_names=list(one.other_names),
        description=one.description,
        faces=list(one.faces),
        voices=list(one.voices),
        link_confidence=entry.link_confidence,
        aliases=list(one.aliases),
        maybe_same=list(entry.maybe_same),
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
