"""Which steps are done: a stamp in .venv/setup/ holds the hash of everything the step was made from.

A step whose stamp is current is skipped; a step that was stopped half-way has none and is done again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest(*inputs: str | Path) -> str:
    """Hash of texts and of files (their bytes; a folder: every file in it, with its name)."""
    total = hashlib.sha256()
    for item in inputs:
        if isinstance(item, str):
            total.update(f"text {len(item)}\n{item}\n".encode())
            continue
        for path in [item] if item.is_file() else sorted(path for path in item.rglob("*") if path.is_file()):
            content = path.read_bytes()
            total.update(f"file {path.relative_to(item.parent)} {len(content)}\n".encode() + content)
    return total.hexdigest()


class Stamps:
    """The stamps of one environment."""

    def __init__(self, venv: Path) -> None:
        self.folder = venv / "setup"

    def current(self, step: str, key: str) -> bool:
        path = self.folder / f"{step}.stamp"
        return path.is_file() and path.read_text() == key

    def begun(self, step: str) -> bool:
        """Whether the step was started and never finished."""
        return (self.folder / f"{step}.begun").exists()

    def begin(self, step: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{step}.stamp").unlink(missing_ok=True)
        (self.folder / f"{step}.begun").touch()

    def finish(self, step: str, key: str) -> None:
        (self.folder / f"{step}.stamp").write_text(key)
        (self.folder / f"{step}.begun").unlink(missing_ok=True)
