"""Scoring: a trial is run with a memory under test, its answers are judged, and the figures are put side by side."""
