"""Work on what is in memory now, done in a process of its own while this one goes on.

hnswlib holds the interpreter while it writes: two to four seconds at 350,000 vectors, in which no question is answered.
A forked child has the graph as it was at that moment; measured, to fork takes this process 50 to 80 ms with 1.2 GB.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

LOOK_S = 0.02


def begin(work: Callable[[], object]) -> int:
    """Start `work` in a child; returns its process id, for `end`. It must not need any other thread, a lock that one
    may hold, or a file that is open now. Raises OSError.
    """
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        _close_files()  # else the memory would stay locked, were this robot killed now
        os.umask(0o077)
        work()
        status = 0
    finally:
        os._exit(status)


def _close_files() -> None:
    """All but the standard ones."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the listing's own is closed already
            if int(name) > 2:
                os.close(int(name))


def end(child: int, go_on: Callable[[], None]) -> None:
    """Wait for the child; it is killed where `go_on` raises. Raises that, and OSError where its work failed."""
    done = status = 0
    try:
        while not done:
            go_on()
            time.sleep(LOOK_S)
            done, status = os.waitpid(child, os.WNOHANG)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    if status:
        raise OSError(errno.EIO, f"the process that writes it ended with status {os.waitstatus_to_exitcode(status)}")
