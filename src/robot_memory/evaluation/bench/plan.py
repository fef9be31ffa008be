"""What a bench shall measure, and how thoroughly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SCAN, PUBLISHED, OPENING, HYBRID, NEIGHBOURS = "scan", "published", "opening", "hybrid", "neighbours"
COMPRESSION = "compression"
PARTS = (SCAN, PUBLISHED, HYBRID, NEIGHBOURS, COMPRESSION)  # opening comes with hybrid
SIZES, DIMENSIONS, ROUNDS = (1_000, 10_000, 100_000), (384, 1024), 40
QUICK_SIZES, QUICK_DIMENSIONS, QUICK_ROUNDS = (1_000,), (384,), 8


@dataclass(frozen=True)
class Plan:
    """`sizes`: numbers of memories; `folder`: an empty one for stores; `show` takes what is being done."""

    sizes: tuple[int, ...]
    dimensions: tuple[int, ...]
    rounds: int
    folder: Path
    show: Callable[[str], None] = lambda text: None
