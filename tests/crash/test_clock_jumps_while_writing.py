"""The clock jumps while clips are written, by days and by decades, there and back: nothing is lost, nothing twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from inspection import Undisturbed
from troubles import Starter, is_whole
from writing_server import start

from robot_memory.memory.fingerprint import lines
from robot_memory.streams.media import SECOND

ALL = 12
DAY_NS = 86_400 * SECOND


def test_the_wall_clock_jumps(tmp_path: Path, life: Undisturbed, library: Path, starts: Starter) -> None:
    """Three lives; the memory is the same as without the jumps."""
    fates = starts(tmp_path, starts=3, clips=ALL, jumps=True)
    assert [(fate.error, fate.problems, fate.stored, fate.waiting) for fate in fates] == [("", {}, ALL, 0)] * 3
    assert is_whole(tmp_path, life, ALL) == ALL


def test_the_stamps_jump(tmp_path: Path, life: Undisturbed) -> None:
    """A part of the session for every jump, as the recorder makes them; each clip is stored at its own time."""
    server = start(tmp_path)
    wanted = []
    for number, clip in enumerate(life.clips):
        jump_ns = (0, -DAY_NS, 40_000 * DAY_NS)[number % 3]
        session = clip.session.part(number + 1)
        start_ns, end_ns = clip.observation.start_ns + jump_ns, clip.observation.end_ns + jump_ns
        wanted.append((start_ns, end_ns))
        empty = replace(clip.observation, tracks=(), turns=(), poses=(), keyframes=())
        server.spool.open_session(session)
        server.spool.add(replace(empty, session=session.id, start_ns=start_ns, end_ns=end_ns))
    server.intake.scan()
    server.intake._lane.submit(lambda: None).result(20)
    rows = server.store.reader().execute("SELECT start_ns, end_ns FROM clips WHERE skipped = ''")
    assert sorted(map(tuple, rows)) == sorted(wanted)
    assert server.intake.problems == {} and server.spool.waiting() == []
    before = list(lines(server.store.reader()))
    server.close()
    again = start(tmp_path)
    assert list(lines(again.store.reader())) == before
    again.close()
