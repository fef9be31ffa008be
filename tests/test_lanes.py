"""Lanes: one job at a time each, full ones say so, higher ones go first, none starves, closing leaves nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from concurrent.futures import wait as wait_for

import pytest

from robot_memory import lanes
from robot_memory.lanes import Busy, Lane, Rank, Traffic

SOON = 10.0


@pytest.fixture
def traffic() -> Traffic:
    return Traffic()


@pytest.fixture
def lane(traffic: Traffic) -> Iterator[Lane]:
    made = Lane("test", Rank.ANSWERING, traffic, capacity=2)
    yield made
    made.close()


class Held:
    """A job that runs until it is let go."""

    def __init__(self, lane: Lane) -> None:
        self.started, self.go = threading.Event(), threading.Event()
        self.future = lane.submit(self.run)
        assert self.started.wait(SOON)

    def run(self) -> str:
        self.started.set()
        assert self.go.wait(SOON)
        return "done"


def test_jobs_run_in_order_one_at_a_time_in_one_thread(lane: Lane) -> None:
    seen: list[tuple[int, int | None]] = []
    jobs = [lane.submit(lambda n=n: seen.append((n, threading.current_thread().ident)), wait=True) for n in range(50)]  # type: ignore[misc]
    wait_for(jobs, SOON)
    assert [n for n, _ in seen] == list(range(50))
    assert len({thread for _, thread in seen}) == 1 and seen[0][1] != threading.get_ident()


def test_a_full_lane_is_busy_at_once_and_has_room_again(lane: Lane) -> None:
    held = Held(lane)
    waiting = [lane.submit(lambda: 1), lane.submit(lambda: 2)]
    assert lane.load() == 3
    with pytest.raises(Busy, match="2 jobs wait in the test lane: ask again later"):
        lane.submit(lambda: 3)
    held.go.set()
    assert [job.result(SOON) for job in waiting] == [1, 2]
    assert lane.submit(lambda: 4).result(SOON) == 4


def test_whoever_can_wait_is_held_until_there_is_room(lane: Lane) -> None:
    held = Held(lane)
    for _ in range(2):
        lane.submit(lambda: None)
    entered = threading.Event()

    def submits() -> None:
        lane.submit(lambda: None, wait=True)
        entered.set()

    source = threading.Thread(target=submits)
    source.start()
    assert not entered.wait(0.05)
    held.go.set()
    assert entered.wait(SOON)
    source.join()


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), SystemExit(3), Busy("y")])
def test_an_exception_reaches_the_future_and_the_lane_goes_on(
    lane: Lane, traffic: Traffic, error: BaseException
) -> None:
    def fail() -> None:
        raise error

    assert lane.submit(fail).exception(SOON) is error
    assert lane.submit(lambda: 5).result(SOON) == 5
    assert not any(traffic._working.values()), "nobody is at work, whatever happened"


def test_a_job_that_was_cancelled_before_its_turn_does_not_run(lane: Lane) -> None:
    ran: list[int] = []
    held = Held(lane)
    doomed, kept = lane.submit(lambda: ran.append(1)), lane.submit(lambda: ran.append(2))
    assert doomed.cancel()
    assert not held.future.cancel(), "it runs already"
    held.go.set()
    kept.result(SOON)
    assert ran == [2]


def test_a_cancelled_job_makes_room(lane: Lane) -> None:
    """An asker who gave up must not keep the next one out."""
    held = Held(lane)
    doomed = [lane.submit(lambda: None), lane.submit(lambda: None)]
    for job in doomed:
        job.cancel()
    assert lane.submit(lambda: "room") is not None
    held.go.set()


def test_close_cancels_what_waits_and_finishes_what_runs(traffic: Traffic) -> None:
    lane = Lane("test", Rank.SPEECH, traffic, capacity=5)
    held = Held(lane)
    waiting = [lane.submit(lambda: None) for _ in range(3)]
    closer = threading.Thread(target=lane.close)
    closer.start()
    wait_for(waiting, SOON)
    assert all(job.cancelled() for job in waiting)
    with pytest.raises(Busy, match="closing"):
        lane.submit(lambda: None)
    held.go.set()
    closer.join(SOON)
    assert held.future.result(0) == "done"
    lane.close()
    assert not lane._thread.is_alive() and lane.load() == 0


def test_whoever_waits_for_room_is_told_when_the_lane_closes(traffic: Traffic) -> None:
    lane = Lane("test", Rank.SPEECH, traffic, capacity=1)
    held = Held(lane)
    lane.submit(lambda: None)
    told: list[BaseException] = []

    def source() -> None:
        try:
            lane.submit(lambda: None, wait=True)
        except Busy as busy:
            told.append(busy)

    waiter = threading.Thread(target=source)
    waiter.start()
    time.sleep(0.02)
    closer = threading.Thread(target=lane.close)
    closer.start()
    waiter.join(SOON)
    assert len(told) == 1
    held.go.set()
    closer.join(SOON)


def test_a_job_may_close_its_own_lane(traffic: Traffic) -> None:
    lane = Lane("test", Rank.SPEECH, traffic, capacity=5)
    go = threading.Event()

    def last() -> str:
        assert go.wait(SOON)
        lane.close()
        return "closed"

    job, waiting = lane.submit(last), lane.submit(lambda: None)
    go.set()
    assert job.result(SOON) == "closed"
    with pytest.raises(CancelledError):
        waiting.result(SOON)
    lane._thread.join(SOON)
    assert not lane._thread.is_alive()
    lane.close()


def test_a_futures_callback_may_use_the_lane(lane: Lane) -> None:
    done = threading.Event()
    lane.submit(lambda: None).add_done_callback(lambda _: lane.submit(done.set))
    assert done.wait(SOON)


def test_a_lower_lane_yields_at_its_borders(traffic: Traffic) -> None:
    high, low = Lane("high", Rank.SPEECH, traffic, 5), Lane("low", Rank.MEMORISE, traffic, 5)
    order: list[str] = []
    try:
        held = Held(high)

        def work() -> None:
            low.give_way()
            order.append("low")

        job = low.submit(work)
        time.sleep(0.05)
        order.append("high")
        held.go.set()
        job.result(SOON)
        assert order == ["high", "low"]
    finally:
        held.go.set()
        high.close()
        low.close()


def test_a_higher_lane_and_an_equal_one_do_not_wait(traffic: Traffic) -> None:
    high, same, low = (Lane(str(rank), rank, traffic, 5) for rank in (Rank.SPEECH, Rank.FACES, Rank.FACES))
    held = Held(low)
    try:
        for lane in (high, same):
            began = time.monotonic()
            lane.submit(lane.give_way).result(SOON)
            assert time.monotonic() - began < 0.5
    finally:
        held.go.set()
        for lane in (high, same, low):
            lane.close()


def test_nobody_starves(traffic: Traffic, monkeypatch: pytest.MonkeyPatch) -> None:
    """A higher lane that is busy for ever slows a lower one down, no more."""
    monkeypatch.setattr(lanes, "LONGEST_WAIT_S", 0.02)
    high, low = Lane("high", Rank.SPEECH, traffic, 5), Lane("low", Rank.MEMORISE, traffic, 5)
    held = Held(high)
    steps: list[int] = []

    def work() -> None:
        for step in range(5):
            low.give_way()
            steps.append(step)

    try:
        low.submit(work).result(SOON)
        assert steps == [0, 1, 2, 3, 4]
    finally:
        held.go.set()
        high.close()
        low.close()


def test_ranks_are_as_the_design_says() -> None:
    assert Rank.SPEECH < Rank.ANSWERING < Rank.FACES < Rank.MEMORISE


def test_many_sources_and_a_close_in_the_middle_lose_no_job(traffic: Traffic) -> None:
    """Each job submitted is run or cancelled; nobody hangs."""
    lane = Lane("test", Rank.FACES, traffic, capacity=3)
    futures, lock = [], threading.Lock()

    def source() -> None:
        for _ in range(200):
            try:
                future = lane.submit(lambda: 1, wait=True)
            except Busy:
                return
            with lock:
                futures.append(future)

    sources = [threading.Thread(target=source) for _ in range(4)]
    for one in sources:
        one.start()
    time.sleep(0.02)
    lane.close()
    for one in sources:
        one.join(SOON)
    assert futures and all(future.cancelled() or future.result(0) == 1 for future in futures)
