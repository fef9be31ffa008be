"""What a machine must have before anything is installed, one clear line for each thing that is missing.

Every check returns the line, or None when all is well, so that a user learns of all that is missing at once.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

GIGABYTE = 10**9
COMPILERS = ("c++", "g++", "clang++")
PACKAGES = {  # package manager -> (compiler, Python's headers, Python's venv module)
    "apt-get": ("g++", "python{v}-dev", "python{v}-venv"),
    "dnf": ("gcc-c++", "python{v}-devel", "python{v}"),
    "zypper": ("gcc-c++", "python{n}-devel", "python{n}"),
    "pacman": ("gcc", "python", "python"),
}


def machine(system: str = platform.system(), processor: str = platform.machine()) -> str | None:
    """ROS 2 is to be had as wheels for Linux on x86-64 only."""
    if system != "Linux":
        return f"This set-up is for Linux, and this is {system}. docs/build.md lists what runs elsewhere."
    if processor not in ("x86_64", "AMD64"):
        return f"This set-up is for x86-64 processors, and this is {processor}. Jetson and the like: docs/jetson.md."
    return None


def c_library(name: str = "", version: str = "") -> str | None:
    """The wheels are built for glibc 2.28 and later (Debian 10, Ubuntu 20.04, RHEL 8, and all that is newer)."""
    if not name:
        name, version = platform.libc_ver()
    if name == "glibc" and tuple(int(part) for part in version.split(".")[:2]) >= (2, 28):
        return None
    found = f"{name} {version}" if name else "another C library"
    return f"The wheels need glibc 2.28 or later, and this system has {found}."


def venv_module() -> str | None:
    """Debian and Ubuntu ship Python without the part of venv that installs pip."""
    if importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip"):
        return None
    return f"Python's venv module is not complete (ensurepip is missing). {install_hint(2)}"


def compiler(include: str = sysconfig.get_path("include")) -> list[str]:
    """What is missing to compile the ROS 2 interfaces: a C++ compiler, Python's headers, or both."""
    missing = []
    wanted = [os.environ["CXX"]] if os.environ.get("CXX") else list(COMPILERS)
    if not any(shutil.which(name.split()[0]) for name in wanted):
        missing.append(f"No C++ compiler found (looked for {', '.join(wanted)}). {install_hint(0)}")
    if not (Path(include) / "Python.h").exists():
        missing.append(f"Python's C headers are missing ({include}/Python.h). {install_hint(1)}")
    return missing


def free_disk(folder: Path, needed_gb: float) -> str | None:
    """The environment, the models and what pip unpacks on the way must fit."""
    while not folder.exists():
        folder = folder.parent
    free_gb = shutil.disk_usage(folder).free / GIGABYTE
    if free_gb >= needed_gb:
        return None
    return f"{folder} has {free_gb:.1f} GB free, and {needed_gb:g} GB are needed. Make room, or clone to another disk."


def install_hint(index: int) -> str:
    """How to install one column of PACKAGES with the package manager that is here."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for manager, packages in PACKAGES.items():
        if shutil.which(manager):
            package = packages[index].format(v=version, n=version.replace(".", ""))
            verb = "-S" if manager == "pacman" else "install"
            return f"Install it: sudo {manager} {verb} {package}"
    return "Install it with your system's package manager."
