"""The figures for a terminal: a column each for what was measured, against what, the ratio, and the target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robot_memory.evaluation.bench.figure import Figure, Target

HEAD = ("figure", "measured", "against", "ratio", "target")
TITLES = {
    "scan": "Scanning all vectors, against the speed of reading memory",
    "published": "One question, against M3-Agent's published work for it",
    "opening": "Opening a store",
    "hybrid": "The default retrieval, question embedded: 95th percentile, and the mean of each stage",
    "neighbours": "The graph of neighbours (HNSW)",
    "compression": "Keeping within a budget",
}
LONGEST_SQL = 400


def table(figures: Sequence[Figure], about: Mapping[str, Any]) -> str:
    """Everything, a block for each part, then the slowest statements and what was left out."""
    lines = [*_about(about)]
    blocks = {title: _rows([one for one in figures if one.part == part]) for part, title in TITLES.items()}
    every = [HEAD, *(row for rows in blocks.values() for row in rows)]
    widths = [max(len(row[column]) for row in every) for column in range(len(HEAD))]
    lines += ["", _line(HEAD, widths)]
    for title, rows in blocks.items():
        if rows:
            lines += ["", title, *(_line(row, widths) for row in rows)]
    lines += [line for one in figures for line in _statements(one)]
    lines += ["", *about["left_out"]] if about["left_out"] else []
    return "\n".join(lines)


def _about(about: Mapping[str, Any]) -> Iterator[str]:
    machine = about["machine"]
    yield (
        f"{machine['processor']}, {machine['cores']} cores, {machine['architecture']}; Python {machine['python']}, "
        f"numpy {machine['numpy']} ({machine['blas']}, one thread), SQLite {machine['sqlite']}"
    )
    yield f"vectors {about['vectors']}; sentences {about['sentences']}"
    yield f"text embedder: {about['models'].get('text_embedding', 'none')}; {about['rounds']} rounds, in turns"


def _rows(figures: Sequence[Figure]) -> list[tuple[str, ...]]:
    return [
        (
            _name(one),
            f"{_number(one.measured)} {one.unit}".rstrip() + _median(one),
            one.against,
            _ratio(one),
            _target(one, one.target) if one.target else "",
        )
        for one in figures
    ]


def _name(figure: Figure) -> str:
    if "stage" in figure.more:
        return f"      {figure.more['stage']}"
    size = f"{figure.memories:,}" + (f" × {figure.dimension}" if figure.dimension else "")
    return f"  {size}: {figure.name}"


def _median(figure: Figure) -> str:
    return f" (median {_number(figure.more['p50_ms'])})" if "p50_ms" in figure.more else ""


def _ratio(figure: Figure) -> str:
    if figure.ratio is None:
        return ""
    return f"{figure.ratio:.0%}" if "stage" in figure.more else f"{_number(figure.ratio)} ×"


def _target(figure: Figure, target: Target) -> str:
    unit = " ×" if target.of == "ratio" else f" {figure.unit}".rstrip()
    return f"{'≥' if target.least else '≤'} {target.bound:g}{unit}: {'met' if figure.met else 'MISSED'}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()


def _statements(figure: Figure) -> Iterator[str]:
    """The slowest of a size with their plans, each once."""
    if not figure.more.get("statements"):
        return
    yield from ("", f"The slowest statements at {figure.memories:,} memories")
    for one in figure.more["statements"]:
        yield f"  {_number(one['ms'])} ms, {one['stage']} ({one['kind']}): {one['sql'][:LONGEST_SQL]}"
        yield from (f"      {step}" for step in one["plan"])
