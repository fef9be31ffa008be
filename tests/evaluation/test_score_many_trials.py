"""Many trials: the same figures with one worker or two, and what fails takes nothing else with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import broken_memories as memories
import pytest
import small_trial

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.scoring.many import Evaluation, Failure, RayMissing, by_name, evaluate
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.stopping import like_ctrl_c
from robot_memory.evaluation.subjects import SubjectUnknown
from robot_memory.evaluation.trial import Trial

SIGNALS = {"killed": signal.SIGKILL, "segfaults": signal.SIGSEGV}


@dataclass(frozen=True)
class Morning:
    """The small trial under another name, or a mishap."""

    number: int
    mishap: str = ""

    @property
    def name(self) -> str:
        return f"morning {self.number}"

    def open(self) -> Trial:
        if self.mishap == "raises":
            raise RobotMemoryError("this morning was never recorded: record it")
        if self.mishap == "dies":
            os._exit(9)
        if self.mishap in SIGNALS:
            os.kill(os.getpid(), SIGNALS[self.mishap])
        if self.mishap == "hangs":
            time.sleep(600)
        if self.mishap == "waits":
            time.sleep(4)
        return replace(small_trial.trial(), name=self.name)


MAKERS = {"perfect": memories.Perfect, "drops": memories.DropsEachThirdSentence, "unmade": memories.CannotBeMade}


def steady(evaluation: Evaluation) -> dict[str, Any]:
    """The summary without what differs from run to run."""
    known = json.loads(json.dumps(summarise(evaluation, "mornings")))
    return {key: value for key, value in known.items() if key not in ("made", "timings")}


def test_one_worker_or_two_give_the_same_and_a_failure_costs_nobody_else() -> None:
    mornings = [Morning(1), Morning(2, "raises"), Morning(3, "dies"), Morning(4)]
    heard: dict[str, float] = {}
    one = evaluate(mornings, MAKERS, workers=1)
    two = evaluate(mornings, MAKERS, workers=2, progress=heard.__setitem__)
    assert steady(one) == steady(two)
    assert [(s.trial, s.subject) for s in one.scores] == [
        (f"morning {n}", who) for n in (1, 4) for who in ("perfect", "drops")
    ]
    assert [(f.source, f.subject) for f in one.failures] == [
        ("morning 1", "unmade"),
        ("morning 2", ""),
        ("morning 3", ""),
        ("morning 4", "unmade"),
    ]
    assert one.failures[1] == Failure("morning 2", "", "this morning was never recorded: record it")
    assert "no such model" in one.failures[0].error and "code 9" in one.failures[2].error
    assert heard == {f"morning {n}": 1.0 for n in range(1, 5)}


def test_intervals_come_with_several_trials() -> None:
    mornings = [Morning(n) for n in range(1, 6)]
    known = steady(evaluate(mornings, {"drops": memories.DropsEachThirdSentence}, workers=2))
    figure = known["subjects"]["drops"]["figures"]["answerable.right"]
    assert figure == {"mean": 0.7, "low": 0.7, "high": 0.7, "trials": 5, "total": 35, "weight": 50}


class Local:
    """A source that cannot be sent to another process."""

    name = "local"

    def __init__(self) -> None:
        self.open = lambda: small_trial.trial()


def test_a_source_that_cannot_be_sent_is_reported() -> None:
    done = evaluate([Local(), Morning(1)], {"perfect": memories.Perfect})
    assert [f.source for f in done.failures] == ["local"] and len(done.scores) == 1


def test_unknown_memories_are_refused_with_the_known_ones() -> None:
    with pytest.raises(SubjectUnknown, match="memory"):
        by_name(["memory", "memmory"])


def test_ray_does_the_same_and_its_absence_is_said() -> None:
    try:
        import ray  # noqa: F401
    except ImportError:
        with pytest.raises(RayMissing, match="pip install"):
            evaluate([Morning(1)], MAKERS, ray="local")
    else:
        with pytest.raises(RayMissing, match=r"127\.0\.0\.1:1"):
            evaluate([Morning(1)], MAKERS, ray="127.0.0.1:1")
        far = steady(evaluate([Morning(1), Morning(2, "raises")], MAKERS, ray="local"))
        assert far == steady(evaluate([Morning(1), Morning(2, "raises")], MAKERS))


@pytest.mark.parametrize("how", ["ctrl-c", "terminal closed", "kill", "kill -9"])
def test_whatever_ends_it_ends_the_workers_and_leaves_nothing(how: str, tmp_path: Path) -> None:
    """Ctrl-C and a closed terminal reach every process, a kill the first alone; of kill -9 only the folder is left."""
    script = tmp_path / "long.py"
    script.write_text(
        "import signal, sys\nfrom test_score_many_trials import Morning\nimport broken_memories as m\n"
        "from robot_memory.evaluation.scoring.many import evaluate\n"
        "from robot_memory.evaluation.stopping import like_ctrl_c\n"
        # whoever runs the tests in the background ignores both, and we would inherit that
        "signal.signal(signal.SIGINT, signal.default_int_handler)\nsignal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
        "if __name__ == '__main__':\n    print('begun', flush=True)\n    try:\n        with like_ctrl_c():\n"
        "            evaluate([Morning(1, 'waits'), Morning(2, 'hangs')], {'perfect': m.Perfect}, workers=2)\n"
        "    except KeyboardInterrupt:\n        sys.exit(130)\n"
    )
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parent), *sys.path])
    env = os.environ | {"PYTHONPATH": path, "TMPDIR": str(tmp_path)}
    with (tmp_path / "said").open("wb") as said:
        running = subprocess.Popen(
            [sys.executable, str(script)], env=env, stdout=subprocess.PIPE, stderr=said, start_new_session=True
        )
        assert running.stdout and running.stdout.readline() == b"begun\n"
        time.sleep(0.2 if how == "ctrl-c" else 1.5)  # while the processes are being begun; in the midst of it
        if how in ("ctrl-c", "terminal closed"):
            os.killpg(running.pid, signal.SIGINT if how == "ctrl-c" else signal.SIGHUP)
        else:
            running.send_signal(signal.SIGTERM if how == "kill" else signal.SIGKILL)
        assert running.wait(20) == (-9 if how == "kill -9" else 130)
        running.stdout.close()
    if how == "kill -9":
        (hanging,) = [one for one in _soon(running.pid, 2) if b"spawn_main" in _line(one)] or [0]
        if hanging:
            os.kill(hanging, signal.SIGKILL)  # it hangs on purpose, and nobody is left to end it
    assert not _soon(running.pid, 0)  # Python's own resource tracker leaves last
    assert how == "kill -9" or not list(tmp_path.glob("robot-memory-*"))  # nor are their stores left
    assert "Traceback" not in (tmp_path / "said").read_text()


def test_a_process_that_a_signal_ended_says_which() -> None:
    done = evaluate([Morning(1, "killed"), Morning(2, "segfaults")], {"perfect": memories.Perfect}, workers=2)
    assert [f.error for f in done.failures] == [
        "its process was ended by signal 9: is there enough memory?",
        "its process was ended by signal 11",
    ]


def test_signals_mean_what_they_meant_before() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(KeyboardInterrupt), like_ctrl_c():
        signal.raise_signal(signal.SIGTERM)
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)] == before


def _line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _soon(session: int, left: int) -> list[int]:
    """Who is left of a session once there are no more than `left`, or 10 seconds are over."""
    deadline = time.monotonic() + 10
    while len(found := _of_session(session)) > left and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _of_session(session: int) -> list[int]:
    """Processes that are still in a session (its number is its first process's)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found
