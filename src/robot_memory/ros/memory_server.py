"""The memory server node: clips in from the spool, answers, people and status out. The only writer of the store.

Ask and Answer are coroutines that await the answering lane; a foreign thread's result wakes them through a future
bound to the executor. Operator services that are not built yet exist and say NOT_READY.
"""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures import Future as LaneFuture
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.task import Future
from robot_memory_msgs.action import Answer as AnswerAction
from robot_memory_msgs.action import Forget, Maintain
from robot_memory_msgs.msg import AnswerResult, ClipReady, FaceArray, MemoryStatus, Person, Question, VoiceTurn, Watermark
from robot_memory_msgs.msg import Memory as MemoryMessage
from robot_memory_msgs.msg import Session as SessionMessage
from robot_memory_msgs.srv import (
    Ask, CloseSession, GetEvidence, ListPeople, MergePersons, NamePerson, OpenSession, Remember, Search, SetRecording, SplitPerson, UndoChange,
)
from std_msgs.msg import Header

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control import roster
from robot_memory.control.agent import Step, now_for
from robot_memory.control.answer import Answer, Outcome
from robot_memory.control.answer import Question as AskedQuestion
from robot_memory.control.service import MemoryService, SessionRefused
from robot_memory.errors import RobotMemoryError
from robot_memory.lanes import Traffic
from robot_memory.memorization.memorise import Stored
from robot_memory.memory.people import People
from robot_memory.memory.tokens import tokens_in, with_names
from robot_memory.ros import convert, parameters, qos
from robot_memory.streams.sessions import Session, root_of

STATUS_EVERY_S = 0.25
LATER = "not built yet: it comes with a later version"
NOT_READY_SERVICES = {
    "search": Search, "get_evidence": GetEvidence, "remember": Remember, "name_person": NamePerson, "merge_persons": MergePersons,
    "split_person": SplitPerson, "undo_change": UndoChange, "set_recording": SetRecording,
}


