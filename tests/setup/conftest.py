"""Runs the set-up as a user does: the system's Python, an environment in a temporary folder, nothing cached."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "tools", ROOT / "tools/bootstrap"):
    sys.path.append(str(folder))

Bootstrap = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def root() -> Path:
    return ROOT


@pytest.fixture
def bootstrap(tmp_path: Path) -> Bootstrap:
    """Call it with options; `prelude` is Python run before it, `environment` overrides variables."""

    def run(*options: str, prelude: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        start = f"runpy.run_path({str(ROOT / 'tools/bootstrap')!r}, run_name='__main__')"
        python = sys._base_executable  # type: ignore[attr-defined]
        command = [python, "-c", f"import runpy, sys\n{prelude}\n{start}", "--venv", str(tmp_path / "venv"), *options]
        variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "PIP_CONFIG_FILE": os.devnull}
        return subprocess.run(command, env=variables | environment, capture_output=True, text=True, timeout=120)

    return run
