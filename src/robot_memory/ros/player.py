"""Plays a bag into the graph. In lockstep it waits for perception, so that nothing is lost and every run is the same.

The rule of lockstep: a message is sent only when every message recorded more than LEAD before it has been taken in. No
stream can then look late that is merely in flight, and a stream that pauses holds nobody up. Nor may a stream have more
in flight than its subscriber keeps.
"""

from __future__ import annotations

import struct
import sys
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.duration import Duration
from rclpy.node import Node
from robot_memory_msgs.msg import MemoryStatus, Watermark
from robot_memory_msgs.msg import Outcome as Ended
from robot_memory_msgs.srv import CloseSession, OpenSession
from rosgraph_msgs.msg import Clock

from robot_memory.errors import BagUnreadable, Cancelled, RobotMemoryError
from robot_memory.ros import convert, qos
from robot_memory.ros.client import NoAnswer, call
from robot_memory.streams.bag import Bag, Recorded

MOST_IN_FLIGHT = 50  # of a stream: half of what a subscription keeps, so that none is overwritten unseen
LEAD_S = 0.5  # less than the reordering of 1 s by more than a chunk of sound: no message can then come too late
STUCK_S = 60.0
TROUBLE_S = 6.0  # how long memory may be in trouble (a full disk) before the replay is given up: three tries
PROGRESS_EVERY_S = 2.0
MEMORY = "robot_memory: memory"  # the component of a status that says how memory is


class ReplayRefused(RobotMemoryError):
    """The memory server would not take the bag, and why."""


class ReplayStuck(RobotMemoryError):
    """Perception stopped taking messages in, or memory cannot keep what it is given."""


@dataclass
class Outcome:
    """What a replay sent and what became of it."""

    sent: dict[str, int] = field(default_factory=dict)
    status: MemoryStatus = field(default_factory=MemoryStatus)
    mark: Watermark = field(default_factory=Watermark)
    unreadable: Counter[tuple[str, str]] = field(default_factory=Counter)  # stream and fault -> messages passed over
    torn: str = ""
    unstamped: int = 0

    def lost(self, stream: str) -> int:
        """Messages sent that never arrived."""
        arrived = dict(zip(self.mark.streams, self.mark.received, strict=True))
        return self.sent.get(stream, 0) - int(arrived.get(stream, 0))


