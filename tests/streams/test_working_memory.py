"""Working memory holds what is not committed yet, and nothing that is."""

from __future__ import annotations

import threading

from robot_memory.streams.working import CAPACITY, Glimpse, WorkingMemory


def test_a_face_grows_while_it_is_in_view() -> None:
    memory = WorkingMemory()
    for stamp in (10, 30, 20):
        memory.see("s", stamp, 10, track=1)
    memory.see("s", 30, 30, track=2)
    memory.see("t", 5, 5, track=1)
    assert memory.faces() == [Glimpse("t", 5, 5, 1), Glimpse("s", 10, 30, 1), Glimpse("s", 30, 30, 2)]


def test_turns_are_in_order_of_time() -> None:
    memory = WorkingMemory()
    memory.hear("s", 20, 30, "second")
    memory.hear("s", 10, 15, "first")
    assert [turn.text for turn in memory.turns()] == ["first", "second"]


def test_what_is_committed_is_dropped_and_what_reaches_beyond_is_kept() -> None:
    memory = WorkingMemory()
    memory.hear("s", 0, 30, "committed")
    memory.hear("s", 28, 31, "across the border")
    memory.hear("other", 0, 10, "elsewhere")
    memory.see("s", 29, 1, track=1)
    memory.see("s", 40, 1, track=2)
    memory.see("other", 3, 3, track=1)
    memory.committed("s", 30)
    assert [turn.text for turn in memory.turns()] == ["elsewhere", "across the border"]
    assert memory.faces() == [Glimpse("other", 3, 3, 1), Glimpse("s", 30, 40, 2)]


def test_a_face_that_stays_in_view_is_provisional_from_the_commit_on() -> None:
    """Its track began in the committed clip; what the store knows is not repeated."""
    memory = WorkingMemory()
    memory.see("s", 29, 1, track=1)
    memory.committed("s", 30)
    memory.see("s", 35, 1, track=1)
    assert memory.faces() == [Glimpse("s", 30, 35, 1)]


def test_words_that_come_after_their_clip_was_committed_are_not_provisional() -> None:
    memory = WorkingMemory()
    memory.committed("s", 30)
    memory.hear("s", 10, 12, "long known")
    memory.see("s", 20, 10, track=1)
    memory.hear("t", 10, 12, "another clock")
    assert [turn.text for turn in memory.turns()] == ["another clock"] and memory.faces() == []
    memory.committed("s", 20)
    memory.hear("s", 22, 25, "still known")
    assert len(memory.turns()) == 1


def test_the_oldest_go_when_there_are_too_many() -> None:
    memory = WorkingMemory()
    for n in range(CAPACITY + 5):
        memory.hear("s", n, n + 1, str(n))
        memory.see("s", n, n, track=n)
        memory.see("s", n, 0, track=0)  # always in view
    assert len(memory.turns()) == len(memory.faces()) == CAPACITY
    assert memory.turns()[0].text == "5"
    assert {face.track for face in memory.faces()} == {0, *range(6, CAPACITY + 5)}


def test_threads_may_look_while_others_report() -> None:
    memory, done, wrong = WorkingMemory(), threading.Event(), []

    def look() -> None:
        while not done.is_set():
            try:
                memory.faces(), memory.turns()
            except RuntimeError as error:
                wrong.append(error)

    looker = threading.Thread(target=look)
    looker.start()
    for n in range(3000):
        memory.see("s", n, n, track=n)
        memory.hear("s", n, n + 1, "x")
        if n % 100 == 0:
            memory.committed("s", n - 50)
    done.set()
    looker.join()
    assert wrong == []
