"""Being told to stop: a command that is ended by `kill` or by a closed terminal leaves as tidily as with Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)
ALL = (signal.SIGINT, *ENDING)


@contextmanager
def like_ctrl_c() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt inside, so that every `finally` is run; also a decorator.

    Who ignores a signal (nohup) or handles it keeps that. Outside the main thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]

    def stop(number: int, frame: FrameType | None) -> None:
        for one in ours:  # a closing terminal says it twice: the tidying up shall not be disturbed
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in ours:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def held_back() -> Iterator[None]:
    """Signals that end us wait until this is over; processes begun inside begin with them held back as well."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ALL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_through() -> None:
    """In a process begun while signals were `held_back`: no more of that; Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ALL)
