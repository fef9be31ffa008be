"""The rows of the tables: which figures, in which words and units. The terminal and the report print the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Format = Callable[[float], str]


@dataclass(frozen=True)
class Row:
    """A figure's key in the summary (`calibration://` and `timings://` lead to those parts), its words, its format."""

    key: str
    words: str
    show: Format


@dataclass(frozen=True)
class Section:
    title: str
    rows: tuple[Row, ...]


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


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
        Section("Evidence", tuple(Row(f"recall@{k}", f"recall@{k}", ratio) for k in summary["k"])),
        Section("Confidence", tuple(_confidence())),
        Section("Persons", tuple(_persons())),
        Section("Facts", tuple(_facts())),
        Section("Cost", tuple(_cost())),
    )
    return [s for s in (Section(one.title, tuple(r for r in one.rows if _some(summary, r))) for one in every) if s.rows]


def cell(summary: Mapping[str, Any], subject: str, row: Row) -> str:
    """A figure in words: its mean and, where there are several trials, its 95 % interval."""
    found = value(summary, subject, row.key)
    if found is None:
        return "–"
    if not isinstance(found, Mapping):
        return row.show(found)
    if found["low"] is None:
        return row.show(found["mean"])
    low, high = (row.show(found[end]).split(" ")[0] for end in ("low", "high"))
    return f"{row.show(found['mean'])} [{low}, {high}]"


def value(summary: Mapping[str, Any], subject: str, key: str) -> Any:
    """What the summary has for a key: a figure as a mapping, a bare number, or None."""
    part, _, name = key.rpartition("://")
    if part == "timings":
        return summary["timings"][subject].get(name)
    return summary["subjects"][subject][part or "figures"].get(name)


def _some(summary: Mapping[str, Any], row: Row) -> bool:
    return any(value(summary, subject, row.key) is not None for subject in summary["subjects"])


def _answers() -> Iterator[Row]:
    yield Row("answerable.right", "answerable: right", percent)
    yield Row("answerable.wrong", "answerable: wrong", percent)
    yield Row("answerable.abstained", "answerable: abstained", percent)
    yield Row("answerable.error", "answerable: error", percent)
    yield Row("unanswerable.abstained", "unanswerable: rightly abstained", percent)
    yield Row("unanswerable.wrong", "unanswerable: answered all the same", percent)
    yield Row("unanswerable.error", "unanswerable: error", percent)
    yield Row("answers.net", "net: right less wrong, of the answerable", percent)
    yield Row("sight.right", "needing sight: right", percent)


def _confidence() -> Iterator[Row]:
    yield Row("calibration://coverage", "coverage (share answered)", percent)
    yield Row("calibration://aurc", "area under risk–coverage (AURC)", ratio)
    yield Row("calibration://ece", "calibration error (ECE)", ratio)
    yield Row("calibration://brier", "Brier score", ratio)
    yield Row("calibration://auroc", "answerable or not, by confidence (AUROC)", ratio)


def _persons() -> Iterator[Row]:
    yield Row("persons.true", "people there were", number)
    yield Row("persons.found", "persons found", number)
    yield Row("persons.exact", "count exact", percent)
    yield Row("persons.fused", "fused persons", number)
    yield Row("persons.split", "split persons", number)
    yield Row("persons.switches", "identity switches", number)
    yield Row("persons.unknown", "tracks and turns of unknown persons", percent)
    yield Row("persons.mistaken", "tracks and turns of mistaken persons", percent)
    yield Row("links.precision", "face–voice links: precision", percent)
    yield Row("links.recall", "face–voice links: recall", percent)
    yield Row("names.known", "names told that are known", percent)
    yield Row("names.right", "names right", number)
    yield Row("names.wrong", "names wrong", number)
    yield Row("names.missing", "names missing", number)


def _facts() -> Iterator[Row]:
    yield Row("facts.precision", "precision", percent)
    yield Row("facts.recall", "recall", percent)
    yield Row("facts.false_per_hour", "false facts an hour", number)
    yield Row("facts.stale", "stale facts", number)
    yield Row("facts.beyond", "facts the truth does not speak of", number)


def _cost() -> Iterator[Row]:
    yield Row("timings://latency_p50_s", "time to answer, median", milliseconds)
    yield Row("timings://latency_p95_s", "time to answer, 95th percentile", milliseconds)
    yield Row("timings://times_real_time", "watching, times real time", times)
    yield Row("store.bytes_per_hour", "store, an hour of stream", size)
    yield Row("problems", "failures while watching or telling", number)
