"""A real store and a real text embedder for stories that are told, not seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.control.service import models_of
from robot_memory.errors import ModelMissing
from robot_memory.language.embedder import TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from told import Story


@pytest.fixture(scope="session")
def embedder() -> TextEmbedder:
    try:
        return open_text_embedder(load_profile(PerceptionSettings().profile).model("text_embedding"))
    except ModelMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    with Store(tmp_path / "memory.sqlite") as store:
        yield MemoryGraph(store, models_of(load_profile(PerceptionSettings().profile)))


@pytest.fixture
def story(graph: MemoryGraph, embedder: TextEmbedder) -> Story:
    return Story(graph, embedder)
