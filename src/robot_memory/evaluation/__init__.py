"""Worlds to measure on, and bags made on purpose: scripted ones with a known truth, and broken ones."""
