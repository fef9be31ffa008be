"""The oracle memory: the product behind perfect perception, so that what it gets wrong is nobody's eyes' and ears'."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_trial import SESSION, trial

from robot_memory.evaluation.subject import Asked, Claim
from robot_memory.evaluation.subjects import oracle
from robot_memory.evaluation.subjects.oracle import OracleSubject
from robot_memory.evaluation.trial import Clip, Trial
from robot_memory.evaluation.truth import Appearance, Box, Said, Truth
from robot_memory.memory.people.people import People
from robot_memory.streams.observation import ClipObservation
from told import at


def fed(subject: OracleSubject, known: Trial) -> OracleSubject:
    for clip in known.clips():
        subject.watch(clip.observation, clip.session)
    return subject


def test_it_knows_everyone_by_name(tmp_path: Path, embedder: object) -> None:
    subject = fed(OracleSubject(tmp_path, trial()), trial())
    assert dict(subject.names()) == {name: name for name in ("Anna", "Ben", "Clara")}
    labels = subject.labels()
    for clip in trial().clips():
        assert labels[clip.key].faces == clip.faces
        assert labels[clip.key].voices == clip.voices
    subject.close()


@pytest.mark.parametrize("introduced", [True, False])
def test_a_voice_over_a_lone_face_stays_its_own_person(tmp_path: Path, embedder: object, introduced: bool) -> None:
    """Tom is heard, never seen, while Dana alone is in view: the product's votes make them one, the oracle may not."""
    subject = fed(OracleSubject(tmp_path, known := _unseen_speaker(introduced)), known)
    here = subject.ask(Asked("q", "Who was here?", at(90))).text
    assert here.count("Dana") == here.count("Tom") == 1 and "I also heard Tom" in here
    assert "Dana" not in subject.ask(Asked("q", "What did Tom say about the ladder?", at(90))).text
    assert "ladder" not in subject.ask(Asked("q", "What did Dana say?", at(90))).text
    mine = subject.ask(Asked("q", "What did I say about the ladder?", at(90), "Tom"))
    assert mine.outcome == "ABSTAINED" or "Dana" not in mine.text
    with subject._store.snapshot() as db:
        people = People(db)
    assert sorted(one.name for one in people.all()) == ["Dana", "Tom"]
    assert {people.now(one.id) for one in people.all()} == {one.id for one in people.all()}  # nobody's alias
    subject.close()


def _unseen_speaker(introduced: bool) -> Trial:
    said = [("Dana", 3, 8, "I am Dana."), ("Tom", 33, 38, "I am Tom.")] if introduced else []
    said += [("Tom", 65, 69, "The ladder is in the shed."), ("Dana", 72, 76, "I like plums.")]
    said += [("Tom", 80, 84, "I take my coffee black.")]
    path = tuple(Box(at(s), 100, 100, 80, 100) for s in (1, 89))
    lines = tuple(Said(who, at(a), at(b), text) for who, a, b, text in said)
    truth = Truth("unseen", "UTC", at(0), at(90), ("Dana", "Tom"), (Appearance("Dana", path),), lines)
    spans = [(at(30 * n), at(30 * n + 30)) for n in range(3)]
    clips = [
        Clip(
            ClipObservation(SESSION.id, n, a, b), SESSION, ("Dana",), tuple(i.who for i in lines if a <= i.start_ns < b)
        )
        for n, (a, b) in enumerate(spans)
    ]
    return Trial("unseen", truth, (), lambda: iter(clips), {})


def test_it_answers_about_what_perception_missed(tmp_path: Path, embedder: object) -> None:
    """Its eyes and ears come from the truth: an observation without anything in it changes nothing."""
    subject = OracleSubject(tmp_path, trial())
    for clip in trial().clips():
        subject.watch(replace(clip.observation, tracks=(), turns=(), skipped="too dark"), SESSION)
    reply = subject.ask(Asked("q", "What did Clara say about the station?", at(180)))
    assert reply.outcome == "ANSWERED"
    assert "station" in reply.text
    subject.close()


def test_facts_are_known_only_to_the_one_that_is_told(tmp_path: Path, embedder: object) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain, told = OracleSubject(tmp_path / "a", trial()), oracle.with_facts(tmp_path / "b", trial())
    assert (plain.name, told.name) == ("oracle", "oracle+facts")
    likes = {("Ben", "olives", -1), ("Anna", "tea with lemon", 1)}
    assert not likes <= _held(fed(plain, trial()).claims(), "likes")  # "I drink my tea with lemon" claims no liking
    assert likes == _held(fed(told, trial()).claims(), "likes")
    plain.close()
    told.close()


def test_a_fact_is_known_from_when_it_is_told_and_gives_way_to_the_next(tmp_path: Path, embedder: object) -> None:
    subject = oracle.with_facts(tmp_path, trial())
    clips = list(trial().clips())
    for clip in clips[:1]:
        subject.watch(clip.observation, clip.session)
    assert _held(subject.claims(), "job") == set()
    for clip in clips[1:]:
        subject.watch(clip.observation, clip.session)
    assert _held(subject.claims(), "job") == {("Ben", "carpenter", 1), ("Anna", "nurse", 1)}
    assert _held(subject.claims(), "place") == {("keys", "in the blue bowl", 1)}
    subject.close()


def _held(claims: tuple[Claim, ...], attribute: str) -> set[tuple[str, str, int]]:
    return {(claim.subject, claim.value, claim.polarity) for claim in claims if claim.attribute == attribute}
