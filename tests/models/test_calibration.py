"""Measured thresholds replace the manifest's, for the very weights they were measured on and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback_mirror import WriteProfile, entry

from robot_memory.models.manifest import ManifestInvalid, load_profile

FILE = entry("a.bin", b"ears", "https://a.example/a")
MEASURED: dict[str, Any] = {
    "sha256": FILE["sha256"],
    "measured": "on three people in a kitchen",
    "table": [{"threshold": 0.4, "far": 0.01, "frr": 0.0}],
    "thresholds": {"accept": 0.4, "learn": {2: 0.45, 5: 0.5}},
}


@pytest.fixture
def calibrate(share: Path, write_profile: WriteProfile) -> Any:
    """Calibrates the profile's one model with changes to MEASURED and returns it."""

    def load(**changes: object) -> Any:
        write_profile(ears=[FILE])
        (share / "calibration" / "ears-1.yaml").write_text(yaml.safe_dump({**MEASURED, **changes}))
        return load_profile("tiny").model("ears")

    return load


def test_measured_thresholds_replace_the_manifests(calibrate: Any) -> None:
    model = calibrate()
    assert model.threshold("accept") == 0.4
    assert model.threshold("learn", seconds=5) == 0.5


def test_those_not_measured_stay(calibrate: Any, share: Path) -> None:
    calibrate()
    path = share / "models" / "tiny.yaml"
    content = yaml.safe_load(path.read_text())
    content["models"]["ears"]["thresholds"] = {"accept": 0.9, "margin": 0.05}
    path.write_text(yaml.safe_dump(content))
    model = load_profile("tiny").model("ears")
    assert (model.threshold("accept"), model.threshold("margin")) == (0.4, 0.05)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sha256": "0" * 64}, r"ears-1\.yaml: sha256 is of other weights than 'ears-1' has"),
        ({"table": []}, "table must be a list"),
        ({"measured": ""}, "measured must be text"),
        ({"thresholds": {"accept": 0.6, "learn": 0.5}}, "learn 0.5 below accept 0.6"),
    ],
)
def test_a_calibration_that_does_not_hold_is_refused(calibrate: Any, changes: dict[str, object], said: str) -> None:
    with pytest.raises(ManifestInvalid, match=said):
        calibrate(**changes)
