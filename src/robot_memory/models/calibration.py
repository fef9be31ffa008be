"""Thresholds measured by us, merged over the manifest's: one file a model, calibration/<model name>.yaml.

A calibration file carries the table it was read from and how that was measured, and the sha256 of the weights it
holds for: it is refused for any other weights, since a threshold means nothing for another model.
"""

from __future__ import annotations

import dataclasses

from robot_memory.models import places
from robot_memory.models.model import Model, Profile, Threshold
from robot_memory.models.parsing import check_order, read_thresholds, read_yaml


def calibrated(profile: Profile) -> Profile:
    """The profile with each model's measured thresholds in place of the manifest's. Raises ManifestInvalid."""
    return dataclasses.replace(profile, models=tuple(calibrate(model) for model in profile.models))


def calibrate(model: Model) -> Model:
    """The model with its calibration merged in; the model as it is where none was measured."""
    thresholds = measured_thresholds(model)
    return dataclasses.replace(model, thresholds={**model.thresholds, **thresholds}) if thresholds else model


def measured_thresholds(model: Model) -> dict[str, Threshold]:
    path = places.data_file(f"calibration/{model.name}.yaml")
    if path is None:
        return {}
    root = read_yaml(path)
    fields = root.mapping("sha256 measured table thresholds")
    fields["measured"].text()
    fields["table"].each()
    if fields["sha256"].text() not in {file.sha256 for file in model.files}:
        fields["sha256"].fail(f"is of other weights than '{model.name}' has: measure again, or remove the file")
    thresholds = read_thresholds(fields["thresholds"])
    check_order(fields["thresholds"], {**model.thresholds, **thresholds})
    return thresholds
