"""Fixtures of the models room: a mirror, empty folders, and small profiles that point to the mirror."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from loopback_mirror import Mirror, WriteProfile, running


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    with running() as found:
        yield found


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The weights folder, empty and not yet made."""
    monkeypatch.setenv("ROBOT_MEMORY_MODELS", str(tmp_path / "weights"))
    return tmp_path / "weights"


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A share folder that comes before the project's own."""
    monkeypatch.setenv("ROBOT_MEMORY_SHARE", str(tmp_path / "share"))
    for name in ("models", "calibration"):
        (tmp_path / "share" / name).mkdir(parents=True)
    return tmp_path / "share"


@pytest.fixture
def write_profile(share: Path, weights: Path) -> WriteProfile:
    """Writes a profile whose models hold the given files: write_profile(ears=[file, …]) -> its name, "tiny"."""

    def write(**models: list[dict[str, object]]) -> str:
        licence = {"spdx": "MIT", "origin": "made for this test"}
        entries = {role: {"name": f"{role}-1", "licence": licence, "files": files} for role, files in models.items()}
        (share / "models" / "tiny.yaml").write_text(yaml.safe_dump({"about": "a test", "models": entries}))
        return "tiny"

    return write


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that is all the package index pip sees."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder
