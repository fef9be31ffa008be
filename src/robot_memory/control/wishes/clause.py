"""One reading of a question: plain data between the ways to read it and the forms it may have."""

from __future__ import annotations

from dataclasses import dataclass

from robot_memory.control.wishes.token import Token, spelled


@dataclass(frozen=True)
class Clause:
    """One reading of a question: tokens in the order of a statement. `past`: a verb tells of what was done."""

    tokens: tuple[Token, ...]
    past: bool = False

    @property
    def text(self) -> str:
        return spelled(self.tokens)
