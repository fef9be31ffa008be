"""The day as it becomes memory, a line a memory on a terminal: what was seen, said, and learnt from it."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from rclpy.node import Node
from robot_memory_msgs.msg import Memory

from robot_memory.control.clock import Zone, say
from robot_memory.ros import convert, qos

SIGNS = {Memory.EPISODIC: "·", Memory.SEMANTIC: "→"}
COLOURS = {Memory.EPISODIC: "\033[2m", Memory.SEMANTIC: "\033[1;32m"}
PLAIN = "\033[0m"


class LiveView:
    """Prints memories as they are committed; colours only where a person looks on."""

    def __init__(self, node: Node, zone: Zone, out: TextIO = sys.stdout) -> None:
        self._zone, self._out = zone, out
        self._coloured = out.isatty()
        self._subscription = node.create_subscription(Memory, "memories", self._show, qos.EVENTS)

    def _show(self, memory: Any) -> None:
        if memory.event == Memory.NEW:
            print(self._line(memory), file=self._out, flush=True)

    def _line(self, memory: Any) -> str:
        when, sign = say(convert.to_ns(memory.start), self._zone), SIGNS.get(memory.kind, "·")
        line = f"  {when} {sign} {printable(memory.text)}"
        return f"{COLOURS.get(memory.kind, '')}{line}{PLAIN}" if self._coloured else line


def printable(text: str) -> str:
    """Without what could move the cursor or change colours: remembered words are data."""
    return "".join(char if char.isprintable() else " " for char in text)
