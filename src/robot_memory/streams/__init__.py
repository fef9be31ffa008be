"""Streams: stamped messages in, closed clips out; the spool between the processes; working memory.

No ROS and no models here: the same code serves the nodes, the evaluation worlds and the tests.
"""
