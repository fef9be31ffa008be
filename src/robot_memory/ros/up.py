"""Both nodes in one process: the default way to run a robot's memory (70 MB less than two processes)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from robot_memory.ros.process import Process


def nodes(overrides: Mapping[str, Any] | None = None, namespace: str = "") -> list[Any]:
    """The memory server and perception, sharing one traffic light for their lanes; `overrides` are parameters of
    both.
    """
    from rclpy.parameter import Parameter

    from robot_memory.lanes import Traffic
    from robot_memory.ros.memory_server import MemoryServer
    from robot_memory.ros.perception_node import PerceptionNode

    traffic = Traffic()
    values = [Parameter(name, value=value) for name, value in (overrides or {}).items()]
    return [kind(traffic, parameter_overrides=values, namespace=namespace) for kind in (MemoryServer, PerceptionNode)]


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
