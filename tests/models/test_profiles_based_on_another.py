"""A profile may name another as its base, and say only what differs; `light` is the default but for the sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from loopback_mirror import WriteProfile, entry

from robot_memory.errors import SettingsInvalid
from robot_memory.models.manifest import ManifestInvalid, load_profile
from robot_memory.models.model import fetch_command


def write(share: Path, name: str, **content: object) -> None:
    (share / "models" / f"{name}.yaml").write_text(yaml.safe_dump({"about": "a test", **content}))


def nose(version: str) -> dict[str, object]:
    file = entry("nose.bin", b"x", "https://a.example/nose")
    return {"name": f"nose-{version}", "licence": {"spdx": "MIT", "origin": "here"}, "files": [file]}


def test_its_own_models_take_the_place_of_the_bases(share: Path, write_profile: WriteProfile) -> None:
    ear, eye = entry("ear.bin", b"x", "https://a.example/ear"), entry("eye.bin", b"x", "https://a.example/eye")
    base = write_profile(ears=[ear], eyes=[eye], nose=[ear])
    write(share, "mine", based_on=base, models={"nose": nose("2"), "tail": nose("3")})
    mine = load_profile("mine")
    assert [(model.role, model.name) for model in mine.models] == [
        ("ears", "ears-1"),
        ("eyes", "eyes-1"),
        ("nose", "nose-2"),
        ("tail", "nose-3"),
    ]
    assert {fetch_command(model.profile) for model in mine.models} == {"robot-memory models fetch --profile mine"}
    assert mine.about == "a test"


def test_a_base_that_is_not_there_or_has_a_base_is_refused(share: Path) -> None:
    write(share, "mine", based_on="nobody", models={"nose": nose("1")})
    with pytest.raises(SettingsInvalid, match="there is no model profile 'nobody'"):
        load_profile("mine")
    write(share, "mine", based_on="mine", models={"nose": nose("1")})
    with pytest.raises(ManifestInvalid, match=r"mine.yaml: based_on names 'mine', which is based on a profile itself"):
        load_profile("mine")
    write(share, "mine", based_on="../mine", models={"nose": nose("1")})
    with pytest.raises(ManifestInvalid, match="based_on must be the name of a profile"):
        load_profile("mine")


def test_the_light_profile_differs_in_its_sentences_alone() -> None:
    light, default = load_profile("light"), load_profile()
    assert [model.role for model in light.models] == [model.role for model in default.models]
    assert light.model("text_embedding").name == "wordllama-l2-256"
    for one, other in zip(light.models, default.models, strict=True):
        assert one.role == "text_embedding" or (one.name, one.files) == (other.name, other.files)
