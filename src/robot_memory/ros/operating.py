"""Corrections and upkeep through the services of a running memory server, for the command line.

Only the server that writes the very file in question will do: another one's people have the same ids.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from robot_memory.control.operator import Corrected, Correction, Merge, Name, Split
from robot_memory.control.upkeep import Finished, Report
from robot_memory.errors import RobotMemoryError
from robot_memory.memory.people.journal import Word
from robot_memory.ros.process import Process
from robot_memory.ros.status import STORE

FIND_S, ANSWER_S, UPKEEP_S = 5.0, 30.0, 7 * 86_400.0


class Declined(RobotMemoryError):
    """The memory server did not do it; the words are its own."""


class ServerNotFound(RobotMemoryError):
    """The process that writes the memory is no memory server that can be reached."""


def correct(store: Path, namespace: str, wanted: Correction, word: Word) -> Corrected:
    """Make a correction by service. Raises ServerNotFound, Declined, NoAnswer."""

    def work(node: Any, stop: threading.Event) -> Any:
        from robot_memory.ros.client import call

        return call(node, *_request(wanted, word), ANSWER_S, stop)

    answer = _at_the_server(store, namespace, work)
    _check(answer)
    change = answer.new_change_id if hasattr(answer, "new_change_id") else answer.change_id
    return Corrected(change, answer.message, getattr(answer, "new_person_id", ""))


def reembed(store: Path, namespace: str, report: Report) -> Finished:
    """Have vectors made anew. Raises ServerNotFound, Declined, NoAnswer."""
    return _maintain(store, namespace, "REEMBED", report)


def reindex(store: Path, namespace: str, report: Report) -> Finished:
    """Have the index of vectors made anew. Raises ServerNotFound, Declined, NoAnswer."""
    return _maintain(store, namespace, "REBUILD_INDEX", report)


def consolidate(store: Path, namespace: str, report: Report) -> Finished:
    """Have rules made of what repeats. Raises ServerNotFound, Declined, NoAnswer."""
    return _maintain(store, namespace, "CONSOLIDATE", report)


def _maintain(store: Path, namespace: str, task: str, report: Report) -> Finished:
    def work(node: Any, stop: threading.Event) -> Any:
        from robot_memory_msgs.action import Maintain

        from robot_memory.ros.client import act

        def show(feedback: Any) -> None:
            report(feedback.stage, feedback.fraction)

        goal = Maintain.Goal(task=getattr(Maintain.Goal, task))
        return act(node, Maintain, "maintain", goal, show, UPKEEP_S, stop)

    answer = _at_the_server(store, namespace, work)
    _check(answer)
    return Finished(answer.message, answer.done)


def _request(wanted: Correction, word: Word) -> tuple[Any, str, Any]:
    """The service's type and name, and what to ask of it."""
    from robot_memory_msgs.srv import MergePersons, NamePerson, SplitPerson, UndoChange

    said = {"actor": word.actor, "reason": word.reason}
    if isinstance(wanted, Name):
        return NamePerson, "name_person", NamePerson.Request(person_id=wanted.person, name=wanted.name, **said)
    if isinstance(wanted, Merge):
        request = MergePersons.Request(keep_id=wanted.keep, merge_id=wanted.other, **said)
        return MergePersons, "merge_persons", request
    if isinstance(wanted, Split):
        request = SplitPerson.Request(person_id=wanted.person, entities=list(wanted.entities), **said)
        return SplitPerson, "split_person", request
    return UndoChange, "undo_change", UndoChange.Request(change_id=wanted.change, **said)


def _check(answer: Any) -> None:
    from robot_memory_msgs.msg import Outcome

    if answer.outcome != Outcome.DONE:
        raise Declined(answer.message or f"the memory server answered with outcome {answer.outcome}")


def _at_the_server(store: Path, namespace: str, work: Callable[[Any, threading.Event], Any]) -> Any:
    """What `work` brings, given a node beside the server that writes `store`. Ctrl-C raises KeyboardInterrupt."""
    process, found = Process("robot-memory", quiet=True), list[Any]()
    if not re.fullmatch(r"[A-Za-z0-9_/~]*", namespace):
        raise RobotMemoryError(f"--namespace {namespace}: letters, digits, _ and / only")

    def visit(executor: Any) -> int:
        from rclpy.node import Node

        node = Node(f"robot_memory_operator_{os.getpid()}", namespace=namespace)
        executor.add_node(node)
        try:
            _meet(node, store, process.stop)
            found.append(work(node, process.stop))
        except RobotMemoryError as error:
            found.append(error)
        finally:
            executor.remove_node(node)
            node.destroy_node()
        return 0

    process.run(lambda: [], visit, args=[])
    if process.signalled:
        raise KeyboardInterrupt
    if not found:
        raise ServerNotFound("ROS could not be started: see above")
    if isinstance(found[0], RobotMemoryError):
        raise found[0]
    return found[0]


def _meet(node: Any, store: Path, stop: threading.Event) -> None:
    """Wait for the server that writes `store` to tell of itself. Raises ServerNotFound."""
    from robot_memory_msgs.msg import MemoryStatus

    from robot_memory.ros import qos

    told: list[MemoryStatus] = []
    subscription = node.create_subscription(MemoryStatus, "status", told.append, qos.LATCHED)
    where, deadline = f"the namespace {node.get_namespace()}", time.monotonic() + FIND_S
    try:
        while time.monotonic() < deadline and not stop.is_set():
            if stores := [path for status in list(told) if (path := _store_of(status))]:
                if not any(_same(path, store) for path in stores):
                    raise ServerNotFound(
                        f"the memory server in {where} writes {stores[0]}; {store} is written by another process: "
                        "stop it, or say --namespace"
                    )
                if node.count_publishers("status") > 1:
                    raise ServerNotFound(f"several memory servers run in {where}: stop all but one")
                return
            time.sleep(0.02)
    finally:
        node.destroy_subscription(subscription)
    raise ServerNotFound(
        f"{store} is being written by another process, and no memory server answered within {FIND_S:.0f} s in {where}: "
        "stop it, or say --namespace"
    )


def _store_of(status: Any) -> str:
    return next((str(v.value) for part in status.components for v in part.values if v.key == STORE), "")


def _same(path: str, store: Path) -> bool:
    try:
        return os.path.samefile(path, store)
    except OSError:
        return False
