"""Runs the programs the set-up consists of: a clean environment, a log file each, and one line on the screen a step.

A child that fails becomes a Trouble that says what went wrong in a line and where the whole output lies.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

FOREIGN = (  # what a sourced ROS 2, an active venv or the ROS wheels leave behind, and what would lead a child astray
    "LD_LIBRARY_PATH",
    "_ROS_WHEELS_BOOTSTRAP_COMPLETE",
    "PYTHONPATH",
    "PYTHONHOME",
    "AMENT_PREFIX_PATH",
    "CMAKE_PREFIX_PATH",
    "COLCON_PREFIX_PATH",
    "VIRTUAL_ENV",
)
SECONDS_COLUMN = 64


class Trouble(Exception):
    """Something a person must mend; the message says what and how."""


def clean_environment() -> dict[str, str]:
    """This environment without what would mix other Pythons and other ROS installations into .venv."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**kept, "PYTHONNOUSERSITE": "1"}


@contextmanager
def step(label: str) -> Iterator[None]:
    """Print the label at once and the seconds when the step is done."""
    begin = time.monotonic()
    print(f"{label} ".ljust(SECONDS_COLUMN, "."), end=" ", flush=True)
    try:
        yield
    except BaseException:
        print("stopped", flush=True)
        raise
    print(f"{time.monotonic() - begin:6.1f} s", flush=True)


class Child:
    """A program whose output goes to a log file, or to the screen without one.

    `held` is a lock's descriptor: the lock stays taken until the program ends, even if this process dies before it.
    `variables` are added to its environment.
    """

    def __init__(
        self, command: list[str | Path], log: Path | None, held: int, variables: Mapping[str, str] | None = None
    ) -> None:
        self.log = log
        if log:
            log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") if log else nullcontext() as output:
            self.process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                env={**clean_environment(), **(variables or {})},
                pass_fds=(held,),
                start_new_session=True,  # so that stop() reaches the compilers, too
            )

    def wait(self, what: str) -> None:
        """Wait for the end, showing on a terminal that time passes. Raises Trouble if the program failed."""
        try:
            self._watch()
        except BaseException:
            self.stop()
            raise
        if self.process.returncode and self.log:
            why = reason(self.log.read_text(errors="replace"))
            raise Trouble(f"{what} failed: {why}\nThe whole output: {self.log}")
        if self.process.returncode:
            raise Trouble(f"{what} failed: see above, then run it again; it continues where it stopped.")

    def _watch(self) -> None:
        begin = time.monotonic()
        while True:
            try:
                self.process.wait(timeout=1)
                return
            except subprocess.TimeoutExpired:
                if self.log and sys.stdout.isatty():
                    print(f"{time.monotonic() - begin:6.1f} s", end="\b" * 8, flush=True)

    def stop(self) -> None:
        """End the program and all it has started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait()


NO_CONNECTION = ("NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "ProxyError")
CUT_OFF = ("ReadTimeoutError", "IncompleteRead", "ProtocolError", "ConnectionResetError")
REFUSED = "satisfies the requirement "
PIP_SAYS = "subprocess-exited-with-error"  # before what a compiler said


def reason(output: str) -> str:
    """The one line that matters in a program's output: what was not to be had and what to do about it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    wanted = next((line.split(REFUSED)[1].split(" (")[0] for line in lines if REFUSED in line), None)
    if "No space left on device" in output:
        return "the disk is full. Make room and run it again; it continues where it stopped."
    if "CERTIFICATE_VERIFY_FAILED" in output:
        return "the package index shows a certificate that is not trusted. Set PIP_CERT to your organisation's CA file."
    if any(sign in output for sign in NO_CONNECTION):
        return (
            f"{wanted or 'a package'} could not be fetched: no connection to the package index. "
            "Check the network, a proxy (https_proxy) or PIP_INDEX_URL and run it again; it continues where it stopped."
        )
    if any(sign in output for sign in CUT_OFF):
        return "a download broke off. Run it again; it continues where it stopped."
    if wanted:
        return f"{wanted} is not offered for this Python by the package index in use (`pip config list` shows which)."
    signs = ("error", "cmake error", "fatal")
    errors = [line for line in lines if line.lower().startswith(signs) or ": error:" in line or "fatal error:" in line]
    errors = [line for line in errors if PIP_SAYS not in line] or errors
    return errors[0] if errors else (lines[-1] if lines else "it printed nothing.")
