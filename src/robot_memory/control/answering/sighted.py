"""Who was seen first or last: see seen_described.py."""

from robot_memory.control.answering.seen_described import first_seen

__all__ = ["first_seen"]
