"""`robot-memory status`: the latched status of a running memory server, on a terminal."""

from __future__ import annotations

import re
import sys
import threading
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.ros.process import Process

WAIT_S = 5.0
STORE = "store"  # the key of the memory component's value that says which file it writes


def show(namespace: str) -> int:
    """Print the status; exit code 1 if no memory server is running."""
    process = Process("status")

    def work(executor: Any) -> int:
        from rclpy.node import Node
        from robot_memory_msgs.msg import MemoryStatus

        from robot_memory.ros import qos

        if not re.fullmatch(r"[A-Za-z0-9_/~]*", namespace):
            raise RobotMemoryError(f"--namespace {namespace}: letters, digits, _ and / only")
        node, heard, came = Node("robot_memory_status", namespace=namespace), [], threading.Event()

        def on_status(message: MemoryStatus) -> None:
            heard.append(message)
            came.set()

        node.create_subscription(MemoryStatus, "status", on_status, qos.LATCHED)
        executor.add_node(node)
        try:
            if not came.wait(WAIT_S):
                print(
                    f"no memory server answered within {WAIT_S:.0f} s: start one with robot-memory up", file=sys.stderr
                )
                return 1
            print("\n".join(lines(heard[-1])))
            return 0
        finally:
            executor.remove_node(node)
            node.destroy_node()

    return process.run(lambda: [], work, args=[])


def lines(status: Any) -> list[str]:
    """A status in words; sums reconcile."""
    recording = "on" if status.recording else "off"
    open_frames = status.frames_in - status.frames_used - status.frames_spare - status.frames_dropped
    return [
        f"session {status.session or '(none yet)'}, recording {recording}, generation {status.generation}",
        clips_line(status),
        f"frames: {frames_sum(status)} + {open_frames} open",
        f"audio gaps: {status.audio_gap_s:.1f} s",
        f"store {status.store_bytes:,} bytes, spool {status.spool_bytes:,} bytes",
        *(f"{part.name}: {'; '.join([part.message, *(v.value for v in part.values)])}" for part in status.components),
    ]


def clips_line(status: Any) -> str:
    """What became of the clips."""
    made = f"{status.clips_stored} stored + {status.clips_skipped} skipped + {status.clips_waiting} waiting"
    return f"clips: {status.clips_in} in = {made}"


def frames_sum(counts: Any) -> str:
    """What became of the frames, from a status or a watermark."""
    went = f"{counts.frames_used} used + {counts.frames_spare} spare + {counts.frames_dropped} dropped"
    return f"{counts.frames_in} in = {went}"
