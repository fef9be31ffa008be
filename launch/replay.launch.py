"""Remember a bag: starts the graph beside it, replays it, and ends.

ros2 launch robot_memory replay.launch.py bag:=/path/to/bag store:=/path/to/memory.sqlite
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import Node

ARGUMENTS = {  # name: (default, description); None: must be given
    "bag": (None, "folder of the rosbag2 bag"),
    "store": ("", "the memory's file; empty: memory.sqlite in the robot_memory home"),
    "rate": ("lockstep", "lockstep (as fast as perception can, nothing lost) or a number of times real time"),
}


def generate_launch_description() -> LaunchDescription:
    """The arguments above, and the program that replays, with or without --rate."""
    arguments = [
        DeclareLaunchArgument(name, default_value=value, description=text) for name, (value, text) in ARGUMENTS.items()
    ]
    bag, store, rate = (LaunchConfiguration(name) for name in ("bag", "store", "rate"))
    lockstep = PythonExpression(["'", rate, "' == 'lockstep'"])  # EqualsSubstitution is unknown to ROS 2 Humble
    replay = {"package": "robot_memory", "executable": "replay", "output": "screen"}
    play = [bag, "--store", store]
    return LaunchDescription(
        [
            *arguments,
            Node(arguments=play, condition=IfCondition(lockstep), **replay),
            Node(arguments=[*play, "--rate", rate], condition=UnlessCondition(lockstep), **replay),
        ]
    )
