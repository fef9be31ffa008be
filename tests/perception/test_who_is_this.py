"""`robot-memory who FILE`: the faces of a picture and the voices of a recording, by those the robot knows."""

from __future__ import annotations

import wave
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from robot_memory import cli
from robot_memory.config import PerceptionSettings
from robot_memory.control.recognise import recognise
from robot_memory.control.service import models_of
from robot_memory.devices.sources import SourceRefused
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.corrections import name_person
from robot_memory.memory.people.journal import Word
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import Frame

MEDIA = Path(__file__).parents[1] / "media"
SETTINGS = PerceptionSettings()


def remembered(path: Path, kind: str, vectors: Sequence[np.ndarray | None], name: str) -> Path:
    """A memory that knows somebody by a face or a voice."""
    graph = MemoryGraph(Store(path), models_of(load_profile(SETTINGS.profile)))
    with graph.change() as change:
        change.db.execute(
            "INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
            "VALUES ('s', '', '', 0, '', '', '')"
        )
        change.db.execute("INSERT INTO clips VALUES (1, 's', 0, 0, 30, 1, 1, '', 0)")
        entity = change.new_entity(kind, 1)
        change.learn(kind, entity, np.stack([one for one in vectors if one is not None]), 1)
        name_person(change.db, "person_1", name, Word("operator", "", 0))
    graph.store.close()
    return path


@pytest.fixture
def store(tmp_path: Path, senses: Senses, hopper: bytes) -> Path:
    """A memory that knows Grace by her face."""
    (grace,) = senses.eyes.look(Frame(0, hopper))
    return remembered(tmp_path / "memory.sqlite", "face", [grace.embedding], "Grace")


def names(path: Path, file: Path) -> list[str]:
    with Store(path, readonly=True) as store, store.snapshot() as db:
        return [one.person.name if one.person else "" for one in recognise(db, file, SETTINGS)]


def test_a_face_is_known_in_another_picture_of_it(store: Path, tmp_path: Path) -> None:
    picture = cv2.imread(str(MEDIA / "grace_hopper.jpg"))
    darker = cv2.convertScaleAbs(cv2.resize(picture, None, fx=0.6, fy=0.6), alpha=0.6)
    cv2.imwrite(str(tmp_path / "dark.png"), darker)
    assert names(store, tmp_path / "dark.png") == ["Grace"]


def test_a_stranger_is_nobody(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert names(store, MEDIA / "astronaut.jpg") == [""]
    assert cli.main(["who", str(MEDIA / "astronaut.jpg"), "--store", str(store)]) == 2
    assert "nobody I know" in capsys.readouterr().out


def test_two_in_one_picture(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (cv2.imread(str(MEDIA / f"{name}.jpg")) for name in ("grace_hopper", "astronaut"))
    height = min(one.shape[0], other.shape[0])
    cv2.imwrite(str(tmp_path / "both.jpg"), np.hstack([one[:height], other[:height]]))
    assert sorted(names(store, tmp_path / "both.jpg")) == ["", "Grace"]
    assert cli.main(["who", str(tmp_path / "both.jpg"), "--store", str(store)]) == 0
    assert "Grace (person_1), cosine" in capsys.readouterr().out


def test_a_voice_is_known_in_another_recording(
    tmp_path: Path, senses: Senses, speech: dict[str, list[np.ndarray]]
) -> None:
    mine, other = list(speech.values())[:2]
    heard = [senses.ears.embedder.embed(samples) for samples in mine[:4]]
    path = remembered(tmp_path / "memory.sqlite", "voice", heard, "Reader")
    for name, samples, whose in (("same.wav", mine[5], "Reader"), ("other.wav", other[5], "")):
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16_000)
            file.writeframes(samples.tobytes())
        assert set(names(path, tmp_path / name)) == {whose}


def test_what_is_no_picture_is_told(store: Path, tmp_path: Path) -> None:
    (tmp_path / "torn.jpg").write_bytes(b"\xff\xd8\xff\xe0 torn")
    (tmp_path / "words.wav").write_text("no sound")
    for name in ("torn.jpg", "words.wav", "missing.jpg"):
        with pytest.raises(SourceRefused):
            names(store, tmp_path / name)
