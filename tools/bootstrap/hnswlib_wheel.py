"""hnswlib, which PyPI has as source only: compiled once a user for all clones, and left out where that cannot be.

It is optional: without it large memories are scanned. The compiler must not use what this processor alone can do, since
an image of this disk may run on another: that would end the memory server with an illegal instruction.
"""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from stamps import digest

PORTABLE = {"HNSWLIB_NO_NATIVE": "1"}  # read by its setup.py; measured: neither building nor searching is slower
PIP_WHEEL = ("-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-input", "--disable-pip-version-check")
OURS = "--no-cache-dir"  # pip may have kept one that was compiled for this processor


def kept(root: Path, python_tag: str) -> Path:
    """The folder of the wheel for these pins and this Python, whether it is there already or not."""
    pins = (root / "requirements/base.txt", root / "requirements/hnsw.txt")
    key = digest(*pins, python_tag, platform.machine(), *(f"{name}={value}" for name, value in PORTABLE.items()))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "robot_memory/hnswlib" / key[:24]


def build_command(python: Path, root: Path, made: Path) -> list[str | Path]:
    """The program that compiles a wheel into the folder `made`."""
    pins = root / "requirements/hnsw.txt"
    return [python, *PIP_WHEEL, OURS, "--progress-bar", "off", "--wheel-dir", made, "--requirement", pins]


def keep(made: Path, folder: Path) -> None:
    """Put the wheel that was made where the next clone finds it, whole or not at all. Raises OSError."""
    making = folder.with_name(f"{folder.name}.{os.getpid()}")
    try:
        shutil.copytree(made, making)
        if not folder.exists():
            making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def left_out(why: str) -> str:
    """What a user is told, in a line."""
    return (
        f"hnswlib is left out: {why.splitlines()[0]} "
        "It is optional: without it, memories of more than some 350,000 sentences are found more slowly. "
        "The next run tries again."
    )
