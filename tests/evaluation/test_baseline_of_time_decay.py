"""Time-decay retrieval as a baseline: the newest clips crowd out the old, and without decay they do not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from small_trial import trial

from robot_memory.errors import ModelMissing
from robot_memory.evaluation.subject import Asked
from robot_memory.evaluation.subjects.decay import DecaySubject, UndecayedSubject
from robot_memory.evaluation.subjects.flat import product
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, SpeechTurn
from robot_memory.streams.sessions import Session
from told import at

SESSION = Session("day", bag_uri="day", bag_fingerprint="day", zone="UTC")
QUESTION = Asked("q", "Where are the keys?", at(10**6))


def clip(number: int, *lines: str) -> ClipObservation:
    start_ns, voice = at(30 * number), np.zeros(4, np.float32)
    turns = tuple(
        SpeechTurn(start_ns + n * SECOND, start_ns + (n + 1) * SECOND, text, 0, voice, 0.9, 0.0)
        for n, text in enumerate(lines)
    )
    return ClipObservation(SESSION.id, number, start_ns, start_ns + 30 * SECOND, (), turns)


def heard(subject: DecaySubject, *clips: ClipObservation) -> DecaySubject:
    for one in clips:
        subject.watch(one, SESSION)
    return subject


def position(subject: DecaySubject, text: str) -> int | None:
    """Which place a line has among those recalled."""
    found = [one.text for one in subject.recall(QUESTION, 99)]
    return found.index(text) if text in found else None


@pytest.fixture(autouse=True)
def _the_model_is_there() -> None:
    try:
        product()
    except ModelMissing as error:
        pytest.skip(str(error))


KEYS = "The keys are in the blue bowl."
TALK = [f"My keys are somewhere in room {n}." for n in range(25)]


def test_the_right_line_of_an_hour_ago_is_lost_but_first_without_decay() -> None:
    day = [clip(0, KEYS), *(clip(n, f"Where is bus number {n}?") for n in range(1, 120))]
    assert position(heard(DecaySubject(), *day), KEYS) is None
    assert position(heard(UndecayedSubject(), *day), KEYS) == 0


def test_silent_clips_age_what_was_said() -> None:
    """Twice the same words, clips apart: the nearer one counts e^(0.1 n) times as much, and gets that share."""
    subject = heard(DecaySubject(), clip(0, *TALK), *(clip(n) for n in range(1, 10)), clip(10, *TALK))
    starts = [one.start_ns for one in subject.recall(QUESTION, 99)]
    assert len(starts) == 20
    assert sum(start >= at(300) for start in starts) == round(20 / (1 + np.exp(-1)))
    assert [start >= at(300) for start in starts] == sorted((start >= at(300) for start in starts), reverse=True)


def test_it_shows_twenty_lines_and_says_how_near_the_first_is() -> None:
    subject = heard(DecaySubject(), clip(0, KEYS, *TALK))
    found = subject.recall(QUESTION, 99)
    assert len(found) == 20 and found[0].score == 1 and all(one.score > 0 for one in found)
    cosine = float((product().embed([found[0].text]) @ product().embed([QUESTION.text])[0])[0])
    assert subject.confidence(QUESTION.text) == pytest.approx(cosine, abs=1e-5)


@pytest.mark.parametrize("make", [DecaySubject, UndecayedSubject, partial(DecaySubject, name="other")])
def test_it_answers_the_small_morning_as_any_baseline_does(make: type[DecaySubject]) -> None:
    subject = make()
    assert subject.ask(replace(QUESTION, text="Where?")).outcome == "ABSTAINED"
    for one in trial().clips():
        subject.watch(one.observation, one.session)
    assert "The keys lie in the blue bowl." in subject.ask(replace(QUESTION, at_ns=at(180))).text
    assert subject.name in ("tmr", "tmr-undecayed", "other") and subject.bytes_used() > 0
