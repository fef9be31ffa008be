"""Microphones and cameras, files and URLs as streams of sound and pictures. No ROS in here, and no memory either."""
