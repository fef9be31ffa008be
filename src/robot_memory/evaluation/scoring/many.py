"""Many trials, one process each: a trial that fails or whose process dies takes nothing else with it.

The figures do not depend on how many run at once: each trial runs alone in a fresh process with one thread, here or on
a Ray cluster, and what comes back is put in the order of the sources. Ctrl-C ends every process, and so does whatever
else ends this one.
"""

from __future__ import annotations

import importlib
import logging
import multiprocessing
import os
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import subjects
from robot_memory.evaluation.environment import environment
from robot_memory.evaluation.scoring.judge import Judge, NormalisedJudge
from robot_memory.evaluation.scoring.run import KS, run
from robot_memory.evaluation.scoring.score import Score, score
from robot_memory.evaluation.scoring.sources import Source
from robot_memory.evaluation.stopping import held_back, let_through
from robot_memory.evaluation.subject import Subject
from robot_memory.evaluation.trial import Trial

LOG = logging.getLogger("robot_memory.evaluation")
ENVIRONMENT = {  # one thread a process: as many as there are workers, and the same sums; and Ray tells nobody
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
}
Maker = Callable[[Path, Trial], Subject]  # must be picklable: a function of a module, or `by_name`
Progress = Callable[[str, float], None]  # source and share done


class RayMissing(RobotMemoryError):
    """Ray is not installed, or its cluster cannot be reached."""


@dataclass(frozen=True)
class Failure:
    """A source, or one memory in it, that gave no figures. `subject` is empty where the source itself failed."""

    source: str
    subject: str
    error: str


@dataclass(frozen=True)
class Evaluation:
    """Everything that came back, in the order of the sources and of the memories in each."""

    sources: tuple[str, ...]
    subjects: tuple[str, ...]
    scores: tuple[Score, ...]
    failures: tuple[Failure, ...]
    judge: str
    ks: tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """What one process has to do. Picklable."""

    source: Source
    makers: Mapping[str, Maker]
    ks: tuple[int, ...]
    judge: Judge
    folder: str  # where stores may lie; empty: the system's place


def by_name(names: Sequence[str]) -> dict[str, Maker]:
    """Makers of memories by their names in `subjects`. Raises SubjectUnknown."""
    for name in names:
        subjects.check(name)
    return {name: partial(subjects.make, name) for name in names}


def evaluate(
    sources: Sequence[Source],
    makers: Mapping[str, Maker],
    workers: int = 1,
    ray: str = "",
    ks: Sequence[int] = KS,
    judge: Judge | None = None,
    progress: Progress = lambda source, done: None,
) -> Evaluation:
    """Run every memory on every source. `ray`: the address of a cluster ("local" starts one here). What fails is in
    `failures`; raises RayMissing.
    """
    judge = judge or NormalisedJudge()
    with tempfile.TemporaryDirectory(prefix="robot-memory-") as folder, environment(ENVIRONMENT):
        tasks = [Task(source, makers, tuple(ks), judge, "" if ray else folder) for source in sources]
        done = _by_ray(tasks, ray, progress) if ray else _Processes(tasks, max(1, workers), progress).all()
    scores = tuple(one for own in done for one in own if isinstance(one, Score))
    failures = tuple(one for own in done for one in own if isinstance(one, Failure))
    names = tuple(source.name for source in sources)
    return Evaluation(names, tuple(makers), scores, failures, judge.name, tuple(ks))


def work(task: Task, progress: Callable[[float], None] = lambda done: None) -> list[Score | Failure]:
    """One source with every memory, in this process. Never raises but for an interrupt."""
    try:
        trial = task.source.open()
    except Exception as error:
        LOG.debug("%s failed", task.source.name, exc_info=True)
        return [_failure(task.source.name, "", error)]
    done: list[Score | Failure] = []
    for number, (name, maker) in enumerate(task.makers.items()):
        shown = partial(_part, progress, number, len(task.makers))
        try:
            done.append(_one(task, trial, name, maker, shown))
        except Exception as error:
            LOG.debug("%s failed on %s", name, task.source.name, exc_info=True)
            done.append(_failure(task.source.name, name, error))
    return done


def _one(task: Task, trial: Trial, name: str, maker: Maker, progress: Callable[[float], None]) -> Score:
    with tempfile.TemporaryDirectory(prefix=f"robot-memory-{name}-", dir=task.folder or None) as folder:
        subject = maker(Path(folder), trial)
        try:
            result = run(trial, subject, task.ks, progress)
        finally:
            subject.close()
    return score(trial, result, task.judge, task.ks, subject=name)


def _part(progress: Callable[[float], None], number: int, of: int, done: float) -> None:
    progress((number + done) / of)


