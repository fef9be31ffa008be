"""What is measured unless one says otherwise."""

from __future__ import annotations

SETS = ("locomo", "worlds", "lives")
RATIOS = (0.0, 0.3, 0.5, 0.7, 0.9)  # shares of memories gone
DAYS, MOST_DAYS = 365, 730  # of lives
SEEDS = "0-4"
