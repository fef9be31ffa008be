"""`robot-memory page`: a store as a page, with the questions that are asked on the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from robot_memory.control.page.answers import Asked
from robot_memory.control.page.page import write
from robot_memory.control.terminal import Asking
from robot_memory.errors import RobotMemoryError
from robot_memory.memory.storage.store import Store


class PageNotWritten(RobotMemoryError):
    """The page could not be written, and why."""


def page(path: Path, out: Path, questions: Sequence[str], wall_ns: int) -> int:
    """Write the page and say where it is. Raises PageNotWritten, ModelMissing."""
    with Store(path, readonly=True) as store:
        asking = Asking(store) if questions else None
        asked = [_asked(asking, text, wall_ns) for text in questions] if asking else []
        try:
            with store.snapshot() as db:
                write(db, out, asked, wall_ns)
        except OSError as error:
            why = error.strerror or error
            raise PageNotWritten(f"{out}: {why}: name a file in a folder that you may write") from error
    print(f"{out}: open it in any browser")
    return 0


def _asked(asking: Asking, text: str, wall_ns: int) -> Asked:
    answer = asking.answer(text, wall_ns)
    return Asked(text, answer.text, answer.outcome, answer.message, answer.confidence, answer.evidence)