def _failure(source: str, subject: str, error: Exception) -> Failure:
    if isinstance(error, RobotMemoryError):
        return Failure(source, subject, str(error))
    where = traceback.extract_tb(error.__traceback__)[-1:]
    at = f" ({Path(where[0].filename).name}, line {where[0].lineno})" if where else ""
    return Failure(source, subject, f"{type(error).__name__}: {error}{at}")


class _Processes:
    """Tasks in processes of their own, some at a time; `all` gives what came of each, in order."""

    def __init__(self, tasks: Sequence[Task], workers: int, progress: Progress) -> None:
        self._tasks, self._workers, self._progress = tasks, workers, progress
        self._running: dict[Connection, tuple[int, SpawnProcess]] = {}
        self._done: dict[int, list[Score | Failure]] = {}

    def all(self) -> list[list[Score | Failure]]:
        waiting = list(range(len(self._tasks)))
        try:
            while waiting or self._running:
                while waiting and len(self._running) < self._workers:
                    self._start(waiting.pop(0))
                for connection in wait(list(self._running)):
                    self._hear(connection)  # type: ignore[arg-type]
        finally:
            for connection, (_, process) in self._running.items():
                process.terminate()
                process.join()
                connection.close()
        return [self._done[number] for number in range(len(self._tasks))]

    def _start(self, number: int) -> None:
        task, context = self._tasks[number], multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_child, args=(theirs, task), name=task.source.name)
        ensure_running()  # Python's own helper process, whose start would let signals through again
        with held_back():  # a process that has begun is known to us, and Ctrl-C does not find it half imported
            try:
                process.start()
            except Exception as error:  # a source or a maker that cannot be pickled
                LOG.debug("%s cannot be sent to a process", task.source.name, exc_info=True)
                ours.close()
                self._finish(number, [_failure(task.source.name, "", error)])
                return
            finally:
                theirs.close()
            self._running[ours] = number, process

    def _hear(self, connection: Connection) -> None:
        number, process = self._running[connection]
        name = self._tasks[number].source.name
        try:
            heard = connection.recv()
        except (EOFError, OSError):  # it died without a word, or in the middle of one
            process.join()
            heard = [Failure(name, "", f"its process {_ended(process.exitcode)}")]
        if isinstance(heard, float):
            self._progress(name, heard)
            return
        del self._running[connection]
        process.join()
        connection.close()
        self._finish(number, heard)

    def _finish(self, number: int, heard: list[Score | Failure]) -> None:
        self._done[number] = heard
        self._progress(self._tasks[number].source.name, 1.0)


def _ended(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended with code {code}"
    return f"was ended by signal {-code}" + (": is there enough memory?" if code == -9 else "")


def _child(connection: Connection, task: Task) -> None:
    """The life of a process: Ctrl-C reaches the whole group, and the parent ends us."""
    let_through()
    last = 0

    def show(done: float) -> None:
        nonlocal last
        if (percent := int(done * 100)) > last:
            last = percent
            _send(connection, min(done, 0.99))

    _send(connection, work(task, show))
    connection.close()


def _send(connection: Connection, what: float | list[Score | Failure]) -> None:
    try:
        connection.send(what)
    except BrokenPipeError:  # the parent is gone, however it ended: nobody is left to tell
        raise SystemExit(1) from None


def _by_ray(tasks: Sequence[Task], address: str, progress: Progress) -> list[list[Score | Failure]]:
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise RayMissing("--ray needs Ray, which is not installed: pip install 'robot_memory[ray]'") from error
    here = address == "local"
    _reach(address)
    try:
        ray.init(address=address, log_to_driver=False, **({"include_dashboard": False} if here else {}))
    except ConnectionError as error:
        raise RayMissing(f"no Ray cluster answers at {address}: start one there, or use --workers") from error
    variables = ENVIRONMENT | ({"PYTHONPATH": os.pathsep.join(sys.path)} if here else {})
    try:
        remote = ray.remote(num_cpus=1, max_calls=1, runtime_env={"env_vars": variables})(work)
        waiting = {remote.remote(task): number for number, task in enumerate(tasks)}
        done: dict[int, list[Score | Failure]] = {}
        while waiting:
            (ready,), _ = ray.wait(list(waiting))
            number = waiting.pop(ready)
            name = tasks[number].source.name
            try:
                done[number] = ray.get(ready)
            except ray.exceptions.RayError as error:
                done[number] = [_failure(name, "", error)]
            progress(name, 1.0)
    finally:
        ray.shutdown()
    return [done[number] for number in range(len(tasks))]


def _reach(address: str) -> None:
    """Raises RayMissing where nobody listens at host:port: Ray itself would try for many minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise RayMissing(f"no Ray cluster answers at {address} ({error}): start one, or use --workers") from error
