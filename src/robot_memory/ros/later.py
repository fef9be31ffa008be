"""Operator services that later versions bring: they exist, so that clients can be written, and say NOT_READY."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer
from rclpy.lifecycle import LifecycleNode
from robot_memory_msgs.action import Forget
from robot_memory_msgs.msg import Outcome
from robot_memory_msgs.srv import Remember, SetPerson, SetRecording

from robot_memory.ros import qos

SERVICES = {
    "remember": Remember,
    "set_person": SetPerson,
    "set_recording": SetRecording,
}
ACTIONS = {"forget": Forget}


def offer(node: LifecycleNode) -> list[ActionServer]:
    """Create them all; the action servers are the caller's to destroy."""
    for name, kind in SERVICES.items():
        node.create_service(kind, name, _refusal(name), qos_profile=qos.SERVICES)
    return [ActionServer(node, kind, name, _refused_goal(kind, name), **qos.ACTIONS) for name, kind in ACTIONS.items()]


def _refusal(name: str) -> Callable[[Any, Any], Any]:
    def reply(request: Any, response: Any) -> Any:
        response.outcome, response.message = Outcome.NOT_READY, _words(name)
        return response

    return reply


def _refused_goal(kind: Any, name: str) -> Callable[[Any], Any]:
    def reply(handle: Any) -> Any:
        handle.abort()
        return kind.Result(outcome=Outcome.NOT_READY, message=_words(name))

    return reply


def _words(name: str) -> str:
    return f"{name} is not built yet: it comes with a later version"
