"""Times in questions: from "last Tuesday after lunch" to a range in the session's zone.

Rules and not a library: docs/dependencies.md has the figures. The words and their meanings are in words.py, the
phrases in rules.py.
"""

from robot_memory.control.times.moment import NotAMoment, moment_ns
from robot_memory.control.times.parse import span_in
from robot_memory.control.times.span import Span, UnknownTime

__all__ = ["NotAMoment", "Span", "UnknownTime", "moment_ns", "span_in"]
