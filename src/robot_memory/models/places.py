"""Where things lie: the project's data files (models/, calibration/) and the downloaded weights.

The same answers hold for a source checkout, a pip install (any scheme) and a colcon workspace.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from robot_memory.config import expanded

PACKAGE = Path(__file__).resolve().parents[1]


def share_folders() -> list[Path]:
    """Folders that may hold models/ and calibration/, first match wins; only those that exist."""
    candidates = [expanded(chosen)] if (chosen := os.environ.get("ROBOT_MEMORY_SHARE")) else []
    checkout = PACKAGE.parents[1]
    if PACKAGE.parent.name == "src":
        candidates.append(checkout)
    prefixes = [entry for entry in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if entry]
    # PACKAGE is <prefix>/lib/pythonX.Y/site-packages/robot_memory: its own prefix also covers `pip install --user`.
    own = str(PACKAGE.parents[min(3, len(PACKAGE.parents) - 1)])
    for prefix in [*prefixes, sys.prefix, own]:
        candidates.append(Path(prefix) / "share" / "robot_memory")
    return [folder for folder in dict.fromkeys(candidates) if folder.is_dir()]


def data_file(name: str) -> Path | None:
    """The data file `name` (such as models/cpu.yaml) in the first share folder that has it, else None."""
    return next((folder / name for folder in share_folders() if (folder / name).is_file()), None)


def weights_folder() -> Path:
    """Where weights are kept: ROBOT_MEMORY_MODELS, else robot_memory/models in the XDG cache. It may not exist yet."""
    if chosen := os.environ.get("ROBOT_MEMORY_MODELS"):
        return expanded(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "robot_memory" / "models"
