"""Plain baselines on a morning checked by hand: they find words, quote the line, and know nobody unless told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_trial import line, trial

from robot_memory.errors import ModelMissing
from robot_memory.evaluation.subject import Asked
from robot_memory.evaluation.subjects import bm25, flat, hybrid, socratic
from robot_memory.evaluation.subjects.transcript import TranscriptSubject, true_speakers
from robot_memory.evaluation.trial import Trial
from told import at

KINDS = {
    "bm25": bm25.Bm25Subject,
    "flat": flat.FlatSubject,
    "hybrid": hybrid.HybridSubject,
    "context": hybrid.ContextSubject,
    "socratic": socratic.SocraticSubject,
}


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest) -> Callable[..., TranscriptSubject]:
    try:
        KINDS[request.param]().close()
    except ModelMissing as error:
        pytest.skip(str(error))
    return KINDS[request.param]


def fed(subject: TranscriptSubject, known: Trial) -> TranscriptSubject:
    for clip in known.clips():
        subject.watch(clip.observation, clip.session)
    return subject


def asked(text: str) -> Asked:
    return Asked("q", text, at(180))


def test_it_finds_the_line_and_quotes_it(make: Callable[..., TranscriptSubject]) -> None:
    subject = fed(make(), trial())
    reply = subject.ask(asked("Where are the keys, in which bowl?"))
    assert reply.outcome == "ANSWERED"
    assert "The keys lie in the blue bowl." in reply.text
    assert reply.cited[0].start_ns <= line(3).start_ns <= line(3).end_ns <= reply.cited[0].end_ns
    assert 0 < reply.confidence <= 1


def test_what_it_recalls_is_ordered_and_no_more_than_wanted(make: Callable[..., TranscriptSubject]) -> None:
    subject = fed(make(), trial())
    found = subject.recall(asked("tea with lemon"), 3)
    assert 1 <= len(found) <= 3
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_it_remembers_only_what_it_has_heard_by_then(make: Callable[..., TranscriptSubject]) -> None:
    subject, clips = make(), list(trial().clips())
    for clip in clips[:2]:
        subject.watch(clip.observation, clip.session)
    before = subject.recall(asked("Who lives in Bonn?"), 20)
    assert all(one.end_ns <= at(60) for one in before)
    for clip in clips[2:]:
        subject.watch(clip.observation, clip.session)
    assert "Bonn" in subject.recall(asked("Who lives in Bonn?"), 1)[0].text


def test_an_empty_memory_abstains(make: Callable[..., TranscriptSubject]) -> None:
    reply = make().ask(asked("Where are the keys?"))
    assert (reply.outcome, reply.confidence, reply.cited) == ("ABSTAINED", 0.0, ())


def test_below_the_threshold_it_abstains_and_says_how_sure_it_was(make: Callable[..., TranscriptSubject]) -> None:
    sure = fed(make(), trial()).confidence("Where are the keys?")
    unsure = fed(make(least=sure + 0.01), trial()).ask(asked("Where are the keys?"))
    assert (unsure.outcome, unsure.confidence) == ("ABSTAINED", sure)
    assert fed(make(least=sure - 0.01), trial()).ask(asked("Where are the keys?")).outcome == "ANSWERED"


def test_names_are_there_only_if_told_and_then_in_its_own_name(make: Callable[..., TranscriptSubject]) -> None:
    blind, told = fed(make(), trial()), fed(make(speakers=true_speakers(trial())), trial())
    question = asked("cats at home")
    assert "Ben" not in blind.recall(question, 1)[0].text.replace("I am Ben", "")
    assert "Ben" in told.recall(question, 1)[0].text
    assert told.name == f"{blind.name}+names"
    assert told.models["speakers"] != blind.models["speakers"]


def test_any_question_is_borne(make: Callable[..., TranscriptSubject]) -> None:
    subject = fed(make(), trial())
    for text in ("", "?!", 'NEAR("', "who did what", "日本", "a" * 5000, "tea* OR -x"):
        assert subject.ask(asked(text)).outcome in ("ANSWERED", "ABSTAINED")


def test_stems_and_no_function_words() -> None:
    subject = fed(bm25.Bm25Subject(), trial())
    assert "olives" in subject.recall(asked("What did he say about an olive?"), 1)[0].text
    assert not subject.recall(asked("zebra"), 5)


def test_bm25_cites_the_turns_around_the_best_one() -> None:
    cited = fed(bm25.Bm25Subject(), trial()).ask(asked("keys in the blue bowl")).cited
    assert [one.text for one in cited] == [
        "The keys lie in the blue bowl.",
        "I am Ben, the new carpenter.",
        "I have three cats at home.",
    ]


def test_context_finds_an_answer_by_its_question(embedder: object) -> None:
    """ "Coffee for me, please." shares no word with the question; the turn before it does."""
    subject = fed(hybrid.ContextSubject(), trial())
    found = [one.text for one in subject.recall(asked("Who was asked: do you want tea?"), 3)]
    assert "Coffee for me, please." in found


def test_the_person_asked_about_comes_first(embedder: object) -> None:
    subject = fed(hybrid.ContextSubject(speakers=true_speakers(trial())), trial())
    found = subject.recall(asked("What is Anna's job, is she a carpenter?"), 12)
    anna = [one.score for one in found if one.text.startswith("Anna: ")]
    assert len(anna) >= 3
    assert min(anna) > 0.5 / 61


def test_the_socratic_memory_finds_clips_not_lines(embedder: object, tmp_path: Path) -> None:
    found = fed(socratic.SocraticSubject(), trial()).recall(asked("olives"), 1)[0]
    assert found.stream == "inferred"
    assert (found.start_ns, found.end_ns) == (at(60), at(90))
    assert "1 face was in view" in found.text
