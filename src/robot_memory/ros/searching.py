"""Search and GetEvidence over ROS, in a lane of their own: a search does not wait until a question is answered.

Each is a coroutine that awaits the searching lane. Whatever a request holds, it gets an outcome and words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from robot_memory_msgs.msg import Outcome
from robot_memory_msgs.srv import GetEvidence, Search
from sensor_msgs.msg import CompressedImage
from std_msgs.msg import Header

from robot_memory.control.paging import CursorInvalid
from robot_memory.control.searching import SearchUnknown
from robot_memory.control.searchrequest import SearchInvalid, SearchRequest
from robot_memory.control.service import MemoryService
from robot_memory.control.showing import EvidenceUnknown, Picture
from robot_memory.lanes import Busy
from robot_memory.memory.people.corrections import CorrectionInvalid, PersonUnknown
from robot_memory.memory.retrieval.query import Place
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.requests import worked_on

MODES = {Search.Request.HYBRID: "hybrid", Search.Request.VECTOR: "vector", Search.Request.KEYWORD: "keyword"}
KINDS = {Search.Request.ANY: "", Search.Request.EPISODIC: "episodic", Search.Request.SEMANTIC: "semantic"}
OUTCOMES: dict[type[Exception], int] = {
    SearchInvalid: Outcome.INVALID,
    CursorInvalid: Outcome.INVALID,
    CorrectionInvalid: Outcome.INVALID,  # what is no id
    PersonUnknown: Outcome.NOT_FOUND,
    SearchUnknown: Outcome.NOT_FOUND,
    EvidenceUnknown: Outcome.NOT_FOUND,
    Busy: Outcome.BUSY,
    sqlite3.Error: Outcome.NOT_READY,  # a file that was taken away
}


class SearchDesk:
    """Serves searches for a memory server. `service()` is the memory, or None while there is none."""

    def __init__(self, node: MemoryNode, service: Callable[[], MemoryService | None]) -> None:
        self._node, self._service = node, service
        node.create_service(Search, "search", self._search, qos_profile=qos.SERVICES)
        node.create_service(GetEvidence, "get_evidence", self._get_evidence, qos_profile=qos.SERVICES)

    async def _search(self, request: Any, response: Any) -> Any:
        page = await self._in_lane(
            response, lambda service: service.searching.search(request_of(request), self._node.now_ns())
        )
        if page is not None:
            response.results = [convert.evidence(one) for one in page.evidence]
            response.next_cursor, response.message = page.next_cursor, page.message
        return response

    async def _get_evidence(self, request: Any, response: Any) -> Any:
        shown = await self._in_lane(
            response, lambda service: service.searching.show(request.memory_id, request.uri, request.asker_id)
        )
        if shown is not None:
            if shown.evidence is not None:
                response.evidence = convert.evidence(shown.evidence)
            response.crop, response.snapshot = _image(shown.crop), _image(shown.snapshot)
        return response

    async def _in_lane(self, response: Any, begin: Callable[[MemoryService], Future[Any]]) -> Any:
        return await worked_on(self._node, self._service(), response, begin, OUTCOMES)


def request_of(message: Any) -> SearchRequest:
    """A Search request as plain data. Raises SearchInvalid for a number that means nothing."""
    if message.mode not in MODES:
        raise SearchInvalid(f"there is no mode {message.mode}: 0 is HYBRID, 1 VECTOR, 2 KEYWORD")
    if message.kind not in KINDS:
        raise SearchInvalid(f"there is no kind {message.kind}: 0 is ANY, 1 EPISODIC, 2 SEMANTIC")
    point, radius_m = message.place, float(message.place_radius)
    somewhere = radius_m != 0  # a negative one, or NaN, is refused in words
    return SearchRequest(
        text=message.text,
        mode=MODES[message.mode],
        persons=tuple(message.person_ids),
        kind=KINDS[message.kind],
        start_ns=convert.to_ns(message.start) or None,
        end_ns=convert.to_ns(message.end) or None,
        as_of_ns=convert.to_ns(message.as_of) or None,
        session=message.session,
        place=Place(point.x, point.y, radius_m, message.place_frame, message.place_map_id) if somewhere else None,
        place_name=message.place_name,
        archived=message.include_archived,
        asker=message.asker_id,
        limit=message.limit,
        cursor=message.cursor,
    )


def _image(picture: Picture) -> CompressedImage:
    if not picture.jpeg:
        return CompressedImage()
    header = Header(stamp=convert.to_time(picture.stamp_ns))
    return CompressedImage(header=header, format="jpeg", data=picture.jpeg)
