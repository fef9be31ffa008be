"""Many trials: the same figures with one worker or two, and what fails takes nothing else with it."""

from __future__ import annotations

import json
import os
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
from robot_memory.evaluation.subjects import SubjectUnknown
from robot_memory.evaluation.trial import Trial


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
        if self.mishap == "hangs":
            time.sleep(600)
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
    assert figure == {"mean": 0.7, "low": 0.7, "high": 0.7, "trials": 5}


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


def test_an_interrupt_ends_the_workers(tmp_path: Path) -> None:
    script = tmp_path / "hang.py"
    script.write_text(
        "from test_score_many_trials import Morning\nimport broken_memories as m\n"
        "from robot_memory.evaluation.scoring.many import evaluate\n"
        "if __name__ == '__main__':\n    print('begun', flush=True)\n"
        "    evaluate([Morning(1, 'hangs'), Morning(2, 'hangs')], {'perfect': m.Perfect}, workers=2)\n"
    )
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parent), *sys.path])
    env = os.environ | {"PYTHONPATH": path, "TMPDIR": str(tmp_path)}
    running = subprocess.Popen([sys.executable, str(script)], env=env, stdout=subprocess.PIPE, start_new_session=True)
    assert running.stdout and running.stdout.readline() == b"begun\n"
    time.sleep(2)
    running.send_signal(2)
    assert running.wait(20) != 0
    running.stdout.close()
    deadline = time.monotonic() + 10
    while _of_session(running.pid) and time.monotonic() < deadline:  # Python's own resource tracker leaves last
        time.sleep(0.05)
    assert not _of_session(running.pid)
    assert not list(tmp_path.glob("robot-memory-*"))  # nor are their stores left


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
