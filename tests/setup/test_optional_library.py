"""hnswlib is compiled where that can be done, portably and once for all clones; where not, a line says so."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import tarfile
import venv
from pathlib import Path

import pytest

import checks
import hnswlib_wheel
import setup_steps
from children import reason
from setup_steps import Setup

SETUP_PY = """import os; from setuptools import setup
{before}
setup(name="hnswlib", version="{version}", py_modules=["hnswlib"])"""
MODULE = "NATIVE = {native}\n"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """An environment with this one's pip and setuptools, and an index with nothing but what `offer` puts there."""
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    site = next(folder.glob("lib/python3*/site-packages"))
    (site / "tools.pth").write_text(sysconfig.get_path("purelib"))
    (tmp_path / "index").mkdir()
    for name, value in {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path / "index"),
    }.items():
        monkeypatch.setenv(name, value)
    return Setup(folder, 0.0, os.open(tmp_path / "lock", os.O_CREAT))


def offer(folder: Path, before: str = "") -> None:
    """A source package of the pinned version whose build notes whether it may use all of this processor."""
    pin = next(line for line in (setup_steps.REQUIREMENTS / "hnsw.txt").read_text().splitlines() if "hnswlib==" in line)
    name = pin.replace("==", "-")
    tree = folder / name
    tree.mkdir()
    note = f"open('hnswlib.py', 'w').write({MODULE!r}.format(native='HNSWLIB_NO_NATIVE' not in os.environ))"
    (tree / "setup.py").write_text(SETUP_PY.format(before=before or note, version=pin.split("==")[1]))
    (tree / "PKG-INFO").write_text(f"Metadata-Version: 2.1\nName: hnswlib\nVersion: {pin.split('==')[1]}\n")
    with tarfile.open(folder / "index" / f"{name}.tar.gz", "w:gz") as archive:
        archive.add(tree, name)


def installed(setup: Setup) -> str:
    asked = [setup.python, "-c", "import hnswlib; print(hnswlib.NATIVE)"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def run(setup: Setup) -> None:
    build = setup.start_hnswlib()
    setup.install_hnswlib(build)


needs_compiler = pytest.mark.skipif(bool(checks.compiler()), reason="no C++ compiler here")


@needs_compiler
def test_it_is_compiled_for_any_processor_and_once_for_all_clones(
    setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(tmp_path)
    run(setup)
    assert installed(setup) == "False" and "left out" not in capsys.readouterr().out
    assert setup.start_hnswlib() is None, "it is there"
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    monkeypatch.setattr(checks, "compiler", lambda: ["No C++ compiler found."])
    other = Setup(tmp_path / "other", 0.0, setup.lock)
    setup.venv.rename(other.venv)
    for stamp in other.stamps.folder.iterdir():
        stamp.is_file() and stamp.unlink()
    site = next(other.venv.glob("lib/python3*/site-packages"))
    (site / "hnswlib.py").unlink()
    run(other)
    assert installed(other) == "False" and "left out" not in capsys.readouterr().out


def test_without_a_compiler_a_line_says_so_and_it_is_tried_again(
    setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(tmp_path)
    with monkeypatch.context() as without:
        without.setenv("CXX", "no-such-compiler")
        run(setup)
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith("hnswlib is left out: No C++ compiler found") and "tries again" in line
    if not checks.compiler():
        run(setup)
        assert installed(setup) == "False"


@needs_compiler
def test_a_build_that_fails_is_told_in_a_line_and_tried_again(
    setup: Setup, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(tmp_path, "raise SystemExit('x.h:1:10: fatal error: y.h: No such file')")
    run(setup)
    stopped, line = capsys.readouterr().out.splitlines()
    assert stopped.endswith("stopped") and "y.h: No such file" in line and "tries again" in line
    assert not installed(setup) and not hnswlib_wheel.kept(setup_steps.ROOT, setup_steps.PYTHON_TAG).exists()
    assert setup.start_hnswlib() is not None


@needs_compiler
def test_without_a_network_it_is_left_out(setup: Setup, capsys: pytest.CaptureFixture[str]) -> None:
    run(setup)
    assert "hnswlib is left out: Compiling hnswlib failed: hnswlib==" in capsys.readouterr().out


def test_what_a_compiler_said_goes_before_what_pip_says() -> None:
    output = "error: subprocess-exited-with-error\n x.cpp:1:10: fatal error: y.h: No such file\nerror: command failed"
    assert reason(output) == "x.cpp:1:10: fatal error: y.h: No such file"
