"""Nearest vectors: an exact matrix, and an approximate graph beside it where there are many."""
