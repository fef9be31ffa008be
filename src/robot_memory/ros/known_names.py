"""Known names on their way from memory to the transcriber: a latched text, one name a line.

The names are on the topic only: no log, no status and no diagnostics holds any.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from std_msgs.msg import String

from robot_memory.control.service import MemoryService
from robot_memory.memory.people.known_names import LONGEST, MOST_KNOWN, known_names
from robot_memory.ros import qos
from robot_memory.ros.node import MemoryNode

TOPIC = "known_names"


class NamesKnown:
    """Publishes for a memory server whenever the list has changed, and once when there is a memory at all."""

    def __init__(self, node: MemoryNode) -> None:
        self._names = node.create_publisher(String, TOPIC, qos.LATCHED)
        self._looked: tuple[Path, int] | None = None  # file and generation
        self._told: tuple[str, ...] | None = None

    def tell(self, service: MemoryService) -> None:
        """Look whether the list is another one. Runs in the service's desk lane; costs nothing while the memory stays
        as it is. Raises sqlite3.Error.
        """
        state = (service.store.path, service.store.generation())
        if state == self._looked:
            return
        with service.store.snapshot() as db:
            names = known_names(db)
        self._looked = state
        if names != self._told:
            self._told = names
            self._names.publish(String(data="\n".join(names)))


def read(message: Any) -> tuple[str, ...]:
    """The names in a message, whoever sent it: what can be no name is left out."""
    lines = (line.strip() for line in message.data[: MOST_KNOWN * (LONGEST + 1)].splitlines())
    return tuple(line for line in lines if line.isprintable() and 0 < len(line) <= LONGEST)[:MOST_KNOWN]
