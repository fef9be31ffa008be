"""What a profile says: for each role a model, its licence, dimension, thresholds and pinned files.

`Model.path()` only hands out files whose sha256 matched; `robot-memory models fetch` is how they come.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from robot_memory.errors import SettingsInvalid
from robot_memory.models import places
from robot_memory.models.files import ModelFile
from robot_memory.models.weights import verified_path

DEFAULT_PROFILE = "cpu"


class ManifestInvalid(SettingsInvalid):
    """A profile or calibration file does not say what it must, or says it wrongly."""


@dataclass(frozen=True)
class Licence:
    """SPDX identifier and a line on where the weights come from and what they learnt from."""

    spdx: str
    origin: str


@dataclass(frozen=True)
class Threshold:
    """A cosine threshold, possibly growing with seconds of speech: points (seconds, value), rising in seconds."""

    points: tuple[tuple[float, float], ...]

    def at(self, seconds: float | None = None) -> float:
        """The value at `seconds`, linear between points and constant outside them.

        `seconds` may only be left out where the threshold does not depend on it.
        """
        if len(self.points) == 1:
            return self.points[0][1]
        if seconds is None:
            raise ValueError("this threshold depends on seconds of speech: say how many")
        for (x0, y0), (x1, y1) in zip(self.points, self.points[1:]):
            if seconds < x1:
                share = max(0.0, (seconds - x0) / (x1 - x0))
                return y0 + share * (y1 - y0)
        return self.points[-1][1]


@dataclass(frozen=True)
class Model:
    """What `profile` uses for one role. `name` carries the version: embeddings of different names never mix."""

    profile: str
    role: str
    name: str
    licence: Licence
    files: tuple[ModelFile, ...]
    dimension: int | None
    thresholds: Mapping[str, Threshold]

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)

    def threshold(self, name: str, seconds: float | None = None) -> float:
        """The threshold `name` ("accept", "learn", "group") at `seconds` of speech; "group", for two turns of one clip,
        is "accept" where it was not measured. Raises SettingsInvalid if it has none.
        """
        if name == "group" and name not in self.thresholds:
            name = "accept"
        if name not in self.thresholds:
            has = listed(self.thresholds) or "none"
            raise SettingsInvalid(f"{self.role} '{self.name}' has no threshold '{name}' (it has: {has})")
        return self.thresholds[name].at(seconds)

    def path(self, filename: str = "") -> Path:
        """The verified file; `filename` may be left out where the model has one file.

        Raises ModelMissing naming the command that fetches it, or ModelCorrupt if its bytes are wrong.
        """
        owner, command = f"{self.role} '{self.name}'", fetch_command(self.profile)
        return verified_path(self.folder, self.file(filename), owner, command)

    def complete_folder(self) -> Path:
        """The folder with all of the model's files, each verified. Raises like `path`."""
        for file in self.files:
            self.path(file.name)
        return self.folder

    @property
    def folder(self) -> Path:
        """Where the model's files belong. It may not exist yet."""
        return places.weights_folder() / self.name

    def file(self, filename: str = "") -> ModelFile:
        """The manifest's entry for `filename`. Raises SettingsInvalid if the model has no such file."""
        if not filename and len(self.files) == 1:
            return self.files[0]
        for file in self.files:
            if file.name == filename:
                return file
        has = listed(file.name for file in self.files)
        raise SettingsInvalid(f"{self.role} '{self.name}' has no file '{filename}' (it has: {has})")


@dataclass(frozen=True)
class Profile:
    """One set of models for one kind of machine; `path` is the YAML file it was read from. `based_on` names a profile
    that gives the roles this one does not speak of.
    """

    name: str
    about: str
    models: tuple[Model, ...]
    path: Path
    based_on: str = ""

    def model(self, role: str) -> Model:
        """The model for `role`. Raises SettingsInvalid naming the roles the profile has."""
        for model in self.models:
            if model.role == role:
                return model
        has = listed(model.role for model in self.models)
        raise SettingsInvalid(f"profile '{self.name}' has no model for '{role}' (it has: {has})")


def laid_over(base: Profile, profile: Profile) -> Profile:
    """The base's roles, with the profile's own models in place of the base's; all are the profile's to fetch."""
    own = {model.role: model for model in profile.models}
    rest = [dataclasses.replace(model, profile=profile.name) for model in base.models if model.role not in own]
    order = list(dict.fromkeys(model.role for model in (*base.models, *profile.models)))
    models = sorted((*own.values(), *rest), key=lambda model: order.index(model.role))
    return dataclasses.replace(profile, models=tuple(models))


def fetch_command(profile: str) -> str:
    """What a person types to bring the models of `profile`."""
    return "robot-memory models fetch" + (f" --profile {profile}" if profile != DEFAULT_PROFILE else "")


def listed(names: Iterable[object]) -> str:
    """Names joined for an error message."""
    return ", ".join(str(name) for name in names)
