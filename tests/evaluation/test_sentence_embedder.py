"""MiniLM as converted here gives the vectors its makers publish, whatever it is batched with."""

from __future__ import annotations

import numpy as np
import pytest

from robot_memory.errors import ModelMissing
from robot_memory.language.sentence import PROFILE, SentenceEmbedder
from robot_memory.models.manifest import load_profile

PUBLISHED = {  # the first numbers of the example on the model's own page
    "This is an example sentence": (0.0677, 0.0635, 0.0487),
    "Each sentence is converted": (0.0864, 0.1028, 0.0054),
}


@pytest.fixture(scope="module")
def minilm() -> SentenceEmbedder:
    try:
        return SentenceEmbedder(load_profile(PROFILE).model("text_embedding"))
    except ModelMissing as error:
        pytest.skip(str(error))


def test_the_profile_is_pinned_and_licensed_and_no_default() -> None:
    (model,) = load_profile(PROFILE).models
    assert (model.role, model.name, model.dimension) == ("text_embedding", "minilm-l6-v2", 384)
    assert model.licence.spdx == "Apache-2.0"
    assert all(len((file.source or file).mirrors) == 2 for file in model.files)
    assert load_profile().model("text_embedding").name != model.name


def test_it_gives_the_published_vectors(minilm: SentenceEmbedder) -> None:
    vectors = minilm.embed(list(PUBLISHED))
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, 384)
    assert vectors[:, :3] == pytest.approx(np.array(list(PUBLISHED.values())), abs=1e-4)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_company_does_not_change_a_vector(minilm: SentenceEmbedder) -> None:
    texts = ["tea", "I was a teacher, and now I am a nurse in Bonn.", "word " * 400, "tea"]
    together = minilm.embed(texts)
    assert together == pytest.approx(np.stack([minilm.embed([text])[0] for text in texts]), abs=1e-5)
    assert (together[0] == together[3]).all()


def test_nothing_is_like_nothing(minilm: SentenceEmbedder) -> None:
    assert minilm.embed([]).shape == (0, 384)
    assert not minilm.embed(["", "  "]).any()


def test_it_hears_likeness_without_a_shared_word(minilm: SentenceEmbedder) -> None:
    question, right, wrong = minilm.embed(["Who is a physician?", "My sister is a doctor.", "The train was late."])
    assert float(question @ right) > float(question @ wrong) + 0.2
