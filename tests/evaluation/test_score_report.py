"""The report and the table: everything is there, and remembered words stay words."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import broken_memories as memories
import pytest
import small_trial

from robot_memory.evaluation.scoring import report
from robot_memory.evaluation.scoring.many import Evaluation, Failure
from robot_memory.evaluation.scoring.markup import join, tag
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.scoring.score import score
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.scoring.table import table

PAGE = "html head meta title style body h1 h2 p ul li table tr th td details summary span dl dt dd"
ALLOWED = {*PAGE.split(), "svg", "text", "rect", "polyline", "circle", "line"}
KEYS = "version made what sources judge k subjects trials failures questions timings"


class Elements(HTMLParser):
    """Every element of a page; fails at one that no report has, or at one left open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def summary_of(*which: type[memories.Perfect], folder: Path, what: str = "small") -> dict[str, Any]:
    trial = small_trial.trial()
    scores = tuple(score(trial, run(trial, memory(folder, trial))) for memory in which)
    failures = (Failure("bag <b>7</b>", "", "it <i>broke</i>"),)
    names = tuple(memory.__name__ for memory in which)
    return summarise(Evaluation((trial.name,), names, scores, failures, "normalised", (1, 5, 10, 20)), what)


def test_harmful_words_are_text(tmp_path: Path) -> None:
    page = report.report(summary_of(memories.SaysHarmfulThings, folder=tmp_path, what="<script>7</script>"))
    Elements(page)
    assert "<script>" not in page and "onerror=alert(2)&gt;" in page
    assert "it &lt;i&gt;broke&lt;/i&gt;" in page


def test_markup_escapes_all_but_its_own() -> None:
    assert tag("p", "a<b", tag("i", "&"), title='"x"') == '<p title="&quot;x&quot;">a&lt;b<i>&amp;</i></p>'
    assert join("\x1b[31m\u202egood\n") == "[31mgood\n"


def test_the_report_shows_each_failure_with_what_should_have_been_found(tmp_path: Path) -> None:
    summary = summary_of(memories.DropsEachThirdSentence, memories.AnswersAlways, folder=tmp_path)
    path = tmp_path / "report.html"
    report.write(summary, path)
    page = path.read_text("utf-8")
    assert {"svg", "table", "details", "polyline", "rect"} <= Elements(page).seen
    assert "DropsEachThirdSentence: 3 questions that did not go well" in page
    assert "AnswersAlways: 5 questions that did not go well" in page
    assert "Ben: “I don&#x27;t like olives.”" in page  # the evidence of a question it could not answer
    assert "to abstain: nobody can know" in page and "In the drawer" in page
    for said in ("truth (stand-in)", "oracle", summary["made"]["date"], "normalised", "recall@20", "Brier"):
        assert said in page, said


def test_the_summary_is_json_with_stable_keys(tmp_path: Path) -> None:
    summary = summary_of(memories.Perfect, folder=tmp_path)
    assert json.loads(json.dumps(summary)) == summary
    assert list(summary) == KEYS.split()
    (question,) = [one for one in summary["questions"] if one["id"] == "q4"]
    assert question["expected"]["earlier"] == ["teacher"]
    assert question["verdict"] == "right" and question["evidence"] == ["Anna: “I was a teacher, now I am a nurse.”"]


def test_the_same_trial_twice_gives_the_same_json_apart_from_timings(tmp_path: Path) -> None:
    one, two = (summary_of(memories.Overconfident, memories.Perfect, folder=tmp_path) for _ in range(2))
    for summary in (one, two):
        summary.pop("made"), summary.pop("timings")
    assert json.dumps(one) == json.dumps(two)


def test_the_table_puts_memories_side_by_side(tmp_path: Path) -> None:
    lines = table(summary_of(memories.Perfect, memories.SwapsTwoPeople, folder=tmp_path)).splitlines()
    (fused,) = [line for line in lines if "fused persons" in line]
    assert fused.split()[-2:] == ["0.00", "2.00"]
    assert any(line.startswith("FAILED bag <b>7</b>: it") for line in lines)
    assert max(map(len, lines)) < 160


def test_nothing_measured_is_still_a_report() -> None:
    empty = summarise(Evaluation(("a",), ("memory",), (), (Failure("a", "", "no"),), "normalised", (1,)), "a")
    Elements(report.report(empty))
    assert "FAILED a: no" in table(empty)


@pytest.mark.parametrize("char", ["\ud800", "\x00", "\x1b"])
def test_odd_characters_do_not_stop_the_report(tmp_path: Path, char: str) -> None:
    summary = summary_of(memories.Perfect, folder=tmp_path, what=f"odd {char}")
    report.write(summary, tmp_path / "odd.html")
    assert char not in (tmp_path / "odd.html").read_text("utf-8")
