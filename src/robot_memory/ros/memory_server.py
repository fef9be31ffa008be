"""The memory server node: clips in from the spool, answers, people and status out. The only writer of the store.

Callbacks enqueue; the service's lanes work. Questions and sessions have desks of their own.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.callback_groups import ReentrantCallbackGroup
from robot_memory_msgs.msg import ClipReady, FaceArray, MemoryStatus, VoiceTurn, Watermark
from robot_memory_msgs.msg import Memory as MemoryMessage
from std_msgs.msg import Header

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control.service import MemoryService
from robot_memory.lanes import Busy, Traffic
from robot_memory.memorization.memorise import Stored
from robot_memory.memory.people.people import People
from robot_memory.memory.tokens import split, tokens_in, with_names
from robot_memory.ros import convert, later, parameters, qos
from robot_memory.ros.known_names import NamesKnown
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.people import PeopleDesk
from robot_memory.ros.questions import QuestionDesk
from robot_memory.ros.searching import SearchDesk
from robot_memory.ros.sessions import SessionDesk
from robot_memory.ros.status import STORE
from robot_memory.ros.upkeep import UpkeepDesk
from robot_memory.streams.sessions import Session

STATUS_EVERY_S = 0.25
LONGEST_TURN, LONGEST_ID = 2000, 80  # of what others report live
SCAN_EVERY_S = 2.0


class MemoryServer(MemoryNode):
    """Configure opens the store; activate begins to take clips. Questions before that are told NOT_READY."""

    def __init__(self, traffic: Traffic | None = None, **kwargs: Any) -> None:
        # a coroutine that awaits a lane holds its callback group: in an exclusive one nothing else would run meanwhile
        self._reentrant = ReentrantCallbackGroup()
        super().__init__("memory_server", **kwargs)
        self._traffic = traffic or Traffic()
        self._service: MemoryService | None = None
        self._stopped: MemoryService | None = None
        self._status_at = 0.0
        self._memories = self.create_publisher(MemoryMessage, "memories", qos.EVENTS)
        self._status = self.create_publisher(MemoryStatus, "status", qos.LATCHED)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", qos.EVENTS)
        self._names = NamesKnown(self)
        self._questions = QuestionDesk(self, lambda: self._service)
        self._desk = SessionDesk(self, lambda: self._service)
        self._people = PeopleDesk(self, lambda: self._service, lambda: self._post(self._report))
        self._searches = SearchDesk(self, lambda: self._service)
        self._upkeep = UpkeepDesk(self, lambda: self._service, lambda: self._post(self._report))
        self._later = later.offer(self)

    @property
    def default_callback_group(self) -> ReentrantCallbackGroup:
        return self._reentrant

    # ---- lifecycle

    def configure(self) -> None:
        """Read the parameters, open the store with its models."""
        self._service = MemoryService(
            parameters.read(self, StoreSettings, "store"),
            parameters.read(self, StreamSettings, "streams"),
            parameters.read(self, PerceptionSettings, "perception"),
            parameters.read(self, AnswerSettings, "answers"),
            self._traffic,
            self._on_stored,
        )

    def activate(self) -> None:
        """Take what lies in the spool and whatever is announced from now on."""
        subscribe = self.create_subscription
        self.wanted = [
            subscribe(ClipReady, "clip_ready", self._on_clip_ready, qos.EVENTS),
            subscribe(Watermark, "watermark", self._on_watermark, qos.LATCHED),
            subscribe(FaceArray, "faces", self._on_faces, qos.EVENTS),
            subscribe(VoiceTurn, "turns", self._on_turn, qos.EVENTS),
        ]
        self.every(SCAN_EVERY_S, self._scan)
        self.every(1.0, self._on_second)
        self._scan()
        self._post(self._report)

    def drain(self) -> None:
        """Questions still waiting are told NOT_READY, the running change is committed; callbacks find no service."""
        if self._service is not None:
            self._stopped, self._service = self._service, None
        self._desk.stop()
        if self._stopped is not None:
            self._stopped.stop()

    def release(self) -> None:
        """Release the store: only now, for a callback may have been reading from it."""
        if self._stopped is not None:
            self._stopped.close()
            self._stopped = None

    def describe(self) -> str:
        return f"memory in {self._service.store.path}" if self._service is not None else "not configured yet"

    def destroy_node(self) -> None:
        self._questions.destroy()
        self._upkeep.destroy()
        for action in self._later:
            action.destroy()
        super().destroy_node()

    # ---- what perception reports

    def _on_clip_ready(self, message: ClipReady) -> None:
        if (service := self._service) is not None:
            service.intake.clip_ready(Path(message.path))

    def _scan(self) -> None:
        if (service := self._service) is not None:
            self._post(service.intake.scan)

    def _on_watermark(self, message: Watermark) -> None:
        self._desk.on_mark(message)
        if message.closed or time.monotonic() - self._status_at > STATUS_EVERY_S:
            self._status_at = time.monotonic()
            self._post(self._report)

    def _on_faces(self, message: FaceArray) -> None:
        if (service := self._service) is not None:
            stamp_ns = convert.to_ns(message.header.stamp)
            for face in message.faces:
                service.working.see(message.session, stamp_ns, convert.to_ns(face.first_seen), face.track)

    def _on_turn(self, message: VoiceTurn) -> None:
        if (service := self._service) is not None:
            start_ns, end_ns = convert.to_ns(message.header.stamp), convert.to_ns(message.end)
            service.working.hear(message.session[:LONGEST_ID], start_ns, end_ns, message.text[:LONGEST_TURN])

    # ---- what is remembered, and how we are

    def _on_stored(self, session: Session, stored: Stored) -> None:
        """Called in the memorise lane: publish what was remembered."""
        if (service := self._service) is None:
            return
        with service.store.snapshot() as db:
            people = People(db)
            for memory, new in stored.memories.items():
                row = db.execute("SELECT * FROM memories WHERE id = ?", (memory,)).fetchone()
                self._memories.publish(_memory_message(row, session, people, new))
        self._post(self._report)

    def _on_second(self) -> None:
        self._post(self._report)
        if (service := self._service) is not None:
            self._post(service.idle.tick)
        stamp = convert.to_time(self.now_ns())
        self._diagnostics.publish(DiagnosticArray(header=Header(stamp=stamp), status=self._components()))

    def _post(self, job: Callable[[], None]) -> None:
        """Have the desk lane do what reads or writes the store: a callback only enqueues."""
        if (service := self._service) is not None:
            with suppress(Busy):  # it will be said again in a second
                service.desk.post(job)

    def _report(self) -> None:
        if (service := self._service) is None:
            return
        try:
            self._desk.settle(service)
            self._publish_status(service)
            self._names.tell(service)
            service.intake.problems.pop("status", None)
        except sqlite3.Error as error:
            service.intake.problems["status"] = f"the memory cannot be read: {error}"
            self._status.publish(MemoryStatus(session=self._desk.root(), components=self._components()))

    def _publish_status(self, service: MemoryService) -> None:
        mark = self._desk.mark
        counts = service.counts(self._desk.root())
        skipped = counts.skipped + mark.clips_lost
        self._status.publish(
            MemoryStatus(
                header=Header(stamp=convert.to_time(self.now_ns())),
                session=self._desk.root(),
                run=mark.run or self._desk.session.run,
                watermark=mark.watermark,
                last_clip_id=counts.last_clip,
                # a bag's clips as perception counted them, so that the sum can be wrong if something is
                clips_in=mark.clips_closed if mark.run else counts.stored + skipped + counts.waiting,
                clips_stored=counts.stored,
                clips_skipped=skipped,
                clips_waiting=counts.waiting,
                frames_in=mark.frames_in,
                frames_used=mark.frames_used,
                frames_spare=mark.frames_spare,
                frames_dropped=mark.frames_dropped,
                audio_gap_s=mark.audio_gap_s,
                recording=True,
                questions_waiting=self._questions.waiting,
                components=self._components(),
                store_bytes=service.store.bytes_used(),
                spool_bytes=service.spool.bytes_used(),
                generation=service.store.generation(),
            )
        )

    def _components(self) -> list[DiagnosticStatus]:
        service, unused = self._service, list(self._desk.mark.problems)
        found = [
            _memory_component(service),
            DiagnosticStatus(
                name="robot_memory: streams",
                level=DiagnosticStatus.WARN if unused else DiagnosticStatus.OK,
                message="some messages could not be used" if unused else self._receiving(),
                values=[KeyValue(key=f"problem {n}", value=text) for n, text in enumerate(unused, start=1)],
            ),
        ]
        if service is not None and (under_way := service.upkeep.under_way):
            found.append(DiagnosticStatus(name="robot_memory: maintenance", message=under_way))
        return found

    def _receiving(self) -> str:
        mark = self._desk.mark
        came = [stream for stream, count in zip(mark.streams, mark.received, strict=True) if count]
        return f"receiving {', '.join(came)}" if came else "nothing received yet: are the topics right, and published?"


def _memory_component(service: MemoryService | None) -> DiagnosticStatus:
    """How the memory is, and where it lies: whoever changes that file by service looks whether this is its server."""
    if service is None:
        return DiagnosticStatus(name="robot_memory: memory", level=DiagnosticStatus.ERROR, message="not active")
    trouble, warnings = list(service.intake.problems.values()), service.warnings()
    level = DiagnosticStatus.WARN if warnings else DiagnosticStatus.OK
    return DiagnosticStatus(
        name="robot_memory: memory",
        level=DiagnosticStatus.ERROR if trouble else level,
        message="; ".join([*trouble, *warnings]) or "remembering",
        values=[
            KeyValue(key=STORE, value=os.fsencode(service.store.path.absolute()).decode(errors="replace")),
            KeyValue(key="index", value=f"index {service.graph.index.describe()}"),
        ],
    )


def _memory_message(row: Any, session: Session, people: People, new: bool) -> MemoryMessage:
    about = tokens_in(row["text"])
    return MemoryMessage(
        header=Header(stamp=convert.to_time(row["end_ns"])),
        id=row["id"],
        event=MemoryMessage.NEW if new else MemoryMessage.REINFORCED,
        kind=convert.KINDS[row["kind"]],
        source=convert.SOURCES[row["source"]],
        text=with_names(row["text"], people.name_of),
        entities=about,
        person_ids=_persons(about, people),
        start=convert.to_time(row["start_ns"]),
        end=convert.to_time(row["end_ns"]),
        count=row["count"],
        session=session.id,
        clip_id=row["clip"],
    )


def _persons(tokens: list[str], people: People) -> list[str]:
    """The people that faces and voices are known to be, each once."""
    found = list[str]()
    for kind, number in map(split, tokens):
        with suppress(KeyError):  # a token that was only spoken
            found.append(f"person_{people.now(number)}" if kind == "person" else people.of_entity(number).token)
    return list(dict.fromkeys(found))
