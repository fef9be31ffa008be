"""What both nodes share: lifecycle nodes that may start themselves and can be told to let go."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.exceptions import InvalidTopicNameException
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.timer import Timer

from robot_memory.errors import RobotMemoryError
from robot_memory.ros import parameters

LOG = logging.getLogger("robot_memory.ros")


class MemoryNode(LifecycleNode):
    """A lifecycle node with `autostart`. What is put into `wanted` and `ticks` lives from activate to deactivate."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self.autostart = bool(parameters.declare(self, "autostart", True, "configure and activate by itself"))
        self.wanted: list[Any] = []
        self.ticks: list[Timer] = []

    def every(self, seconds: float, callback: Any) -> None:
        """Call back by the steady clock: ROS time stands still while a replay's clock does."""
        self.ticks.append(self.create_timer(seconds, callback, clock=Clock(clock_type=ClockType.STEADY_TIME)))

    def configure(self) -> None:
        """Read the parameters, open files, load models. What it raises is said, and the transition fails."""
        raise NotImplementedError

    def activate(self) -> None:
        """Subscribe and begin. What it raises is said, and the transition fails."""
        raise NotImplementedError

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        return self._try(self.configure)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        if self._try(self.activate) != TransitionCallbackReturn.SUCCESS:
            return TransitionCallbackReturn.FAILURE
        return super().on_activate(state)

    def _try(self, step: Callable[[], None]) -> TransitionCallbackReturn:
        """Rclpy would swallow an exception here without a word."""
        try:
            step()
        except (RobotMemoryError, OSError, sqlite3.Error, InvalidTopicNameException) as error:
            self.get_logger().error(f"cannot start: {error}")
            return TransitionCallbackReturn.FAILURE
        except Exception:
            LOG.exception("%s cannot start", self.get_name())
            return TransitionCallbackReturn.FAILURE
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        for subscription in self.wanted:
            self.destroy_subscription(subscription)
        for tick in self.ticks:
            self.destroy_timer(tick)
        self.wanted, self.ticks = [], []
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.drain()
        self.release()
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.drain()
        self.release()
        return TransitionCallbackReturn.SUCCESS

    def drain(self) -> None:
        """Answer what is owed, finish or give up what is being done, end threads. Callbacks may still come."""
        raise NotImplementedError

    def describe(self) -> str:
        """What the node works on, for whoever started it."""
        return ""

    def release(self) -> None:
        """Let go of files. Called after `drain`, when no callback runs any more."""

    def now_ns(self) -> int:
        """The node clock."""
        return int(self.get_clock().now().nanoseconds)

    def clock_name(self) -> str:
        """Which clock that is, as sessions record it: "ros" when the time comes from /clock, else "system"."""
        return "ros" if self.get_parameter("use_sim_time").value else "system"
