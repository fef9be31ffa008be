"""A day as the tables count time: in nanoseconds."""

from __future__ import annotations

DAY_NS = 24 * 3600 * 1_000_000_000
