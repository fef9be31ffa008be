"""Places by name: people say "this is the kitchen", and where the robot stood then is the kitchen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rooms:
    """The places that have been named, as one moment's view of the store."""

    def at(self, pose: str) -> str:
        """What the place of a pose (JSON as memories keep it) is called; empty where nobody has said."""
        return ""

    def names(self) -> tuple[str, ...]:
        """Every name given to a place."""
        return ()
