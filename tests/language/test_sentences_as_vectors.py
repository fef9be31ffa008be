"""The default gives the vectors that MiniLM's makers publish, to 8 bits; the light one stays to be chosen."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from robot_memory.errors import ModelMissing, SettingsInvalid
from robot_memory.language.embedder import StaticEmbedder, TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.language.sentence import SentenceEmbedder
from robot_memory.models.manifest import load_profile

PUBLISHED = {  # the first numbers of the example on the model's own page
    "This is an example sentence": (0.0677, 0.0635, 0.0487),
    "Each sentence is converted": (0.0864, 0.1028, 0.0054),
}
ROUNDED = 0.01  # what 8 bits may move a number of some 0.05


def opened(profile: str) -> TextEmbedder:
    try:
        return open_text_embedder(load_profile(profile).model("text_embedding"))
    except ModelMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def minilm() -> TextEmbedder:
    return opened("cpu")


def test_the_files_tell_which_kind_it_is(minilm: TextEmbedder) -> None:
    assert isinstance(minilm, SentenceEmbedder)
    light = opened("light")
    assert isinstance(light, StaticEmbedder)
    assert {minilm.name, light.name} == {"minilm-l6-v2-int8", "wordllama-l2-256"}


def test_a_model_of_neither_kind_is_refused() -> None:
    model = load_profile("cpu").model("text_embedding")
    strange = dataclasses.replace(model, files=tuple(file for file in model.files if file.name.endswith(".json")))
    with pytest.raises(SettingsInvalid, match=r"without a \.onnx or \.safetensors file"):
        open_text_embedder(strange)


def test_it_gives_the_published_vectors(minilm: TextEmbedder) -> None:
    vectors = minilm.embed(list(PUBLISHED))
    assert (vectors.dtype, vectors.shape) == (np.float32, (2, 384))
    assert vectors[:, :3] == pytest.approx(np.array(list(PUBLISHED.values())), abs=ROUNDED)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_company_does_not_change_a_vector(minilm: TextEmbedder) -> None:
    texts = ["tea", "I was a teacher, and now I am a nurse in Bonn.", "word " * 400, "tea"]
    alone = np.stack([minilm.embed([text])[0] for text in texts])
    assert (minilm.embed(texts) == alone).all()


def test_nothing_is_like_nothing(minilm: TextEmbedder) -> None:
    assert minilm.embed([]).shape == (0, 384)
    assert not minilm.embed(["", "  "]).any()


def test_it_hears_likeness_without_a_shared_word(minilm: TextEmbedder) -> None:
    question, right, wrong = minilm.embed(["Who is a physician?", "My sister is a doctor.", "The train was late."])
    assert float(question @ right) > float(question @ wrong) + 0.2
