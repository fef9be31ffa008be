"""A faulty profile is refused with the file, the place in it and what was expected."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from robot_memory.errors import SettingsInvalid
from robot_memory.models.manifest import ManifestInvalid, Threshold, load_profile, profiles

GOOD: dict[str, Any] = {
    "about": "a test",
    "models": {
        "ears": {
            "name": "ears-1",
            "licence": {"spdx": "MIT", "origin": "here"},
            "dimension": 4,
            "thresholds": {"accept": 0.5, "learn": {2: 0.6, 5: 0.7}},
            "files": [
                {
                    "name": "a.bin",
                    "bytes": 3,
                    "sha256": "0" * 64,
                    "mirrors": [{"url": "https://a.example/b"}, {"pypi": "box", "version": "1.0", "member": "box/a"}],
                },
                {
                    "name": "b.onnx",
                    "bytes": 3,
                    "sha256": "1" * 64,
                    "convert": "fold_onnx",
                    "source": {
                        "name": "b.raw",
                        "bytes": 2,
                        "sha256": "2" * 64,
                        "mirrors": [{"url": "https://a.example/c"}],
                    },
                },
            ],
        }
    },
}


def load(share: Path, content: object) -> Any:
    (share / "models" / "tiny.yaml").write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return load_profile("tiny")


def test_a_good_profile_is_read_whole(share: Path) -> None:
    model = load(share, GOOD).model("ears")
    assert (model.name, model.dimension, model.bytes, model.licence.spdx) == ("ears-1", 4, 6, "MIT")
    assert str(model.file("a.bin").mirrors[1]) == "PyPI box==1.0"
    assert model.file("b.onnx").convert == "fold_onnx"
    assert model.file("b.onnx").source.name == "b.raw"


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no licence": (lambda m: m.pop("licence"), r"tiny\.yaml: models\.ears lacks licence"),
    "unknown key": (lambda m: m.update(colour="red"), r"models\.ears has unknown colour \(known: name, licence"),
    "path as name": (lambda m: m.update(name="../ears"), r"models\.ears\.name must be a plain name, not '\.\./ears'"),
    "dimension 0": (lambda m: m.update(dimension=0), r"models\.ears\.dimension must be a whole number above 0"),
    "no files": (lambda m: m.update(files=[]), r"models\.ears\.files must be a list with at least one entry"),
    "file twice": (lambda m: m["files"].append(m["files"][0]), r"models\.ears\.files names a file twice"),
    "short hash": (lambda m: m["files"][0].update(sha256="ABC"), r"files\[0\]\.sha256 must be 64 lower-case hex"),
    "bytes as text": (lambda m: m["files"][0].update(bytes="3"), r"files\[0\]\.bytes must be a whole number"),
    "hidden file": (lambda m: m["files"][0].update(name=".hidden"), r"files\[0\]\.name must be a plain file name"),
    "no mirrors": (lambda m: m["files"][0].pop("mirrors"), r"files\[0\] needs either mirrors, or convert and source"),
    "both ways": (lambda m: m["files"][1].update(mirrors=[]), r"files\[1\] needs either mirrors, or convert"),
    "conversion": (lambda m: m["files"][1].update(convert="rot13"), r"convert must be one of fold_onnx, ge2e_to_onnx"),
    "file address": (lambda m: m["files"][0].update(mirrors=[{"url": "file:///etc/passwd"}]), r"an http\(s\) address"),
    "version 1.0": (
        lambda m: m["files"][0]["mirrors"][1].update(version=1.0),
        r"\[1\]\.version must be a version in q",
    ),
    "option": (lambda m: m["files"][0]["mirrors"][1].update(pypi="--pre"), r"\[1\]\.pypi must be a package name"),
    "cosine 2": (lambda m: m.update(thresholds={"accept": 2}), r"thresholds\.accept must be a number between -1 and 1"),
    "seconds x": (lambda m: m.update(thresholds={"accept": {"x": 0.5}}), r"accept seconds must be a number between 0"),
    "order": (lambda m: m.update(thresholds={"accept": 0.65, "learn": {2: 0.6}}), r"learn 0\.6 below accept 0\.65"),
}


@pytest.mark.parametrize(("change", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_place(share: Path, change: Callable[[dict[str, Any]], object], said: str) -> None:
    content = copy.deepcopy(GOOD)
    change(content["models"]["ears"])
    with pytest.raises(ManifestInvalid, match=said):
        load(share, content)


@pytest.mark.parametrize("content", ["", "models: [", "- a list", "about: x\nmodels: 3"])
def test_what_is_no_profile_is_said_so(share: Path, content: str) -> None:
    with pytest.raises(ManifestInvalid, match=r"tiny\.yaml"):
        load(share, content)


@pytest.mark.parametrize("name", ["nix", "", "../models/cpu", "cpu.yaml"])
def test_an_unknown_profile_lists_those_there_are(share: Path, name: str) -> None:
    load(share, GOOD)
    with pytest.raises(SettingsInvalid, match=rf"no model profile '{name}' \(there are: cpu, .*tiny"):
        load_profile(name)
    assert {"cpu", "tiny"} <= set(profiles())


def test_an_unknown_role_file_or_threshold_lists_those_there_are(share: Path) -> None:
    profile = load(share, GOOD)
    with pytest.raises(SettingsInvalid, match=r"profile 'tiny' has no model for 'nose' \(it has: ears\)"):
        profile.model("nose")
    with pytest.raises(SettingsInvalid, match=r"ears 'ears-1' has no file 'c' \(it has: a\.bin, b\.onnx\)"):
        profile.model("ears").path("c")
    with pytest.raises(SettingsInvalid, match=r"has no threshold 'love' \(it has: accept, learn\)"):
        profile.model("ears").threshold("love")


def test_a_threshold_grows_with_seconds_of_speech_and_is_flat_outside() -> None:
    threshold = Threshold(((2.0, 0.6), (3.0, 0.7), (5.0, 0.8)))
    assert [round(threshold.at(s), 6) for s in (0, 2, 2.5, 3, 4, 5, 99)] == [0.6, 0.6, 0.65, 0.7, 0.75, 0.8, 0.8]
    with pytest.raises(ValueError, match="seconds of speech"):
        threshold.at()
    assert Threshold(((0.0, 0.5),)).at() == Threshold(((0.0, 0.5),)).at(7) == 0.5
