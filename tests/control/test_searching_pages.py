"""Pages of a search show everything once, whatever is remembered meanwhile; a cursor that is none is told so."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from searched import DAY, Told, found, look, tell, told_at

from robot_memory.control.paging import CursorInvalid
from robot_memory.control.searching import SearchPage
from robot_memory.control.service import models_of
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.backup import backup
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile

TOPICS = ("tea", "coffee", "gardens", "chess", "rain", "trains", "music", "bread", "the sea", "cats", "football")


@pytest.fixture
def told(graph: MemoryGraph, embedder: TextEmbedder) -> Told:
    told = Told(graph, embedder)
    tell(told)
    return talk(told)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[Told]:
    """The same, for tests that only read."""
    with told_at(tmp_path_factory.mktemp("pages") / "memory.sqlite", embedder) as (told, _):
        yield talk(told)


def talk(told: Told) -> Told:
    for number, topic in enumerate(TOPICS):
        told.remember(f"<voice_3> said: “I talked about {topic} with my tea.”", ["voice_3"], DAY + number * 60)
    return told


def pages(
    told: Told, text: str, size: int, meanwhile: Callable[[SearchPage], None] = lambda page: None, **wanted: Any
) -> list[int]:
    """All that is shown, page after page."""
    every, cursor = list[int](), ""
    while not every or cursor:
        page = look(told, text, limit=size, cursor=cursor, **wanted)
        assert 0 < len(page.evidence) <= size
        every, cursor = every + found(page), page.next_cursor
        meanwhile(page)
    return every


@pytest.mark.parametrize("text", ["", "tea with cats", "What did Anna say?"])
@pytest.mark.parametrize("size", [1, 3, 16, 17, 100])
def test_pages_are_the_whole_list_in_its_order(quiet: Told, text: str, size: int) -> None:
    assert pages(quiet, text, size) == found(look(quiet, text, limit=1000))


@pytest.mark.parametrize("text", ["", "tea"])
def test_what_is_remembered_meanwhile_changes_no_page(told: Told, text: str) -> None:
    before = found(look(told, text, limit=1000))

    def live_on(page: SearchPage) -> None:
        told.remember("<voice_3> said: “Tea, tea, tea!”", ["voice_3"], 3 * DAY)

    assert sorted(pages(told, text, 4, live_on)) == sorted(before)


def test_what_is_archived_meanwhile_hides_nothing_else(told: Told) -> None:
    before = found(look(told, "tea", limit=1000))
    gone = set[int]()

    def compress(page: SearchPage) -> None:
        with told.graph.change() as change:
            change.archive(found(page)[:1])
        gone.update(found(page)[:1])

    shown = pages(told, "tea", 3, compress)
    assert len(shown) == len(set(shown)) and set(shown) == set(before)


def test_a_page_is_never_larger_than_a_thousand(quiet: Told) -> None:
    assert len(look(quiet, limit=2**32 - 1).evidence) == 17


def forged(cursor: str) -> list[str]:
    raw = bytearray(base64.urlsafe_b64decode(cursor))
    raw[-3] ^= 1
    changed = base64.urlsafe_b64encode(raw).decode()
    return ["x", "next", "é" * 20, cursor[:-4], cursor + "AAAA", changed, "\x07" * 1000, "A" * 2_000_000, "17"]


def test_what_is_no_cursor_is_told_so(quiet: Told) -> None:
    cursor = look(quiet, "tea", limit=2).next_cursor
    for one in forged(cursor):
        with pytest.raises(CursorInvalid, match="no cursor of a search"):
            look(quiet, "tea", limit=2, cursor=one)


def test_a_cursor_goes_on_with_its_own_search_only(quiet: Told) -> None:
    cursor = look(quiet, "tea", limit=2).next_cursor
    for other in ({"text": "coffee"}, {"text": "tea", "kind": "episodic"}, {"text": "tea", "mode": "vector"}):
        with pytest.raises(CursorInvalid, match="another search"):
            look(quiet, cursor=cursor, **other)
    assert len(look(quiet, "tea", limit=5, cursor=cursor).evidence) == 5, "pages may differ in size"


def test_a_cursor_of_what_a_backup_replaced_is_stale(told: Told, tmp_path: Path) -> None:
    backup(told.graph.store.path, tmp_path / "saved.sqlite", lambda *_: None)
    told.remember("<voice_3> said: “Later.”", ["voice_3"], 3 * DAY)
    cursor = look(told, "tea", limit=2).next_cursor
    models = models_of(load_profile("cpu"))
    with (
        Store(tmp_path / "saved.sqlite", readonly=True) as older,
        pytest.raises(CursorInvalid, match="another memory, or of what a backup has replaced"),
    ):
        look(Told(MemoryGraph(older, models), told.embedder), "tea", cursor=cursor)
