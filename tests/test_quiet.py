"""Nothing is sent anywhere, and nothing is written where nobody asked for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from robot_memory.errors import ModelMissing
from robot_memory.models.manifest import load_profile


def test_onnx_runtime_counts_nothing_in_the_home_folder(tmp_path: Path) -> None:
    """Left alone, it notes every session in ~/.cache and tries to send the notes away."""
    try:
        model = load_profile("cpu").model("voice_activity").path()
    except ModelMissing as missing:
        pytest.skip(str(missing))
    code = (
        "from pathlib import Path; from robot_memory.perception.runtime import open_session; "
        f"open_session(Path({str(model)!r}))"
    )
    env = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"} | {"HOME": str(tmp_path)}
    env.pop("XDG_CACHE_HOME", None)
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.rglob("*")) == []
