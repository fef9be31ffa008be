"""Benches: what a step costs, always as a ratio to something measured in the same run."""
