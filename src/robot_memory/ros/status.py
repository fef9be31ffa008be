"""`robot-memory status`: the latched status of a running memory server, on a terminal."""

from __future__ import annotations

import sys
import threading
from typing import Any

from robot_memory.ros.process import Process

WAIT_S = 5.0


def show() -> int:
    """Print the status; exit code 1 if no memory server is running."""
    process = Process("status")

    def work(executor: Any) -> int:
        from rclpy.node import Node
        from robot_memory_msgs.msg import MemoryStatus

        from robot_memory.ros import qos

        node, heard, came = Node("robot_memory_status"), [], threading.Event()

        def on_status(message: MemoryStatus) -> None:
            heard.append(message)
            came.set()

        node.create_subscription(MemoryStatus, "status", on_status, qos.LATCHED)
        executor.add_node(node)
        try:
            if not came.wait(WAIT_S):
                print(f"no memory server answered within {WAIT_S:.0f} s: start one with robot-memory up", file=sys.stderr)
                return 1
            print("\n".join(lines(heard[-1])))
            return 0
        finally:
            executor.remove_node(node)
            node.destroy_node()

    return process.run(lambda: [], work, args=[])


def lines(status: Any) -> list[str]:
    """A status in words; sums reconcile."""
    open_frames = status.frames_in - status.frames_used - status.frames_spare - status.frames_dropped
    return [
        f"session {status.session or '(none yet)'}, recording {'on' if status.recording else 'off'}, generation {status.generation}",
        f"clips: {status.clips_in} in = {status.clips_stored} stored + {status.clips_skipped} skipped + {status.clips_waiting} waiting",
        f"frames: {status.frames_in} in = {status.frames_used} used + {status.frames_spare} spare + {status.frames_dropped} dropped + {open_frames} open",
        f"audio gaps: {status.audio_gap_s:.1f} s; store {status.store_bytes:,} bytes, spool {status.spool_bytes:,} bytes",
        *(f"{part.name}: {part.message}{''.join(f'; {v.value}' for v in part.values)}" for part in status.components),
    ]
