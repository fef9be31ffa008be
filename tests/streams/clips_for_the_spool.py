"""Builders shared by the tests of the spool: perceived clips with something in every field."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from robot_memory.streams.media import Pose
from robot_memory.streams.observation import ClipObservation, FaceTrack, Keyframe, SpeechTurn
from robot_memory.streams.sessions import Session

SESSION = Session("5e55", zone="Europe/Berlin", utc_offset_s=3600, boot_id="b", clock="system", origin_ns=7)
INT64 = st.integers(-(2**63), 2**63 - 1)
UNIT = st.floats(0, 1, width=32)


def vector(seed: int, dimension: int = 8) -> np.ndarray:
    made = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return made / np.linalg.norm(made)


def clip(sequence: int = 0, session: str = SESSION.id, text: str = "Hello.", size: int = 200) -> ClipObservation:
    track = FaceTrack(
        np.arange(5, dtype=np.int64), np.ones((5, 4), np.float32), np.stack([vector(1), vector(2)]), b"j" * size, 0.5
    )
    turn = SpeechTurn(1, 2, text, 0, vector(3), 0.9, 0.1)
    pose = Pose(5, "odom", (1.0, 2.0, 3.0), (0.0, 0.0, 0.0, 1.0), tuple(float(n) for n in range(36)), "map")
    return ClipObservation(
        session, sequence, 0, 30, (track,), (turn,), (pose,), (Keyframe(3, b"k" * size),), 5, 1, 29.5, {"face": "sface"}
    )


@st.composite
def any_clip(draw: st.DrawFn) -> ClipObservation:
    floats = st.floats(allow_nan=False, width=64)

    def track() -> FaceTrack:
        n, k = draw(st.integers(1, 4)), draw(st.integers(0, 3))
        return FaceTrack(
            draw(hnp.arrays(np.int64, n, elements=INT64)),
            draw(hnp.arrays(np.float32, (n, 4))),
            draw(hnp.arrays(np.float32, (k, 3))),
            draw(st.binary(max_size=20)),
            draw(floats),
        )

    def turn() -> SpeechTurn:
        embedding = draw(st.none() | hnp.arrays(np.float32, 3))
        return SpeechTurn(
            draw(INT64), draw(INT64), draw(st.text()), draw(st.integers(0, 9)), embedding, draw(UNIT), draw(UNIT)
        )

    def pose() -> Pose:
        return Pose(
            draw(INT64),
            draw(st.text()),
            (draw(floats), 0.0, 1.0),
            (0.0, 0.0, 0.0, 1.0),
            (draw(floats),) * 36,
            draw(st.text()),
        )

    few = st.integers(0, 2)
    return ClipObservation(
        SESSION.id,
        draw(st.integers(0, 10**8 - 1)),
        draw(INT64),
        draw(INT64),
        tuple(track() for _ in range(draw(few))),
        tuple(turn() for _ in range(draw(few))),
        tuple(pose() for _ in range(draw(few))),
        tuple(Keyframe(draw(INT64), draw(st.binary(max_size=20))) for _ in range(draw(few))),
        draw(st.integers(0, 1000)),
        draw(st.integers(0, 1000)),
        draw(floats),
        draw(st.dictionaries(st.text(), st.text(), max_size=2)),
        draw(st.text()),
    )


def plain(value: object) -> object:
    """A value in a form that can be compared: arrays as type, shape and bytes."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, value.tobytes())
    if dataclasses.is_dataclass(value):
        return tuple(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    return value
