"""The house stands: arrows point downwards, the core needs no ROS, and importing it loads and opens nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src/robot_memory"
FLOORS = {
    "cli": 11,
    "ros": 10,
    "doctor": 9,
    "evaluation": 8,
    "control": 7,
    "memorization": 6,
    "perception": 5,
    "devices": 4,
    "streams": 3,
    "memory": 2,
    "language": 1,
    "models": 0,
    "lanes": -1,
    "config": -2,
    "errors": -3,
}
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = "rclpy onnxruntime cv2 faster_whisper ctranslate2 av tokenizers safetensors rosbags soxr torch hnswlib"


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(module: Path) -> set[str]:
    """The modules of this package that a file imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "robot_memory":
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "robot_memory"
                else [node.module]
            )
            found |= {name.split(".")[1] for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("robot_memory.")}
    return found - {"__version__"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_arrows_point_downwards(module: Path) -> None:
    here = room(module)
    above = {other for other in imports(module) if other != here and FLOORS[other] >= FLOORS.get(here, 12)}
    assert not above, f"{here} imports {above}, which stand above it"


def test_the_command_line_starts_without_anything_heavy() -> None:
    """--help works on a machine that has neither ROS nor models, and at once."""
    loaded = f"[module for module in '{HEAVY}'.split() if module in sys.modules]"
    code = f"import sys; from robot_memory.cli import parser; parser(); print({loaded})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_core_imports_without_ros() -> None:
    core = [
        ".".join(("robot_memory", *m.relative_to(PACKAGE).with_suffix("").parts))
        for m in MODULES
        if room(m) != "ros" and "convert" not in m.parts
    ]
    code = (
        "import sys, importlib\n"
        "class NoRos:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('rclpy', 'robot_memory_msgs', 'std_msgs', 'sensor_msgs'):\n"
        "            raise ImportError('no ROS here: ' + name)\n"
        "sys.meta_path.insert(0, NoRos())\n"
        f"[importlib.import_module(name.removesuffix('.__init__')) for name in {core!r}]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
