"""The manifest: a profile is one YAML file in models/ that pins, for each role, a model and its files.

`load_profile("cpu")` is the door: the file is checked, and the thresholds of calibration/ are merged in.
docs/models.md shows the form of the file.
"""

from __future__ import annotations

from pathlib import Path

from robot_memory.errors import SettingsInvalid
from robot_memory.models import places
from robot_memory.models.calibration import calibrated
from robot_memory.models.model import DEFAULT_PROFILE, ManifestInvalid, Model, Profile, Threshold, laid_over, listed
from robot_memory.models.parsing import read_profile

__all__ = ["ManifestInvalid", "Model", "Profile", "Threshold", "load_profile", "profiles"]


def profiles() -> list[str]:
    """Names of the profiles that are there, sorted."""
    return sorted({path.stem for folder in places.share_folders() for path in folder.glob("models/*.yaml")})


def load_profile(name: str = DEFAULT_PROFILE) -> Profile:
    """The profile `name` laid over the one it is based on, with the thresholds of calibration/ merged in.

    Raises SettingsInvalid for an unknown profile and ManifestInvalid for a faulty file.
    """
    profile = _read(name)
    if not profile.based_on:
        return calibrated(profile)
    base = _read(profile.based_on)
    if base.based_on:
        raise ManifestInvalid(f"{profile.path}: based_on names '{base.name}', which is based on a profile itself")
    return calibrated(laid_over(base, profile))


def _read(name: str) -> Profile:
    """The profile as its file says. Raises like `load_profile`."""
    path = places.data_file(f"models/{name}.yaml") if name and name == Path(name).name else None
    if path is None:
        known = listed(profiles()) or "none: set ROBOT_MEMORY_SHARE to the folder that holds models/"
        raise SettingsInvalid(f"there is no model profile '{name}' (there are: {known})")
    return read_profile(path)
