"""All nodes in one process: the default way to run a robot's memory (70 MB less than two processes).

With a microphone or a camera of its own, it needs no driver: a laptop is a robot.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from robot_memory.ros.process import Process


def nodes(overrides: Mapping[str, Any] | None = None, namespace: str = "") -> list[Any]:
    """The memory server and perception, sharing one traffic light for their lanes, then the microphone and the camera
    that are wanted; `overrides` are parameters of all of them.
    """
    from rclpy.parameter import Parameter

    from robot_memory.lanes import Traffic
    from robot_memory.ros.memory_server import MemoryServer
    from robot_memory.ros.perception_node import PerceptionNode

    traffic, settings = Traffic(), dict(overrides or {})
    given = {"parameter_overrides": [Parameter(name, value=value) for name, value in settings.items()]}
    made: list[Any] = [kind(traffic, namespace=namespace, **given) for kind in (MemoryServer, PerceptionNode)]
    if settings.get("microphone.source"):
        from robot_memory.ros.microphone import MicrophoneNode

        made.append(MicrophoneNode(namespace=namespace, **given))
    if settings.get("camera.source"):
        from robot_memory.ros.camera import CameraNode

        made.append(CameraNode(namespace=namespace, **given))
    return made


def run(settings: Mapping[str, Any]) -> int:
    """`robot-memory up`: until SIGINT or SIGTERM."""
    return Process("robot_memory").run(lambda: nodes(settings), args=[])


def main() -> int:
    """The `up` executable: parameters come as --ros-args."""
    return Process("robot_memory").run(nodes, args=sys.argv)


def perception() -> int:
    """The `perception` executable. Here, not beside its node, so that signals are ours before rclpy is imported."""

    def build() -> list[Any]:
        from robot_memory.ros.perception_node import PerceptionNode

        return [PerceptionNode()]

    return Process("perception").run(build, args=sys.argv)


def memory_server() -> int:
    """The `memory_server` executable."""

    def build() -> list[Any]:
        from robot_memory.ros.memory_server import MemoryServer

        return [MemoryServer()]

    return Process("memory_server").run(build, args=sys.argv)


def microphone() -> int:
    """The `microphone` executable."""

    def build() -> list[Any]:
        from robot_memory.ros.microphone import MicrophoneNode

        return [MicrophoneNode()]

    return Process("microphone").run(build, args=sys.argv)


def camera() -> int:
    """The `camera` executable."""

    def build() -> list[Any]:
        from robot_memory.ros.camera import CameraNode

        return [CameraNode()]

    return Process("camera").run(build, args=sys.argv)
