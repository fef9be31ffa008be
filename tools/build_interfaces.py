#!/usr/bin/env python3
"""Compile a ROS 2 interface package against the ROS wheels of this Python's environment, and pack it as a wheel.

Plain CMake and Ninja, no colcon. Run it with the environment's python.
The objects in --work are reused, so that a build that was stopped goes on; the wheel appears whole or not at all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from fix_ros_wheels import fix_ros_wheels
from pack_interface_wheel import pack

LEFT_BY_THE_WHEELS = ("LD_LIBRARY_PATH", "_ROS_WHEELS_BOOTSTRAP_COMPLETE")  # meant for Python, not for the compiler


def build(package: Path, work: Path, prefix: Path) -> None:
    """Configure, compile and install into `prefix`. Raises CalledProcessError; the output tells what is wrong."""
    venv = Path(sys.prefix)
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_BY_THE_WHEELS}
    environment |= {"AMENT_PREFIX_PATH": str(venv), "CMAKE_PREFIX_PATH": str(venv)}
    environment["PATH"] = f"{venv / 'bin'}{os.pathsep}{environment['PATH']}"
    cmake = venv / "bin/cmake"
    configure: list[str | Path] = [cmake, "-S", package, "-B", work, "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DCMAKE_INSTALL_RPATH=$ORIGIN"]
    configure += [f"-DCMAKE_INSTALL_PREFIX={prefix}", f"-DPython3_EXECUTABLE={sys.executable}"]
    steps: list[list[str | Path]] = [configure, [cmake, "--build", work], [cmake, "--install", work]]
    for command in steps:
        subprocess.run(command, check=True, env=environment, close_fds=False)  # the set-up's lock lives on in them


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("package", type=Path, help="folder of the interface package")
    parser.add_argument("--work", type=Path, required=True, help="folder for objects, kept when the build is stopped")
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel to write")
    options = parser.parse_args()
    print(f"{fix_ros_wheels(Path(sys.prefix))} CMake files changed")
    prefix = options.work / "prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    try:
        build(options.package, options.work / "objects", prefix)
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
    options.wheel.parent.mkdir(parents=True, exist_ok=True)
    pack(prefix, options.package.name, options.wheel)
    shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
