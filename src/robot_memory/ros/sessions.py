"""Sources register here: a bag or a live source opens a session, closes it, and may wait until all of it is stored.

The open session goes to perception on a latched topic; perception's watermark says when its last clip is closed.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from rclpy.task import Future
from robot_memory_msgs.msg import Session as SessionMessage
from robot_memory_msgs.msg import Watermark
from robot_memory_msgs.srv import CloseSession, OpenSession

from robot_memory.control.service import MemoryService, SessionRefused
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.questions import awaitable
from robot_memory.streams.sessions import Session, root_of

NOT_ACTIVE = "The memory server is not active."


class SessionDesk:
    """Opens and closes sessions for a memory server. `service()` is the memory, or None while there is none."""

    def __init__(self, node: MemoryNode, service: Callable[[], MemoryService | None]) -> None:
        self._node, self._service = node, service
        self.session = Session("")
        self.mark = Watermark()
        self._flushes: list[tuple[str, Future]] = []
        self._sessions = node.create_publisher(SessionMessage, "session", qos.LATCHED)
        node.create_service(OpenSession, "open_session", self._on_open, qos_profile=qos.SERVICES)
        node.create_service(CloseSession, "close_session", self._on_close, qos_profile=qos.SERVICES)

    def root(self) -> str:
        """The session that perception is in, or that was opened last; clock jumps inside it do not change it."""
        return root_of(self.mark.session or self.session.id)

    def settle(self) -> None:
        """Complete the flushes whose clips are all stored. Called whenever something was closed or committed."""
        service = self._service()
        for session, flushed in list(self._flushes):
            if service is None or not self.mark.closed or self.mark.run != self.session.run:
                continue
            counts = service.counts(session)
            done = counts.stored + counts.skipped + self.mark.clips_lost
            if counts.waiting == 0 and done >= self.mark.clips_closed:
                self._flushes.remove((session, flushed))
                service.finish_session(session)
                flushed.set_result(True)

    def stop(self) -> None:
        """Nobody is kept waiting when the server ends."""
        for _, flushed in self._flushes:
            flushed.set_result(False)
        self._flushes.clear()

    def _on_open(self, request: Any, response: Any) -> Any:
        service = self._service()
        if service is None:
            response.message = NOT_ACTIVE
            return response
        asked = Session(
            id="",
            bag_uri=request.bag_uri,
            bag_fingerprint=request.bag_fingerprint,
            utc_offset_s=request.utc_offset_s,
            zone=request.zone,
            origin_ns=convert.to_ns(request.origin) or None,
            lockstep=request.lockstep,
            run=uuid.uuid4().hex[:8],
        )
        try:
            self.session = service.open_session(asked, request.into)
        except SessionRefused as refusal:
            response.message = str(refusal)
            return response
        self._publish(SessionMessage.OPEN)
        response.ok, response.session, response.run = True, self.session.id, self.session.run
        return response

    async def _on_close(self, request: Any, response: Any) -> Any:
        session = request.session or self.session.id
        if self._service() is None:
            response.message = NOT_ACTIVE
            return response
        if not session or session != self.session.id:
            response.message = f"no session {session!r} is open here"
            return response
        self._publish(SessionMessage.CLOSE)
        if request.flush and not await self._flushed(session):
            response.message = "The memory server stopped before everything was stored: replay again to finish."
            return response
        service = self._service()
        if service is not None:
            counts = service.counts(session)
            response.ok, response.clips_stored = True, counts.stored
            response.clips_skipped = counts.skipped + self.mark.clips_lost
        return response

    def _flushed(self, session: str) -> Future:
        flushed = awaitable(self._node)
        self._flushes.append((session, flushed))
        return flushed

    def _publish(self, state: int) -> None:
        one = self.session
        self._sessions.publish(
            SessionMessage(
                state=state,
                id=one.id,
                run=one.run,
                bag_uri=one.bag_uri,
                bag_fingerprint=one.bag_fingerprint,
                utc_offset_s=one.utc_offset_s,
                zone=one.zone,
                origin=convert.to_time(one.origin_ns or 0),
                lockstep=one.lockstep,
            )
        )
