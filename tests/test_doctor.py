"""`robot-memory doctor` says what is there, what is missing and what to do, whatever else is broken, and at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_memory.doctor.examination import examine
from robot_memory.doctor.finding import Check, Finding, State, ok
from robot_memory.doctor.probe import ProbeFailed, probe
from robot_memory.memory.store import Store


def doctor(home: Path, *args: str, **env: str) -> tuple[int, dict[str, list[dict[str, object]]], float]:
    """Exit code, findings by what they are about, seconds."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "robot_memory.cli", "doctor", "--json", *args],
        env=os.environ | {"ROBOT_MEMORY_HOME": str(home)} | env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    found: dict[str, list[dict[str, object]]] = {}
    for one in json.loads(done.stdout)["findings"]:
        found.setdefault(one["what"], []).append(one)
    return done.returncode, found, time.monotonic() - began


def without(tmp_path: Path, module: str, error: str) -> str:
    """A PYTHONPATH on which importing `module` raises `error`."""
    (tmp_path / "absent").mkdir(exist_ok=True)
    (tmp_path / "absent" / f"{module}.py").write_text(f"raise {error}\n")
    return os.pathsep.join([str(tmp_path / "absent"), os.environ.get("PYTHONPATH", "")])


def test_on_a_machine_that_has_everything_all_is_well_and_nobody_is_disturbed(tmp_path: Path) -> None:
    pytest.importorskip("robot_memory_msgs")
    with Store(tmp_path / "memory.sqlite") as store:
        code, found, seconds = doctor(tmp_path)
        with store.write():
            pass
    if found["models"][0]["state"] != "ok":
        pytest.skip("the models are not here")
    assert code == 0
    for what in ("python", "libraries", "ros", "transport", "interfaces", "sqlite", "memory", "disk", "onnxruntime"):
        assert [one["state"] for one in found[what]] == ["ok"], found[what]
    assert "0 memories" in str(found["memory"][0]["text"])
    assert found["writer"][0]["text"] == f"process {os.getpid()} is remembering"
    assert seconds < 5  # of which starting Python is a part


def test_without_ros_and_models_it_says_how_to_get_them(tmp_path: Path) -> None:
    path = without(tmp_path, "rclpy", "ImportError('no ROS here')")
    code, found, seconds = doctor(tmp_path, PYTHONPATH=path, ROBOT_MEMORY_MODELS=str(tmp_path / "none"))
    assert code == 1
    for what, remedy in (("ros", "make setup"), ("models", "robot-memory models fetch")):
        (one,) = found[what]
        assert one["state"] == "missing" and one["needed"] and remedy in str(one["remedy"])
    assert "no ROS here" in str(found["ros"][0]["text"])
    assert found["sqlite"][0]["state"] == "ok"
    assert seconds < 5


def test_a_microphone_that_cannot_be_used_is_no_reason_not_to_run(tmp_path: Path) -> None:
    path = without(tmp_path, "sounddevice", "OSError('PortAudio library not found')")
    code, found, _ = doctor(tmp_path, PYTHONPATH=path)
    (one,) = found["microphone"]
    assert one["state"] == "missing" and not one["needed"] and one["remedy"] == "sudo apt install libportaudio2"
    fatal = [f for all_ in found.values() for f in all_ if f["needed"] and f["state"] == "missing"]
    assert code == int(bool(fatal))


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(b"not a memory" * 1000)
    return path


def test_a_damaged_memory_is_reported(tmp_path: Path, damaged: Path) -> None:
    code, found, _ = doctor(tmp_path)
    assert code == 1 and found["memory"][0]["state"] == "missing" and str(damaged) in str(found["memory"][0]["text"])


def test_for_people_each_finding_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    env = os.environ | {"ROBOT_MEMORY_HOME": str(tmp_path), "ROBOT_MEMORY_MODELS": str(tmp_path), "ROS_DOMAIN_ID": "x"}
    command = [sys.executable, "-m", "robot_memory.cli", "doctor"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    *findings, empty, verdict = done.stdout.splitlines()
    assert not empty and "models missing" in verdict
    assert all(line.split()[0] in {state.value for state in State} for line in findings)
    assert all(" — " in line for line in findings if not line.startswith("ok"))
    assert any(line.startswith("warning") and "ROS_DOMAIN_ID=x" in line for line in findings)


def test_a_check_that_crashes_or_hangs_costs_one_line() -> None:
    def crash() -> Iterator[Finding]:
        yield ok("crash", "half of it")
        raise ZeroDivisionError("oh")

    def hang() -> list[Finding]:
        time.sleep(60)
        return []

    began = time.monotonic()
    found = examine([Check("crash", crash), Check("hang", hang), Check("well", lambda: [ok("well", "fine")])], 0.3)
    assert time.monotonic() - began < 1
    assert [(one.what, one.state) for one in found] == [
        ("crash", State.WARNING),
        ("hang", State.WARNING),
        ("well", State.OK),
    ]
    assert "ZeroDivisionError: oh" in found[0].text


def test_a_library_that_takes_its_process_down_is_told() -> None:
    with pytest.raises(ProbeFailed, match="SIGSEGV"):
        probe("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(ProbeFailed, match="No module named 'nothing_like_it'"):
        probe("import nothing_like_it")
    assert probe("print('noise'); print('[1, 2]')") == [1, 2]
