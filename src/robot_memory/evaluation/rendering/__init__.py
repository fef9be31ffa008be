"""From a script to a bag: pictures of a room with people in it, the sound of it, odometry."""
