"""The ROS 2 messages of a bag, built and serialised without ROS (rosbags), our own AudioChunk among them.

Everything here is bytes and plain numbers; stamps are int64 nanoseconds. AudioChunk's fields come from the .msg file
itself, in the source tree or installed, so that bags never disagree with the interface package.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError

AUDIO = "robot_memory_msgs/msg/AudioChunk"
COMPRESSED = "sensor_msgs/msg/CompressedImage"
RAW = "sensor_msgs/msg/Image"
ODOMETRY = "nav_msgs/msg/Odometry"
CAMERA_FRAME, MICROPHONE_FRAME, ODOM_FRAME, BASE_FRAME = "camera_optical", "microphone", "odom", "base_link"


class MessageDefinitionMissing(RobotMemoryError):
    """The interface package's message files are neither in the source tree nor installed."""


@cache
def typestore() -> Any:
    """The rosbags type store of ROS 2 Jazzy with AudioChunk added."""
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    store = get_typestore(Stores.ROS2_JAZZY)
    store.register(get_types_from_msg(_definition("AudioChunk").read_text("utf-8"), AUDIO))
    return store


def _definition(name: str) -> Path:
    """The .msg file of robot_memory_msgs: the source tree's, else an installed one (ROS prefixes, then Python's)."""
    tree = Path(__file__).resolve().parents[4] / "ros2_ws" / "src"
    shares = [Path(prefix) / "share" for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if prefix]
    for folder in (tree, *shares, Path(sys.prefix) / "share"):
        path = folder / "robot_memory_msgs" / "msg" / f"{name}.msg"
        if path.is_file():
            return path
    raise MessageDefinitionMissing(
        f"robot_memory_msgs/msg/{name}.msg: not in the source tree nor under AMENT_PREFIX_PATH — "
        "build and source the interface package (ros2_ws), or run from the source tree"
    )


def _type(name: str) -> Any:
    return typestore().types[name]


def header(stamp_ns: int, frame_id: str) -> Any:
    time = _type("builtin_interfaces/msg/Time")(sec=stamp_ns // 1_000_000_000, nanosec=stamp_ns % 1_000_000_000)
    return _type("std_msgs/msg/Header")(stamp=time, frame_id=frame_id)


def serialise(message: Any) -> bytes:
    """CDR bytes of a message, as they lie in a bag."""
    return bytes(typestore().serialize_cdr(message, message.__msgtype__))


def read(data: bytes, msgtype: str) -> Any:
    return typestore().deserialize_cdr(data, msgtype)


def compressed_image(stamp_ns: int, encoded: bytes, form: str = "jpeg") -> bytes:
    pixels = np.frombuffer(encoded, np.uint8)
    return serialise(_type(COMPRESSED)(header=header(stamp_ns, CAMERA_FRAME), format=form, data=pixels))


def raw_image(stamp_ns: int, pixels: NDArray[np.uint8], encoding: str = "bgr8") -> bytes:
    """An uncompressed picture from pixels [height, width, channels]; 0 x 0 is possible."""
    high, wide, deep = pixels.shape
    message = _type(RAW)(
        header=header(stamp_ns, CAMERA_FRAME),
        height=high,
        width=wide,
        encoding=encoding,
        is_bigendian=0,
        step=wide * deep,
        data=pixels.reshape(-1),
    )
    return serialise(message)


def audio_chunk(stamp_ns: int, first_sample: int, samples: NDArray[np.int16], sample_rate: int = 16_000) -> bytes:
    """A mono chunk whose first sample was heard at the stamp."""
    message = _type(AUDIO)(
        header=header(stamp_ns, MICROPHONE_FRAME),
        first_sample=first_sample,
        sample_rate=sample_rate,
        channels=1,
        data=samples,
    )
    return serialise(message)


def odometry(stamp_ns: int, x: float, y: float, yaw: float) -> bytes:
    """A planar pose in `odom`: metres, radians; a centimetre and half a degree of doubt, none of it in speed."""
    point = _type("geometry_msgs/msg/Point")(x=x, y=y, z=0.0)
    turn = _type("geometry_msgs/msg/Quaternion")(x=0.0, y=0.0, z=float(np.sin(yaw / 2)), w=float(np.cos(yaw / 2)))
    pose = _type("geometry_msgs/msg/Pose")(position=point, orientation=turn)
    doubt = np.diag([1e-4, 1e-4, 1e-6, 1e-6, 1e-6, 8e-5]).reshape(-1)
    still = _type("geometry_msgs/msg/Vector3")(x=0.0, y=0.0, z=0.0)
    twist = _type("geometry_msgs/msg/Twist")(linear=still, angular=still)
    message = _type(ODOMETRY)(
        header=header(stamp_ns, ODOM_FRAME),
        child_frame_id=BASE_FRAME,
        pose=_type("geometry_msgs/msg/PoseWithCovariance")(pose=pose, covariance=doubt),
        twist=_type("geometry_msgs/msg/TwistWithCovariance")(twist=twist, covariance=np.zeros(36)),
    )
    return serialise(message)