class Player(Node):
    """A node that publishes a bag's messages on their own topics, or on the like in a namespace."""

    def __init__(self, bag: Bag, stop: threading.Event, quiet: bool = False, namespace: str = "") -> None:
        """In a `namespace`, the bag's topics move into it, and /clock, which cannot, is left alone."""
        super().__init__("robot_memory_replay", namespace=namespace)
        self._bag, self._stop, self._quiet = bag, stop, quiet
        self._topics = {topic.stream: topic for topic in bag.topics}
        self._given_up = GivenUp(stop)
        self._changed = threading.Condition()
        self._run = ""
        self._restarted = False
        self._outcome = Outcome(sent={topic.stream: 0 for topic in bag.topics})
        self._in_flight: dict[str, deque[int]] = {topic.stream: deque() for topic in bag.topics}
        self._taken: dict[str, int] = dict.fromkeys(self._in_flight, 0)
        self._last_shown = 0.0
        self._out = {
            t.stream: self.create_publisher(
                _class_of(t.type), moved(t.name, namespace), qos.stream(qos.AUDIO_DEPTH, reliable=True)
            )
            for t in bag.topics
        }
        self._clock_out = None if namespace else self.create_publisher(Clock, "/clock", qos.EVENTS)
        self.create_subscription(Watermark, "watermark", self._on_watermark, qos.LATCHED)
        self.create_subscription(MemoryStatus, "status", self._on_status, qos.LATCHED)

    def play(self, rate: float | None, into: bool, zone: str = "") -> Outcome:
        """Replay the whole bag; `rate` None is lockstep. Raises ReplayRefused, ReplayStuck, NoAnswer or Cancelled."""
        session, self._run = self._open(rate is None, into, zone)
        self._await(lambda: self._outcome.mark.run == self._run, "perception to open the session")
        self._await(lambda: all(out.get_subscription_count() for out in self._out.values()), "perception to subscribe")
        try:
            self._send_all(rate)
        except BagUnreadable as error:
            self._outcome.torn = str(error)
        self._outcome.torn = "; ".join(filter(None, (self._bag.damage, self._outcome.torn)))
        for out in self._out.values():
            out.wait_for_all_acked(Duration(seconds=10))
        if rate is None:
            self._await(lambda: not any(self._in_flight.values()), "the last messages to be taken in")
        self._close(session)
        self._await(
            lambda: (
                self._outcome.mark.closed
                and self._outcome.status.session == session
                and self._outcome.status.clips_waiting == 0
                and self._outcome.status.clips_in >= self._outcome.mark.clips_closed
            ),
            "the final status",
        )
        return self._outcome

    def _close(self, session: str) -> None:
        request = CloseSession.Request(session=session, flush=True)
        try:
            closed = call(self, CloseSession, "close_session", request, 600.0, self._given_up)
        except NoAnswer:
            self._given_up.check()
            raise
        if closed.outcome != Ended.DONE:
            raise ReplayStuck(closed.message)

    def _open(self, lockstep: bool, into: bool, zone: str) -> tuple[str, str]:
        request = OpenSession.Request(
            bag_uri=str(self._bag.path),
            bag_fingerprint=self._bag.fingerprint(),
            zone=zone,
            origin=convert.to_time(self._bag.origin_ns()),
            lockstep=lockstep,
            into=into,
        )
        reply = call(self, OpenSession, "open_session", request, 30.0, self._stop)
        if reply.outcome != Ended.DONE:
            raise ReplayRefused(reply.message)
        return str(reply.session), str(reply.run)

    def _send_all(self, rate: float | None) -> None:
        began, first_ns = time.monotonic(), 0
        for one in self._bag.messages():
            first_ns = first_ns or one.recorded_ns
            if rate is None:
                self._await(lambda one=one: not self._too_early(one), "perception to take messages in")
            else:
                self._stop.wait(max(0.0, began + (one.recorded_ns - first_ns) / 1e9 / rate - time.monotonic()))
            if self._stop.is_set():
                raise Cancelled("the replay was stopped: replay the bag again to finish it")
            if self._bag.readable(self._topics[one.stream], one.raw):
                self._send(one)
            else:  # no subscriber would ever be given it, and lockstep would wait for it
                fault = self._bag.fault(self._topics[one.stream], one.raw)
                self._outcome.unreadable[one.stream, fault] += 1
            self._show(one.recorded_ns - first_ns)

    def _send(self, one: Recorded) -> None:
        if self._clock_out is not None:
            self._clock_out.publish(Clock(clock=convert.to_time(one.recorded_ns)))
        with self._changed:
            self._in_flight[one.stream].append(one.recorded_ns)
            self._outcome.sent[one.stream] += 1
        self._out[one.stream].publish(self._stamped(one))

    def _stamped(self, one: Recorded) -> bytes:
        """The message's bytes; where its stamp is zero, with the time of recording in its place (CDR: the header
        comes first).
        """
        if any(one.raw[4:12]) or len(one.raw) < 12:
            return one.raw
        self._outcome.unstamped += 1
        order = "<" if one.raw[1] & 1 else ">"
        stamp = convert.to_time(one.recorded_ns)
        return one.raw[:4] + struct.pack(f"{order}iI", stamp.sec, stamp.nanosec) + one.raw[12:]

    def _too_early(self, one: Recorded) -> bool:
        if len(self._in_flight[one.stream]) >= MOST_IN_FLIGHT:
            return True
        return any(waiting and one.recorded_ns - waiting[0] > LEAD_S * 1e9 for waiting in self._in_flight.values())

    def _on_watermark(self, mark: Watermark) -> None:
        with self._changed:
            if not self._run or mark.run != self._run:  # of a source before us
                return
            self._outcome.mark = mark
            for stream, received in zip(mark.streams, mark.received, strict=True):
                if stream in self._in_flight:
                    self._restarted |= int(received) < self._taken[stream]
                    arrived = int(received) - self._taken[stream]
                    for _ in range(min(arrived, len(self._in_flight[stream]))):
                        self._in_flight[stream].popleft()
                    self._taken[stream] = max(self._taken[stream], int(received))
            self._changed.notify_all()

    def _on_status(self, status: MemoryStatus) -> None:
        with self._changed:
            self._outcome.status = status
            memory = (part for part in status.components if part.name == MEMORY)
            self._given_up.hear("; ".join(part.message for part in memory if part.level == DiagnosticStatus.ERROR))
            self._changed.notify_all()

    def _await(self, ready: Any, what: str) -> None:
        """Wait for news until `ready()`. The limit starts anew with every message taken in."""
        with self._changed:
            while not ready():
                before = sum(self._taken.values()), self._outcome.mark.clips_closed
                deadline = time.monotonic() + STUCK_S
                while not ready() and (sum(self._taken.values()), self._outcome.mark.clips_closed) == before:
                    if self._stop.is_set():
                        raise Cancelled("the replay was stopped: replay the bag again to finish it")
                    self._given_up.check()
                    if self._restarted:
                        raise ReplayStuck("perception was restarted in between: replay the bag again to finish it")
                    if time.monotonic() > deadline:
                        raise ReplayStuck(
                            f"waited {STUCK_S:.0f} s for {what}: is the perception node running, "
                            "and reliable (image_reliability)?"
                        )
                    self._changed.wait(0.2)

    def _show(self, played_ns: int) -> None:
        if not self._quiet and time.monotonic() - self._last_shown > PROGRESS_EVERY_S:
            self._last_shown = time.monotonic()
            print(f"replay: {played_ns / 1e9:5.0f} of {self._bag.seconds:.0f} s", file=sys.stderr, flush=True)


class GivenUp(threading.Event):
    """Set when the user wants to stop, or when memory has been in trouble for long."""

    def __init__(self, stop: threading.Event) -> None:
        super().__init__()
        self._user, self._trouble, self._since = stop, "", 0.0

    def hear(self, trouble: str) -> None:
        """What memory says of itself; empty if it is well."""
        if bool(trouble) != bool(self._trouble):
            self._since = time.monotonic()
        self._trouble = trouble

    def is_set(self) -> bool:
        return self._user.is_set() or bool(self._long())

    def check(self) -> None:
        """Raises ReplayStuck if memory is in trouble."""
        if trouble := self._long():
            raise ReplayStuck(f"memory is in trouble ({trouble}): mend that, then replay the bag again to finish it")

    def _long(self) -> str:
        return self._trouble if time.monotonic() - self._since > TROUBLE_S else ""


def moved(topic: str, namespace: str) -> str:
    """A bag's topic as the graph in `namespace` knows it."""
    return topic.lstrip("/") if namespace else topic


def _class_of(type_name: str) -> Any:
    import importlib

    package, _, name = type_name.split("/")
    try:
        return getattr(importlib.import_module(f"{package}.msg"), name)
    except (ImportError, AttributeError) as error:
        raise ReplayRefused(
            f"the bag's messages of type {type_name} cannot be published: the package {package} is not installed"
        ) from error
