"""What the microphone and the camera node share: a thread that reads, comes back after a loss, and says how it goes.

What is plainly wrong (no such file, nothing installed) fails the configuration. What may pass is tried again, with
longer and longer pauses.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Generator
from contextlib import closing
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.lifecycle import LifecycleState, TransitionCallbackReturn
from std_msgs.msg import Header

from robot_memory.devices.sources import Kind, Source, SourceLost, SourceRefused, source
from robot_memory.errors import SettingsInvalid
from robot_memory.ros import convert, qos
from robot_memory.ros.node import MemoryNode

LOG = logging.getLogger("robot_memory.ros")
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)
END_S = 0.7  # for the thread to notice; a URL that answers nothing may hold it longer, and is then left to itself


class SourceNode(MemoryNode):
    """Configure checks the source; activate starts to read it; deactivate stops."""

    def __init__(self, name: str, what: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self.what = what  # microphone or camera, as in the settings
        self.source = Source(Kind.FILE, "")
        self.sent = self.losses = 0
        self.stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble, self._doing = "", "not started"
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", qos.EVENTS)

    # ---- what a microphone and a camera do differently

    def items(self) -> Generator[Any, None, None]:
        """The source from its beginning. Raises SourceLost or SourceRefused."""
        raise NotImplementedError

    def deliver(self, item: Any) -> None:
        """Wait until it is due, and publish it."""
        raise NotImplementedError

    def listeners(self) -> int:
        """How many subscribe to what is published."""
        raise NotImplementedError

    def looped(self) -> bool:
        """Does a file start anew at its end?"""
        raise NotImplementedError

    def begin(self) -> None:
        """The source is about to be read from its beginning."""

    def counts(self) -> dict[str, str]:
        """More for the diagnostics."""
        return {}

    # ---- lifecycle

    def choose(self, text: str) -> Source:
        """The source of the settings. Raises SettingsInvalid or SourceRefused."""
        if not text.strip():
            raise SettingsInvalid(f"{self.what}.source is empty: give a device, a file or a URL")
        self.source = source(text)
        return self.source

    def activate(self) -> None:
        self.stop.clear()
        self._trouble, self._doing = "", "starting"
        self._thread = threading.Thread(target=self._run, name=self.what, daemon=True)
        self._thread.start()
        self.every(1.0, self._on_second)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._end()
        return super().on_deactivate(state)

    def drain(self) -> None:
        self._end()

    def _end(self) -> None:
        self.stop.set()
        if self._thread is not None:
            self._thread.join(END_S)
            self._thread = None

    # ---- the thread

    def _run(self) -> None:
        try:
            self._read_on()
        except SourceRefused as error:
            self._say(str(error))
        except Exception as error:
            self._say(f"{type(error).__name__}: {error}")
            LOG.exception("%s ended", self.what)

    def _read_on(self) -> None:
        failures = 0
        while not self.stop.is_set():
            before = self.sent
            try:
                self._wait_for_listener()
                self.begin()
                self._read()
                if self.source.kind is Kind.FILE and not self.looped():
                    self._doing = f"{self.source} has ended"
                    self.get_logger().info(f"{self._doing}; {self.sent} messages")
                    return
                if self.source.kind is not Kind.FILE:
                    raise SourceLost(f"{self.source} has ended")
                if self.sent == before:
                    raise SourceRefused(f"{self.source} is empty")
            except SourceLost as error:
                failures = 0 if self.sent > before else failures + 1
                self.losses += 1
                self._say(str(error))
                self.stop.wait(PAUSES_S[min(failures, len(PAUSES_S) - 1)])

    def _read(self) -> None:
        with closing(self.items()) as items:
            for item in items:
                if self.stop.is_set():
                    return
                self.deliver(item)
                self.sent += 1
                if self._trouble:
                    self.get_logger().info(f"{self.what}: {self.source} is there again")
                self._trouble, self._doing = "", f"sending {self.source}"

    def _wait_for_listener(self) -> None:
        """A file would be over before anybody listens."""
        while self.source.kind is Kind.FILE and not self.listeners() and not self.stop.wait(0.05):
            self._doing = f"waiting for a listener to {self.source}"

    def _say(self, trouble: str) -> None:
        """Once in the log, and in the diagnostics for as long as it lasts."""
        if trouble != self._trouble:
            self.get_logger().error(f"{self.what}: {trouble}")
        self._trouble = trouble

    def sleep(self, seconds: float) -> None:
        """Until something is due, or the end."""
        if seconds > 0:
            self.stop.wait(seconds)

    @staticmethod
    def steady_s() -> float:
        return time.monotonic()

    # ---- how it goes

    def describe(self) -> str:
        return f"{self.what} from {self.source}"

    def _on_second(self) -> None:
        values = {"messages": str(self.sent), "losses": str(self.losses)} | self.counts()
        status = DiagnosticStatus(
            name=f"robot_memory: {self.what}",
            level=DiagnosticStatus.ERROR if self._trouble else DiagnosticStatus.OK,
            message=self._trouble or self._doing,
            values=[KeyValue(key=key, value=value) for key, value in values.items()],
        )
        self._diagnostics.publish(DiagnosticArray(header=Header(stamp=convert.to_time(self.now_ns())), status=[status]))
