"""All runs as one plain document: what `--json` prints and what the table and the plot are made from."""

from __future__ import annotations

import platform
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from typing import Any

from robot_memory import __version__
from robot_memory.evaluation.compression.contenders import NONE, OURS, WITHOUT
from robot_memory.evaluation.compression.runs import Run, Runs
from robot_memory.evaluation.scoring.tally import Tally, figure

VERSION = 1
AHEAD = ("recall@10", "answerable.right", "answers.net")


def summarise(done: Runs) -> dict[str, Any]:
    """The document. JSON types only; what differs from run to run is under `made`, and in seconds."""
    kinds = list(dict.fromkeys(run.kind for run in done.runs))
    return {
        "version": VERSION,
        "made": {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "robot_memory": __version__,
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}",
        },
        "what": "compression",
        "interrupted": done.interrupted,
        "sets": {kind: _set(done, [run for run in done.runs if run.kind == kind]) for kind in kinds},
    }


def _set(done: Runs, runs: Sequence[Run]) -> dict[str, Any]:
    cases = list(dict.fromkeys(run.case for run in runs))
    return {
        "cases": cases,
        "questions": sum(done.questions[case] for case in cases),
        "embedder": done.embedders[runs[0].kind],
        "watched": {case: {"clips": done.watched[case][0], "seconds": done.watched[case][1]} for case in cases},
        "rows": [
            {"compressor": name, "ratio": ratio, "figures": _figures([run.measured.tallies for run in own])}
            for (name, ratio), own in _by(runs).items()
        ],
        "ahead": list(_ahead(runs)),
        "months": list(_months(runs)),
    }


def _by(runs: Sequence[Run]) -> dict[tuple[str, float], list[Run]]:
    found: dict[tuple[str, float], list[Run]] = defaultdict(list)
    for run in runs:
        found[run.compressor, run.ratio].append(run)
    return found


def _figures(tallies: Sequence[Mapping[str, Tally]]) -> dict[str, Any]:
    """Means with their intervals; a figure that only some cases have is of those."""
    keys = list(dict.fromkeys(key for own in tallies for key in own))
    made = {key: figure([own[key] for own in tallies if key in own]) for key in keys}
    return {key: asdict(one) for key, one in made.items() if one is not None}


def _ahead(runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    """By how much ours is ahead of each other compressor at the same ratio, case by case: the mean difference."""
    by = {(run.case, run.compressor, run.ratio): run.measured.tallies for run in runs}
    others = dict.fromkeys(run.compressor for run in runs if run.compressor not in (NONE, OURS))
    for ratio in dict.fromkeys(run.ratio for run in runs if run.compressor == OURS):
        for other in others:
            for key in AHEAD:
                differences = []
                for case in dict.fromkeys(run.case for run in runs):
                    mine, its = by.get((case, OURS, ratio), {}).get(key), by.get((case, other, ratio), {}).get(key)
                    if mine and its and mine.value is not None and its.value is not None:
                        differences.append(Tally(mine.value - its.value, 1))
                if (made := figure(differences)) is not None:
                    yield {"against": other, "ratio": ratio, "figure": key, **asdict(made)}


def _months(runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    """What is still known of each month, by each compressor at each ratio; not of ours without its parts."""
    for (name, ratio), own in _by(runs).items():
        if name.startswith(WITHOUT):
            continue
        for month in dict.fromkeys(month for run in own for month in run.measured.months):
            tallies = [run.measured.months[month] for run in own if month in run.measured.months]
            yield {"compressor": name, "ratio": ratio, "month": month, "figures": _figures(tallies)}
