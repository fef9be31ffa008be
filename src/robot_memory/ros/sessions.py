"""Sources register here: a bag or a live source opens a session, closes it, and may wait until all of it is stored.

The open session goes to perception on a latched topic; perception's watermark says when its last clip is closed.
"""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

from rclpy.task import Future
from robot_memory_msgs.msg import Outcome, Watermark
from robot_memory_msgs.msg import Session as SessionMessage
from robot_memory_msgs.srv import CloseSession, OpenSession

from robot_memory.control.service import MemoryService, SessionRefused
from robot_memory.lanes import Busy
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.questions import awaitable, lane_result
from robot_memory.streams.sessions import Session, boot_id, root_of

IN_USE_S = 1.0  # a bag whose messages stopped this long ago was abandoned
FINGERPRINT = re.compile(r"[0-9a-f]{64}")
NOT_ACTIVE = "The memory server is not active."
STOPPED = "The memory server stopped before everything was stored: replay again to finish."


class SessionDesk:
    """Opens and closes sessions for a memory server. `service()` is the memory, or None while there is none."""

    def __init__(self, node: MemoryNode, service: Callable[[], MemoryService | None]) -> None:
        self._node, self._service = node, service
        self.session = Session("")
        self.mark = Watermark()
        self._moved_at = 0.0
        self._flushes: list[Future] = []
        self._lock = threading.Lock()
        self._sessions = node.create_publisher(SessionMessage, "session", qos.LATCHED)
        node.create_service(OpenSession, "open_session", self._on_open, qos_profile=qos.SERVICES)
        node.create_service(CloseSession, "close_session", self._on_close, qos_profile=qos.SERVICES)

    def root(self) -> str:
        """The session that perception is in, or that was opened last; clock jumps inside it do not change it."""
        return root_of(self.mark.session or self.session.id)

    def settle(self, service: MemoryService) -> None:
        """Complete the flushes whose clips are all stored. Runs in the service's desk lane, whenever one may be."""
        if not self.mark.closed or self.mark.run != self.session.run:
            return
        session = self.session.id
        counts = service.counts(session)
        done = counts.stored + counts.skipped + self.mark.clips_lost
        if counts.waiting or done < self.mark.clips_closed:
            return
        flushes = self._take_flushes()
        if flushes and not self.mark.clips_lost:  # a bag that lost clips may be replayed again
            service.finish_session(session)
        for flushed in flushes:
            flushed.set_result(True)

    def stop(self) -> None:
        """Nobody is kept waiting when the server ends."""
        for flushed in self._take_flushes():
            flushed.set_result(False)

    def _take_flushes(self) -> list[Future]:
        with self._lock:
            flushes, self._flushes = self._flushes, []
        return flushes

    async def _on_open(self, request: Any, response: Any) -> Any:
        service = self._service()
        if service is None:
            return _refuse(response, Outcome.NOT_READY, NOT_ACTIVE)
        if request.bag_uri and not FINGERPRINT.fullmatch(request.bag_fingerprint):
            words = "bag_fingerprint must be 64 hexadecimal digits, the same for the same bag"
            return _refuse(response, Outcome.INVALID, words)
        asked = Session(
            id="",
            bag_uri=request.bag_uri,
            bag_fingerprint=request.bag_fingerprint,
            utc_offset_s=request.utc_offset_s,
            zone=request.zone,
            boot_id=boot_id(),
            clock=self._node.clock_name(),
            origin_ns=convert.to_ns(request.origin) or None,
            lockstep=request.lockstep,
            run=uuid.uuid4().hex[:8],
        )
        if self._in_use():
            words = f"{self.session.bag_uri} is being replayed here: wait for its end, or close its session"
            return _refuse(response, Outcome.BUSY, words)
        try:
            admitted = service.desk.submit(lambda: service.open_session(asked, request.into))
            self.session = await lane_result(self._node, admitted)
        except SessionRefused as refusal:
            return _refuse(response, Outcome.REFUSED, str(refusal))
        except Busy as busy:
            return _refuse(response, Outcome.BUSY, str(busy))
        except CancelledError:
            return _refuse(response, Outcome.NOT_READY, NOT_ACTIVE)
        self.stop()  # a flush of the session before will not come true any more
        self._publish(SessionMessage.OPEN)
        response.outcome, response.session, response.run = Outcome.DONE, self.session.id, self.session.run
        return response

    def _in_use(self) -> bool:
        """True while a bag is being played: its session is open and its messages still come."""
        playing = self.mark.run == self.session.run and not self.mark.closed and bool(self.session.bag_uri)
        return playing and time.monotonic() - self._moved_at < IN_USE_S

    def on_mark(self, mark: Watermark) -> None:
        """News from perception. Counters beyond any robot's life are a forgery or a fault, and would not fit a sum."""
        if max(mark.clips_closed, mark.clips_lost, mark.frames_in) > 2**48:
            return
        if sum(mark.received) > sum(self.mark.received):
            self._moved_at = time.monotonic()
        self.mark = mark

    async def _on_close(self, request: Any, response: Any) -> Any:
        session = request.session or self.session.id
        if self._service() is None:
            return _refuse(response, Outcome.NOT_READY, NOT_ACTIVE)
        if not session or session != self.session.id:
            return _refuse(response, Outcome.NOT_FOUND, f"no session {session!r} is open here")
        self._publish(SessionMessage.CLOSE)
        if request.flush and not await self._flushed():
            return _refuse(response, Outcome.NOT_READY, STOPPED)
        service = self._service()
        if service is None:
            return _refuse(response, Outcome.NOT_READY, STOPPED)
        counts = await lane_result(self._node, service.desk.submit(lambda: service.counts(session)))
        response.outcome, response.clips_stored, response.clips_waiting = Outcome.DONE, counts.stored, counts.waiting
        response.clips_skipped = counts.skipped + self.mark.clips_lost
        return response

    def _flushed(self) -> Future:
        flushed = awaitable(self._node)
        with self._lock:
            self._flushes.append(flushed)
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


def _refuse(response: Any, outcome: int, words: str) -> Any:
    """A response that says why not."""
    response.outcome, response.message = outcome, words
    return response
