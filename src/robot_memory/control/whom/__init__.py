"""Whom a question means: people met, people only talked about, relatives, and those it describes."""
