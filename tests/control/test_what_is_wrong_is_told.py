"""What a person should know about a memory is among the warnings of the service, for its status."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control.service import MemoryService
from robot_memory.lanes import Traffic
from robot_memory.memory.storage.store import Store
from told import Story


def warnings(path: Path) -> list[str]:
    where = StoreSettings(path=str(path))
    service = MemoryService(where, StreamSettings(), PerceptionSettings(), AnswerSettings(), Traffic())
    try:
        return service.warnings()
    finally:
        service.close()


def test_a_whole_memory_gives_none_a_damaged_one_says_what_was_saved(story: Story) -> None:
    story.clip({"anna": (0, 20)}, [("anna", 2.0, 8.0, "My name is Anna.")])
    path = story.graph.store.path
    story.graph.store.close()
    assert warnings(path) == []
    break_an_index(path)
    (told,) = warnings(path)
    assert "was found damaged" in told and "is kept" in told
    assert warnings(path) == [], "once"


def test_memories_of_another_model_are_counted(story: Story) -> None:
    story.clip({"anna": (0, 20)}, [("anna", 2.0, 8.0, "My name is Anna.")])
    path = story.graph.store.path
    story.graph.store.close()
    with Store(path) as store, store.write() as db:
        count = db.execute("UPDATE memories SET model = 'an older one'").rowcount
    assert warnings(path) == [f"{count} memories have vectors of another model: robot-memory reembed"]


def break_an_index(path: Path) -> None:
    """Write over one page."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns_entity'").fetchone()[0]
        size = db.execute("PRAGMA page_size").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
