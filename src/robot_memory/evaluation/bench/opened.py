"""The product's memory on a made-up store: what `robot-memory up` would hold open of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from robot_memory.config import PerceptionSettings
from robot_memory.control.service import models_of
from robot_memory.language.embedder import TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.graph import MemoryGraph, Models
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile


@dataclass(frozen=True)
class Product:
    """The default profile's text embedder and what a memory is told of its models."""

    embedder: TextEmbedder
    models: Models


def product() -> Product:
    """Raises ModelMissing."""
    profile = load_profile(PerceptionSettings().profile)
    return Product(open_text_embedder(profile.model("text_embedding")), models_of(profile))


@contextmanager
def opened(path: Path, models: Models) -> Iterator[MemoryGraph]:
    """The memory open, as a robot opens it."""
    with Store(path) as store:
        graph = MemoryGraph(store, models)
        try:
            yield graph
        finally:
            graph.close()
