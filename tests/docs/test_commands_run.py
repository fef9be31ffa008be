"""The commands in the documentation do what it says: each ```sh block runs, in order, in a folder of its own.

A block that cannot run here says why behind its language: ```sh not-run: needs a robot
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```sh *(?P<why>not-run: [^\n]+)?\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> list[str]:
    return [match["commands"] for match in FENCE.finditer(text) if not match["why"]]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page.read_text())], ids=lambda page: page.name)
def test_every_command_of_the_page_succeeds(page: Path, tmp_path: Path) -> None:
    pytest.importorskip("robot_memory_msgs", reason="the pages replay a bag, which needs ROS")
    if "world render" in page.read_text() and shutil.which("flite") is None:
        pytest.skip("the page renders speech: apt install flite")
    shutil.copytree(ROOT / "tests/bags", tmp_path / "tests/bags")
    shutil.copytree(ROOT / "tests/media", tmp_path / "tests/media")
    script = tmp_path / "robot-memory"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m robot_memory.cli "$@"\n')
    script.chmod(0o755)
    env = os.environ | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "ROBOT_MEMORY_HOME": str(tmp_path / "home"),
        "ROS_DOMAIN_ID": "100",
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_LOG_DIR": str(tmp_path / "log"),
    }
    commands = "set -e\n" + "\n".join(blocks(page.read_text()))
    done = subprocess.run(["sh", "-c", commands], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_block_that_fails_would_be_noticed() -> None:
    assert FENCE.search("```sh\nfalse\n```\n")
    skipped = "```sh not-run: needs a robot\nfalse\n```\n"
    assert not blocks(skipped)
    assert blocks(f"{skipped}\n```sh\ntrue\n```\n{skipped}") == ["true\n"]
