"""A clip comes out of the spool as it went in, field by field."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from clips_for_the_spool import SESSION, any_clip, clip, plain
from hypothesis import HealthCheck, given, settings

from robot_memory.streams import clipfiles
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.spool import Spool

BUDGET = 10**9


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    made = Spool(tmp_path / "spool", BUDGET)
    made.open_session(SESSION)
    return made


@given(one=any_clip())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_any_clip(spool: Spool, one: ClipObservation) -> None:
    place = spool.add(one)
    back = clipfiles.read(place)
    assert plain(back) == plain(one)
    assert [type(getattr(back, f.name)) for f in dataclasses.fields(back)] == [
        type(getattr(one, f.name)) for f in dataclasses.fields(one)
    ]
    spool.remove(place)


def test_an_empty_clip_and_a_skipped_one(spool: Spool) -> None:
    for one in (
        ClipObservation(SESSION.id, 0, 0, 0),
        ClipObservation(SESSION.id, 1, 5, 9, frames=3, skipped="perception fell behind"),
    ):
        assert plain(clipfiles.read(spool.add(one))) == plain(one)


def test_a_session_comes_back_as_it_was(spool: Spool) -> None:
    spool.open_session(SESSION)
    assert spool.session(SESSION.id) == SESSION
    part = SESSION.part(1)
    spool.open_session(part)
    assert spool.session(part.id) == part and part.id == "5e55.1"


def test_faces_and_words_are_for_the_owner_only(spool: Spool) -> None:
    spool.add(clip())
    modes = {
        oct(os.stat(Path(folder) / name).st_mode & 0o777) for folder, _, names in os.walk(spool.root) for name in names
    }
    folders = {oct(os.stat(folder).st_mode & 0o777) for folder, _, _ in os.walk(spool.root)}
    assert (modes, folders) == ({"0o600"}, {"0o700"})
