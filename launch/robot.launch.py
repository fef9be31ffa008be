"""A robot's memory: perception and the memory server, in one process (default) or in two.

ros2 launch robot_memory robot.launch.py image_topic:=/camera/image_raw/compressed audio_topic:=/audio
ros2 launch robot_memory robot.launch.py microphone:=default camera:=0      # where no driver runs
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import LifecycleNode, Node
from launch_ros.parameter_descriptions import ParameterValue

ARGUMENTS = {  # name: (default, description)
    "image_topic": (
        "camera/image_raw/compressed",
        "camera; a name ending in 'compressed' is CompressedImage, else Image",
    ),
    "audio_topic": ("audio", "microphone"),
    "audio_type": ("robot_memory_msgs/msg/AudioChunk", "message type of the audio topic"),
    "pose_topic": ("odom", "nav_msgs/Odometry"),
    "microphone": ("", "listen without a driver: default, a device, a file or a URL; empty: a driver publishes"),
    "camera": ("", "watch without a driver: 0, a device, a film or a URL; empty: a driver publishes"),
    "image_reliability": ("best_effort", "best_effort or reliable"),
    "store": ("", "the memory's file; empty: memory.sqlite in the robot_memory home"),
    "namespace": ("", "namespace of all nodes"),
    "use_sim_time": ("false", "take the time from /clock"),
    "composed": ("true", "one process; false: two, each started again after a crash"),
}

RESPAWN_DELAY_S = 2.0  # a killed process has let go of the lock and the topics by then


def generate_launch_description() -> LaunchDescription:
    """The arguments above, and the nodes, which configure and activate themselves (autostart)."""
    arguments = [
        DeclareLaunchArgument(name, default_value=value, description=text) for name, (value, text) in ARGUMENTS.items()
    ]
    texts = ("image_topic", "audio_topic", "audio_type", "pose_topic", "image_reliability")
    parameters = {name: ParameterValue(LaunchConfiguration(name), value_type=str) for name in texts}
    parameters["store.path"] = ParameterValue(LaunchConfiguration("store"), value_type=str)
    parameters["use_sim_time"] = ParameterValue(LaunchConfiguration("use_sim_time"), value_type=bool)
    parameters["autostart"] = True
    common = {
        "package": "robot_memory",
        "namespace": LaunchConfiguration("namespace"),
        "parameters": [parameters],
        "output": "screen",
    }
    composed = LaunchConfiguration("composed")
    again = {"respawn": True, "respawn_delay": RESPAWN_DELAY_S}
    apart = {"condition": UnlessCondition(composed), **again, **common}
    return LaunchDescription(
        [
            *arguments,
            Node(executable="up", condition=IfCondition(composed), **common),
            LifecycleNode(executable="memory_server", name="memory_server", **apart),
            LifecycleNode(executable="perception", name="perception", **apart),
            *(_device(name, again | common) for name in ("microphone", "camera")),
        ]
    )


def _device(name: str, common: dict) -> LifecycleNode:
    """A microphone or a camera in a process of its own, if a source is given."""
    source = LaunchConfiguration(name)
    own = {f"{name}.source": ParameterValue(source, value_type=str)}
    return LifecycleNode(
        executable=name,
        name=name,
        condition=IfCondition(PythonExpression(["'", source, "' != ''"])),
        **{**common, "parameters": [*common["parameters"], own]},
    )
