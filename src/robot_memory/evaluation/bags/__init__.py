"""Bags written without ROS: messages as bytes, and the folder they go to."""
