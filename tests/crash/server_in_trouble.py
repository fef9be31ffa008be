"""The server, started again and again in trouble: on a disk that takes no more, as a user who may not write, beside
another writer, under a clock that jumps.

    echo '{"folder": "/tmp/robot", "starts": 3, "largest_file": 40960}' | python server_in_trouble.py

Troubles come in, a JSON object a line. Each start is a process of its own, with everything loaded; a line with what
became of all of them comes out.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from system_calls import Calls
from writing_server import start, story, warm_up

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.trial import Clip
from robot_memory.streams.spool import SpoolFull

ALL = 12  # clips of the story
PATIENCE_S = 30
JUMPS_S = (0, 86_400, -86_400, 3_000_000_000, -1_700_000_000, 0)  # to 2121 and to before 1980


@dataclass(frozen=True)
class Trouble:
    """`clips`: how many of the story each start spools; `largest_file`: bytes to which a file can grow; `user`: whose
    process it is; `closed`: a folder that nobody can write once the server has started.
    """

    folder: str
    starts: int = 3
    clips: int = 0
    largest_file: int = 0
    user: int = 0
    closed: str = ""
    jumps: bool = False


@dataclass
class Fate:
    """What became of a start. `error`: why it did not come about; `plain`: the error is one meant for people."""

    error: str = ""
    plain: bool = True
    problems: dict[str, str] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)  # by the spool
    stored: int = 0
    waiting: int = 0


def started(folder: Path, clips: Sequence[Clip], trouble: Trouble) -> Fate:
    """One start, until all that lies in the spool has been tried, and an orderly stop."""
    fate, calls = Fate(), Calls.here()
    try:
        server = start(folder)
    except Exception as error:  # noqa: BLE001 - which one it is, is the question
        return Fate(str(error) or repr(error), isinstance(error, RobotMemoryError))
    for number, clip in enumerate(clips):
        if trouble.jumps:
            assert calls is not None, "the clock cannot be moved without the preloaded library"
            calls.move_clock(JUMPS_S[number % len(JUMPS_S)])
        try:
            server.spool.open_session(clip.session)
            server.intake.clip_ready(server.spool.add(clip.observation))
        except (OSError, SpoolFull) as error:
            fate.refused.append(str(error))
    if trouble.closed:
        os.chmod(trouble.closed, 0o500)
    for _ in range(2):  # what a later scan finds is what the first could not take in
        server.intake.scan()
        server.intake._lane.submit(lambda: None).result(PATIENCE_S)
    fate.problems = dict(server.intake.problems)
    fate.stored = server.store.reader().execute("SELECT count(*) FROM clips WHERE skipped = ''").fetchone()[0]
    fate.waiting = len(server.spool.waiting())
    server.close()
    return fate


def main() -> None:
    warm_up()
    with tempfile.TemporaryDirectory() as elsewhere:  # all that is loaded late is loaded now
        for _ in range(2):
            started(Path(elsewhere), story(1, ALL), Trouble(elsewhere))
    for line in sys.stdin:
        trouble = Trouble(**json.loads(line))
        print(json.dumps([asdict(_fate(trouble)) for _ in range(trouble.starts)]), flush=True)


def _fate(trouble: Trouble) -> Fate:
    """Of a start in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _as_told(trouble)
        fate = started(Path(trouble.folder), story(1, ALL)[: trouble.clips], trouble)
        os.write(writing, json.dumps(asdict(fate)).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return Fate(**json.loads(told)) if told else Fate(f"it ended with status {status}", plain=False)


def _as_told(trouble: Trouble) -> None:
    signal.alarm(PATIENCE_S)
    if trouble.largest_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (trouble.largest_file, resource.RLIM_INFINITY))
    if trouble.user:
        os.setgroups([])
        os.setgid(trouble.user)
        os.setuid(trouble.user)


if __name__ == "__main__":
    main()
