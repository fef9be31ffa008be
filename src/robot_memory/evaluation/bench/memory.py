"""`robot-memory bench memory`: what remembering costs on this machine, each figure beside another of the same run.

It is no test: nothing fails on a slow machine.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from robot_memory.evaluation.bench import compression, hybrid, machine, neighbours, rivals, scanning
from robot_memory.evaluation.bench.figure import Figure
from robot_memory.evaluation.bench.opened import Product, product
from robot_memory.evaluation.bench.plan import COMPRESSION, HYBRID, NEIGHBOURS, PUBLISHED, SCAN, Plan
from robot_memory.evaluation.bench.table import table

VECTORS = "made up from a seed: of unit length, in clusters, with a part in common"
SENTENCES = "made up from a seed: phrases of the worlds, with rare words"


@dataclass(frozen=True)
class Report:
    """What was measured, on what. `interrupted`: not all of it."""

    figures: tuple[Figure, ...]
    about: dict[str, Any]
    interrupted: bool = False


def measured(plan: Plan, parts: Collection[str]) -> Report:
    """These parts; of an interrupted run what there is. Raises ModelMissing where questions cannot be embedded."""
    models = product() if HYBRID in parts else None
    figures, left_out, interrupted = list[Figure](), list[str](), False
    if NEIGHBOURS in parts and (why := neighbours.missing()):
        left_out.append(f"{NEIGHBOURS}: {why}")
    try:
        for figure in _figures(plan, parts, models):
            figures.append(figure)  # one by one: an interrupted run keeps what it has
    except KeyboardInterrupt:
        interrupted = True
        left_out.append("interrupted: the rest was not measured")
    about = {
        "machine": machine.facts(),
        "models": {"text_embedding": models.embedder.name} if models else {},
        "vectors": VECTORS,
        "sentences": SENTENCES,
        "rounds": plan.rounds,
        "left_out": left_out,
    }
    return Report(tuple(figures), about, interrupted)


def printed(report: Report, as_json: bool) -> str:
    """As a table, or as JSON."""
    if not as_json:
        return table(report.figures, report.about)
    return json.dumps({**report.about, "figures": [one.plain() for one in report.figures]}, indent=1)


def _figures(plan: Plan, parts: Collection[str], models: Product | None) -> Iterator[Figure]:
    if SCAN in parts:
        yield from scanning.measure(plan)
    if PUBLISHED in parts:
        yield from rivals.measure(plan)
    if models:
        yield from hybrid.measure(plan, models)
    if NEIGHBOURS in parts and not neighbours.missing():
        yield from neighbours.measure(plan)
    if COMPRESSION in parts:
        yield from compression.measure(plan)
