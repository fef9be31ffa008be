"""The report: one HTML file that needs nothing else, with tables, plots and each question that went wrong.

For each of these: what was asked, when and by whom, what a right answer says, what was answered and cited, what was
found, what should have been found, and where that stayed. Times are those of a clock in the trial's zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from robot_memory.control.clock import Zone, say, say_date, say_day
from robot_memory.control.page.markup import Markup, join, tag
from robot_memory.evaluation.scoring import plots
from robot_memory.evaluation.scoring.rows import about, cell, counted, models, sections
from robot_memory.streams.media import SECOND

MOST = 200  # questions shown in full for each memory
OPEN = 4  # tables of persons that are not folded
LOST = {
    "not closed": "its evidence lay in a clip that was not closed yet",
    "not used": "its evidence was found (rank {rank}) but not used",
    "not found": "its evidence was not found among the first {k}",
}
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
            *_persons(summary),
            *(_plots(summary) if summary["questions"] else ()),
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
        f"{about(summary)}. {', '.join(trials)}; robot_memory {made['robot_memory']}, Python {made['python']}, "
        f"{made['machine']}, {made['date']}."
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
        title = f"{section.title}: {section.note}" if section.note else section.title
        rows.append(tag("tr", tag("td", title, colspan=len(names) + 1), class_="section"))
        for row in section.rows:
            rows.append(tag("tr", tag("td", row.words), *(tag("td", cell(summary, name, row)) for name in names)))
    return tag("table", *rows)


def _plots(summary: Mapping[str, Any]) -> Iterator[Markup]:
    yield tag("h2", "Verdicts by type of question")
    yield plots.verdict_bars(summary)
    yield tag("h2", "Risk and coverage")
    yield plots.risk_coverage(summary)
    yield tag("h2", "Does confidence mean what it says?")
    yield plots.reliability(summary)


def _persons(summary: Mapping[str, Any]) -> Iterator[Markup]:
    """For each trial and memory, who was taken together under each label."""
    told = [trial for trial in summary["trials"] if trial["persons"]]
    if told:
        yield tag("h2", "Who was taken for whom")
    for trial in told:
        heads = ("label", "faces (tracks)", "voices (turns)", "called", "really", "")
        rows = [tag("tr", *(tag("th", head) for head in heads)), *(_person(one) for one in trial["persons"])]
        words = tag("summary", f"{trial['subject']}, {trial['trial']}: {_labels(trial['persons'])}")
        yield tag("details", words, tag("table", *rows), **({"open": "open"} if len(told) <= OPEN else {}))


def _labels(persons: Sequence[Mapping[str, Any]]) -> str:
    return counted(sum(one["label"] is not None for one in persons), "label")


def _person(one: Mapping[str, Any]) -> Markup:
    label = "without a label" if one["label"] is None else one["label"]
    amiss = ["fused"] * one["fused"] + ["face and voice of two people"] * (one["linked"] is False)
    cells = (label, _shares(one["faces"]), _shares(one["voices"]), one["called"] or "–", one["who"] or "–")
    return tag("tr", *(tag("td", said) for said in cells), tag("td", ", ".join(amiss), class_="wrong"))


def _shares(counts: Mapping[str, int]) -> str:
    whole = sum(counts.values())
    return ", ".join(f"{who or 'nobody'} {100 * n / whole:.0f} % ({n})" for who, n in counts.items()) or "–"


def _models(summary: Mapping[str, Any]) -> Markup:
    rows = [tag("tr", tag("th", "memory"), tag("th", "role"), tag("th", "model"))]
    for name, own in models(summary).items():
        for role, model in own.items():
            rows.append(tag("tr", tag("td", name), tag("td", role), tag("td", model)))
    return tag("table", *rows)


def _failures(summary: Mapping[str, Any], subject: str) -> Iterator[Markup]:
    """Each question the memory got wrong, failed at, or was silent about without need."""
    asked = [one for one in summary["questions"] if one["subject"] == subject]
    if not asked:
        return
    own = [one for one in asked if not _well(one)]
    order = {"wrong": 0, "error": 1, "abstained": 2}
    own.sort(key=lambda one: order[one["verdict"]])
    zones = {trial["trial"]: Zone(trial["zone"]) for trial in summary["trials"]}
    yield tag("h2", f"{subject}: {len(own)} of {counted(len(asked), 'question')} did not go well")
    yield from (_failure(one, zones[one["trial"]], max(summary["k"])) for one in own[:MOST])
    if len(own) > MOST:
        yield tag("p", f"{len(own) - MOST} more are in the JSON.")


def _well(one: Mapping[str, Any]) -> bool:
    return bool(one["verdict"] == ("abstained" if one["expected"]["form"] == "none" else "right"))


def _failure(one: Mapping[str, Any], zone: Zone, k: int) -> Markup:
    now_ns = one["at_ns"]
    day = _safely(partial(say_date, now_ns, zone))
    lost = LOST[one["lost"]].format(rank=one["rank"], k=k) if one["lost"] else ""
    missed = [f"{_when(span, now_ns, zone)}: {said}" for span, said in zip(one["evidence_ns"], one["evidence"])]
    pairs = [
        ("asked", ", ".join(part for part in (day, _when((now_ns, now_ns), now_ns, zone), _by(one["asker"])) if part)),
        ("expected", _expected(one["expected"], now_ns, zone)),
        ("answered", f"{one['answer'] or 'nothing'} ({one['outcome'] or 'error'}, confidence {one['confidence']:.2f})"),
        ("why", "; ".join(part for part in (one["why"], lost) if part)),
        ("cited", _list(one["cited"], now_ns, zone)),
        ("found first", _list(one["found"], now_ns, zone)),
        ("should be found", tag("ul", *(tag("li", said) for said in missed)) if missed else ""),
    ]
    rows = [part for name, said in pairs if said for part in (tag("dt", name), tag("dd", said))]
    title = f"{one['text']} ({one['trial']}, {one['id']}, {one['type']}{', needs sight' if one['sight'] else ''})"
    return tag(
        "details", tag("summary", tag("span", one["verdict"], class_=one["verdict"]), " ", title), tag("dl", *rows)
    )


def _by(asker: str) -> str:
    return f"by {asker}" if asker else "by someone unknown"


def _expected(expected: Mapping[str, Any], now_ns: int, zone: Zone) -> str:
    if expected["form"] == "none":
        return "to abstain: nobody can know"
    said = f"{expected['form']}: {' | '.join(expected['values'])}"
    if expected["span_ns"]:
        said = f"a time within {_when(expected['span_ns'], now_ns, zone)}"
    traps = f"; not: {' | '.join(expected['traps'])}" if expected["traps"] else ""
    earlier = f"; no longer: {' | '.join(expected['earlier'])}" if expected["earlier"] else ""
    return said + traps + earlier


def _list(found: Sequence[Mapping[str, Any]], now_ns: int, zone: Zone) -> Markup | str:
    if not found:
        return "nothing"
    return tag("ul", *(tag("li", _item(one, now_ns, zone)) for one in found))


def _item(one: Mapping[str, Any], now_ns: int, zone: Zone) -> str:
    when = _when((one["start_ns"], one["end_ns"]), now_ns, zone)
    return f"{when}: {one['text']} ({one['stream']}, {one['score']:.3f})"


def _when(span_ns: Sequence[int], now_ns: int, zone: Zone) -> str:
    """ "09:30:05 to 09:30:31", with its day where that is not the question's: "yesterday, 09:30:05"."""
    days = [_safely(partial(say_day, at_ns, now_ns, zone)) for at_ns in span_ns]
    clocks = [_safely(partial(say, at_ns, zone)) or f"{at_ns / SECOND:.0f} s" for at_ns in span_ns]
    start, end = (clock if day in ("", "today") else f"{day}, {clock}" for day, clock in zip(days, clocks, strict=True))
    if start == end:
        return start
    return f"{start} to {clocks[1] if days[0] == days[1] else end}"


def _safely(words: Callable[[], str]) -> str:
    """Empty for a time that no calendar has: a memory may cite any."""
    try:
        return words()
    except (OverflowError, ValueError, OSError):
        return ""
