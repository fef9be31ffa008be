"""Runs the conversions in a throw-away place with pinned onnx and numpy, so that the robot's Python stays lean.

The place is made at the first conversion, shared by all of a run, and gone after it. `pip install --target` with
`python -S` isolates as a venv does, and needs no venv module. The result's sha256 is pinned in the manifest, so a
conversion that comes out otherwise is refused.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.models import convert
from robot_memory.models.mirrors import MirrorFailed, Progress, Watch
from robot_memory.models.subprocesses import CommandFailed, run, run_pip

REQUIREMENTS = (
    "onnx==1.23.2",
    "numpy==2.2.6; python_version < '3.11'",
    "numpy==2.4.6; python_version >= '3.11'",
    "protobuf==7.36.2",
    "ml_dtypes==0.6.0",
    "typing_extensions==4.16.0",
)


@dataclass
class Workshop:
    """The tools of one run, installed in `folder`, which the caller removes, and never in this Python."""

    folder: Path
    watch: Watch = field(default_factory=Watch)
    requirements: tuple[str, ...] = REQUIREMENTS

    def convert(self, conversion: str, source: Path, target: Path) -> None:
        """Write the converted `source` to `target`. Raises MirrorFailed with the reason, or Cancelled."""
        script = Path(convert.__file__).parent / f"{conversion}.py"
        self.watch.report(Progress(f"converting {source.name}"))
        try:
            environment = {"PYTHONPATH": str(self.tools()), "PYTHONDONTWRITEBYTECODE": "1"}
            run([sys.executable, "-S", str(script), str(source), str(target)], environment, self.watch)
        except CommandFailed as error:
            raise MirrorFailed(f"{conversion} failed: {error}") from error

    def tools(self) -> Path:
        """The folder with the tools, installed on first use."""
        place, ready = self.folder / "tools", self.folder / "tools.ready"
        if not ready.exists():
            self.watch.report(Progress("conversion tools (onnx, numpy)"))
            options = ["--only-binary=:all:", "--no-compile", "--target", str(place)]
            run_pip(["install", *options, *self.requirements], self.folder, self.watch)
            ready.touch()
        return place
