"""Questions over ROS: the Answer action, the Ask service and the `question` topic, all through one lane.

Each is a coroutine that awaits the answering lane. A foreign thread's result wakes it through a future bound to the
executor; the node's callback group must be reentrant, for a coroutine that waits holds its group.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures import Future as LaneFuture
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future
from robot_memory_msgs.action import Answer as AnswerAction
from robot_memory_msgs.msg import AnswerResult, Question
from robot_memory_msgs.srv import Ask

from robot_memory.control.agent import Done
from robot_memory.control.answer import Answer, Outcome
from robot_memory.control.answer import Question as AskedQuestion
from robot_memory.control.service import MemoryService
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode

KNOWN = (AnswerResult.ANSWERED, AnswerResult.ABSTAINED, AnswerResult.AMBIGUOUS)


def awaitable(node: MemoryNode) -> Future:
    """A future whose result, set by any thread, wakes the node's executor: that takes a callback, even an empty one."""
    future = Future(executor=node.executor)
    future.add_done_callback(lambda _: None)
    return future


def lane_result(node: MemoryNode, lane_future: LaneFuture[Any]) -> Future:
    """A lane's future as one that a coroutine in the node's executor can await."""
    future = awaitable(node)

    def hand_over(done: LaneFuture[Any]) -> None:
        if done.cancelled():
            future.set_exception(CancelledError())
        elif (error := done.exception()) is not None:
            future.set_exception(error)
        else:
            future.set_result(done.result())

    lane_future.add_done_callback(hand_over)
    return future


class QuestionDesk:
    """Takes questions for a memory server. `service()` is the memory, or None while there is none to ask."""

    def __init__(self, node: MemoryNode, service: Callable[[], MemoryService | None]) -> None:
        self._node, self._service = node, service
        self.waiting = 0  # questions, the one being answered included; touched in the executor's thread alone
        self._answers = node.create_publisher(AnswerResult, "answers", qos.EVENTS)
        node.create_service(Ask, "ask", self._on_ask, qos_profile=qos.SERVICES)
        node.create_subscription(Question, "question", self._on_question, qos.EVENTS)
        self._action = ActionServer(
            node,
            AnswerAction,
            "answer",
            self._on_goal,
            goal_callback=lambda goal: GoalResponse.ACCEPT,  # a rejection carries no message, so even BUSY is a result
            cancel_callback=lambda handle: CancelResponse.ACCEPT,
            **qos.ACTIONS,
        )

    def destroy(self) -> None:
        self._action.destroy()

    async def _on_goal(self, handle: Any) -> Any:
        def report(step: Done) -> None:
            handle.publish_feedback(
                AnswerAction.Feedback(round=step.round, action=step.action, query=step.query, hits=step.hits)
            )

        goal = handle.request
        budget_s = convert.to_ns(goal.budget) / 1e9
        result = await self._answer(
            goal.question, goal.max_rounds, budget_s, report, lambda: handle.is_cancel_requested
        )
        if result.outcome in KNOWN:
            handle.succeed()
        elif result.outcome == AnswerResult.CANCELLED:
            handle.canceled()
        else:
            handle.abort()
        return AnswerAction.Result(result=result)

    async def _on_ask(self, request: Any, response: Any) -> Any:
        response.result = await self._answer(request.question, request.max_rounds, convert.to_ns(request.budget) / 1e9)
        return response

    def _on_question(self, message: Question) -> None:
        executor = self._node.executor
        if executor is not None:
            executor.create_task(self._answer, message, 0, 0.0)

    async def _answer(
        self,
        message: Question,
        max_rounds: int,
        budget_s: float,
        report: Callable[[Done], None] = lambda step: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> AnswerResult:
        """Answer, and say the answer on `answers` as well."""
        began = time.monotonic()
        message.id = message.id or uuid.uuid4().hex[:12]
        self.waiting += 1
        try:
            answer = await self._in_lane(message, max_rounds, budget_s, report, cancelled)
        finally:
            self.waiting -= 1
        result = convert.answer(message, answer, self._node.now_ns(), time.monotonic() - began)
        self._answers.publish(result)
        return result

    async def _in_lane(
        self,
        message: Question,
        max_rounds: int,
        budget_s: float,
        report: Callable[[Done], None],
        cancelled: Callable[[], bool],
    ) -> Answer:
        service = self._service()
        if service is None:
            return Answer("", Outcome.NOT_READY, "The memory server is not active.")
        as_of_ns = convert.to_ns(message.as_of) or None
        asked_ns = convert.to_ns(message.header.stamp) or self._node.now_ns()
        question = AskedQuestion(message.id, message.text, asked_ns, as_of_ns, message.asker_id)
        stopping = Answer("", Outcome.NOT_READY, "The memory server is stopping.")
        lane = service.ask(question, max_rounds, budget_s, report, lambda: cancelled() or self._service() is None)
        try:
            answer: Answer = await lane_result(self._node, lane)
        except CancelledError:
            return stopping
        return stopping if answer.outcome is Outcome.CANCELLED and not cancelled() else answer
