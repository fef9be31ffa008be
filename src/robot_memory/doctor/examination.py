"""Runs all checks side by side, each by itself: one that crashes or hangs costs one line, and never more time."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future

from robot_memory.doctor.finding import Check, Finding, missing, warning
from robot_memory.errors import SettingsInvalid

LIMIT_S = 2.4  # with the start of Python less than 3


def examine(checks: Sequence[Check], limit_s: float = LIMIT_S) -> list[Finding]:
    """What the checks find, in their order, within `limit_s` seconds."""
    deadline = time.monotonic() + limit_s
    running = [_start(check) for check in checks]
    return [one for check, future in zip(checks, running) for one in _findings(check, future, deadline, limit_s)]


def _start(check: Check) -> Future[list[Finding]]:
    """In a thread of its own, which is left behind if it hangs."""
    future: Future[list[Finding]] = Future()

    def work() -> None:
        try:
            future.set_result(list(check.ask()))
        except BaseException as error:  # whatever it is, it is that check's finding
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise

    threading.Thread(target=work, name=check.name, daemon=True).start()
    return future


def _findings(check: Check, future: Future[list[Finding]], deadline: float, limit_s: float) -> list[Finding]:
    while not future.done() and time.monotonic() < deadline:
        time.sleep(0.005)
    if not future.done():
        return [warning(check.name, f"could not be told within {limit_s:.1f} s", "run it again")]
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, SettingsInvalid):
        return [missing(check.name, str(error), "mend that setting", needed=True)]
    return [warning(check.name, f"could not be told: {type(error).__name__}: {error}", "please report this")]
