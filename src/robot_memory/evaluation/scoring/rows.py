"""The rows of the tables: which figures, in which words and units. The terminal and the report print the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from robot_memory.evaluation.scoring.ages import AGES
from robot_memory.evaluation.scoring.calibration import COVERAGES, FIRST

Format = Callable[[float], str]


@dataclass(frozen=True)
class Row:
    """A figure's key in the summary (`calibration://` and `timings://` lead to those parts), its words, its format."""

    key: str
    words: str
    show: Format


@dataclass(frozen=True)
class Section:
    """`note` stands in the place of rows where there is nothing to show."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def share(value: float) -> str:
    """A percentage of things that are counted: `cell` adds how many of how many."""
    return percent(value)


def number(value: float) -> str:
    return f"{value:.2f}"


def ratio(value: float) -> str:
    return f"{value:.3f}"


def size(value: float) -> str:
    return f"{value / 1e6:.2f} MB"


def times(value: float) -> str:
    return f"{value:,.0f} x"


def milliseconds(value: float) -> str:
    return f"{1000 * value:.1f} ms"


def sections(summary: Mapping[str, Any]) -> list[Section]:
    """All tables of a summary, rows without a figure left out."""
    every = (
        Section("Answers", tuple(_answers())),
        Section("Right, by type of question", tuple(_by_type(summary, "right", share))),
        Section("Words shared with the published answer (F1)", tuple(_words(summary))),
        Section("Evidence", tuple(Row(f"recall@{k}", f"recall@{k}", ratio) for k in summary["k"])),
        *_kinds(summary),
        Section("Confidence", tuple(_confidence())),
        Section("Risk, if only the surest questions were answered", tuple(_risks())),
        Section("Persons", tuple(_persons())),
        Section("Facts", tuple(_facts())),
        Section("Cost", tuple(_cost())),
    )
    shown = [Section(one.title, tuple(row for row in one.rows if _some(summary, row))) for one in every]
    if not summary["questions"]:
        shown[0] = Section(shown[0].title, (), "no questions")
    return [section for section in shown if section.rows or section.note]


def about(summary: Mapping[str, Any]) -> str:
    """How much was measured and by whom judged, in a line."""
    trials, asked = len(summary["sources"]), {(one["trial"], one["id"]) for one in summary["questions"]}
    figures = [one for subject in summary["subjects"].values() for one in subject["figures"].values()]
    bounds = "; means over trials with 95 % intervals" if any(one["low"] is not None for one in figures) else ""
    means = bounds or "; means over trials" * (trials > 1)
    return f"{counted(trials, 'trial')}, {counted(len(asked), 'question')}, judged by {summary['judge']}{means}"


def counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'s' * (count != 1)}"


def models(summary: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Memory -> role -> model; what all have in common once, under "all"."""
    own = {name: dict(subject["models"]) for name, subject in summary["subjects"].items()}
    if len(own) < 2:
        return own
    shared = set.intersection(*(set(one.items()) for one in own.values()))
    common = {"all": dict(sorted(shared))} if shared else {}
    return common | {n: {role: of for role, of in one.items() if (role, of) not in shared} for n, one in own.items()}


def cell(summary: Mapping[str, Any], subject: str, row: Row) -> str:
    """A figure in words: its mean, where there are enough trials its 95 % interval, and what it is a share of."""
    found = value(summary, subject, row.key)
    if found is None:
        return "–"
    if not isinstance(found, Mapping):
        return row.show(found)
    said = row.show(found["mean"])
    if found["low"] is not None:
        low, high = (row.show(found[end]).split(" ")[0] for end in ("low", "high"))
        said += f" [{low}, {high}]"
    return f"{said} ({found['total']:,.0f} of {found['weight']:,.0f})" if row.show is share else said


def value(summary: Mapping[str, Any], subject: str, key: str) -> Any:
    """What the summary has for a key: a figure as a mapping, a bare number, or None."""
    part, _, name = key.rpartition("://")
    if part == "timings":
        return summary["timings"][subject].get(name)
    return summary["subjects"][subject][part or "figures"].get(name)


def _some(summary: Mapping[str, Any], row: Row) -> bool:
    return any(value(summary, subject, row.key) is not None for subject in summary["subjects"])


