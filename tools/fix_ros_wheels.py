#!/usr/bin/env python3
"""Make the ROS 2 wheels of this Python's environment usable to CMake.

The CMake files in the wheels name folders of the machine that built them. This points them at this interpreter's.
Run it with the environment's python, after pip install; running it twice changes nothing.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path

import numpy

FOREIGN_NUMPY = re.compile(r"/opt/python/cp\d+-cp\d+t?/lib/python[\d.]+t?/site-packages/numpy/_core/include")
FOREIGN_PYTHON = re.compile(r"/opt/python/cp\d+-cp\d+t?/include/python[\d.]+t?")
FOREIGN_TINYXML = "/usr/lib64/libtinyxml2.so"


def fix_ros_wheels(prefix: Path) -> int:
    """Rewrite prefix/share/*/cmake/*.cmake; returns how many files changed."""
    numpy_include, python_include = numpy.get_include(), sysconfig.get_path("include")
    changed = 0
    for path in prefix.glob("share/*/cmake/*.cmake"):
        text = path.read_text()
        fixed = FOREIGN_NUMPY.sub(lambda _: numpy_include, text)
        fixed = FOREIGN_PYTHON.sub(lambda _: python_include, fixed).replace(FOREIGN_TINYXML, "tinyxml2")
        if fixed != text:
            path.write_text(fixed)
            changed += 1
    return changed


if __name__ == "__main__":
    print(f"{fix_ros_wheels(Path(sys.prefix))} CMake files changed")
