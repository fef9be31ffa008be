"""kill -9 while memories go to the archive and out of it: each is at hand, archived or counted as let go of."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from remembering import graph_at

from robot_memory.memory.storage.checking import check_pages, check_search

WRITER = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from remembering import add_clip, graph_at, random_unit, remember
    from robot_memory.memory.compression.archive import ArchiveBudget, trim

    graph = graph_at(Path({path!r}))
    first = graph.store.reader().execute("SELECT coalesce(max(sequence) + 1, 0) FROM clips").fetchone()[0]
    print("open", flush=True)
    for number in range(first, first + 100_000):
        with graph.change() as change:
            clip = add_clip(change.db, number)
            for n in range(4):
                remember(change, clip, f"Marker{{number}}x{{n}} was seen.", number)
            least = "SELECT id FROM memories WHERE archived = 0 ORDER BY id LIMIT max(0, ? - 40)"
            held = change.db.execute("SELECT items FROM held WHERE kind = 'memories'").fetchone()[0]
            change.archive([row[0] for row in change.db.execute(least, (held,))])
            trim(change.db, ArchiveBudget(20, 0))
        print(number, flush=True)
"""


def test_kill_9_while_memories_are_archived(tmp_path: Path) -> None:
    path, rng = tmp_path / "memory.sqlite", random.Random(2)
    acknowledged = 0
    for _ in range(4):
        code = textwrap.dedent(WRITER).format(tests=str(Path(__file__).parent), path=str(path))
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None and writer.stdout.readline() == "open\n"
        time.sleep(0.1 + rng.random() * 0.2)
        writer.send_signal(signal.SIGKILL)
        acknowledged += len(writer.stdout.read().split())
        writer.wait()
    graph = graph_at(path)
    try:
        assert graph.store.damage is None and check_pages(path, None).whole
        with graph.store.write() as db:
            assert check_search(db, None).whole and db.execute("PRAGMA foreign_key_check").fetchall() == []
        (clips,) = db.execute("SELECT count(*) FROM clips").fetchone()
        assert acknowledged <= clips <= acknowledged + 4 and clips > 20
        at_hand, archived = (
            db.execute("SELECT count(*) FROM memories WHERE archived = ?", (where,)).fetchone()[0] for where in (0, 1)
        )
        assert (at_hand, archived) == (40, 20) and len(graph.index) == 40
        held = {row["kind"]: row["items"] for row in db.execute("SELECT * FROM held")}
        assert (held["memories"], held["archive"]) == (at_hand, archived)
        gone = dict(db.execute("SELECT kind, items FROM evicted").fetchall())
        assert gone == {"memories": 4 * clips - at_hand, "archive": 4 * clips - at_hand - archived}
    finally:
        graph.close()
        graph.store.close()
