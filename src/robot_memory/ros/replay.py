"""`robot-memory replay`: a bag into memory, with a graph of its own or through one that runs already (--attach).

A graph of its own lives in a namespace of its own, the bag's topics included: a recording must never reach the eyes and
ears of a robot that happens to run in the same ROS domain.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from robot_memory.errors import Cancelled, RobotMemoryError
from robot_memory.ros.process import Process
from robot_memory.ros.status import clips_line, frames_sum
from robot_memory.streams.bag import Bag


def overrides_for(bag: Bag, store: str, lockstep: bool, settings: dict[str, Any]) -> dict[str, Any]:
    """Parameters that make a graph in a namespace listen to what the bag holds."""
    topics = {topic.stream: topic for topic in bag.topics}
    values: dict[str, Any] = {
        "store.path": store,
        "image_reliability": "reliable" if lockstep else "best_effort",
    }
    for stream in ("image", "audio", "pose"):
        values[f"{stream}_topic"] = topics[stream].name.lstrip("/") if stream in topics else ""
    if "audio" in topics:
        values["audio_type"] = topics["audio"].type
    return values | settings


def replay(
    bag_path: Path,
    store: str = "",
    rate: float | None = None,
    into: bool = False,
    zone: str = "",
    attach: bool = False,
    quiet: bool = False,
    settings: dict[str, Any] | None = None,
    first: Any = None,
    then: Any = None,
) -> int:
    """Replay a bag and print what became of it; returns the exit code. `first(player)` runs before the first message is
    sent, `then(player)` before the graph stops.
    """
    process = Process("replay")
    namespace = "" if attach else f"replay_{os.getpid()}"
    with Bag(bag_path, installed) as bag:
        for note in [bag.damage] * bool(bag.damage) + bag.missing():
            print(f"replay: {note}", file=sys.stderr)

        def build() -> Sequence[Any]:
            from robot_memory.ros import up

            return [] if attach else up.nodes(overrides_for(bag, store, rate is None, settings or {}), namespace)

        def work(executor: Any) -> int:
            from robot_memory.ros.player import Player

            player = Player(bag, process.stop, quiet, namespace)
            executor.add_node(player)
            try:
                if first is not None:
                    first(player)
                outcome = player.play(rate, into, zone)
                print(summary(outcome), flush=True)
                return then(player) if then is not None else int(not any(outcome.sent.values()))
            except Cancelled as stopped:
                print(f"replay: {stopped}", file=sys.stderr)
                return 0
            except RobotMemoryError as error:
                if process.stop.is_set():
                    print("replay: stopped: replay the bag again to finish it", file=sys.stderr)
                    return 0
                print(f"replay: {error}", file=sys.stderr)
                return 1
            finally:
                executor.remove_node(player)
                player.destroy_node()

        return process.run(build, work, args=[])


def summary(outcome: Any) -> str:
    """What was sent, what arrived, what was made of it; the sums reconcile."""
    sent, mark = outcome.sent, outcome.mark
    lines = [
        clips_line(outcome.status),
        f"frames: {sent.get('image', 0)} sent, {outcome.lost('image')} lost on the way; {frames_sum(mark)}",
        f"audio: {sent.get('audio', 0)} chunks sent, {outcome.lost('audio')} lost on the way, "
        f"gaps of {mark.audio_gap_s:.1f} s",
    ]
    lines += [f"note: {problem}" for problem in mark.problems]
    if outcome.unstamped:
        lines.append(f"note: {outcome.unstamped} messages without a stamp: the time of recording is used")
    lines += [
        f"note: {count} {stream} messages are {fault}: they are passed over"
        for (stream, fault), count in outcome.unreadable.items()
    ]
    return "\n".join(lines + ([f"note: {outcome.torn}"] if outcome.torn else []))


def installed(type_name: str) -> bool:
    """Can messages of this type be published here?"""
    return importlib.util.find_spec(type_name.split("/")[0]) is not None
