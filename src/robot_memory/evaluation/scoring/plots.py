"""The report's plots as inline SVG: bars of verdicts by type, risk against coverage, the reliability diagram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robot_memory.control.page.markup import Markup, join, tag

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 440, 300, 58, 36, 12
COLOURS = ("#1f5fa8", "#c2571a", "#3a7d44", "#7a4ea3", "#8a6d1d", "#555555")
VERDICT_COLOURS = {"right": "#3a7d44", "abstained": "#b9bec5", "wrong": "#b3372f", "error": "#2b2b2b"}
BAR, GAP = 16, 5


def verdict_bars(summary: Mapping[str, Any]) -> Markup:
    """For each type of question a bar for each memory: right, abstained, wrong, error as shares."""
    names = list(summary["subjects"])
    groups = _groups(summary)
    left, width = 250, 700
    height = sum(len(names) * (BAR + GAP) + 30 for _ in groups) + 30
    parts, y = [_legend(VERDICT_COLOURS, left)], 30
    for group in groups:
        words = f"{_words(group)} ({_asked(summary, group)})"
        parts.append(tag("text", words, x=4, y=y + 12))
        y += BAR
        for name in names:
            figures = summary["subjects"][name]["figures"]
            parts.append(tag("text", name, x=left - 8, y=y + 12, text_anchor="end", class_="quiet"))
            x = float(left)
            for verdict, colour in VERDICT_COLOURS.items():
                share = (figures.get(f"{group}.{verdict}") or {"mean": 0.0})["mean"]
                long = share * (width - left - 10)
                title = tag("title", f"{name}, {words}: {verdict} {100 * share:.1f} %")
                parts.append(tag("rect", title, x=_n(x), y=y, width=_n(long), height=BAR, fill=colour))
                x += long
            y += BAR + GAP
        y += 14
    return _svg(width, height, *parts)


def risk_coverage(summary: Mapping[str, Any]) -> Markup:
    """A line for each memory: the share wrong among the answers as more questions are answered."""
    lines = []
    for colour, name, subject in _coloured(summary):
        curve = subject["calibration"]["curve"]
        points = " ".join(f"{_n(_x(c))},{_n(_y(r))}" for c, r in curve)
        lines.append(tag("polyline", points=points, fill="none", stroke=colour, stroke_width=2))
        lines += [
            tag("circle", tag("title", name), cx=_n(_x(c)), cy=_n(_y(r)), r=3, fill=colour) for c, r in curve[-1:]
        ]
    return _plot("coverage (share of questions answered)", "risk (share wrong among them)", *lines, *_names(summary))


def reliability(summary: Mapping[str, Any]) -> Markup:
    """Confidence against the share that was right; on the diagonal it means what it says. Area: number of answers."""
    marks = [tag("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), stroke="#b9bec5", stroke_dasharray="4 4")]
    for colour, name, subject in _coloured(summary):
        bins = subject["calibration"]["bins"]
        total = sum(one["count"] for one in bins) or 1
        for one in bins:
            title = tag("title", f"{name}: {one['count']} answers, {100 * one['right']:.0f} % right")
            size = 3 + 9 * (one["count"] / total) ** 0.5
            x, y = _n(_x(one["confidence"])), _n(_y(one["right"]))
            marks.append(tag("circle", title, cx=x, cy=y, r=_n(size), fill=colour, fill_opacity=0.6))
    return _plot("confidence", "share right", *marks, *_names(summary))


def _groups(summary: Mapping[str, Any]) -> list[str]:
    """Question types, then the ways of swapping, as far as there are any."""
    keys = {key.rpartition(".")[0] for s in summary["subjects"].values() for key in s["figures"]}
    every = ["answerable", *sorted(k for k in keys if k.startswith("type:")), "unanswerable"]
    return [k for k in every if k in keys] + sorted(k for k in keys if k.startswith("swap:"))


def _words(group: str) -> str:
    if group == "swap:none":
        return "unanswerable, nothing swapped"
    return group.replace("type:", "").replace("swap:", "unanswerable, swapped: ")


def _asked(summary: Mapping[str, Any], group: str) -> str:
    """How many questions of a group were put to a memory, at most."""
    figures = (subject["figures"].get(f"{group}.right") for subject in summary["subjects"].values())
    return f"{max((one['weight'] for one in figures if one), default=0):.0f}"


def _plot(below: str, beside: str, *marks: Markup) -> Markup:
    """A unit square with axes."""
    axes = []
    for tenth in range(0, 11, 2):
        share, label = tenth / 10, f"{10 * tenth} %"
        axes.append(tag("line", x1=_x(0), y1=_n(_y(share)), x2=_x(1), y2=_n(_y(share)), stroke="#e3e5e8"))
        axes.append(tag("text", label, x=LEFT - 5, y=_n(_y(share) + 4), text_anchor="end", class_="quiet"))
        axes.append(tag("text", label, x=_n(_x(share)), y=HEIGHT - BOTTOM + 14, text_anchor="middle", class_="quiet"))
    middle = (TOP + HEIGHT - BOTTOM) // 2
    names = [
        tag("text", below, x=_n(_x(0.5)), y=HEIGHT - 4, text_anchor="middle"),
        tag("text", beside, x=10, y=middle, text_anchor="middle", transform=f"rotate(-90 10 {middle})"),
    ]
    return _svg(WIDTH, HEIGHT, *axes, *names, *marks)


def _names(summary: Mapping[str, Any]) -> Iterator[Markup]:
    """The memories' names in their colours, in the upper left corner."""
    for row, (colour, name, _) in enumerate(_coloured(summary)):
        yield tag("text", name, x=LEFT + 8, y=TOP + 14 + 14 * row, fill=colour)


def _legend(colours: Mapping[str, str], left: int) -> Markup:
    marks = []
    for column, (name, colour) in enumerate(colours.items()):
        x = left + 100 * column
        marks += [tag("rect", x=x, y=6, width=10, height=10, fill=colour), tag("text", name, x=x + 15, y=15)]
    return join(*marks)


def _coloured(summary: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for number, (name, subject) in enumerate(summary["subjects"].items()):
        yield COLOURS[number % len(COLOURS)], name, subject


def _svg(width: int, height: int, *parts: str) -> Markup:
    return tag("svg", *parts, viewBox=f"0 0 {width} {height}", width=width, height=height, role="img")


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - 24)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _n(value: float) -> str:
    """Coordinates with one decimal, always written alike."""
    return f"{value:.1f}"


def colours(names: Sequence[str]) -> dict[str, str]:
    """The colour of each memory in every plot."""
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
