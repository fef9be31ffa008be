"""The Maintain action: a backup, vectors made anew or their index, what repeats made into rules, while the robot lives
on; with feedback, and cancel.

Goals are always accepted, since a rejection could carry no message.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from robot_memory_msgs.action import Maintain
from robot_memory_msgs.msg import Outcome

from robot_memory.control.service import MemoryService
from robot_memory.control.upkeep import UpkeepInvalid, UpkeepRefused
from robot_memory.errors import Cancelled, RobotMemoryError
from robot_memory.lanes import Busy
from robot_memory.ros import qos
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.questions import lane_result
from robot_memory.ros.sessions import NOT_ACTIVE

LOG = logging.getLogger("robot_memory.ros")
STOPPING = "The memory server is stopping: ask again when it runs."
OUTCOMES: dict[type[Exception], int] = {
    UpkeepInvalid: Outcome.INVALID,
    UpkeepRefused: Outcome.REFUSED,
    Busy: Outcome.BUSY,
    CancelledError: Outcome.NOT_READY,
}


class UpkeepDesk:
    """Serves Maintain for a memory server. `service()` is the memory, or None while there is none; `changed` is called
    when a task has ended.
    """

    def __init__(
        self, node: MemoryNode, service: Callable[[], MemoryService | None], changed: Callable[[], None]
    ) -> None:
        self._node, self._service, self._changed = node, service, changed
        self._action = ActionServer(
            node,
            Maintain,
            "maintain",
            self._on_goal,
            goal_callback=lambda goal: GoalResponse.ACCEPT,
            cancel_callback=lambda handle: CancelResponse.ACCEPT,
            **qos.ACTIONS,
        )

    def destroy(self) -> None:
        self._action.destroy()

    async def _on_goal(self, handle: Any) -> Any:
        result = await self._work(handle)
        if result.outcome == Outcome.DONE:
            handle.succeed()
        elif result.outcome == Outcome.CANCELLED:
            handle.canceled()
        else:
            handle.abort()
        self._changed()
        return result

    async def _work(self, handle: Any) -> Any:
        service = self._service()
        if service is None:
            return Maintain.Result(outcome=Outcome.NOT_READY, message=NOT_ACTIVE)
        try:
            done = await lane_result(self._node, self._begin(service, handle))
        except Cancelled as stopped:
            if handle.is_cancel_requested:
                return Maintain.Result(outcome=Outcome.CANCELLED, message=str(stopped))
            return Maintain.Result(outcome=Outcome.NOT_READY, message=STOPPING)
        except tuple(OUTCOMES) as error:
            outcome = next(number for kind, number in OUTCOMES.items() if isinstance(error, kind))
            return Maintain.Result(outcome=outcome, message=str(error) or STOPPING)
        except Exception as error:  # a full disk, a folder that may not be written; none must end the node
            LOG.error("maintain failed: %s", error, exc_info=not isinstance(error, RobotMemoryError))
            return Maintain.Result(outcome=Outcome.ERROR, message=str(error))
        return Maintain.Result(outcome=Outcome.DONE, message=done.message, done=done.count)

    def _begin(self, service: MemoryService, handle: Any) -> Future[Any]:
        """Raises Busy or UpkeepInvalid."""
        goal = handle.request

        def report(stage: str, fraction: float) -> None:
            handle.publish_feedback(Maintain.Feedback(stage=stage, fraction=fraction))

        def cancelled() -> bool:
            return bool(handle.is_cancel_requested)

        if goal.task == Maintain.Goal.BACKUP:
            return service.upkeep.backup(goal.path, report, cancelled)
        if goal.task == Maintain.Goal.REEMBED:
            return service.upkeep.reembed(report, cancelled)
        if goal.task == Maintain.Goal.REBUILD_INDEX:
            return service.upkeep.rebuild_index(report, cancelled)
        if goal.task == Maintain.Goal.CONSOLIDATE:
            return service.upkeep.consolidate(report, cancelled)
        raise UpkeepInvalid(f"there is no task {goal.task}")
