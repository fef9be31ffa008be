"""The memory service: whatever lies in the spool ends stored or skipped, once, and nothing is lost on the way."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control.answer import Outcome, Question
from robot_memory.control.service import MemoryService, SessionRefused
from robot_memory.lanes import Traffic
from robot_memory.memorization.memorise import Memoriser
from robot_memory.streams.sessions import Session
from told import Story, at


@pytest.fixture
def service(tmp_path: Path, story: Story) -> Iterator[MemoryService]:
    one = start(tmp_path)
    yield one
    one.close()


def start(home: Path) -> MemoryService:
    where = StoreSettings(path=str(home / "service.sqlite"))
    return MemoryService(where, StreamSettings(), PerceptionSettings(), AnswerSettings(queue=1), Traffic())


def spool_a_clip(service: MemoryService, story: Story) -> Path:
    service.spool.open_session(story.session)
    return service.spool.add(story.observe({"anna": (1, 20)}, [("anna", 3, 7, "My name is Anna.")]))


def until(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_spooled_clip_is_stored_and_taken_out(service: MemoryService, story: Story) -> None:
    place = spool_a_clip(service, story)
    for _ in range(3):  # announced, scanned, announced again
        service.intake.clip_ready(place)
        service.intake.scan()
    until(lambda: service.counts("story").stored == 1 and not place.exists())
    assert service.spool.waiting() == []


def test_a_clip_in_the_spool_of_another_memory_is_left_alone(
    service: MemoryService, story: Story, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "other.spool" / "story" / "00000000"
    elsewhere.mkdir(parents=True)
    service.intake.clip_ready(elsewhere)
    assert elsewhere.exists()
    assert "other.spool" in service.intake.problems["spool"]


def test_a_clip_left_by_a_crash_is_found_at_the_next_start(
    service: MemoryService, story: Story, tmp_path: Path
) -> None:
    spool_a_clip(service, story)
    service.close()
    again = start(tmp_path)
    try:
        again.intake.scan()
        until(lambda: again.counts("story").stored == 1)
    finally:
        again.close()


def test_a_clip_that_cannot_be_read_is_set_aside_and_counted(service: MemoryService, story: Story) -> None:
    place = spool_a_clip(service, story)
    (place / "clip.json").write_text("{")
    service.intake.clip_ready(place)
    until(lambda: service.counts("story").skipped == 1)
    assert list((service.spool.root / ".bad").iterdir())
    assert service.counts("story").waiting == 0


def test_a_full_disk_makes_clips_wait_and_says_so(
    service: MemoryService, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = spool_a_clip(service, story)
    with monkeypatch.context() as patch:
        patch.setattr(Memoriser, "memorise", _disk_full)
        service.intake.clip_ready(place)
        until(lambda: "store" in service.intake.problems)
    assert "disk is full" in service.intake.problems["store"]
    assert service.counts("story").waiting == 1
    service.intake.scan()
    until(lambda: service.counts("story").stored == 1)
    assert service.intake.problems == {}


def _disk_full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_clip_that_cannot_be_understood_does_not_stop_the_next(
    service: MemoryService, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = spool_a_clip(service, story)
    real, calls = Memoriser.memorise, []

    def once_broken(self: Memoriser, observation: object, session: Session) -> object:
        calls.append(observation)
        if len(calls) == 1:
            raise ValueError("an unforeseen thing")
        return real(self, observation, session)  # type: ignore[arg-type]

    monkeypatch.setattr(Memoriser, "memorise", once_broken)
    service.intake.clip_ready(place)
    until(lambda: service.counts("story").skipped == 1)
    row = service.store.reader().execute("SELECT skipped FROM clips").fetchone()
    assert "an unforeseen thing" in row["skipped"]
    clip = (
        service.store.reader()
        .execute("SELECT start_ns, bag_uri FROM clips JOIN sessions ON sessions.id = session")
        .fetchone()
    )
    assert (clip["start_ns"], clip["bag_uri"]) == (at(0), "story")


def test_a_finished_session_leaves_nothing_provisional_and_no_folder(service: MemoryService, story: Story) -> None:
    place = spool_a_clip(service, story)
    service.intake.clip_ready(place)
    until(lambda: service.counts("story").stored == 1 and not place.exists())
    service.working.see("story", at(40), at(35), track=1)
    service.working.hear("story.1", at(40), at(41), "Anybody there?")
    service.finish_session("story")
    assert (service.working.faces(), service.working.turns()) == ([], [])
    assert not place.parent.exists()


def test_a_crash_between_commit_and_setting_aside_repeats_harmlessly(
    service: MemoryService, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = spool_a_clip(service, story)
    (place / "clip.json").write_text("{")
    with monkeypatch.context() as patch:
        patch.setattr(type(service.spool), "set_aside", _broken_disk)
        service.intake.clip_ready(place)
        until(lambda: service.counts("story").skipped == 1 and "store" in service.intake.problems)
    service.intake.scan()
    until(lambda: service.counts("story").waiting == 0)
    assert service.counts("story").skipped == 1


def _broken_disk(*_: object) -> None:
    raise OSError("the disk went away")


def test_a_full_queue_says_busy_at_once(service: MemoryService, story: Story) -> None:
    began, hold = threading.Event(), threading.Event()
    question = Question("q", "Who was here?", at(200))
    blocked = service.ask(question, report=lambda step: (began.set(), hold.wait(10)))
    assert began.wait(10)
    waiting, refused = service.ask(question), service.ask(question)
    assert refused.result(1).outcome is Outcome.BUSY
    assert "ask again later" in refused.result().message
    hold.set()
    assert {blocked.result(10).outcome, waiting.result(10).outcome} == {Outcome.ABSTAINED}


def test_dialogue_is_kept_and_is_no_evidence(service: MemoryService, story: Story) -> None:
    service.ask(Question("q", "What did Anna say about tea?", at(200))).result(10)
    service.ask(Question("r", "Does Anna like tea?", at(200))).result(10)
    db = service.store.reader()
    assert [row["question"] for row in db.execute("SELECT question FROM dialogue ORDER BY id")][
        -1
    ] == "Does Anna like tea?"
    assert db.execute("SELECT count(*) FROM memories").fetchone()[0] == 0


def test_sources_are_admitted_by_rule(service: MemoryService, story: Story) -> None:
    bag = Session("", bag_uri="/bags/a", bag_fingerprint="f" * 64)
    assert service.open_session(bag, into=False).id == "f" * 32
    live = service.open_session(Session(""), into=False)
    assert live.live and live.id
    service.spool.open_session(live)
    service.spool.add(story.observe({}, []).__class__(live.id, 0, at(0), at(30)))
    service.intake.scan()
    until(lambda: service.counts(live.id).stored == 1)
    with pytest.raises(SessionRefused, match="--into"):
        service.open_session(bag, into=False)
    assert service.open_session(bag, into=True).id == "f" * 32


def test_a_finished_bag_is_not_taken_twice_and_an_unfinished_one_is_resumed(
    service: MemoryService, story: Story
) -> None:
    bag = service.open_session(Session("", bag_uri="/bags/a", bag_fingerprint="a" * 64), into=False)
    service.spool.open_session(bag)
    service.spool.add(story.observe({}, []).__class__(bag.id, 0, at(0), at(30)))
    service.intake.scan()
    until(lambda: service.counts(bag.id).stored == 1)
    assert service.open_session(bag, into=False).id == bag.id
    service.finish_session(bag.id)
    with pytest.raises(SessionRefused, match="already remembered"):
        service.open_session(bag, into=False)
