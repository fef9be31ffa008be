"""Where the development half of LoCoMo lies: locomo_dev.json in ROBOT_MEMORY_DATA (default ../shared/data)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("ROBOT_MEMORY_DATA") or Path(__file__).parents[3] / "shared" / "data")


def locomo_dev() -> Path:
    """The file; skips the test where it is not there."""
    path = DATA / "locomo_dev.json"
    if not path.exists():
        pytest.skip(f"{path} is not there (set ROBOT_MEMORY_DATA)")
    return path
