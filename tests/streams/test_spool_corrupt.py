"""A clip that is torn, or was written over with garbage, is reported as SpoolCorrupt and as nothing else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from clips_for_the_spool import SESSION, clip
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robot_memory.errors import SpoolCorrupt
from robot_memory.streams import clipfiles
from robot_memory.streams.spool import Spool

FILES = ["clip.json", "arrays.npz", "crop_0.jpg", "key_0.jpg"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    spool = Spool(tmp_path, 10**9)
    spool.open_session(SESSION)
    return spool.add(clip())


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(place: Path, name: str) -> None:
    (place / name).unlink()
    with pytest.raises(SpoolCorrupt, match=str(place)):
        clipfiles.read(place)


def test_a_missing_clip(tmp_path: Path) -> None:
    with pytest.raises(SpoolCorrupt):
        clipfiles.read(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["clip.json", "arrays.npz"])
@given(cut=st.floats(0, 0.999))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_torn_file(place: Path, name: str, cut: float) -> None:
    whole = (place / name).read_bytes()
    try:
        (place / name).write_bytes(whole[: int(cut * len(whole))])
        with pytest.raises(SpoolCorrupt):
            clipfiles.read(place)
    finally:
        (place / name).write_bytes(whole)


@pytest.mark.parametrize("name", ["clip.json", "arrays.npz"])
@given(garbage=st.binary(max_size=200))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage(place: Path, name: str, garbage: bytes) -> None:
    whole = (place / name).read_bytes()
    try:
        (place / name).write_bytes(garbage)
        with pytest.raises(SpoolCorrupt):
            clipfiles.read(place)
    finally:
        (place / name).write_bytes(whole)


@given(at=st.floats(0, 0.9999), bits=st.integers(1, 255), length=st.integers(1, 8))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_flipped_bits_are_corrupt_or_change_nothing_that_crashes(
    place: Path, at: float, bits: int, length: int
) -> None:
    whole = (place / "arrays.npz").read_bytes()
    first = int(at * len(whole))
    broken = bytearray(whole)
    for n in range(first, min(first + length, len(whole))):
        broken[n] ^= bits
    try:
        (place / "arrays.npz").write_bytes(bytes(broken))
        with contextlib.suppress(SpoolCorrupt):
            clipfiles.read(place)
    finally:
        (place / "arrays.npz").write_bytes(whole)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "3",
        '"x"',
        "{}",
        '{"tracks": 3}',
        '{"tracks": [], "turns": {}, "keyframes": [], "poses": []}',
        '{"tracks": [0.5], "turns": [{"x": 1}], "keyframes": [], "poses": []}',
        "[" * 100_000,
    ],
)
def test_json_of_another_shape(place: Path, text: str) -> None:
    (place / "clip.json").write_text(text)
    with pytest.raises(SpoolCorrupt):
        clipfiles.read(place)


@pytest.mark.parametrize("text", ["", "{", "null", "[1]", '{"id": 1, "colour": 2}', '{"zone": ""}'])
def test_a_session_of_another_shape(place: Path, text: str) -> None:
    (place.parent / "session.json").write_text(text)
    with pytest.raises(SpoolCorrupt, match="session"):
        Spool(place.parent.parent, 10**9).session(SESSION.id)
