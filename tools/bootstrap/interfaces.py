"""Where the compiled ROS 2 interfaces are kept: one wheel a user, shared by all clones; only the first compiles.

The folder's name is a hash of the interface files, of the pinned ROS wheels, of the Python and of the code that builds.
"""

from __future__ import annotations

import os
from pathlib import Path

from stamps import digest

PACKAGE = "ros2_ws/src/robot_memory_msgs"
BUILDERS = ("build_interfaces.py", "fix_ros_wheels.py", "pack_interface_wheel.py")


def cached(root: Path, python_tag: str) -> Path:
    """The wheel for these sources and this Python, whether it is there already or not."""
    requirements = (root / "requirements/ros.txt", root / "requirements/build.txt")
    key = digest(root / PACKAGE, *requirements, *(root / "tools" / name for name in BUILDERS), python_tag)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "robot_memory/interfaces" / key[:24]
    version = (root / PACKAGE / "package.xml").read_text().split("<version>")[1].split("<")[0]
    return cache / f"robot_memory_msgs-{version}-{python_tag}-{python_tag}-linux_x86_64.whl"


def build_command(python: Path, root: Path, work: Path, wheel: Path) -> list[str | Path]:
    """The program that compiles and packs; `work` keeps its objects, so that a stopped build goes on."""
    return [python, root / "tools/build_interfaces.py", root / PACKAGE, "--work", work, "--wheel", wheel]
