"""The compiled ROS 2 interfaces: packed as a wheel, kept for the next clone under a hash of all inputs."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import interfaces
from pack_interface_wheel import pack

PACKAGE_XML = """<package format="3"><name>tiny_msgs</name><version>1.2.3</version><description>Tiny.</description>
<license>Apache-2.0</license><depend>std_msgs</depend></package>"""


@pytest.fixture
def prefix(tmp_path) -> Path:
    """What a CMake install of an interface package leaves, in small."""
    for name, content in {
        "lib/libtiny_msgs__rosidl_generator_c.so": "library",
        "lib/python3.11/site-packages/tiny_msgs/__init__.py": "ANSWER = 42\n",
        "lib/python3.11/site-packages/tiny_msgs/_tiny.c": "source",
        "share/tiny_msgs/package.xml": PACKAGE_XML,
        "share/tiny_msgs/cmake/tiny_msgsConfig.cmake": "cmake",
        "share/ament_index/resource_index/packages/tiny_msgs": "",
        "share/colcon-core/packages/tiny_msgs": "",
    }.items():
        path = tmp_path / "prefix" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path / "prefix"


@pytest.mark.ros
def test_pip_installs_the_wheel_and_python_imports_it(prefix, tmp_path):
    wheel = tmp_path / f"tiny_msgs-1.2.3-{tag()}-linux_x86_64.whl"
    pack(prefix, "tiny_msgs", wheel)
    target = tmp_path / "target"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(wheel)], check=True)
    program = f"import sys; sys.path.insert(0, {str(target)!r}); import tiny_msgs; print(tiny_msgs.ANSWER)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "42"


@pytest.mark.ros
def test_the_wheel_holds_what_runs_and_needs_exactly_the_ros_it_was_compiled_against(prefix, tmp_path):
    wheel = tmp_path / f"tiny_msgs-1.2.3-{tag()}-linux_x86_64.whl"
    pack(prefix, "tiny_msgs", wheel)
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert "tiny_msgs-1.2.3.data/data/lib/libtiny_msgs__rosidl_generator_c.so" in names
        assert "tiny_msgs-1.2.3.data/data/share/ament_index/resource_index/packages/tiny_msgs" in names
        assert not [name for name in names if name.endswith((".c", ".cmake")) or "colcon-core" in name]
        assert "Requires-Dist: ros-std-msgs==" in archive.read("tiny_msgs-1.2.3.dist-info/METADATA").decode()
    assert [path.name for path in tmp_path.glob("*.whl*")] == [wheel.name]


@pytest.mark.ros
def test_packing_twice_gives_the_same_bytes(prefix, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        pack(prefix, "tiny_msgs", tmp_path / folder / f"tiny_msgs-1.2.3-{tag()}-linux_x86_64.whl")
    one, two = (next((tmp_path / folder).iterdir()).read_bytes() for folder in ("one", "two"))
    assert one == two


INPUTS = ("requirements/ros.txt", "requirements/build.txt", "tools/build_interfaces.py")


@pytest.mark.parametrize("changed", ["ros2_ws/src/robot_memory_msgs/msg/Face.msg", *INPUTS])
def test_another_input_is_another_wheel(root, tmp_path, changed):
    for name in ("ros2_ws/src/robot_memory_msgs", "requirements", "tools"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    before = interfaces.cached(tmp_path, "cp311")
    assert interfaces.cached(tmp_path, "cp311") == before
    assert interfaces.cached(tmp_path, "cp312").parent != before.parent
    with (tmp_path / changed).open("a") as file:
        file.write("# changed\n")
    assert interfaces.cached(tmp_path, "cp311").parent != before.parent


def tag() -> str:
    return f"cp{sys.version_info.major}{sys.version_info.minor}-cp{sys.version_info.major}{sys.version_info.minor}"
