"""One OS process of nodes: its signals, its executor thread, its orderly end.

One SingleThreadedExecutor in a thread of its own; callbacks only enqueue. SIGINT and SIGTERM are ours: lanes are
drained while results can still be sent, then the executor stops, then the nodes go.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

from robot_memory.errors import RobotMemoryError

LOG = logging.getLogger("robot_memory.ros")
FLUSH_S = 0.2  # for the last results to leave
LAST_DOMAIN = 232
INSIST_S = 1.0  # a signal repeated sooner is an echo: a terminal and `ros2 launch` both pass on one Ctrl-C


class Process:
    """Install the signals first, then import ROS, then run."""

    def __init__(self, name: str, quiet: bool = False) -> None:
        """`quiet`: a short errand, of whose beginning and end nothing is said."""
        self.name, self.quiet = name, quiet
        self.stop = threading.Event()
        self.signalled = False
        self._signalled_at = 0.0
        self._failed = False
        self._over = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def run(
        self,
        build: Callable[[], Sequence[Any]],
        work: Callable[[Any], int] | None = None,
        args: Sequence[str] | None = None,
    ) -> int:
        """Build the nodes, start them, spin until a signal or until `work(executor)` returns its exit code."""
        if not self.quiet:
            print(f"{self.name}: starting", file=sys.stderr, flush=True)
        import rclpy
        from rclpy.executors import SingleThreadedExecutor
        from rclpy.signals import SignalHandlerOptions

        if trouble := _bad_domain():
            print(f"{self.name}: {trouble}", file=sys.stderr, flush=True)
            return 1
        rclpy.init(args=list(args) if args is not None else None, signal_handler_options=SignalHandlerOptions.NO)
        nodes: Sequence[Any] = ()
        executor = SingleThreadedExecutor()
        spinner = threading.Thread(target=self._spin, args=(executor,), name="executor")
        try:
            nodes = build()
            for node in nodes:
                executor.add_node(node)
            started = all(self._start(node) for node in nodes)
            if not started:
                if self.signalled:
                    print(f"{self.name}: stopped before it began", file=sys.stderr, flush=True)
                return 0 if self.signalled else 1
            spinner.start()
            if work is None:
                about = "; ".join(words for node in nodes if (words := node.describe()))
                print(f"{self.name}: ready; {about}", file=sys.stderr, flush=True)
            if work is not None and not self.stop.is_set():
                return max(work(executor), int(self._failed))
            if work is not None and not self.quiet:
                print(f"{self.name}: stopped before it began", file=sys.stderr, flush=True)
            self.stop.wait()
            return int(self._failed)
        except RobotMemoryError as error:
            print(f"{self.name}: {error}", file=sys.stderr, flush=True)
            return 1
        finally:
            self._end(executor, spinner, nodes)

    def _start(self, node: Any) -> bool:
        """Configure and activate a node that wants it; False if that failed or the process is to stop."""
        from rclpy.lifecycle import TransitionCallbackReturn

        if self.stop.is_set():
            return False
        if not getattr(node, "autostart", False):
            return True
        for transition in (node.trigger_configure, node.trigger_activate):
            if self.stop.is_set():
                return False
            if transition() != TransitionCallbackReturn.SUCCESS:
                print(f"{self.name}: {node.get_name()} did not start; see above", file=sys.stderr, flush=True)
                return False
        return True

    def _end(self, executor: Any, spinner: threading.Thread, nodes: Sequence[Any]) -> None:
        import rclpy

        for node in reversed(nodes):  # what comes in first, and the memory last, so that it can take the last clip in
            self._guarded(node.drain)
        if spinner.is_alive():
            time.sleep(FLUSH_S)
            # shutting an executor down under its own callbacks breaks them, so it is told to stop and woken with a task
            self._over.set()
            executor.create_task(lambda: None)
            spinner.join()
        executor.shutdown()
        for node in nodes:
            self._guarded(node.release)
            self._guarded(node.destroy_node)
        rclpy.try_shutdown()
        if self.signalled:  # an echo must not kill the interpreter in its last steps
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)

    def _guarded(self, step: Callable[[], object]) -> None:
        """One node's trouble at the end must not keep the process from ending."""
        try:
            step()
        except Exception:
            self._failed = True
            LOG.exception("%s: a node did not end well", self.name)

    def _spin(self, executor: Any) -> None:
        """Run callbacks until told to stop. One that raises is a bug: the process then ends with it, not half alive."""
        from rclpy.executors import ExternalShutdownException, ShutdownException

        try:
            with suppress(ExternalShutdownException, ShutdownException):
                while not self._over.is_set():
                    executor.spin_once()
        except BaseException:
            self._failed = True
            raise
        finally:
            self.stop.set()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self.signalled:
            self.signalled, self._signalled_at = True, time.monotonic()
            self.stop.set()
        elif time.monotonic() - self._signalled_at > INSIST_S:  # asked twice: at once
            os._exit(128 + number)


def _bad_domain() -> str:
    """What is wrong with the domain, in our words: DDS has no ports for it and would say so in its own."""
    domain = os.environ.get("ROS_DOMAIN_ID", "")
    fits = not domain or (domain.isdecimal() and len(domain) <= 3 and int(domain) <= LAST_DOMAIN)
    return "" if fits else f"ROS_DOMAIN_ID={domain}: a number from 0 to {LAST_DOMAIN} is needed"
