"""A request of a service, worked on in a lane of the memory: its result, or an outcome and words."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from typing import Any

from robot_memory_msgs.msg import Outcome

from robot_memory.control.service import MemoryService
from robot_memory.errors import RobotMemoryError
from robot_memory.ros.node import MemoryNode
from robot_memory.ros.questions import lane_result
from robot_memory.ros.sessions import NOT_ACTIVE

LOG = logging.getLogger("robot_memory.ros")
Outcomes = Mapping[type[Exception], int]  # what a lane may raise -> what the client is told


async def worked_on(
    node: MemoryNode,
    service: MemoryService | None,
    response: Any,
    begin: Callable[[MemoryService], Future[Any]],
    outcomes: Outcomes,
) -> Any:
    """What the lane returns; None where it could not, and the response says why. `service` None: there is no memory."""
    if service is None:
        return _refused(response, Outcome.NOT_READY, NOT_ACTIVE)
    try:
        done = await lane_result(node, begin(service))
    except CancelledError:
        return _refused(response, Outcome.NOT_READY, NOT_ACTIVE)
    except tuple(outcomes) as error:
        outcome = next(number for kind, number in outcomes.items() if isinstance(error, kind))
        known = isinstance(error, RobotMemoryError)
        return _refused(response, outcome, str(error) if known else f"the memory cannot be used: {error}")
    except Exception as error:  # one request must not end the node
        LOG.exception("a request failed")
        return _refused(response, Outcome.ERROR, f"the request could not be worked on: {error}")
    response.outcome = Outcome.DONE
    return done


def _refused(response: Any, outcome: int, message: str) -> None:
    response.outcome, response.message = outcome, message
