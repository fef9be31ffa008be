"""A figure of a bench: what was measured, as a ratio to something measured in the same run, and what it should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Target:
    """A bound of `of`: "ratio", or "measured" in the figure's unit."""

    bound: float
    least: bool = False
    of: str = "ratio"

    def met_by(self, figure: Figure) -> bool | None:
        value = figure.ratio if self.of == "ratio" else figure.measured
        if value is None:
            return None
        return value >= self.bound if self.least else value <= self.bound


@dataclass(frozen=True)
class Figure:
    """`measured` in `unit` (ms, s, GB/s, a share); `ratio` to what `against` names. `more`: beside it, for programs."""

    part: str
    name: str
    memories: int
    measured: float
    unit: str
    dimension: int = 0
    against: str = ""
    ratio: float | None = None
    target: Target | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """None where there is no target."""
        return self.target.met_by(self) if self.target else None

    def plain(self) -> dict[str, Any]:
        """As data for JSON."""
        target = self.target and {
            "bound": self.target.bound,
            "is": "least" if self.target.least else "most",
            "of": self.target.of,
            "met": self.met,
        }
        return {
            "part": self.part,
            "figure": self.name,
            "memories": self.memories,
            "dimension": self.dimension or None,
            "measured": self.measured,
            "unit": self.unit,
            "against": self.against or None,
            "ratio": self.ratio,
            "target": target,
            "more": dict(self.more),
        }
