"""Of many entities only the likeliest are scored: the one that scoring all would have found is among them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from robot_memory.memory.entities.gallery import EXACT_BELOW, Gallery
from robot_memory.memory.entities.rule import MatchRule
from robot_memory.models.model import Threshold

RULE = MatchRule(Threshold(((0.0, 0.5),)), Threshold(((0.0, 0.6),)))
EVERYTHING = 10**9


def normal(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def people(rng: np.random.Generator, count: int, views: int, dimension: int) -> np.ndarray:
    """Everybody has a direction, three looks and views [count, views, dimension]: within a look some 0.85 alike, 0.6
    between looks.
    """
    own, looks = rng.normal(size=(count, 1, dimension)), normal(rng.normal(size=(count, 3, dimension)))
    look = looks[np.arange(count)[:, None], rng.integers(0, 3, (count, views))]
    return normal(normal(own) + 0.75 * look + 0.45 * normal(rng.normal(size=(count, views, dimension))))


@pytest.mark.parametrize("dimension", [128, 256])
def test_the_best_of_three_thousand_is_found(dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    vectors = people(rng, 3000, 9, dimension)
    gallery = Gallery(RULE)
    for entity, views in enumerate(vectors, start=1):
        gallery.replace(entity, views[: rng.integers(1, 9)])
    assert len(gallery) > EXACT_BELOW
    for n in rng.integers(0, 3000, 40):
        probe = normal(vectors[n, 8] + 0.5 * normal(rng.normal(size=dimension)))
        few, all_of_them = gallery.scores(probe), gallery.scores(probe, exact_below=EVERYTHING)
        assert len(few[0]) < 200 and len(all_of_them[0]) == 3000
        if all_of_them[1].max() >= RULE.accept.at():
            assert few[0][few[1].argmax()] == all_of_them[0][all_of_them[1].argmax()]
            assert few[1].max() == pytest.approx(all_of_them[1].max(), abs=2e-6)


def test_those_forbidden_do_not_take_the_places_of_others() -> None:
    rng = np.random.default_rng(5)
    gallery, base = Gallery(RULE), normal(rng.normal(size=64))
    for entity in range(1, 601):  # the first three hundred are all nearer to the probe than the one that is allowed
        gallery.replace(entity, normal(base + (0.1 if entity <= 300 else 3.0) * normal(rng.normal(size=(2, 64)))))
    gallery.replace(601, normal(base + 0.4 * normal(rng.normal(size=(2, 64)))))
    assert gallery.match(base, forbidden=range(1, 301)).entity == 601


def test_portraits_are_found_in_a_crowd_like_them() -> None:
    """The embeddings of real portraits, if they are there, in a crowd drawn from their own distribution."""
    from robot_memory.errors import ModelMissing

    root = Path(os.environ.get("ROBOT_MEMORY_DATA") or Path(__file__).parents[3] / "shared" / "data") / "portraits"
    if not root.is_dir():
        pytest.skip(f"portraits not found: {root} is no folder (set ROBOT_MEMORY_DATA)")
    try:
        first, second = portraits(root)
    except ModelMissing as missing:
        pytest.skip(str(missing))
    rng = np.random.default_rng(7)
    crowd = rng.multivariate_normal(first.mean(axis=0), np.cov(first.T), size=(1000,))
    gallery = Gallery(RULE)
    for entity, own in enumerate(np.concatenate([normal(crowd), first]), start=1):
        gallery.replace(entity, normal(own + 0.6 * normal(rng.normal(size=(6, own.shape[0])))))
    missed = 0
    for probe in second:
        few, all_of_them = gallery.scores(probe), gallery.scores(probe, exact_below=EVERYTHING)
        missed += bool(few[0][few[1].argmax()] != all_of_them[0][all_of_them[1].argmax()])
    print(f"\n{missed} of {len(second)} portraits missed")
    assert missed == 0


def portraits(root: Path) -> tuple[np.ndarray, np.ndarray]:
    """Embeddings [n, d] of two portraits each of the people in a folder."""
    from robot_memory.config import PerceptionSettings
    from robot_memory.perception.faces import Eyes
    from robot_memory.perception.senses import open_senses
    from robot_memory.streams.media import Frame

    eyes = open_senses(PerceptionSettings()).eyes
    eyes = Eyes(eyes.detector, eyes.embedder, PerceptionSettings(min_face_px=16))

    def embedding(path: Path) -> np.ndarray:
        return max(eyes.look(Frame(0, path.read_bytes())), key=lambda face: face.box[2] * face.box[3]).embedding

    pairs = [(a, a.with_name(a.name.replace("_a", "_b"))) for a in sorted(root.glob("*_a.jpg"))[:20]]
    first, second = (np.stack([embedding(path) for path in column]) for column in zip(*pairs, strict=True))
    return first, second
