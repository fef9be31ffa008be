"""How the tests put the server into trouble and look at what it makes of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from inspection import Findings, Told, Undisturbed, examine
from server_in_trouble import Fate
from system_calls import preloaded

SCRIPT = Path(__file__).with_name("server_in_trouble.py")


class Starter:
    """A process that starts servers: it has loaded all they need, so that each start takes little time."""

    def __init__(self, library: Path | None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=preloaded(library),
        )

    def __call__(self, folder: Path, **trouble: object) -> list[Fate]:
        """Start a server as `server_in_trouble.Trouble` says; what became of each start."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"folder": str(folder), **trouble}) + "\n")
        self._process.stdin.flush()
        return [Fate(**fate) for fate in json.loads(self._process.stdout.readline())]

    def close(self) -> None:
        self._process.communicate(timeout=60)


def is_whole(folder: Path, life: Undisturbed, least: int) -> int:
    """Nothing in the store is partial, damaged or cannot be found; at least `least` clips are there. It may be open:
    it is not looked at while another process writes.
    """
    findings = Findings()
    stored = examine(folder, life, Told(stored=set(range(least))), findings, "")
    assert not findings.wrong, findings.examples
    return stored


@dataclass(frozen=True)
class Place:
    """A folder that belongs to nobody in particular, for servers that may not do everything."""

    folder: Path
    user: int

    def give(self) -> None:
        """All in it is that user's."""
        for path in (self.folder, *self.folder.rglob("*")):
            if self.user:
                os.chown(path, self.user, self.user)
            path.chmod(0o700 if path.is_dir() else 0o600)
