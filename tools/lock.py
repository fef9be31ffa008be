#!/usr/bin/env python3
"""Pin requirements/*.in: writes requirements/*.txt, exact and complete, for CPython 3.10 to 3.14 on Linux x86-64.

For maintainers, by hand: `python3 tools/lock.py` resolves with uv (in a folder that is thrown away) and changes no pin
that still fits; `--upgrade` takes the newest. Where Pythons need different versions, the line gets a marker.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements"
PYTHONS = ("3.11", "3.10", "3.12", "3.13", "3.14")  # the first is resolved first, and the others prefer its versions
PLATFORM = "x86_64-manylinux_2_28"
SDIST_ONLY = ("empy", "notify2", "hnswlib")  # on PyPI without a wheel; the first two are pure Python
LAYERS: dict[str, tuple[str, ...]] = {  # layer -> the layers it is installed on top of
    "base": (),
    "runtime": (),
    "hnsw": ("runtime",),
    "ros": (),
    "build": ("ros",),
    "dev": ("runtime",),
    "colcon": ("build", "ros", "base"),
}

Pins = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    upgrade = parser.parse_args().upgrade
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        uv = install_uv(work / "uv")
        resolved = {layer: resolve(uv, work, layer, upgrade) for layer in LAYERS}
    for layer, below in LAYERS.items():
        known = {name for other in below for pins in resolved[other].values() for name in pins}
        lines = merge({python: drop(pins, known) for python, pins in resolved[layer].items()})
        on_top = f", on top of {' and '.join(f'{other}.txt' for other in below)}" if below else ""
        header = f"# Written by tools/lock.py from {layer}.in{on_top}: exact and complete, to install with --no-deps.\n"
        (REQUIREMENTS / f"{layer}.txt").write_text(header + "".join(f"{line}\n" for line in lines))
        print(f"requirements/{layer}.txt  {len(lines)} pins")


def install_uv(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin/pip", "install", "-q", "uv"], check=True)
    return folder / "bin/uv"


def resolve(uv: Path, work: Path, layer: str, upgrade: bool) -> dict[str, Pins]:
    """The pins of one layer per Python, each consistent with every other layer's."""
    pins = {}
    for python in PYTHONS:
        everything = work / f"everything-{python}.txt"
        if not everything.exists():
            everything.write_text(preferences(work, python, upgrade))
            compile_pins(uv, python, everything, [REQUIREMENTS / f"{name}.in" for name in LAYERS])
        output = work / f"{layer}-{python}.txt"
        compile_pins(uv, python, output, [REQUIREMENTS / f"{layer}.in"], "--constraint", str(everything))
        pins[python] = read_pins(output)
    return pins


def preferences(work: Path, python: str, upgrade: bool) -> str:
    """Versions to keep where they fit: those in force, else those of the Python resolved first."""
    if python != PYTHONS[0]:
        return (work / f"everything-{PYTHONS[0]}.txt").read_text()
    if upgrade:
        return ""
    lines = [line for layer in LAYERS for line in read_lines(REQUIREMENTS / f"{layer}.txt")]
    return "".join(f"{line.partition(' ;')[0]}\n" for line in lines if applies(line, python))


def compile_pins(uv: Path, python: str, output: Path, inputs: list[Path], *options: str) -> None:
    command: list[str | Path] = [uv, "pip", "compile", "-q", "--no-header", "--no-annotate", "--python-version", python]
    command += ["--python-platform", PLATFORM, "--only-binary", ":all:", *options]
    for name in SDIST_ONLY:
        command += ["--no-binary", name]
    command += ["--output-file", output, *inputs]
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    if subprocess.run(command, stdout=subprocess.DEVNULL, env=environment).returncode:
        sys.exit(f"no set of versions fits Python {python}: see above, then loosen a bound in requirements/*.in")


def merge(per_python: dict[str, Pins]) -> list[str]:
    """One line a package where all Pythons agree, else one a version with a marker."""
    ordered = sorted(per_python, key=minor)
    lines = []
    for name in sorted({name for pins in per_python.values() for name in pins}):
        versions = [per_python[python].get(name) for python in ordered]
        for version in dict.fromkeys(version for version in versions if version):
            pythons = [python for python, other in zip(ordered, versions) if other == version]
            marker = " or ".join(f'python_version == "{python}"' for python in pythons)
            if len(pythons) == len(ordered):
                marker = ""
            elif pythons == ordered[: len(pythons)]:
                marker = f'python_version < "{ordered[len(pythons)]}"'
            elif pythons == ordered[-len(pythons) :]:
                marker = f'python_version >= "{pythons[0]}"'
            lines.append(f"{name}=={version}" + (f" ; {marker}" if marker else ""))
    return lines


def applies(line: str, python: str) -> bool:
    """Whether a line written by `merge` is meant for this Python."""
    marker = line.partition(" ; ")[2]
    for clause in marker.split(" or ") if marker else []:
        _, relation, version = clause.replace('"', "").split()
        ours, theirs = minor(python), minor(version)
        if {"<": ours < theirs, ">=": ours >= theirs, "==": ours == theirs}[relation]:
            return True
    return not marker


def minor(python: str) -> int:
    return int(python.split(".")[1])


def drop(pins: Pins, known: set[str]) -> Pins:
    return {name: version for name, version in pins.items() if name not in known}


def read_pins(path: Path) -> Pins:
    return dict(line.split("==") for line in read_lines(path))


def read_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


if __name__ == "__main__":
    main()
