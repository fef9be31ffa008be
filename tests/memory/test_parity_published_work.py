"""The published work for a query, which benches compare ours with, finds the same clips as ours does."""

from __future__ import annotations

import numpy as np
import pytest

from robot_memory.evaluation.bench.plain import PlainMemory, made_up, questions
from robot_memory.evaluation.bench.published import PublishedGraph
from robot_memory.memory.retrieval.parity.candidates import Candidates, by_clip
from robot_memory.memory.retrieval.parity.search import search_clip

MEMORY = made_up(memories=900, dimension=32, entities=12)


@pytest.fixture(scope="module", params=[False, True], ids=["lists", "arrays"])
def published(request: pytest.FixtureRequest) -> PublishedGraph:
    return PublishedGraph(MEMORY, as_arrays=request.param)


def found(memory: PlainMemory, question: np.ndarray) -> Candidates:
    return by_clip(memory.ids, memory.clips, memory.vectors @ question)


@pytest.mark.parametrize("before_clip", [None, 7])
def test_the_best_clips_are_the_same(published: PublishedGraph, before_clip: int | None) -> None:
    some = 0
    for question in questions(MEMORY, 20):
        ours = [one.clip for one in search_clip(found(MEMORY, question), before_clip=before_clip)]
        assert ours == published.search_clip([question.tolist()], before_clip=before_clip)
        some += len(ours)
    assert some > 20  # it was no comparison of nothing


def test_the_best_clips_about_a_person_are_the_same(published: PublishedGraph) -> None:
    some = 0
    for n, question in enumerate(questions(MEMORY, 24)):
        entities = [n % 12] if n % 2 else [n % 12, (n + 5) % 12]
        about = np.unique(np.concatenate([MEMORY.about(entity) for entity in entities]))
        ours = [one.clip for one in search_clip(found(MEMORY, question).among(about))]
        assert ours == published.search_clip([question.tolist()], entities)
        some += len(ours)
    assert some > 20


def test_it_finds_out_who_is_who(published: PublishedGraph) -> None:
    published.refresh()
    assert sorted(published.characters.values()) == sorted([f"face_{n}", f"voice_{n + 1}"] for n in range(0, 12, 2))
    assert published.character_of["face_4"] == published.character_of["voice_5"] != published.character_of["face_6"]


def test_one_seed_one_memory() -> None:
    again = made_up(memories=900, dimension=32, entities=12)
    assert np.array_equal(again.vectors, MEMORY.vectors) and again.texts == MEMORY.texts
    assert np.allclose(np.linalg.norm(MEMORY.vectors, axis=1), 1, atol=1e-6)