def _answers() -> Iterator[Row]:
    yield Row("answerable.right", "answerable: right", share)
    yield Row("answerable.wrong", "answerable: wrong", share)
    yield Row("answerable.abstained", "answerable: abstained", share)
    yield Row("answerable.error", "answerable: error", share)
    yield Row("unanswerable.abstained", "unanswerable: rightly abstained", share)
    yield Row("unanswerable.wrong", "unanswerable: answered all the same", share)
    yield Row("unanswerable.error", "unanswerable: error", share)
    yield Row("answers.net", "net: right less wrong, of the answerable", percent)
    yield Row("sight.right", "needing sight: right", share)


def _by_type(summary: Mapping[str, Any], figure: str, show: Format) -> Iterator[Row]:
    """A figure of each type of answerable question."""
    keys = {key for subject in summary["subjects"].values() for key in subject["figures"]}
    for key in sorted(key for key in keys if key.startswith("type:") and key.endswith(f".{figure}")):
        yield Row(key, key.partition(":")[2].rpartition(".")[0], show)


def _words(summary: Mapping[str, Any]) -> Iterator[Row]:
    """Of sets whose answers are published; where nobody can know, silence shares all."""
    yield from _by_type(summary, "f1", ratio)
    yield Row("answerable.f1", "answerable", ratio)
    yield Row("unanswerable.f1", "unanswerable (adversarial): silent", ratio)
    yield Row("answers.f1", "all questions", ratio)


def _confidence() -> Iterator[Row]:
    yield Row("calibration://coverage", "coverage (share answered)", share)
    yield Row("calibration://aurc", "area under risk–coverage (AURC)", ratio)
    yield Row("calibration://ece", "calibration error (ECE)", ratio)
    yield Row("calibration://brier", "Brier score", ratio)
    yield Row("calibration://auroc", "answerable or not, by confidence (AUROC)", ratio)


def _kinds(summary: Mapping[str, Any]) -> Iterator[Section]:
    """Recall by type of question and by age of the evidence, each with its number of questions; at one k, for room."""
    k = FIRST if FIRST in summary["k"] else max(summary["k"])
    asked: dict[str, float] = {}
    for subject in summary["subjects"].values():
        for key, figure in subject["figures"].items():
            asked[key] = max(asked.get(key, 0), figure["weight"])
    types = sorted({key.partition(".")[0] for key in asked if key.startswith("type:")})
    for by, groups in (("type of question", types), ("age when asked", [f"age:{age}" for age in AGES])):
        keys = {f"{group}.recall@{k}": group.partition(":")[2] for group in groups}
        rows = (Row(key, f"{name} ({asked[key]:.0f})", ratio) for key, name in keys.items() if key in asked)
        yield Section(f"Evidence by {by}, recall@{k}", tuple(rows))


def _risks() -> Iterator[Row]:
    for share in COVERAGES:
        yield Row(f"calibration://unanswerable@{share:g}", f"unanswerable, of the surest {100 * share:.0f} %", percent)
    for share in COVERAGES:
        yield Row(
            f"calibration://unfound@{share:g}", f"or evidence not in the first {FIRST}, of {100 * share:.0f} %", percent
        )


def _persons() -> Iterator[Row]:
    yield Row("persons.true", "people there were", number)
    yield Row("persons.found", "persons found", number)
    yield Row("persons.exact", "count exact", share)
    yield Row("persons.nobody", "persons found who are nobody", number)
    yield Row("persons.fused", "fused persons", number)
    yield Row("persons.split", "split persons", number)
    yield Row("persons.switches", "identity switches", number)
    yield Row("persons.unknown", "tracks and turns of unknown persons", share)
    yield Row("persons.mistaken", "tracks and turns of mistaken persons", share)
    yield Row("links.precision", "face–voice links: precision", share)
    yield Row("links.recall", "face–voice links: recall", share)
    yield Row("names.known", "names told that are known", share)
    yield Row("names.right", "names right", number)
    yield Row("names.wrong", "names wrong", number)
    yield Row("names.missing", "names missing", number)


def _facts() -> Iterator[Row]:
    yield Row("facts.precision", "precision", share)
    yield Row("facts.recall", "recall", share)
    yield Row("facts.false_per_hour", "false facts an hour", number)
    yield Row("facts.stale", "stale facts", number)
    yield Row("facts.beyond", "facts the truth does not speak of", number)


def _cost() -> Iterator[Row]:
    yield Row("timings://latency_p50_s", "time to answer, median", milliseconds)
    yield Row("timings://latency_p95_s", "time to answer, 95th percentile", milliseconds)
    yield Row("timings://times_real_time", "watching (without perception), times real time", times)
    yield Row("store.bytes_per_hour", "store, an hour of stream", size)
    yield Row("problems", "failures while watching or telling", number)
