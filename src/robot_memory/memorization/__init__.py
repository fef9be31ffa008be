"""Memorization: what was perceived in a clip becomes people, sentences and votes in the memory graph."""
