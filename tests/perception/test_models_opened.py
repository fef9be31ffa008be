"""Models run on what the machine has, say so, and a missing or broken file says what to do."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelCorrupt, ModelMissing, SettingsInvalid
from robot_memory.models.manifest import load_profile
from robot_memory.perception.runtime import CPU, open_session
from robot_memory.perception.senses import open_senses


@pytest.fixture
def model(senses):
    return senses.eyes.detector.session.path


def test_senses_say_what_they_run_and_what_they_embed_with(senses):
    profile = load_profile("cpu")
    assert set(senses.running) == {
        "face_detection", "face_embedding", "voice_activity", "speaker_embedding", "transcription",
    }  # fmt: skip
    for role in ("face_embedding", "speaker_embedding"):
        assert senses.embedders[role] == profile.model(role).name
    assert senses.same_face == profile.model("face_embedding").threshold("accept")


def test_a_wish_that_cannot_be_granted_is_logged_and_told(model, caplog):
    pytest.importorskip("onnxruntime")
    with caplog.at_level(logging.INFO, "robot_memory"):
        session = open_session(model, ["TensorrtExecutionProvider"])
    if session.running == "TensorrtExecutionProvider":
        pytest.skip("this machine has TensorRT")
    assert session.asked == "TensorrtExecutionProvider"
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert f"running {session.running}" in record.getMessage()


def test_the_cpu_can_be_asked_for(model, caplog):
    with caplog.at_level(logging.WARNING, "robot_memory"):
        session = open_session(model, [CPU], threads=2)
    assert session.running == session.asked == CPU
    assert not caplog.records


def test_a_missing_file_says_how_to_get_it(tmp_path):
    with pytest.raises(ModelMissing, match=r"none\.onnx is not there .* robot-memory models fetch"):
        open_session(tmp_path / "none.onnx")


@pytest.mark.parametrize("damage", ["nothing", "words", "half"])
def test_a_broken_file_says_so(tmp_path, model, damage):
    whole = model.read_bytes()
    path = tmp_path / "broken.onnx"
    path.write_bytes({"nothing": b"", "words": b"no model" * 99, "half": whole[: len(whole) // 2]}[damage])
    with pytest.raises(ModelCorrupt, match="robot-memory models verify"):
        open_session(path)


def test_a_profile_without_its_weights_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("ROBOT_MEMORY_MODELS", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ModelMissing, match="robot-memory models fetch"):
        open_senses(PerceptionSettings())


def test_an_unknown_profile_is_refused():
    with pytest.raises(SettingsInvalid):
        open_senses(PerceptionSettings(profile="abacus"))


def test_importing_perception_loads_nothing_heavy():
    """The command line imports these; it must stay quick."""
    names = "perceive senses faces tracking speech transcription voices runtime pictures keyframes"
    imports = "; ".join(f"import robot_memory.perception.{name}" for name in names.split())
    heavy = "{'cv2', 'onnxruntime', 'faster_whisper', 'ctranslate2', 'av', 'scipy'}"
    code = f"{imports}; import sys; print(sorted({heavy} & set(sys.modules)))"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert out.stdout.strip() == "[]"
