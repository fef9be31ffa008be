"""Who only reads a memory compares questions by the text model that it was made with."""

from __future__ import annotations

from pathlib import Path

import pytest
from searched import told_at

from robot_memory.control.service import profile_of
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.storage.store import Store


@pytest.mark.parametrize(
    ("model", "profile"), [("minilm-l6-v2-int8", "cpu"), ("wordllama-l2-256", "light"), ("nobody's", "cpu")]
)
def test_the_profile_is_that_of_the_newest_memory(
    tmp_path: Path, embedder: TextEmbedder, model: str, profile: str
) -> None:
    with told_at(tmp_path / "memory.sqlite", embedder):
        pass
    with Store(tmp_path / "memory.sqlite") as store:
        with store.write() as db:
            db.execute("UPDATE memories SET model = ?", (model,))
        assert profile_of(store.reader()).name == profile


def test_of_an_empty_memory_it_is_the_usual_one(tmp_path: Path) -> None:
    with Store(tmp_path / "memory.sqlite") as store:
        assert profile_of(store.reader()).name == "cpu"
