"""The published rule, against the published loop: all pairs of cosines, the highest mean, a random sample kept."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import MODELS, add_clip, graph_at, random_unit

from robot_memory.memory.entities.parity import FACES, VOICES, PaperGallery, PaperRule
from robot_memory.memory.graph import Models


def published(nodes: dict[int, list[np.ndarray]], seen: np.ndarray, threshold: float) -> tuple[int | None, float]:
    """The highest mean over all pairs of a query and a stored embedding, from the threshold on."""
    best, highest = None, -1.0
    for node, stored in nodes.items():
        total = 0.0
        for one in seen:
            for other in stored:
                total += float(np.dot(one.astype(np.float64), other.astype(np.float64)))
        mean = total / (len(seen) * len(stored))
        if mean > highest:
            best, highest = node, mean
    return (best if highest >= threshold else None), highest


@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_it_matches_as_published(seed: int, entities: int, queries: int) -> None:
    gallery, nodes = PaperGallery(PaperRule(0.1, 20)), {}
    for entity in range(1, entities + 1):
        views = random_unit(seed + entity, 1 + (seed + entity) % 6).astype(np.float16).astype(np.float32)
        gallery.replace(entity, views)
        nodes[entity] = list(views)
    seen = random_unit(seed + 99, queries)
    match = gallery.match(gallery.pooled(seen))
    entity, score = published(nodes, seen, 0.1)
    assert match.score == pytest.approx(score, abs=1e-5)
    assert match.entity == entity and match.learn == (entity is not None)
    assert gallery.match(gallery.pooled(seen), forbidden=nodes).entity is None


def test_its_thresholds_and_sizes_are_the_papers() -> None:
    assert (FACES.threshold, FACES.most, VOICES.threshold, VOICES.most) == (0.3, 10, 0.6, 20)


def test_a_new_one_keeps_the_first_and_a_known_one_a_random_sample() -> None:
    gallery, views = PaperGallery(FACES), random_unit(1, 30)
    assert gallery.choose(1, views, [0] * 30, known=0) == list(range(10))
    assert gallery.choose(1, views[:9], [0] * 9, known=5) == list(range(9))
    sample = gallery.choose(1, views, [0] * 30, known=10)
    assert len(set(sample)) == 10 and sample == sorted(sample)
    assert sample == gallery.choose(1, views, [0] * 30, known=10)
    assert sample != PaperGallery(PaperRule(0.3, 10, seed=1)).choose(1, views, [0] * 30, known=10)


def test_every_embedding_has_the_same_chance() -> None:
    counts = np.zeros(30)
    for seed in range(600):
        counts[PaperGallery(PaperRule(0.3, 10, seed)).choose(1, random_unit(1, 30), [0] * 30, known=10)] += 1
    assert abs(counts / 600 - 1 / 3).max() < 0.1


def test_it_takes_the_place_of_our_rule(tmp_path: Path) -> None:
    models = Models(MODELS.face, MODELS.voice, MODELS.text, MODELS.text_dimension, {"face": FACES, "voice": VOICES})
    graph, throw = graph_at(tmp_path / "m", models), random.Random(0)
    try:
        with graph.change() as change:
            face = change.new_entity("face", clip := add_clip(change.db))
            for n in range(12):
                change.learn("face", face, random_unit(throw.randrange(99) + n, 3), clip)
        assert graph.store.reader().execute("SELECT count(*) FROM embeddings").fetchone()[0] == 10
        probe = random_unit(5, 2)
        score = graph.galleries["face"].match(graph.galleries["face"].pooled(probe)).score
        assert graph_at_again(graph, models, probe) == pytest.approx(score, abs=1e-6)
    finally:
        graph.store.close()


def graph_at_again(graph: object, models: Models, probe: np.ndarray) -> float:
    from robot_memory.memory.graph import MemoryGraph

    again = MemoryGraph(graph.store, models)  # type: ignore[attr-defined]
    return again.galleries["face"].match(again.galleries["face"].pooled(probe)).score
