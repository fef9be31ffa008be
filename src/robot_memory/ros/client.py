"""Calls into a running graph from a plain thread: the executor spins elsewhere, the caller waits with a limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rclpy.action import ActionClient
from rclpy.node import Node

from robot_memory.errors import RobotMemoryError
from robot_memory.ros import qos

CANCEL_S = 1.0


class NoAnswer(RobotMemoryError):
    """A node did not answer in time, or is not there."""


def call(node: Node, kind: Any, name: str, request: Any, timeout_s: float, stop: threading.Event | None = None) -> Any:
    """Call a service and wait for its response. Raises NoAnswer."""
    client = node.create_client(kind, name, qos_profile=qos.SERVICES)
    try:
        deadline = time.monotonic() + timeout_s
        _await(
            client.service_is_ready,
            f"the service {name}: is the robot's memory running? (robot-memory up)",
            min(timeout_s, 10.0),
            stop,
        )
        return wait(client.call_async(request), f"the service {name}", deadline - time.monotonic(), stop)
    finally:
        node.destroy_client(client)


def act(
    node: Node,
    kind: Any,
    name: str,
    goal: Any,
    on_feedback: Callable[[Any], None],
    timeout_s: float,
    stop: threading.Event | None = None,
) -> Any:
    """Send an action goal and wait for its result; setting `stop` cancels it. Raises NoAnswer."""
    client = ActionClient(node, kind, name, **qos.ACTIONS)
    try:
        _await(
            client.server_is_ready,
            f"the action {name}: is the robot's memory running? (robot-memory up)",
            min(timeout_s, 10.0),
            stop,
        )
        handle = wait(
            client.send_goal_async(goal, feedback_callback=lambda message: on_feedback(message.feedback)),
            f"the action {name}",
            timeout_s,
            stop,
        )
        if not handle.accepted:
            raise NoAnswer(f"the action {name} was rejected")
        result = handle.get_result_async()
        try:
            return wait(result, f"the action {name}", timeout_s, stop).result
        except NoAnswer:
            with suppress(NoAnswer):  # a client that is gone before the server's reply makes the server complain
                wait(handle.cancel_goal_async(), f"the action {name}", CANCEL_S)
            raise
    finally:
        client.destroy()


def wait(future: Any, what: str, timeout_s: float, stop: threading.Event | None = None) -> Any:
    """The result of a future that the executor's thread will complete. Raises NoAnswer."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    _await(done.is_set, what, timeout_s, stop)
    return future.result()


def _await(ready: Callable[[], bool], what: str, timeout_s: float, stop: threading.Event | None) -> None:
    deadline = time.monotonic() + timeout_s
    while not ready():
        if stop is not None and stop.is_set():
            raise NoAnswer(f"stopped while waiting for {what}")
        if time.monotonic() > deadline:
            raise NoAnswer(f"no answer within {timeout_s:.0f} s from {what}")
        time.sleep(0.01)
