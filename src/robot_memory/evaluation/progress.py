"""Progress on stderr: one line drawn over itself on a terminal; elsewhere (a log) a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from robot_memory.evaluation.terminal import shown

REDRAW_S, LOG_S = 0.1, 10.0
LONGEST = 120


class Line:
    """A context manager: `show` what is going on; leaving it leaves the cursor on a new line."""

    def __init__(self) -> None:
        self._drawn, self._live = -LOG_S, sys.stderr.isatty()
        self._text = ""

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *error: object) -> None:
        self._draw()
        if self._live and self._text:
            print(file=sys.stderr)

    def show(self, text: str) -> None:
        """Too many calls are no matter: it is drawn ten times a second at most, and the last text always."""
        if text == self._text:
            return
        self._text = text
        if time.monotonic() - self._drawn >= (REDRAW_S if self._live else LOG_S):
            self._draw()

    def share(self, what: str) -> Callable[[float], None]:
        """A function that takes the share done, 0 to 1, and shows it in percent."""
        return lambda done: self.show(f"{what} {int(done * 100):3d} %")

    def _draw(self) -> None:
        if not self._text:
            return
        self._drawn = time.monotonic()
        if self._live:
            print(f"\r\x1b[K{shown(self._text)[:LONGEST]}", end="", file=sys.stderr, flush=True)
        else:
            print(shown(self._text), file=sys.stderr, flush=True)
