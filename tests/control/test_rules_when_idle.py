"""A robot that is left alone makes rules of what repeats; a replay does not, or its memory would hang on the clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control import idle
from robot_memory.control.service import MemoryService
from robot_memory.lanes import Traffic


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryService]:
    monkeypatch.setattr(idle, "ALONE_S", 0.0)
    settings = StoreSettings(path=str(tmp_path / "m.sqlite")), StreamSettings(), PerceptionSettings(), AnswerSettings()
    made = MemoryService(*settings, Traffic())
    yield made
    made.close()


def live(service: MemoryService, clips: int, bag_uri: str = "") -> None:
    with service.store.write() as db:
        db.execute(
            "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
            "VALUES ('s', ?, '', 0, '', '', '')",
            (bag_uri,),
        )
        for n in range(clips):
            times = n, n * 30 * 10**9, (n + 1) * 30 * 10**9
            db.execute(
                "INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s) VALUES ('s', ?, ?, ?, 1, 1)",
                times,
            )


def worked(service: MemoryService) -> int:
    """What a tick had the robot do: changes of the store."""
    before = service.store.generation()
    service.idle.tick()
    until = time.monotonic() + 20
    while service.upkeep._lane.load() and time.monotonic() < until:
        time.sleep(0.01)
    return service.store.generation() - before


def test_it_works_when_it_is_left_alone(service: MemoryService) -> None:
    live(service, 30)
    assert worked(service) > 0
    assert worked(service) == 0, "nothing was lived since"


def test_it_waits_until_enough_was_lived(service: MemoryService) -> None:
    live(service, 3)
    assert worked(service) == 0


def test_it_waits_while_somebody_asks(service: MemoryService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "ALONE_S", 60.0)
    live(service, 30)
    service.idle.asked()
    assert worked(service) == 0


def test_a_replay_is_left_as_it_is(service: MemoryService) -> None:
    live(service, 30, "day.mcap")
    assert worked(service) == 0
    before = service.store.generation()
    service.idle.last()
    assert service.store.generation() == before


def test_it_works_once_more_before_it_ends(service: MemoryService) -> None:
    live(service, 30)
    before = service.store.generation()
    service.idle.last()
    assert service.store.generation() > before
