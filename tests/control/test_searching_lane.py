"""Searches have a lane of their own: they do not wait for an answer, and are told when too many wait."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError

import numpy as np
import pytest
from searched import WALL, Told, tell

from robot_memory.control.searching import Searching
from robot_memory.control.searchrequest import SearchRequest
from robot_memory.control.showing import EvidenceUnknown
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph


class Slow:
    """The real embedder, at its leisure."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self.name, self.dimension, self._embedder = embedder.name, embedder.dimension, embedder
        self.may, self.began = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.began.set()
        self.may.wait(10)
        return self._embedder.embed(texts)


@pytest.fixture
def slow(embedder: TextEmbedder) -> Iterator[Slow]:
    one = Slow(embedder)
    yield one
    one.may.set()


def test_too_many_are_told_and_none_is_lost(graph: MemoryGraph, embedder: TextEmbedder, slow: Slow) -> None:
    tell(Told(graph, embedder))
    searching = Searching(graph, slow, Traffic(), capacity=2)
    try:
        first = searching.search(SearchRequest("tea"), WALL)
        assert slow.began.wait(5)
        waiting = [searching.search(SearchRequest(), WALL), searching.show(1, "")]
        with pytest.raises(Busy, match="ask again later"):
            searching.search(SearchRequest("tea"), WALL)
        slow.may.set()
        assert first.result(5).evidence and waiting[0].result(5).evidence and waiting[1].result(5).evidence
    finally:
        slow.may.set()
        searching.stop()


def test_what_waits_when_the_memory_stops_is_cancelled(
    graph: MemoryGraph, embedder: TextEmbedder, slow: Slow
) -> None:
    searching = Searching(graph, slow, Traffic())
    running = searching.search(SearchRequest("tea"), WALL)
    assert slow.began.wait(5)
    waiting = searching.search(SearchRequest(), WALL)
    threading.Timer(0.1, slow.may.set).start()
    searching.stop()
    assert running.done() and running.result().message == "nothing is remembered yet"
    with pytest.raises(CancelledError):
        waiting.result(5)


def test_a_search_does_not_wait_for_an_answer(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    tell(Told(graph, embedder))
    traffic, done = Traffic(), threading.Event()
    answering, searching = Lane("answering", Rank.ANSWERING, traffic, 1), Searching(graph, embedder, traffic)
    try:
        answer = answering.submit(lambda: done.wait(10))
        assert searching.search(SearchRequest("tea"), WALL).result(5).evidence
        assert not answer.done()
    finally:
        done.set()
        searching.stop()
        answering.close()


def test_a_memory_is_shown_with_its_pictures(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    told = Told(graph, embedder)
    known = tell(told)
    view = told.snapshot(3 * 86_400 + 5, b"\xff\xd8 the kitchen")
    searching = Searching(graph, embedder, Traffic())
    try:
        home = searching.show(known["home"], "").result(5)
        assert home.evidence and home.evidence.snapshot == view and home.snapshot.jpeg == b"\xff\xd8 the kitchen"
        assert home.snapshot.stamp_ns and not home.crop.jpeg, "nobody has seen Clara"
        for what in ("seen", "tea"):
            assert searching.show(known[what], "").result(5).crop.jpeg == b"\xff\xd8 Anna", "of the voice's person, too"
        alone = searching.show(0, f"snapshot/{view}").result(5)
        assert alone.evidence is None and alone.snapshot.jpeg and not alone.crop.jpeg
        assert searching.show(0, "crop/2").result(5).crop.jpeg == b"\xff\xd8 Anna"
    finally:
        searching.stop()


NOWHERE = [(0, ""), (-1, ""), (999, ""), (2**63 - 1, ""), (1, "snapshot/99"), (1, "crop/1"), (1, "/etc/passwd")]
NOWHERE += [(1, "crop/../../x"), (1, "snapshot/" + "9" * 40), (1, "x" * 100_000), (1, "snapshot/1\n")]


@pytest.mark.parametrize(("memory", "uri"), NOWHERE, ids=lambda one: str(one)[:20])
def test_what_is_not_there_is_told_in_words(
    graph: MemoryGraph, embedder: TextEmbedder, memory: int, uri: str
) -> None:
    tell(Told(graph, embedder))
    searching = Searching(graph, embedder, Traffic())
    try:
        with pytest.raises(EvidenceUnknown, match=r"there is no|is no picture") as refused:
            searching.show(memory, uri).result(5)
        assert str(refused.value).isprintable() and len(str(refused.value)) < 200
    finally:
        searching.stop()
