"""Data files and weights are found in a checkout, a pip prefix and a colcon workspace, and where the user says."""

from __future__ import annotations

from pathlib import Path

import pytest

from robot_memory.models import places


def test_the_checkout_has_the_cpu_profile() -> None:
    assert places.data_file("models/cpu.yaml") == places.PACKAGE.parents[1] / "models" / "cpu.yaml"


def test_a_folder_the_user_names_comes_first_and_the_others_stay(share: Path) -> None:
    assert places.share_folders()[0] == share
    assert places.data_file("models/cpu.yaml") is not None
    (share / "models" / "cpu.yaml").write_text("mine")
    assert places.data_file("models/cpu.yaml") == share / "models" / "cpu.yaml"


def test_every_ament_prefix_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "second" / "share" / "robot_memory"
    folder.mkdir(parents=True)
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path / 'first'}:{tmp_path / 'second'}")
    assert folder in places.share_folders()


def test_an_installed_package_finds_its_own_prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "lib" / "python3.11" / "site-packages" / "robot_memory"
    (tmp_path / "share" / "robot_memory" / "models").mkdir(parents=True)
    monkeypatch.setattr(places, "PACKAGE", package)
    assert tmp_path / "share" / "robot_memory" in places.share_folders()


def test_weights_live_in_the_cache_unless_the_user_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROBOT_MEMORY_MODELS", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert places.weights_folder() == tmp_path / ".cache" / "robot_memory" / "models"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert places.weights_folder() == tmp_path / "cache" / "robot_memory" / "models"
    monkeypatch.setenv("ROBOT_MEMORY_MODELS", "~/weights")
    assert places.weights_folder() == tmp_path / "weights"
