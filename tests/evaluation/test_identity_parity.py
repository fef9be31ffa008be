"""Who is who by the published rules, in small stories: two listeners, one voice, links right and wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from robot_memory.errors import ModelMissing
from robot_memory.evaluation import subjects
from robot_memory.evaluation.scoring.identities import links, persons
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.trial import Clip, Trial
from robot_memory.evaluation.truth import Truth
from robot_memory.memory.people.parity import algorithm2, published
from robot_memory.streams.observation import ClipObservation, SpeechTurn
from robot_memory.streams.sessions import Session
from told import at, face_track, likeness

ANNA, BEN, VOICE, OTHER = 1, 2, 11, 12


def test_published_fuses_whoever_was_ever_linked() -> None:
    once, often = [(ANNA, VOICE)], [(BEN, VOICE)] * 5
    assert published([*once, *often]) == [{ANNA, BEN, VOICE}]


def test_published_keeps_apart_who_was_never_linked() -> None:
    assert published([(ANNA, VOICE), (OTHER, BEN), (3,), ()]) == [{ANNA, VOICE}, {BEN, OTHER}]
    assert published([(5, 6), (1, 2), (2, 6)]) == [{1, 2, 5, 6}]


def test_algorithm2_follows_the_heavier_edge() -> None:
    assert algorithm2([(ANNA, VOICE)] * 2 + [(BEN, VOICE)] * 5) == {VOICE: BEN}


def test_algorithm2_takes_a_single_meta_clip_for_noise() -> None:
    assert algorithm2([(ANNA, VOICE)]) == {}
    assert algorithm2([(ANNA, VOICE), (BEN, VOICE), (BEN, VOICE)]) == {VOICE: BEN}


def test_algorithm2_asks_for_a_share() -> None:
    meta = [(ANNA, VOICE)] * 3 + [(ANNA, OTHER)] * 2
    assert algorithm2(meta, share=0.6) == {VOICE: ANNA}
    assert algorithm2(meta, share=0.61) == {}


def test_algorithm2_gives_a_face_one_voice_and_a_voice_one_face() -> None:
    meta = [(ANNA, VOICE)] * 6 + [(ANNA, OTHER)] * 4 + [(BEN, OTHER)] * 5
    assert algorithm2(meta) == {VOICE: ANNA, OTHER: BEN}


def clips() -> Iterator[Clip]:
    """Ben talks to the robot alone in five conversations; once Anna sits there while he calls from next door. Later
    she sits there alone.
    """
    session = Session("two", bag_uri="two", bag_fingerprint="two", zone="UTC")
    for number, there in enumerate(["Ben", "Ben", "Ben", "Anna", "Ben", "Ben", "Anna", "Anna"]):
        sequence = 20 * number  # ten minutes apart
        start = 30 * sequence
        track = face_track(there, start + 1, start + 25)
        voice = likeness("voice", "Ben", 256)
        turn = SpeechTurn(at(start + 5), at(start + 9), "I have been to the market.", 0, voice, 0.9, 0.1)
        seen = ClipObservation("two", sequence, at(start), at(start + 30), (track,), (turn,))
        if number < 6:
            yield Clip(seen, session, (there,), ("Ben",), (turn.text,))
        else:
            yield Clip(replace(seen, turns=()), session, (there,))


@pytest.mark.parametrize(
    ("name", "found", "fused", "precision"),
    [("memory", 2, 0, 1), ("memory+algorithm2", 2, 0, 1), ("memory+published", 1, 1, 1)],
)
def test_one_call_from_next_door(name: str, found: int, fused: int, precision: int, tmp_path: Path) -> None:
    truth = Truth("two", "UTC", at(0), at(3600), ("Anna", "Ben"), (), ())
    trial = Trial("two", truth, (), clips, {})
    try:
        subject = subjects.make(name, tmp_path, trial)
    except ModelMissing as error:
        pytest.skip(str(error))
    try:
        result = run(trial, subject)
    finally:
        subject.close()
    assert not result.problems
    figures = {**persons(result.items), **links(result.items)}
    assert figures["persons.found"].total == found
    assert figures["persons.fused"].total == fused
    assert figures["links.precision"].value == precision
