"""`robot-memory doctor` says what is there, what is missing and what to do, whatever else is broken, and at once."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from robot_memory.config import StoreSettings
from robot_memory.doctor.belongings import models
from robot_memory.doctor.commands import checks
from robot_memory.doctor.examination import examine
from robot_memory.doctor.finding import Check, Finding, State, ok
from robot_memory.doctor.middleware import network
from robot_memory.doctor.probe import ProbeFailed, probe
from robot_memory.memory.storage.store import Store


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


def test_damage_inside_a_memory_is_told_and_what_heals_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    Store(path).close()
    with closing(sqlite3.connect(path)) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns_entity'").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    _, found, _ = doctor(tmp_path)
    (one,) = found["memory"]
    assert one["state"] == "warning" and "is damaged" in str(one["text"]) and "robot-memory up" in str(one["remedy"])


def test_memories_that_were_kept_aside_are_told(tmp_path: Path) -> None:
    Store(tmp_path / "memory.sqlite").close()
    assert "copies" not in doctor(tmp_path)[1]
    for ending in (".damaged-20260131T120000Z", ".damaged-20260131T120000Z-wal", ".format-1-20260131T120000Z"):
        (tmp_path / f"memory.sqlite{ending}").write_bytes(bytes(1_000_000))
    (one,) = doctor(tmp_path)[1]["copies"]
    assert one["state"] == "warning" and "3 files of older memories, 3.0 MB" in str(one["text"])
    removed = str(one["remedy"])
    assert f"{tmp_path}/memory.sqlite.damaged-*" in removed and ".format-*" in removed and ".replaced" not in removed


def missing(found: dict[str, list[dict[str, object]]], what: str) -> str:
    """Text and remedy of the one finding on a thing that is needed and not there."""
    (one,) = found[what]
    assert one["state"] == "missing" and one["needed"] and one["remedy"], one
    return f"{one['text']} — {one['remedy']}"


@pytest.mark.parametrize("profile", ["nope", "", "../../etc/passwd"])
def test_a_profile_that_is_not_there_is_missing_and_those_that_are_there_are_named(profile: str) -> None:
    (one,) = models(profile)
    assert one.fatal and one.text.endswith("(there are: cpu, light)") and one.remedy == "--profile cpu"


@pytest.fixture
def maze(tmp_path: Path) -> Path:
    """A folder with a file, a link to itself, links to nothing, and a pipe."""
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "astray").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def belongings_of(store: str) -> list[Finding]:
    about = ("memory", "spool", "disk")
    return examine([one for one in checks(StoreSettings(path=store), "cpu") if one.name in about], 2.0)


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ("file/memory.sqlite", "file is a file, not a folder"),
        ("file/a/b/memory.sqlite", "file is a file, not a folder"),
        ("loop/memory.sqlite", "Too many levels of symbolic links"),
        ("astray/memory.sqlite", "is a link to a folder that is not there"),
        ("astray", "is a link to a file that is not there"),
        ("pipe", "is there, and is no file"),
        (".", "is there, and is no file"),
        ("x" * 300, "File name too long"),
        ("x" * 250, "is longer than"),
        ("new/" + "x" * 300 + "/memory.sqlite", "is longer than"),
        ("~nobody-of-that-name/memory.sqlite", "write the whole path"),
    ],
)
def test_where_no_memory_can_lie_it_is_missing(
    maze: Path, monkeypatch: pytest.MonkeyPatch, store: str, words: str
) -> None:
    monkeypatch.chdir(maze)
    found = belongings_of(store)
    of = {one.what: one for one in found}
    assert of["memory"].fatal and words in of["memory"].text and of["memory"].remedy
    assert of["disk"].fatal and "could not be told" not in "".join(one.text for one in found)


@pytest.mark.parametrize(
    "store", ["new/and/newer/memory.sqlite", "x" * 210, "y" * 250 + "/memory.sqlite", "memory.sqlite"]
)
def test_where_a_memory_can_lie_nothing_is_missing(maze: Path, monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    monkeypatch.chdir(maze)
    found = belongings_of(store)
    assert not [one for one in found if one.fatal]
    with Store(maze / store):
        pass


def test_a_home_below_a_file_is_missing(maze: Path) -> None:
    code, found, _ = doctor(maze / "file" / "home")
    assert code == 1 and "set ROBOT_MEMORY_HOME or --store" in missing(found, "memory")


@pytest.mark.parametrize(
    ("domain", "state"),
    [("abc", "missing"), ("500", "missing"), ("233", "missing"), ("-1", "missing"), ("9" * 5000, "missing")]
    + [("232", "warning"), ("102", "warning"), ("101", "ok"), ("", "ok")],
)
def test_a_domain_in_which_nothing_starts_is_missing(monkeypatch: pytest.MonkeyPatch, domain: str, state: str) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", domain)
    one = next(found for found in network() if found.what == "domain")
    assert one.state is State(state) and one.needed == (state == "missing")
    assert (state == "ok") or "export ROS_DOMAIN_ID=0" in one.remedy


def test_a_locked_memory_is_told_in_time(tmp_path: Path) -> None:
    with Store(tmp_path / "memory.sqlite"):
        pass
    with closing(sqlite3.connect(tmp_path / "memory.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        code, found, seconds = doctor(tmp_path)
    assert code == 1 and "is locked by another program" in missing(found, "memory")
    assert seconds < 3


def test_for_programs_it_is_json_whatever_the_home_is_called(tmp_path: Path) -> None:
    home = os.fsencode(tmp_path) + b"/h\xff\xe4"
    env = os.environb | {b"ROBOT_MEMORY_HOME": home, b"LC_ALL": b"C"}
    command = [sys.executable, "-m", "robot_memory.cli", "doctor", "--json"]
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert "/h??" in str(json.loads(done.stdout.decode("ascii"))["findings"])


def test_for_people_each_finding_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    env = os.environ | {"ROBOT_MEMORY_HOME": str(tmp_path), "ROBOT_MEMORY_MODELS": str(tmp_path), "ROS_DOMAIN_ID": "x"}
    command = [sys.executable, "-m", "robot_memory.cli", "doctor"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    *findings, empty, verdict = done.stdout.splitlines()
    assert not empty and "models missing" in verdict
    assert all(line.split()[0] in {state.value for state in State} for line in findings)
    assert all(" — " in line for line in findings if not line.startswith("ok"))
    assert any(line.startswith("missing") and "ROS_DOMAIN_ID=x" in line for line in findings)


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
