"""ROS 2: lifecycle nodes, message conversion, composition. Nothing below imports this room."""
