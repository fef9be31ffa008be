"""A clip that was announced while it was being taken out is no trouble: it is stored."""

from __future__ import annotations

import threading
from pathlib import Path

from inspection import Undisturbed
from writing_server import start


def test_announced_while_it_is_taken_out(tmp_path: Path, life: Undisturbed) -> None:
    server, goes_on = start(tmp_path), threading.Event()
    try:
        (clip, *_) = life.clips
        server.spool.open_session(clip.session)
        place = server.spool.add(clip.observation)
        server.intake._lane.post(goes_on.wait)
        server.intake.clip_ready(place)
        server.spool.remove(place)
        goes_on.set()
        server.intake._lane.submit(lambda: None).result(20)
        assert server.intake.problems == {}
        assert server.store.reader().execute("SELECT count(*) FROM clips WHERE skipped != ''").fetchone()[0] == 0
    finally:
        goes_on.set()
        server.close()
