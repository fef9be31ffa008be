"""Remember a bag: starts the graph beside it, replays it, and ends.

ros2 launch robot_memory replay.launch.py bag:=/path/to/bag store:=/path/to/memory.sqlite
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import LaunchConfigurationEquals, LaunchConfigurationNotEquals
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

LOCKSTEP = "lockstep"


def generate_launch_description():
    """`rate` is lockstep (as fast as perception can, nothing lost) or a number of times real time."""
    bag, store, rate = (LaunchConfiguration(name) for name in ("bag", "store", "rate"))
    replay = {"package": "robot_memory", "executable": "replay", "output": "screen"}
    return LaunchDescription(
        [
            DeclareLaunchArgument("bag", description="folder of the rosbag2 bag"),
            DeclareLaunchArgument(
                "store", default_value="", description="the memory's file; empty: the robot_memory home's"
            ),
            DeclareLaunchArgument("rate", default_value=LOCKSTEP, description="lockstep, or a number"),
            Node(arguments=[bag, "--store", store], condition=LaunchConfigurationEquals("rate", LOCKSTEP), **replay),
            Node(
                arguments=[bag, "--store", store, "--rate", rate],
                condition=LaunchConfigurationNotEquals("rate", LOCKSTEP),
                **replay,
            ),
        ]
    )
