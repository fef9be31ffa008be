"""Reads a profile's YAML into the manifest's dataclasses, and refuses anything it does not understand.

Every error names the file and the place in it ("models.face_detection.files[0].sha256"), and says what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from robot_memory.models.convert import CONVERSIONS
from robot_memory.models.files import ModelFile, Package, Url
from robot_memory.models.model import Licence, ManifestInvalid, Model, Profile, Threshold, listed

SHA256 = re.compile(r"[0-9a-f]{64}")
WEB = re.compile(r"https?://[^/\s]+/\S+")
PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
VERSION = re.compile(r"[0-9][A-Za-z0-9.!+]*")
PYTHON = re.compile(r"3\.\d+")
MEMBER = re.compile(r"[^/\s]+(/[^/\s]+)*")


@dataclass(frozen=True)
class Node:
    """A value of a YAML file and the place where it stands."""

    file: Path
    place: str
    value: Any

    def fail(self, what: str) -> NoReturn:
        raise ManifestInvalid(f"{self.file}: {self.place or 'the file'} {what}")

    def mapping(self, required: str = "", optional: str = "") -> dict[str, Node]:
        """Children by key; keys that are missing or unknown are refused. Key names are given space-separated."""
        if not isinstance(self.value, dict):
            self.fail(f"must be a mapping, not {self.value!r}")
        if missing := [key for key in required.split() if key not in self.value]:
            self.fail(f"lacks {listed(missing)}")
        known = [*required.split(), *optional.split()]
        if known and (unknown := [key for key in self.value if key not in known]):
            self.fail(f"has unknown {listed(unknown)} (known: {listed(known)})")
        return {key: Node(self.file, f"{self.place}.{key}".lstrip("."), entry) for key, entry in self.value.items()}

    def each(self) -> list[Node]:
        if not isinstance(self.value, list) or not self.value:
            self.fail("must be a list with at least one entry")
        return [Node(self.file, f"{self.place}[{index}]", value) for index, value in enumerate(self.value)]

    def text(self, test: Callable[[str], object] = bool, expected: str = "text") -> str:
        if not isinstance(self.value, str) or not test(self.value):
            self.fail(f"must be {expected}, not {self.value!r}")
        return self.value

    def number(self, low: float, high: float) -> float:
        if type(self.value) not in (int, float) or not low <= self.value <= high:
            self.fail(f"must be a number between {low:g} and {high:g}, not {self.value!r}")
        return float(self.value)

    def count(self) -> int:
        if type(self.value) is not int or self.value < 1:
            self.fail(f"must be a whole number above 0, not {self.value!r}")
        return self.value


def read_yaml(path: Path) -> Node:
    """The whole file. Raises ManifestInvalid if it cannot be read or is not YAML."""
    try:
        return Node(path, "", yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ManifestInvalid(f"{path}: cannot be read as YAML: {error}") from error


def read_profile(path: Path) -> Profile:
    """The profile in `path`, as written there (neither base nor calibration merged yet). Raises ManifestInvalid."""
    root = read_yaml(path).mapping("about models", "based_on")
    models = tuple(read_model(role, node) for role, node in root["models"].mapping().items())
    base = root["based_on"].text(plain_name, "the name of a profile") if "based_on" in root else ""
    return Profile(path.stem, root["about"].text(), models, path, base)


def read_model(role: str, node: Node) -> Model:
    fields = node.mapping("name licence files", "dimension thresholds")
    licence = fields["licence"].mapping("spdx origin")
    files = tuple(read_file(entry) for entry in fields["files"].each())
    if len({file.name for file in files}) < len(files):
        fields["files"].fail("names a file twice")
    return Model(
        profile=node.file.stem,
        role=role,
        name=fields["name"].text(plain_name, "a plain name"),
        licence=Licence(licence["spdx"].text(), licence["origin"].text()),
        files=files,
        dimension=fields["dimension"].count() if "dimension" in fields else None,
        thresholds=read_thresholds(fields["thresholds"]) if "thresholds" in fields else {},
    )


def read_file(node: Node) -> ModelFile:
    fields = node.mapping("name bytes sha256", "mirrors convert source")
    served, made = "mirrors" in fields, "convert" in fields and "source" in fields
    if served == made or (served and len(fields) > 4):
        node.fail("needs either mirrors, or convert and source")
    source = read_file(fields["source"]) if made else None
    return ModelFile(
        name=fields["name"].text(plain_name, "a plain file name"),
        bytes=fields["bytes"].count(),
        sha256=fields["sha256"].text(SHA256.fullmatch, "64 lower-case hexadecimal digits"),
        mirrors=tuple(read_mirror(entry) for entry in fields["mirrors"].each()) if served else (),
        source=source,
        convert=fields["convert"].text(CONVERSIONS.__contains__, f"one of {listed(CONVERSIONS)}") if made else "",
    )


def read_mirror(node: Node) -> Url | Package:
    if "url" in node.mapping():
        return Url(node.mapping("url")["url"].text(WEB.fullmatch, "an http(s) address"))
    fields = node.mapping("pypi version member", "python")
    return Package(
        pypi=fields["pypi"].text(PACKAGE.fullmatch, "a package name"),
        version=fields["version"].text(VERSION.fullmatch, "a version in quotes"),
        member=fields["member"].text(MEMBER.fullmatch, "a path in the wheel"),
        python=fields["python"].text(PYTHON.fullmatch, "a Python version in quotes") if "python" in fields else "",
    )


def read_thresholds(node: Node) -> dict[str, Threshold]:
    """Thresholds by name; "learn" must nowhere be below "accept"."""
    thresholds = {name: read_threshold(entry) for name, entry in node.mapping().items()}
    check_order(node, thresholds)
    return thresholds


def read_threshold(node: Node) -> Threshold:
    """A number, or a mapping from seconds of speech to a number."""
    if not isinstance(node.value, dict):
        return Threshold(((0.0, node.number(-1, 1)),))
    if not node.value:
        node.fail("must not be empty")
    points = []
    for key, entry in node.mapping().items():
        seconds = Node(node.file, f"{node.place} seconds", key).number(0, 3600)
        points.append((seconds, entry.number(-1, 1)))
    return Threshold(tuple(sorted(points)))


def check_order(node: Node, thresholds: Mapping[str, Threshold]) -> None:
    """Refuse a learn threshold below accept: what is not good enough to match must not be learnt from."""
    if not {"accept", "learn"} <= thresholds.keys():
        return
    accept, learn = thresholds["accept"], thresholds["learn"]
    for second, _ in (*accept.points, *learn.points):
        if learn.at(second) < accept.at(second):
            node.fail(f"has learn {learn.at(second):g} below accept {accept.at(second):g}")


def plain_name(name: str) -> bool:
    """Whether `name` is safe as one path component and is not hidden."""
    return bool(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name)) and not name.endswith((".part", ".verified"))
