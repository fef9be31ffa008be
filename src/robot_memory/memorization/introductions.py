"""People who say what they are called: moved to the package naming."""

from robot_memory.memorization.naming.own import introduced

__all__ = ["introduced"]
