#!/usr/bin/env bash
# Build both packages with colcon against the ROS wheels of ../.venv; run in ros2_ws by `make colcon`.
# Further arguments go to colcon, for example: make colcon COLCON=--symlink-install
set -euo pipefail
venv=$(cd ../.venv && pwd)
export PATH="$venv/bin:$PATH" AMENT_PREFIX_PATH="$venv" CMAKE_PREFIX_PATH="$venv"
env -u LD_LIBRARY_PATH -u _ROS_WHEELS_BOOTSTRAP_COMPLETE "$venv/bin/python" ../tools/fix_ros_wheels.py
env -u LD_LIBRARY_PATH -u _ROS_WHEELS_BOOTSTRAP_COMPLETE "$venv/bin/colcon" build "$@" \
  --base-paths src .. --cmake-args -GNinja -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release "-DPython3_EXECUTABLE=$venv/bin/python"
ls install/robot_memory/lib/robot_memory
