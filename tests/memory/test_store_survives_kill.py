"""kill -9 in the middle of anything: the store opens again, and every acknowledged change is there and can be found."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from remembering import graph_at

from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search

WRITER = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from remembering import add_clip, graph_at, random_unit, remember

    graph = graph_at(Path({path!r}))
    first = graph.store.reader().execute("SELECT coalesce(max(sequence) + 1, 0) FROM clips").fetchone()[0]
    print("open", flush=True)
    for number in range(first, first + 100_000):
        with graph.change() as change:
            clip = add_clip(change.db, number)
            face = change.new_entity("face", clip)
            change.learn("face", face, random_unit(number, 2), clip)
            for n in range(3):
                remember(change, clip, f"Marker{{number}}x{{n}} was seen.", number, about={{f"face_{{face}}": 1.0}})
        print(number, flush=True)
"""


def test_kill_9_in_the_middle_of_transactions(tmp_path: Path) -> None:
    path, rng = tmp_path / "memory.sqlite", random.Random(1)
    acknowledged: set[int] = set()
    for _ in range(6):
        code = textwrap.dedent(WRITER).format(tests=str(Path(__file__).parent), path=str(path))
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
        time.sleep(rng.random() * 0.15)
        writer.send_signal(signal.SIGKILL)
        acknowledged |= {int(line) for line in writer.stdout.read().split()}
        writer.wait()
    began = time.monotonic()
    graph = graph_at(path)
    assert time.monotonic() - began < 5
    try:
        db = graph.store.reader()
        stored = {row["sequence"] for row in db.execute("SELECT sequence FROM clips")}
        assert acknowledged <= stored and len(stored - acknowledged) <= 6
        assert stored == set(range(len(stored))), "no change is there in part, none is missing"
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        for table, each in (("memories", 3), ("edges", 3), ("entities", 1), ("persons", 1)):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == each * len(stored)
        assert len(graph.index) == 3 * len(stored) and len(graph.galleries["face"]) == len(stored)
        assert graph.store.generation() >= len(stored)
        for number in sorted(acknowledged)[:: max(1, len(acknowledged) // 20)]:
            (hit,) = search(db, graph.index, Query(f"Marker{number}x2"), 5)
            assert (
                db.execute("SELECT text FROM memories WHERE id = ?", (hit.memory,)).fetchone()[0]
                == f"Marker{number}x2 was seen."
            )
    finally:
        graph.store.close()
    assert len(acknowledged) > 10


def test_killed_while_the_store_is_made(tmp_path: Path) -> None:
    """Whatever there is of a file by then, the next start makes a store of it."""
    code = (
        "import sys; from pathlib import Path; from robot_memory.memory.storage.store import Store; "
        "print('x', flush=True); Store(Path(sys.argv[1]))"
    )
    for n in range(8):
        path = tmp_path / f"{n}.sqlite"
        maker = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        assert maker.stdout is not None and maker.stdout.readline() == b"x\n"
        time.sleep(n * 0.001)
        maker.send_signal(signal.SIGKILL)
        maker.wait()
        graph = graph_at(path)
        assert graph.store.damage is None and len(graph.index) == 0
        graph.store.close()
