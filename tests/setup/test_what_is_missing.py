"""On a machine that lacks something the set-up says so in one clear line, before it has made anything."""

import platform
from pathlib import Path

import pytest

import checks


def stops_with(finished, tmp_path: Path) -> str:
    """The complaint of a set-up that stopped with exit code 1 and left no environment behind."""
    assert finished.returncode == 1
    assert "Traceback" not in finished.stderr
    assert not (tmp_path / "venv").exists()
    return finished.stderr.strip()


@pytest.mark.parametrize("version", [(3, 9, 18, "final", 0), (3, 15, 0, "final", 0), (2, 7, 18, "final", 0)])
def test_a_python_that_is_too_old_or_too_new(bootstrap, tmp_path, version):
    complaint = stops_with(bootstrap(prelude=f"sys.version_info = {version}"), tmp_path)
    assert complaint.startswith(f"robot_memory needs Python 3.10 to 3.14, and this is {version[0]}.{version[1]}")
    assert "make PYTHON=" in complaint


def test_the_version_check_can_be_read_by_an_old_python(root):
    source = (root / "tools/bootstrap/__main__.py").read_text()
    assert not any(word in source for word in ('f"', "from __future__", "->", "import annotations", ":="))


def test_no_compiler(bootstrap, tmp_path):
    empty = tmp_path / "bin"
    empty.mkdir()
    complaint = stops_with(bootstrap(PATH=str(empty)), tmp_path)
    assert complaint.splitlines()[0].startswith("No C++ compiler found (looked for c++, g++, clang++).")
    assert len([line for line in complaint.splitlines() if "compiler" in line]) == 1


def test_the_compiler_named_by_cxx_is_the_one_looked_for(bootstrap, tmp_path):
    complaint = stops_with(bootstrap(CXX="no-such-compiler -O2"), tmp_path)
    assert complaint.startswith("No C++ compiler found (looked for no-such-compiler -O2).")


def test_no_python_headers(tmp_path):
    missing = checks.compiler(str(tmp_path))
    assert [line for line in missing if "Python.h" in line]


def test_no_venv_module(bootstrap, tmp_path):
    complaint = stops_with(bootstrap(prelude="sys.modules['ensurepip'] = None"), tmp_path)
    assert complaint.startswith("Python's venv module is not complete (ensurepip is missing).")
    assert len(complaint.splitlines()) == 1


def test_too_little_disk(bootstrap, tmp_path):
    complaint = stops_with(bootstrap("--disk-gb", "1000000"), tmp_path)
    assert "GB free, and 1e+06 GB are needed" in complaint
    assert len(complaint.splitlines()) == 1


@pytest.mark.parametrize(
    ("system", "processor", "advice"), [("Linux", "aarch64", "docs/jetson.md"), ("Darwin", "arm64", "docs/build.md")]
)
def test_another_processor_or_system_is_shown_the_way(root, system, processor, advice):
    line = checks.machine(system, processor)
    assert line is not None
    assert processor in line or system in line
    assert advice in line
    assert (root / advice).is_file()


def test_an_old_or_another_c_library():
    assert checks.c_library("glibc", "2.28") is None
    assert "2.17" in (checks.c_library("glibc", "2.17") or "")
    assert checks.c_library("musl", "1.2") is not None


def test_all_that_is_missing_is_told_at_once(bootstrap, tmp_path):
    empty = tmp_path / "bin"
    empty.mkdir()
    complaint = stops_with(bootstrap(PATH=str(empty), prelude="sys.modules['ensurepip'] = None"), tmp_path)
    assert "compiler" in complaint
    assert "ensurepip" in complaint


def test_this_machine_passes():
    assert checks.machine(platform.system(), platform.machine()) is None
    assert checks.c_library() is None
    assert checks.venv_module() is None
