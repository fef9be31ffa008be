"""The report: one HTML file that needs nothing else, with tables, plots and each question that went wrong.

For each of these: what was asked, what a right answer says, what was answered and cited, what was found, and what
should have been found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from robot_memory.evaluation.scoring import plots
from robot_memory.evaluation.scoring.markup import Markup, join, tag
from robot_memory.evaluation.scoring.rows import cell, sections

MOST = 200  # questions shown in full for each memory
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1d1f22; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem .9rem .2rem 0; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid #c8ccd1; } td + td { font-variant-numeric: tabular-nums; }
tr.section td { font-weight: 600; padding-top: .8rem; } .quiet { fill: #6b7178; color: #6b7178; }
svg { max-width: 100%; height: auto; font: 11px system-ui, sans-serif; display: block; margin: .5rem 0; }
details { border-top: 1px solid #e3e5e8; padding: .35rem 0; } summary { cursor: pointer; }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .2rem 1rem; margin: .4rem 0 .8rem; } dd { margin: 0; }
.wrong { color: #b3372f; } .abstained { color: #6b7178; } .error { color: #2b2b2b; font-weight: 600; }
"""


def write(summary: Mapping[str, Any], path: Path) -> None:
    path.write_text(report(summary), "utf-8", "replace")


def report(summary: Mapping[str, Any]) -> str:
    """The page. Everything in the summary is treated as text, whatever it looks like."""
    body = [
        tag("h1", f"How well was it remembered? {summary['what']}"),
        tag("p", _about(summary)),
        *_failed(summary),
    ]
    if summary["subjects"]:
        body += [
            tag("h2", "Figures"),
            _table(summary),
            tag("h2", "Verdicts by type of question"),
            plots.verdict_bars(summary),
            tag("h2", "Risk and coverage"),
            plots.risk_coverage(summary),
            tag("h2", "Does confidence mean what it says?"),
            plots.reliability(summary),
            tag("h2", "Models"),
            _models(summary),
            *(part for name in summary["subjects"] for part in _failures(summary, name)),
        ]
    head = join(
        Markup('<meta charset="utf-8">'),
        tag("title", f"robot_memory: {summary['what']}"),
        tag("style", Markup(STYLE)),
    )
    page = tag("html", tag("head", head), tag("body", *body), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _about(summary: Mapping[str, Any]) -> str:
    made, trials = summary["made"], summary["sources"]
    return (
        f"{len(trials)} trials ({', '.join(trials)}), judged by {summary['judge']}; robot_memory "
        f"{made['robot_memory']}, Python {made['python']}, {made['machine']}, {made['date']}. Means over trials with "
        "95 % intervals (bootstrap over trials)."
    )


def _failed(summary: Mapping[str, Any]) -> Iterator[Markup]:
    if summary["failures"]:
        yield tag("h2", "What could not be measured")
        words = (f"{one['source']} {one['subject']}".strip() + f": {one['error']}" for one in summary["failures"])
        yield tag("ul", *(tag("li", one, class_="wrong") for one in words))


def _table(summary: Mapping[str, Any]) -> Markup:
    names = list(summary["subjects"])
    rows = [tag("tr", tag("th", ""), *(tag("th", name) for name in names))]
    for section in sections(summary):
        rows.append(tag("tr", tag("td", section.title, colspan=len(names) + 1), class_="section"))
        for row in section.rows:
            rows.append(tag("tr", tag("td", row.words), *(tag("td", cell(summary, name, row)) for name in names)))
    return tag("table", *rows)


def _models(summary: Mapping[str, Any]) -> Markup:
    rows = [tag("tr", tag("th", "memory"), tag("th", "role"), tag("th", "model"))]
    for name, subject in summary["subjects"].items():
        for role, model in subject["models"].items():
            rows.append(tag("tr", tag("td", name), tag("td", role), tag("td", model)))
    return tag("table", *rows)


def _failures(summary: Mapping[str, Any], subject: str) -> Iterator[Markup]:
    """Each question the memory got wrong, failed at, or was silent about without need."""
    own = [one for one in summary["questions"] if one["subject"] == subject and not _well(one)]
    order = {"wrong": 0, "error": 1, "abstained": 2}
    own.sort(key=lambda one: order[one["verdict"]])
    yield tag("h2", f"{subject}: {len(own)} questions that did not go well")
    yield from (_failure(one) for one in own[:MOST])
    if len(own) > MOST:
        yield tag("p", f"{len(own) - MOST} more are in the JSON.")


def _well(one: Mapping[str, Any]) -> bool:
    return bool(one["verdict"] == ("abstained" if one["expected"]["form"] == "none" else "right"))


def _failure(one: Mapping[str, Any]) -> Markup:
    answer = one["answer"] or one["why"] or one["outcome"]
    pairs = [
        ("expected", _expected(one["expected"])),
        ("answered", f"{answer} (confidence {one['confidence']:.2f})"),
        ("why", one["why"]),
        ("cited", _list(one["cited"])),
        ("found first", _list(one["found"])),
        ("should be found", tag("ul", *(tag("li", said) for said in one["evidence"])) if one["evidence"] else ""),
    ]
    rows = [part for name, said in pairs if said for part in (tag("dt", name), tag("dd", said))]
    title = f"{one['text']} ({one['trial']}, {one['id']}, {one['type']}{', needs sight' if one['sight'] else ''})"
    return tag(
        "details", tag("summary", tag("span", one["verdict"], class_=one["verdict"]), " ", title), tag("dl", *rows)
    )


def _expected(expected: Mapping[str, Any]) -> str:
    if expected["form"] == "none":
        return "to abstain: nobody can know"
    said = f"{expected['form']}: {' | '.join(expected['values'])}"
    if expected["span_ns"]:
        said = f"time between {' and '.join(f'{at / 1e9:.0f} s' for at in expected['span_ns'])}"
    traps = f"; not: {' | '.join(expected['traps'])}" if expected["traps"] else ""
    earlier = f"; no longer: {' | '.join(expected['earlier'])}" if expected["earlier"] else ""
    return said + traps + earlier


def _list(found: Sequence[Mapping[str, Any]]) -> Markup | str:
    if not found:
        return "nothing"
    return tag("ul", *(tag("li", f"{one['text']} ({one['stream']}, {one['score']:.3f})") for one in found))
