"""The watcher around perception: a live source that outruns it, silence, a stop in the middle, a new session."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from robot_memory.config import PerceptionSettings, StreamSettings
from robot_memory.errors import ModelMissing
from robot_memory.lanes import Traffic
from robot_memory.perception import closing
from robot_memory.perception.reports import Reports, WatcherProgress
from robot_memory.perception.senses import Senses, open_senses
from robot_memory.perception.watcher import Watcher
from robot_memory.streams import clipfiles
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session
from robot_memory.streams.spool import Spool

PICTURE = (Path(__file__).parents[1] / "media/grace_hopper.jpg").read_bytes()
SETTINGS = StreamSettings(clip_s=2.0, frames_per_second=2.0, silence_s=0.5)


@pytest.fixture(scope="module")
def real_senses() -> Senses:
    try:
        return open_senses(PerceptionSettings())
    except ModelMissing as error:
        pytest.skip(str(error))


class Watched:
    """A watcher and everything it has said."""

    def __init__(self, senses: Senses, spool: Spool, settings: StreamSettings = SETTINGS) -> None:
        self.clips: list[ClipObservation] = []
        self.progress: list[WatcherProgress] = []
        self.faces = 0
        reports = Reports(self._on_faces, lambda session, turn: None, self._on_clip, self.progress.append)
        self.watcher = Watcher(senses, settings, PerceptionSettings(), spool, reports, Traffic())

    def _on_faces(self, session: str, stamp_ns: int, tracks: object) -> None:
        self.faces += 1

    def _on_clip(self, clip: ClipObservation, place: Path) -> None:
        self.clips.append(clipfiles.read(place))

    def show(self, first_s: float, last_s: float) -> None:
        for n in np.arange(first_s, last_s, 0.5):
            self.watcher.frame(int(n * SECOND), lambda: PICTURE)


@pytest.fixture
def watched(real_senses: Senses, tmp_path: Path) -> Iterator[Watched]:
    one = Watched(real_senses, Spool(tmp_path / "spool", 10**9))
    yield one
    one.watcher.stop()


def until(ready: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_frames_become_clips_with_the_face_in_them(watched: Watched) -> None:
    watched.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    watched.show(0.0, 6.0)
    watched.watcher.close()
    until(lambda: watched.progress and watched.progress[-1].closed)
    assert [clip.sequence for clip in watched.clips] == [0, 1, 2]
    assert all(len(clip.tracks) == 1 and clip.frames == 4 for clip in watched.clips)
    last = watched.progress[-1].recorder
    assert (last.clips_closed, last.frames_used, last.frames_open, last.frames_dropped) == (3, 12, 0, 0)
    assert watched.faces > 0


def test_a_silent_live_source_has_its_clip_closed_and_may_go_on(watched: Watched) -> None:
    watched.show(0.0, 1.0)
    until(lambda: len(watched.clips) == 1)
    watched.show(1.0, 1.9)
    until(lambda: len(watched.clips) == 2)
    assert [clip.frames for clip in watched.clips] == [2, 2]


def test_a_live_source_that_is_too_fast_loses_clips_with_a_reason(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, real = threading.Event(), closing.perceive

    def slow(*args: object) -> ClipObservation:
        go.wait(20)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(closing, "perceive", slow)
    watched.show(0.0, 20.0)
    until(lambda: any(clip.skipped for clip in watched.clips))
    go.set()
    until(lambda: len(watched.clips) == 10)
    assert {clip.skipped for clip in watched.clips} == {"", "perception fell behind"}
    first = min(clip.sequence for clip in watched.clips)
    assert sorted(clip.sequence - first for clip in watched.clips) == list(range(10))


def test_a_source_that_can_wait_is_held_instead(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "perceive", lambda media, *rest: (time.sleep(0.05), empty(media))[1])
    watched.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    watched.show(0.0, 20.0)
    watched.watcher.close()
    until(lambda: watched.progress and watched.progress[-1].closed)
    assert [clip.skipped for clip in watched.clips] == [""] * 10


def test_one_clip_that_breaks_perception_costs_that_clip(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(media: object, *rest: object) -> ClipObservation:
        if media.sequence == 1:  # type: ignore[attr-defined]
            raise ValueError("an unforeseen picture")
        return empty(media)

    monkeypatch.setattr(closing, "perceive", broken)
    watched.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    watched.show(0.0, 6.0)
    watched.watcher.close()
    until(lambda: len(watched.clips) == 3)
    assert [bool(clip.skipped) for clip in watched.clips] == [False, True, False]
    assert "an unforeseen picture" in watched.clips[1].skipped


def test_a_flood_of_different_problems_stays_small(watched: Watched) -> None:
    watched.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    for rate in range(500):
        watched.watcher.audio(0, 0, rate, 1, np.zeros(1, np.int16))
    until(lambda: watched.progress and watched.progress[-1].recorder.received.get("audio") == 500)
    assert len(watched.progress[-1].problems) <= 33
    assert sum(watched.progress[-1].problems.values()) == 500


def test_stopping_saves_the_open_clip_of_a_live_source(real_senses: Senses, tmp_path: Path) -> None:
    one = Watched(real_senses, Spool(tmp_path / "spool", 10**9))
    one.show(0.0, 1.5)
    until(lambda: one.faces == 3)  # the live lane has looked at them, so closing is quick
    began = time.monotonic()
    one.watcher.stop()
    assert time.monotonic() - began < 1.5
    assert [clip.frames for clip in one.clips] == [3]


def test_a_full_spool_loses_the_clip_and_counts_it(real_senses: Senses, tmp_path: Path) -> None:
    one = Watched(real_senses, Spool(tmp_path / "spool", 0))
    (tmp_path / "spool" / "old").write_bytes(b"x" * 10)
    one.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    one.show(0.0, 2.0)
    one.watcher.close()
    until(lambda: one.progress and one.progress[-1].closed)
    assert one.progress[-1].lost == 1
    until(lambda: any("budget" in reason for reason in one.progress[-1].problems))
    one.watcher.stop()


def test_a_second_session_begins_where_the_first_ends(watched: Watched) -> None:
    for name in ("first", "second"):
        watched.watcher.open(Session(name, bag_uri=name, lockstep=True, origin_ns=0))
        watched.show(0.0, 2.0)
        watched.watcher.close()
    until(lambda: len(watched.clips) == 2)
    assert [(clip.session, clip.sequence) for clip in watched.clips] == [("first", 0), ("second", 0)]


def test_a_bag_cut_short_leaves_no_half_clip_that_would_stand_for_the_whole(watched: Watched) -> None:
    bag = Session("bag", bag_uri="bag", lockstep=True, origin_ns=0)
    watched.watcher.open(bag)
    watched.show(0.0, 1.0)
    watched.watcher.open(replace(bag, run="again"))
    watched.show(0.0, 2.0)
    watched.watcher.close()
    until(lambda: watched.progress and watched.progress[-1].closed)
    assert [(clip.sequence, clip.frames) for clip in watched.clips] == [(0, 4)]
    assert watched.progress[-1].run == "again"


def test_a_restarted_perception_numbers_a_bag_s_clips_as_before(watched: Watched) -> None:
    bag = Session("bag", bag_uri="bag", lockstep=True, origin_ns=0)
    watched.watcher.open(bag)
    watched.show(4.0, 6.0)  # it came back in the middle
    watched.watcher.close()
    until(lambda: len(watched.clips) == 1)
    assert watched.clips[0].sequence == 2


def test_a_live_session_opened_again_goes_on_counting(watched: Watched) -> None:
    for _ in range(2):
        watched.watcher.open(Session("live"))
        watched.show(0.0, 2.0)
        watched.watcher.close()
        time.sleep(0.01)
    until(lambda: len(watched.clips) == 2)
    assert watched.clips[0].sequence < watched.clips[1].sequence


def test_after_a_bag_life_goes_on_as_a_live_session(watched: Watched) -> None:
    watched.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    watched.show(0.0, 2.0)
    watched.watcher.close()
    until(lambda: len(watched.clips) == 1)
    time.sleep(SETTINGS.silence_s + 0.1)
    watched.show(100.0, 101.0)
    until(lambda: len(watched.clips) == 2)
    assert watched.clips[1].session != "bag"


def test_a_message_that_breaks_the_intake_costs_that_message(watched: Watched) -> None:
    def broken() -> bytes:
        raise OSError("an unforeseen picture")

    watched.watcher.open(Session("bag", bag_uri="bag", lockstep=True, origin_ns=0))
    watched.watcher.frame(0, broken)
    watched.show(0.5, 2.0)
    watched.watcher.close()
    until(lambda: len(watched.clips) == 1)
    assert watched.clips[0].frames == 3
    until(lambda: any("an unforeseen picture" in reason for reason in watched.progress[-1].problems))


def test_stopping_accounts_for_live_clips_that_there_was_no_time_for(
    real_senses: Senses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(media: object, eyes: object, ears: object, settings: object, checkpoint: Callable[[], None]) -> None:
        for _ in range(100):
            time.sleep(0.05)
            checkpoint()

    monkeypatch.setattr(closing, "perceive", slow)
    one = Watched(real_senses, Spool(tmp_path / "spool", 10**9))
    one.show(0.0, 6.0)
    until(lambda: one.progress and one.progress[-1].recorder.clips_closed >= 2)
    one.watcher.stop()
    assert len(one.clips) == 3 and all(clip.skipped for clip in one.clips)


def empty(media: object) -> ClipObservation:
    return replace(ClipObservation("", 0, 0, 0), session=media.session, sequence=media.sequence)  # type: ignore[attr-defined]
