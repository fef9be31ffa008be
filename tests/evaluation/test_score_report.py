"""The report and the table: everything is there, and remembered words stay words."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import broken_memories as memories
import pytest
import small_trial

from robot_memory.control.page.markup import join, tag
from robot_memory.evaluation.scoring import report
from robot_memory.evaluation.scoring.many import Evaluation, Failure
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.scoring.score import score
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.scoring.table import table
from robot_memory.evaluation.subject import Asked, Found, Reply
from told import at

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
    assert "DropsEachThirdSentence: 3 of 15 questions did not go well" in page
    assert "AnswersAlways: 5 of 15 questions did not go well" in page
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


def test_a_table_of_one_trial_says_how_many_and_of_what(tmp_path: Path) -> None:
    said = table(summary_of(memories.Perfect, memories.AnswersAlways, folder=tmp_path))
    assert said.startswith("small: 1 trial, 15 questions, judged by normalised\n")
    assert "100.0 % (10 of 10)" in said and "100.0 % (5 of 5)" in said
    assert said.count("truth (stand-in)") == 1 and "\nall: " in said  # what both are made of


class Silent(memories.Perfect):
    """Says nothing, and finds what it was told to."""

    def ask(self, question: Asked) -> Reply:
        return Reply("I <i>don't</i> know whose.", "ABSTAINED", 0.0)

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        return (
            super().recall(question, k) if question.id in ("q1", "q9") else (Found(-(10**18), 10**22, "seen", "", 0),)
        )


def test_who_abstains_is_told_where_the_evidence_stayed(tmp_path: Path) -> None:
    trial = small_trial.trial()
    early = replace(trial.questions[2], at_ns=at(89))  # line 4 (65 s) lies in the clip from 60 to 90 s
    trial = replace(trial, questions=tuple(early if one.id == early.id else one for one in trial.questions))
    own = score(trial, run(trial, Silent(tmp_path, trial)))
    summary = summarise(Evaluation((trial.name,), ("Silent",), (own,), (), "normalised", (1, 20)), "small")
    lost = {one["id"]: (one["lost"], one["rank"]) for one in summary["questions"]}
    assert lost["q1"] == ("not used", 1) and lost["q2"] == ("not closed", None)
    assert lost["q3"] == ("not found", None) and lost["q12"] == ("", None)  # nobody can know: nothing was lost
    page = report.report(summary)
    Elements(page)
    for said in (
        "its evidence was found (rank 1) but not used",
        "its evidence lay in a clip that was not closed yet",
        "its evidence was not found among the first 20",
        "I &lt;i&gt;don&#x27;t&lt;/i&gt; know whose. (ABSTAINED, confidence 0.00)",
        "Monday 2 March 2026, 09:31:29, by someone unknown",
        "Monday 2 March 2026, 09:33:00, by Ben",
        "09:31:05 to 09:31:10: Ben: “I have three cats at home.”",
        "a time within 09:31:32 to 09:32:32",
    ):
        assert said in page, said


def test_times_are_those_of_the_trials_zone_and_name_another_day(tmp_path: Path) -> None:
    trial = small_trial.trial()
    late = replace(trial.questions[0], at_ns=at(86_400))
    trial = replace(trial, truth=replace(trial.truth, zone="Europe/Berlin"), questions=(late,))
    own = score(trial, run(trial, Silent(tmp_path, trial)))
    page = report.report(summarise(Evaluation(("a",), ("Silent",), (own,), (), "normalised", (1,)), "small"))
    assert "Tuesday 3 March 2026, 10:30:00" in page
    assert "yesterday, 10:30:09 to 10:30:13: Anna: “I drink my tea with lemon.”" in page


def test_the_report_shows_whom_each_label_took_together(tmp_path: Path) -> None:
    summary = summary_of(memories.SwapsTwoPeople, folder=tmp_path)
    (told,) = [one["persons"] for one in summary["trials"]]
    assert {"label", "faces", "voices", "called", "who", "fused", "linked"} == set(told[0])
    page = report.report(summary)
    Elements(page)
    assert "Who was taken for whom" in page and "fused" in page and "Clara 100 % (" in page


def test_without_questions_there_are_no_answers_and_no_plots(tmp_path: Path) -> None:
    trial = replace(small_trial.trial(), questions=())
    own = score(trial, run(trial, memories.Perfect(tmp_path, trial)))
    summary = summarise(Evaluation(("bag",), ("Perfect",), (own,), (), "normalised", (1,)), "bag")
    page, said = report.report(summary), table(summary)
    Elements(page)
    assert "Answers: no questions" in page and "<svg" not in page and "did not go well" not in page
    assert "1 trial, no questions" in said and "\nAnswers: no questions\n" in said and "people there were" in said


def test_one_trial_has_no_intervals_and_many_have(tmp_path: Path) -> None:
    own = summary_of(memories.Perfect, folder=tmp_path)
    assert "interval" not in report.report(own) and "1 trial, 15 questions" in report.report(own)
    assert "unanswerable, swapped: never (1)" in report.report(own) and "swapped: none" not in report.report(own)
    trial = small_trial.trial()
    scores = tuple(
        replace(score(trial, run(trial, memories.Perfect(tmp_path, trial))), trial=f"t{n}") for n in range(5)
    )
    names = tuple(one.trial for one in scores)
    many = summarise(Evaluation(names, ("Perfect",), scores, (), "normalised", (1,)), "five")
    assert "5 trials, 75 questions, judged by normalised; means over trials with 95 % intervals" in table(many)


def test_nothing_measured_is_still_a_report() -> None:
    empty = summarise(Evaluation(("a",), ("memory",), (), (Failure("a", "", "no"),), "normalised", (1,)), "a")
    Elements(report.report(empty))
    assert "FAILED a: no" in table(empty)


@pytest.mark.parametrize("char", ["\ud800", "\x00", "\x1b"])
def test_odd_characters_do_not_stop_the_report(tmp_path: Path, char: str) -> None:
    summary = summary_of(memories.Perfect, folder=tmp_path, what=f"odd {char}")
    report.write(summary, tmp_path / "odd.html")
    assert char not in (tmp_path / "odd.html").read_text("utf-8")
