"""`make demo`: a bag becomes memory through the real node graph, then the robot is asked about it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from robot_memory.control import terminal
from robot_memory.control.answer import Outcome
from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.perceived import truth_of
from robot_memory.memory.storage.store import Store

ASK = "ask.txt"  # beside a bag: what to ask about it, a question a line
ANY_BAG = ("Who was here?", "Who was here in the last minute?")


def demo(bag: Path | None, out: Path) -> int:
    """Replay `bag`, print people, timeline and answers; everything made lies in `out`."""
    from robot_memory.ros.replay import replay

    began = time.monotonic()
    bag = bag or sample_bag()
    questions, zone = _questions(bag), _zone(bag)
    store = out / f"memory-{time.strftime('%Y%m%d-%H%M%S')}.sqlite"
    out.mkdir(parents=True, exist_ok=True)
    print(f"demo: {bag} becomes a memory in {store}", file=sys.stderr)

    asked = False

    def then(player: Any) -> int:
        nonlocal asked
        with Store(store, readonly=True) as memory, memory.snapshot() as db:
            print("\nPeople")
            for line in terminal.people_lines(db, out / "people"):
                print(f"  {line}")
            print("\nTimeline")
            for line in terminal.timeline_lines(db):
                print(f"  {line}")
        print("\nQuestions")
        for question in questions:
            _ask(player, question)
        asked = True
        return 0

    code = replay(bag, str(store), zone=zone, then=then)
    if code == 0 and not asked:  # stopped on the way
        return 130
    if code == 0:
        print(f'\ndone in {time.monotonic() - began:.0f} s. Ask more: {sys.argv[0]} ask --store {store} "…"')
    return code


def sample_bag() -> Path:
    """The bag that comes with the source tree."""
    bag = Path(__file__).parents[3] / "tests/bags/day"
    if not bag.is_dir():
        raise RobotMemoryError("the sample bag comes with the source tree only: name a bag, robot-memory demo BAG")
    return bag


def _questions(bag: Path) -> tuple[str, ...]:
    path = bag / ASK
    return tuple(path.read_text("utf-8").splitlines()) if path.exists() else ANY_BAG


def _zone(bag: Path) -> str:
    """A rendered bag knows the zone that its day was lived in."""
    known = truth_of(bag)
    return known.zone if known else ""


def _ask(player: Any, text: str) -> None:
    """One question through the Answer action, with its evidence."""
    from robot_memory_msgs.action import Answer
    from robot_memory_msgs.msg import Question

    from robot_memory.ros.client import act

    print(f"  Q: {text}")
    result = act(player, Answer, "answer", Answer.Goal(question=Question(text=text)), lambda step: None, 30.0).result
    how = f"{Outcome(result.outcome).name}, confidence {result.confidence:.2f}, {result.rounds} rounds"
    print(f"  A: {result.text or result.message}   [{how}]")
    for one in result.evidence[:3]:
        print(f"       evidence: memory {one.memory_id}, clip {one.clip_id}: {one.text}  {one.snapshot_uri}")
