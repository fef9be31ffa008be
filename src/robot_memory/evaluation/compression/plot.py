"""The document as a picture (SVG): for each set evidence recall and right answers against the share that is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from robot_memory.control.page.markup import Markup, join, tag
from robot_memory.evaluation.compression.contenders import NONE, WITHOUT
from robot_memory.evaluation.scoring.plots import COLOURS, colours

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 420, 300, 58, 36, 30
PANELS = (("recall@10", "recall@10 of evidence"), ("answerable.right", "right answers"))
STYLE = "font-family: sans-serif; font-size: 11px"
NAMESPACE = "http://www.w3.org/2000/svg"


def write(summary: Mapping[str, Any], path: Path) -> None:
    path.write_text(plot(summary) + "\n", "utf-8")


def plot(summary: Mapping[str, Any]) -> Markup:
    """A row of panels for each set, the names in their colours below."""
    sets = summary["sets"]
    names = list(dict.fromkeys(row["compressor"] for own in sets.values() for row in own["rows"]))
    shown = [name for name in names if name != NONE and not name.startswith(WITHOUT)]
    panels = [
        tag("g", _panel(kind, own, key, title, shown), transform=f"translate({column * WIDTH} {row * HEIGHT})")
        for row, (kind, own) in enumerate(sets.items())
        for column, (key, title) in enumerate(PANELS)
    ]
    below = len(sets) * HEIGHT
    legend = tag("g", _legend(shown), transform=f"translate(0 {below})")
    width, height = len(PANELS) * WIDTH, below + 20 + 16 * ((len(shown) + 3) // 4)
    background = tag("rect", width=width, height=height, fill="#ffffff")
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return tag("svg", background, *panels, legend, xmlns=NAMESPACE, style=STYLE, role="img", **size)


def _panel(kind: str, own: Mapping[str, Any], key: str, title: str, names: list[str]) -> Markup:
    whole = [row for row in own["rows"] if row["compressor"] == NONE]
    parts = [tag("text", f"{kind}: {title}", x=LEFT, y=TOP - 12), *_axes()]
    for number, (name, colour) in enumerate(colours(names).items()):
        rows = sorted((row for row in own["rows"] if row["compressor"] == name), key=lambda row: row["ratio"])
        points = [(row["ratio"], row["figures"][key]) for row in [*whole, *rows] if key in row["figures"]]
        parts += _line(name, colour, _dashes(number), points)
    return join(*parts)


def _line(name: str, colour: str, dashes: str, points: list[tuple[float, Mapping[str, Any]]]) -> Iterator[Markup]:
    path = " ".join(f"{_x(ratio):.1f},{_y(one['mean']):.1f}" for ratio, one in points)
    yield tag("polyline", points=path, fill="none", stroke=colour, stroke_width=2, stroke_dasharray=dashes)
    for ratio, one in points:
        x = f"{_x(ratio):.1f}"
        said = tag("title", f"{name}, {100 * ratio:.0f} % gone: {one['mean']:.3f}")
        if one["low"] is not None:
            ends = {"y1": f"{_y(one['low']):.1f}", "y2": f"{_y(one['high']):.1f}"}
            yield tag("line", x1=x, x2=x, stroke=colour, stroke_opacity=0.4, **ends)
        yield tag("circle", said, cx=x, cy=f"{_y(one['mean']):.1f}", r=3, fill=colour)


def _axes() -> Iterator[Markup]:
    for tenth in range(0, 11, 2):
        y, x = f"{_y(tenth / 10):.1f}", f"{_x(tenth / 10):.1f}"
        yield tag("line", x1=_x(0), y1=y, x2=_x(1), y2=y, stroke="#e3e5e8")
        yield tag("text", f"{10 * tenth} %", x=LEFT - 6, y=y, text_anchor="end", fill="#666666")
        yield tag("text", f"{10 * tenth} %", x=x, y=HEIGHT - BOTTOM + 14, text_anchor="middle", fill="#666666")
    yield tag("text", "share of memories gone", x=f"{_x(0.5):.1f}", y=HEIGHT - 6, text_anchor="middle")


def _legend(names: list[str]) -> Markup:
    parts = []
    for number, (name, colour) in enumerate(colours(names).items()):
        x, y = LEFT + 190 * (number % 4), 16 + 16 * (number // 4)
        ends = {"x1": x, "x2": x + 24, "y1": y - 4, "y2": y - 4}
        parts.append(tag("line", stroke=colour, stroke_width=2, stroke_dasharray=_dashes(number), **ends))
        parts.append(tag("text", name, x=x + 30, y=y))
    return join(*parts)


def _dashes(number: int) -> str:
    """Where the colours are used up they come again, in dashes."""
    return ("none", "7 4", "2 3")[min(2, number // len(COLOURS))]


def _x(ratio: float) -> float:
    return LEFT + ratio * (WIDTH - LEFT - 24)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
