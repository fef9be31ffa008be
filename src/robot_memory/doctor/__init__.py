"""`robot-memory doctor`: what this machine has, what it lacks, and how to get it. Needs neither ROS nor models."""
