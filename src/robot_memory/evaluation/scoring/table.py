"""The figures as plain text, for a terminal: a column each for the memory and its baselines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robot_memory.evaluation.scoring.rows import about, cell, models, sections

BESIDE = 3  # memories, so that a line fits into a terminal


def table(summary: Mapping[str, Any]) -> str:
    """All sections, a few memories beside each other at a time, then what failed."""
    names = list(summary["subjects"])
    lines = [f"{summary['what']}: {about(summary)}"]
    for first in range(0, len(names), BESIDE):
        lines += ["", *_block(summary, names[first : first + BESIDE])]
    if names:
        lines += ["", *(f"{name}: {_models(own)}" for name, own in models(summary).items())]
    lines += [_failure(failure) for failure in summary["failures"]]
    return "\n".join(lines)


def _block(summary: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    blocks = [
        (
            f"{section.title}: {section.note}" if section.note else section.title,
            [[row.words, *(cell(summary, name, row) for name in names)] for row in section.rows],
        )
        for section in sections(summary)
    ]
    every = [["", *names], *(row for _, rows in blocks for row in rows)]
    widths = [max(len(row[column]) for row in every) for column in range(len(names) + 1)]
    yield _line(["", *names], widths)
    for title, rows in blocks:
        yield title
        yield from (_line(["  " + row[0], *row[1:]], [widths[0] + 2, *widths[1:]]) for row in rows)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (cell.ljust(width) for cell, width in zip(cells, widths))
    return "  ".join([first, *others]).rstrip()


def _models(own: Mapping[str, str]) -> str:
    return ", ".join(f"{role} {name}" for role, name in own.items()) or "no models of its own"


def _failure(failure: Mapping[str, str]) -> str:
    subject = f", {failure['subject']}" if failure["subject"] else ""
    return " ".join(f"FAILED {failure['source']}{subject}: {failure['error']}".split())