class MemoryServer(LifecycleNode):
    """Configure opens the store; activate begins to take clips and questions."""

    def __init__(self, traffic: Traffic | None = None, **kwargs: Any) -> None:
        # a coroutine that awaits a lane holds its callback group: in an exclusive one nothing else would run meanwhile
        self._reentrant = ReentrantCallbackGroup()
        super().__init__("memory_server", **kwargs)
        self._traffic = traffic or Traffic()
        self._service: MemoryService | None = None
        self._closing = False
        self._session = Session("")
        self._mark = Watermark()
        self._flushes: list[tuple[str, Future]] = []
        self._status_at = 0.0
        self.autostart = bool(parameters.declare(self, "autostart", True, "configure and activate by itself"))
        self._memories = self.create_publisher(MemoryMessage, "memories", qos.EVENTS)
        self._answers = self.create_publisher(AnswerResult, "answers", qos.EVENTS)
        self._status = self.create_publisher(MemoryStatus, "status", qos.LATCHED)
        self._sessions = self.create_publisher(SessionMessage, "session", qos.LATCHED)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", qos.EVENTS)
        self._offer()

    @property
    def default_callback_group(self) -> ReentrantCallbackGroup:
        return self._reentrant

    # ---- lifecycle

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Read the parameters, open the store with its models."""
        try:
            groups = [parameters.read(self, kind, prefix) for kind, prefix in (
                (StoreSettings, "store"), (StreamSettings, "streams"), (PerceptionSettings, "perception"), (AnswerSettings, "answers"))]
            self._service = MemoryService(*groups, self._traffic, self._on_stored)
        except (RobotMemoryError, OSError) as error:
            self.get_logger().error(f"cannot start: {error}")
            return TransitionCallbackReturn.FAILURE
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Take what lies in the spool and whatever is announced from now on."""
        subscribe = self.create_subscription
        self._wanted = [
            subscribe(ClipReady, "clip_ready", self._on_clip_ready, qos.EVENTS),
            subscribe(Watermark, "watermark", self._on_watermark, qos.EVENTS),
            subscribe(FaceArray, "faces", self._on_faces, qos.EVENTS),
            subscribe(VoiceTurn, "turns", self._on_turn, qos.EVENTS),
            subscribe(Question, "question", self._on_question, qos.EVENTS),
        ]
        steady = Clock(clock_type=ClockType.STEADY_TIME)  # timers on ROS time would stand still while a replay's clock does
        self._steady_timers = [self.create_timer(2.0, self._scan, clock=steady), self.create_timer(1.0, self._on_second, clock=steady)]
        self._scan()
        self._publish_status()
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        for subscription in self._wanted:
            self.destroy_subscription(subscription)
        for timer in self._steady_timers:
            self.destroy_timer(timer)
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.drain()
        self._closing = False
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.drain()
        return TransitionCallbackReturn.SUCCESS

    def drain(self) -> None:
        """Questions still waiting are told NOT_READY; the running change is committed; the store is released."""
        self._closing = True
        for _, flush in self._flushes:
            flush.cancel()
        service, self._service = self._service, None
        if service is not None:
            service.close()

    # ---- questions

    async def _answer_goal(self, handle: Any) -> Any:
        """The Answer action: accepted at once, so that even BUSY comes with a message."""
        goal = handle.request

        def report(step: Step) -> None:
            handle.publish_feedback(AnswerAction.Feedback(round=step.round, action=step.action, query=step.query, hits=step.hits))

        result = await self._ask(goal.question, goal.max_rounds, goal.budget, report, lambda: bool(handle.is_cancel_requested))
        if result.outcome in (AnswerResult.ANSWERED, AnswerResult.ABSTAINED, AnswerResult.AMBIGUOUS):
            handle.succeed()
        elif result.outcome == AnswerResult.CANCELLED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        return AnswerAction.Result(result=result)

    async def _ask_service(self, request: Any, response: Any) -> Any:
        response.result = await self._ask(request.question, request.max_rounds, request.budget)
        return response

    def _on_question(self, message: Question) -> None:
        """A question on the topic: the answer goes out on `answers` like every other."""
        self._executor_of().create_task(self._ask, message, 0, None)

    async def _ask(self, message: Question, max_rounds: int, budget: Any, report: Callable[[Step], None] = lambda step: None,
                   cancelled: Callable[[], bool] = lambda: False) -> AnswerResult:
        began = time.monotonic()
        question_id = message.id or uuid.uuid4().hex[:12]
        answer = await self._in_lane(message, question_id, max_rounds, convert.to_ns(budget) / 1e9 if budget else 0.0, report, cancelled)
        result = convert.answer(question_id, answer, time.monotonic() - began)
        self._answers.publish(result)
        return result

    async def _in_lane(self, message: Question, question_id: str, max_rounds: int, budget_s: float, report: Callable[[Step], None],
                       cancelled: Callable[[], bool]) -> Answer:
        service = self._service
        if service is None or self._closing:
            return Answer("", Outcome.NOT_READY, "The memory server is not active.")
        as_of_ns = convert.to_ns(message.as_of) or None
        now_ns = as_of_ns or max(now_for(service.store.reader(), self._now()), 0)
        question = AskedQuestion(question_id, message.text, now_ns, as_of_ns, message.asker_id)
        lane_future = service.ask(question, max_rounds, budget_s, report, lambda: self._closing or cancelled())
        try:
            answer: Answer = await self._awaitable(lane_future)
        except CancelledError:
            return Answer("", Outcome.NOT_READY, "The memory server is stopping.")
        if answer.outcome is Outcome.CANCELLED and self._closing:
            return Answer("", Outcome.NOT_READY, "The memory server is stopping.")
        return answer

    def _awaitable(self, lane_future: LaneFuture[Any]) -> Future:
        """A lane's future as one that a coroutine on our executor can await."""
        future = self._future()

        def hand_over(done: LaneFuture[Any]) -> None:
            if done.cancelled():
                future.set_exception(CancelledError())
            elif (error := done.exception()) is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())

        lane_future.add_done_callback(hand_over)
        return future

    def _future(self) -> Future:
        """A future whose result, set by any thread, wakes the executor: that takes a callback, even one that does nothing."""
        future = Future(executor=self._executor_of())
        future.add_done_callback(lambda _: None)
        return future

    # ---- sessions

    def _open_session(self, request: Any, response: Any) -> Any:
        session = Session("", request.bag_uri, request.bag_fingerprint, request.utc_offset_s, request.zone,
                          origin_ns=convert.to_ns(request.origin) or None, lockstep=request.lockstep)
        if self._service is None:
            response.message = "The memory server is not active."
            return response
        try:
            session = self._service.open_session(session, request.into)
        except SessionRefused as refusal:
            response.message = str(refusal)
            return response
        self._session = session
        self._publish_session(SessionMessage.OPEN)
        response.ok, response.session = True, session.id
        return response

    async def _close_session(self, request: Any, response: Any) -> Any:
        service, session = self._service, request.session or self._session.id
        if service is None or session != self._session.id or not session:
            response.message = f"no session {session!r} is open here"
            return response
        self._publish_session(SessionMessage.CLOSE)
        if request.flush:
            flushed = self._future()
            self._flushes.append((session, flushed))
            await flushed
        if self._service is None or self._closing:
            response.message = "The memory server stopped before everything was stored: replay again to finish."
            return response
        counts = service.counts(session)
        response.ok, response.clips_stored, response.clips_skipped = True, counts.stored, counts.skipped + self._mark.clips_lost
        return response

    def _settle_flushes(self) -> None:
        """A flush is done when perception has closed its last clip and all of them are committed."""
        for session, flushed in list(self._flushes):
            if self._service is None or not self._mark.closed or root_of(self._mark.session) != session:
                continue
            counts = self._service.counts(session)
            if counts.waiting == 0 and counts.stored + counts.skipped + self._mark.clips_lost >= self._mark.clips_closed:
                self._flushes.remove((session, flushed))
                self._service.finish_session(session)
                flushed.set_result(True)

    def _publish_session(self, state: int) -> None:
        session = self._session
        self._sessions.publish(SessionMessage(state=state, id=session.id, bag_uri=session.bag_uri, bag_fingerprint=session.bag_fingerprint,
                                              utc_offset_s=session.utc_offset_s, zone=session.zone,
                                              origin=convert.to_time(session.origin_ns or 0), lockstep=session.lockstep))

    # ---- what perception reports

    def _on_watermark(self, message: Watermark) -> None:
        self._mark = message
        self._settle_flushes()
        if message.closed or time.monotonic() - self._status_at > STATUS_EVERY_S:
            self._publish_status()

    def _on_clip_ready(self, message: ClipReady) -> None:
        if self._service is not None:
            self._service.clip_ready(Path(message.path))

    def _scan(self) -> None:
        if self._service is not None:
            self._service.scan()

    def _on_faces(self, message: FaceArray) -> None:
        if self._service is not None:
            for face in message.faces:
                self._service.working.see(message.session, convert.to_ns(message.header.stamp), convert.to_ns(face.first_seen), face.track)

    def _on_turn(self, message: VoiceTurn) -> None:
        if self._service is not None:
            self._service.working.hear(message.session, convert.to_ns(message.header.stamp), convert.to_ns(message.end), message.text)

    def _on_stored(self, session: Session, stored: Stored) -> None:
        """Called in the memorise lane: publish what was remembered."""
        service = self._service
        if service is None:
            return
        with service.store.snapshot() as db:
            people = People(db)
            for memory in stored.memories:
                row = db.execute("SELECT * FROM memories WHERE id = ?", (memory,)).fetchone()
                self._memories.publish(MemoryMessage(
                    header=Header(stamp=convert.to_time(row["end_ns"])), id=row["id"], kind=convert.KINDS[row["kind"]],
                    text=with_names(row["text"], people.name_of), entities=tokens_in(row["text"]), start=convert.to_time(row["start_ns"]),
                    end=convert.to_time(row["end_ns"]), clip_id=row["clip"]))
        self._executor_of().create_task(self._after_commit)

    def _after_commit(self) -> None:
        self._settle_flushes()
        self._publish_status()

    def _on_second(self) -> None:
        self._settle_flushes()
        self._publish_status()
        self._diagnostics.publish(DiagnosticArray(header=Header(stamp=convert.to_time(self._now())), status=self._components()))

    # ---- people, status

    def _list_people(self, request: Any, response: Any) -> Any:
        if self._service is None:
            response.outcome, response.message = AnswerResult.NOT_READY, "The memory server is not active."
            return response
        with self._service.store.snapshot() as db:
            response.people = [
                Person(id=one.id, name=one.name, description=one.description, faces=list(one.faces), voices=list(one.voices),
                       aliases=list(one.aliases), first_seen=convert.to_time(one.first_ns), last_seen=convert.to_time(one.last_ns),
                       crop_uri=one.crop_uri)
                for one in roster.people(db) if one.name or not request.only_named
            ]
        return response

    def _publish_status(self) -> None:
        service, mark = self._service, self._mark
        if service is None:
            return
        self._status_at = time.monotonic()
        session = root_of(mark.session or self._session.id)
        counts = service.counts(session)
        skipped = counts.skipped + mark.clips_lost
        self._status.publish(MemoryStatus(
            header=Header(stamp=convert.to_time(self._now())), session=session, watermark=mark.watermark, last_clip_id=counts.last_clip,
            clips_in=counts.stored + skipped + counts.waiting, clips_stored=counts.stored, clips_skipped=skipped,
            clips_waiting=counts.waiting, frames_in=mark.frames_in, frames_used=mark.frames_used, frames_spare=mark.frames_spare,
            frames_dropped=mark.frames_dropped, audio_gap_s=mark.audio_gap_s, recording=True, components=self._components(),
            store_bytes=service.store.bytes_used(), spool_bytes=service.spool.bytes_used(), generation=service.store.generation()))

    def _components(self) -> list[DiagnosticStatus]:
        problems = dict(self._service.problems) if self._service else {}
        level, text = (DiagnosticStatus.ERROR, "; ".join(problems.values())) if problems else (DiagnosticStatus.OK, "remembering")
        store = DiagnosticStatus(level=level, name="robot_memory: memory", message=text)
        seen = DiagnosticStatus(level=DiagnosticStatus.WARN if self._mark.problems else DiagnosticStatus.OK, name="robot_memory: streams",
                                message="some messages could not be used" if self._mark.problems else "receiving",
                                values=[KeyValue(key=str(n), value=text) for n, text in enumerate(self._mark.problems)])
        return [store, seen]

    # ---- plumbing

    def _offer(self) -> None:
        """Every service and action of the interface, those of later versions included."""
        offer = self.create_service
        offer(Ask, "ask", self._ask_service, qos_profile=qos.SERVICES)
        offer(OpenSession, "open_session", self._open_session, qos_profile=qos.SERVICES)
        offer(CloseSession, "close_session", self._close_session, qos_profile=qos.SERVICES)
        offer(ListPeople, "list_people", self._list_people, qos_profile=qos.SERVICES)
        for name, kind in NOT_READY_SERVICES.items():
            offer(kind, name, _not_ready(name), qos_profile=qos.SERVICES)
        accept = {"goal_callback": lambda goal: GoalResponse.ACCEPT, "cancel_callback": lambda handle: CancelResponse.ACCEPT}
        depth = {"goal_service_qos_profile": qos.SERVICES, "result_service_qos_profile": qos.SERVICES, "cancel_service_qos_profile": qos.SERVICES}
        self._actions = [
            ActionServer(self, AnswerAction, "answer", self._answer_goal, **accept, **depth),
            ActionServer(self, Forget, "forget", _not_ready_goal(Forget, "forget"), **accept),
            ActionServer(self, Maintain, "maintain", _not_ready_goal(Maintain, "maintain"), **accept),
        ]

    def destroy_node(self) -> None:
        for action in self._actions:
            action.destroy()
        super().destroy_node()

    def _executor_of(self) -> Any:
        executor = self.executor
        assert executor is not None
        return executor

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)


def _not_ready(name: str) -> Callable[[Any, Any], Any]:
    def reply(request: Any, response: Any) -> Any:
        response.outcome, response.message = AnswerResult.NOT_READY, f"{name} is {LATER}"
        return response

    return reply


def _not_ready_goal(kind: Any, name: str) -> Callable[[Any], Any]:
    def reply(handle: Any) -> Any:
        handle.abort()
        return kind.Result(outcome=AnswerResult.NOT_READY, message=f"{name} is {LATER}")

    return reply


def main() -> int:
    """The `memory_server` executable."""
    from robot_memory.ros.process import Process

    return Process("memory_server").run(lambda: [MemoryServer()], args=sys.argv)
