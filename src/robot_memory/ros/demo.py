"""`make demo`: a bag becomes memory through the real node graph, before one's eyes; then the robot is asked about it,
and all of it becomes a page.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from robot_memory.control import terminal
from robot_memory.control.answer import Outcome
from robot_memory.control.clock import Zone
from robot_memory.control.evidence import gather
from robot_memory.control.page.answers import Asked
from robot_memory.control.page.page import write
from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.perceived import truth_of
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Hit
from robot_memory.memory.storage.store import Store

ASK = "ask.txt"  # beside a bag: what to ask about it, a question a line
ANY_BAG = ("Who was here?", "Who was here in the last minute?")


def demo(bag: Path | None, out: Path) -> int:
    """Replay `bag` before the eyes of whoever looks on, ask about it, write one page of it all; it lies in `out`."""
    from robot_memory.ros.live_view import LiveView
    from robot_memory.ros.replay import replay

    began = time.monotonic()
    bag = bag or sample_bag()
    questions, zone = _questions(bag), _zone(bag)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    store, page = out / f"memory-{stamp}.sqlite", out / f"day-{stamp}.html"
    out.mkdir(parents=True, exist_ok=True)
    print(f"demo: {bag} becomes a memory in {store}\n\nThe robot lives its day", file=sys.stderr)
    asked: list[Asked] = []
    views: list[Any] = []

    def then(player: Any) -> int:
        with Store(store, readonly=True) as memory, memory.snapshot() as db:
            print("\nPeople")
            for line in terminal.people_lines(db, out / "people"):
                print(f"  {line}")
        print("\nQuestions")
        for question in questions:
            asked.append(_ask(player, question, store))
        with Store(store, readonly=True) as memory, memory.snapshot() as db:
            write(db, page, asked)
        return 0

    def first(player: Any) -> None:
        views.append(LiveView(player, Zone(zone)))

    code = replay(bag, str(store), zone=zone, first=first, then=then)
    if code == 0 and not asked:  # stopped on the way
        return 130
    if code == 0:
        print(f"\ndone in {time.monotonic() - began:.0f} s. The day as a page, for any browser: {page}")
        print(f'Ask more: {sys.argv[0]} ask --store {store} "…"')
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


def _ask(player: Any, text: str, store: Path) -> Asked:
    """One question through the Answer action, printed with its evidence."""
    from robot_memory_msgs.action import Answer
    from robot_memory_msgs.msg import Question

    from robot_memory.ros.client import act

    print(f"  Q: {text}")
    result = act(player, Answer, "answer", Answer.Goal(question=Question(text=text)), lambda step: None, 30.0).result
    how = f"{Outcome(result.outcome).name}, confidence {result.confidence:.2f}, {result.rounds} rounds"
    print(f"  A: {result.text or result.message}   [{how}]")
    for one in result.evidence[:3]:
        print(f"       because: {one.text}  {one.snapshot_uri}")
    with Store(store, readonly=True) as memory, memory.snapshot() as db:
        hits = [Hit(one.memory_id, 1.0, {}) for one in result.evidence if one.memory_id]
        cited = tuple(gather(db, People(db), hits))
    return Asked(text, result.text, Outcome(result.outcome), result.message, result.confidence, cited)
