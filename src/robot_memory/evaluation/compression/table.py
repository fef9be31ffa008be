"""The document as plain text, for a terminal: a block for each set, a line for each compressor and ratio."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

SHARE, MEGABYTES, MILLISECONDS = "share", "megabytes", "milliseconds"
COLUMNS: tuple[tuple[str, str, str], ...] = (  # title, figure, unit
    ("recall@10", "recall@10", SHARE),
    ("right", "answerable.right", SHARE),
    ("wrong", "answerable.wrong", SHARE),
    ("made up", "unanswerable.wrong", SHARE),
    ("net", "answers.net", SHARE),
    ("F1", "answers.f1", SHARE),
    ("kept", "kept", ""),
    ("MB", "bytes", MEGABYTES),
    ("rounds", "rounds", "rounds"),
    ("search ms", "search_s", MILLISECONDS),
    ("garbage", "garbage", SHARE),
)
NOTE = (
    "right, wrong: of what can be answered; made up: of what cannot; net: right less wrong answers; kept, MB: memories "
    "that are searched, their words and vectors; ± half of a 95 % interval over cases"
)


def table(summary: Mapping[str, Any]) -> str:
    """All sets."""
    lines = [NOTE]
    for kind, own in summary["sets"].items():
        lines += ["", *_set(kind, own)]
    if summary["interrupted"]:
        lines += ["", "interrupted: the rest was not measured"]
    return "\n".join(lines)


def _set(kind: str, own: Mapping[str, Any]) -> Iterator[str]:
    yield f"{kind}: {len(own['cases'])} cases, {own['questions']} questions; text embedder {own['embedder']}"
    shown = [column for column in COLUMNS if any(column[1] in row["figures"] for row in own["rows"])]
    head = ["compressor", "gone", *(title for title, _, _ in shown)]
    rows = [
        [row["compressor"], f"{100 * row['ratio']:.0f} %", *(_cell(row["figures"], *column[1:]) for column in shown)]
        for row in sorted(own["rows"], key=lambda row: row["ratio"])
    ]
    yield from _aligned([head, *rows])
    before = next((row["figures"]["garbage.before"] for row in own["rows"] if "garbage.before" in row["figures"]), None)
    if before:
        yield f"garbage among all that was remembered: {100 * before['mean']:.2f} %"
    if own["ahead"]:
        yield from _aligned([["ours is ahead of", "gone", "recall@10", "right", "net"], *_ahead(own["ahead"])])
    if own["months"]:
        yield from _months(own["months"])


def _cell(figures: Mapping[str, Any], key: str, unit: str) -> str:
    one = figures.get(key)
    return "" if one is None else _written(one, UNITS[unit])


def _written(one: Mapping[str, Any], write: Callable[[float], str]) -> str:
    spread = f" ±{write((one['high'] - one['low']) / 2)}" if one["low"] is not None else ""
    return write(one["mean"]) + spread


UNITS: dict[str, Callable[[float], str]] = {
    SHARE: lambda value: f"{value:.3f}",
    MEGABYTES: lambda value: f"{value / 1e6:.2f}",
    MILLISECONDS: lambda value: f"{1000 * value:.1f}",
    "rounds": lambda value: f"{value:.2f}",
    "": lambda value: f"{value:,.0f}",
}


def _ahead(ahead: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """A line for each other compressor and ratio, with the bounds of the difference."""
    keys = dict.fromkeys((one["against"], one["ratio"]) for one in ahead)
    for against, ratio in sorted(keys, key=lambda key: key[1]):
        own = {one["figure"]: one for one in ahead if (one["against"], one["ratio"]) == (against, ratio)}
        cells = [_difference(own.get(key)) for key in ("recall@10", "answerable.right", "answers.net")]
        yield [against, f"{100 * ratio:.0f} %", *cells]


def _difference(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return ""
    bounds = f" ({one['low']:+.3f} to {one['high']:+.3f})" if one["low"] is not None else ""
    return f"{one['mean']:+.3f}{bounds}"


def _months(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Right answers about each month, a line for each compressor and ratio."""
    months = list(dict.fromkeys(row["month"] for row in rows))
    found = {(row["compressor"], row["ratio"], row["month"]): row["figures"] for row in rows}
    for title, key in (("recall@10 about", "recall@10"), ("right about", "answerable.right")):
        named = list(dict.fromkeys((row["compressor"], row["ratio"]) for row in rows))
        lines = [[title, "gone", *(month.split()[0][:6] for month in months)]]
        for name, ratio in sorted(named, key=lambda one: one[1]):
            cells = [_cell(found.get((name, ratio, month), {}), key, SHARE) for month in months]
            lines.append([name, f"{100 * ratio:.0f} %", *(cell.partition(" ")[0] for cell in cells)])
        yield from _aligned(lines)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
