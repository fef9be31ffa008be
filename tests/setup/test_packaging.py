"""What the package says of itself: one version, programs that exist, data that is installed, pins that are complete."""

import ast
import re
import sys
import tokenize
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import yaml

import robot_memory


@pytest.fixture(scope="module")
def metadata() -> dict[str, Any]:
    """The arguments that setup.py calls setup() with."""
    source = Path(__file__).resolve().parents[2] / "setup.py"
    with patch("setuptools.setup") as setup:
        exec(compile(source.read_text(), str(source), "exec"), {"__file__": str(source), "__name__": "__main__"})
    return dict(setup.call_args.kwargs)


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def name_of(requirement: str) -> str:
    """The normalised name at the head of a requirement."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found.group()).lower()


def test_one_version(metadata, root):
    """The program has one; the interfaces, frozen, have their own."""
    written = ElementTree.parse(root / "package.xml").findtext("version")
    assert metadata["version"] == written == robot_memory.__version__


PACKAGES = ("package.xml", "ros2_ws/src/robot_memory_msgs/package.xml")


def test_every_program_exists(metadata, root):
    for entry in metadata["entry_points"]["console_scripts"]:
        _, module, function = re.fullmatch(r"(\S+) = ([\w.]+):(\w+)", entry).groups()
        path = root / "src" / (module.replace(".", "/") + ".py")
        with tokenize.open(path) as source:
            tree = ast.parse(source.read())
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, entry


def test_every_python_package_is_installed(metadata, root):
    folders = {path.parent.relative_to(root / "src") for path in (root / "src").rglob("*.py")}
    assert {str(folder).replace("/", ".") for folder in folders} == set(metadata["packages"])


def test_data_files_exist_and_none_is_forgotten(metadata, root):
    installed = {path for _, paths in metadata["data_files"] for path in paths}
    assert all((root / path).is_file() for path in installed)
    for pattern in ("launch/*.py", "models/*", "calibration/*"):
        assert {str(path.relative_to(root)) for path in root.glob(pattern) if path.is_file()} <= installed


def test_tables_and_styles_travel_with_the_package(metadata, root):
    package = root / "src" / "robot_memory"
    taken = {path for pattern in metadata["package_data"]["robot_memory"] for path in package.glob(pattern)}
    files = {path for path in package.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    assert files <= taken


def test_what_colcon_cannot_bear_is_left_out(metadata, root):
    assert not re.search(r"^\[project\]", (root / "pyproject.toml").read_text(), re.MULTILINE)
    assert "python_requires" not in metadata
    assert not [path for path in (root / "ros2_ws/src").iterdir() if path.is_symlink()]  # a circle for every search


def imports(path: Path) -> set[str]:
    """Top-level modules that a source file imports when it runs, `if TYPE_CHECKING` left out."""

    def visit(node: ast.AST) -> set[str]:
        if isinstance(node, ast.Import):
            return {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            return set() if node.level else {(node.module or "").split(".")[0]}
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return set()
        return set().union(*map(visit, ast.iter_child_nodes(node)))

    return visit(ast.parse(path.read_text()))


def test_package_xml_names_every_ros_package_that_is_imported(root):
    declared = {item.text for item in ElementTree.parse(root / "package.xml").getroot() if item.tag.endswith("depend")}
    imported = set().union(*map(imports, (root / "src/robot_memory/ros").rglob("*.py")))
    ros = {name for name in imported if name == "rclpy" or name.endswith(("_msgs", "_interfaces"))}
    assert ros - {"hri_msgs"} <= declared  # hri_msgs is used where it happens to be installed


def test_only_declared_libraries_are_imported(root):
    """What the core imports is the standard library (`compression` from 3.14 on), a line of runtime.in or of an extra,
    or ROS when asked for.
    """
    modules = {"faster-whisper": "faster_whisper", "opencv-python-headless": "cv2"}
    modules |= {"pyyaml": "yaml", "ruamel-yaml": "ruamel", "backports-zstd": "backports"}
    modules |= {"sqlite-utils": "sqlite_utils"}
    allowed = {modules.get(name_of(line), name_of(line)) for line in lines(root / "requirements/runtime.in")}
    allowed |= {"onnx", "hdbscan", "sklearn", "hnswlib", "llama_cpp", "sounddevice", "ray", "compression"}
    allowed |= {"robot_memory", "robot_memory_msgs", "rclpy", *sys.stdlib_module_names}
    for path in (root / "src/robot_memory").rglob("*.py"):
        if root / "src/robot_memory/ros" not in path.parents:
            assert imports(path) <= allowed, path


@pytest.mark.parametrize("layer", ["base", "runtime", "hnsw", "ros", "build", "dev", "colcon"])
def test_every_requirement_is_pinned(root, layer):
    pins = lines(root / f"requirements/{layer}.txt")
    assert all(re.fullmatch(r"[a-z0-9-]+==[^ ]+( ; python_version .+)?", pin) for pin in pins)
    assert {name_of(line) for line in lines(root / f"requirements/{layer}.in")} <= {name_of(pin) for pin in pins}


def test_every_dependency_has_its_line_in_the_documentation(metadata, root):
    layers = ("runtime", "hnsw", "ros", "dev")
    wanted = {name_of(line) for layer in layers for line in lines(root / f"requirements/{layer}.in")}
    wanted |= {name_of(line) for extra in metadata["extras_require"].values() for line in extra}
    page = (root / "docs/dependencies.md").read_text().splitlines()
    table = [line.strip("| ").split(" | ") for line in page if line.startswith("| `")]
    rows = {name_of(cells[0].strip("`")): cells for cells in table}
    assert not wanted - set(rows)
    assert all(len(rows[name]) >= 5 and all(cell.strip() for cell in rows[name]) for name in wanted)


def test_the_makefile_explains_every_target(root):
    makefile = (root / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE).group(1).split()
    explained = re.findall(r"^([a-z]+):.* ## .+$", makefile, re.MULTILINE)
    assert sorted(phony) == sorted(explained)


def test_colcon_finds_both_packages_from_ros2_ws(root):
    defaults = yaml.safe_load((root / "ros2_ws/colcon_defaults.yaml").read_text())
    assert defaults["build"]["base-paths"] == ["src", ".."]
