"""Memory: one SQLite file with the graph of people and what is remembered of them, and vectors beside it.

One process writes; everyone reads. No ROS, no models: vectors come in ready made.
"""
