"""Camera, sound and pose messages as plain data, whoever deserialised them: rclpy live, rosbags from a file.

Read by their fields, not by type names: audio drivers share names and differ in fields.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.perception.pictures import JPEG_START, PNG_START
from robot_memory.streams.clips import Encode
from robot_memory.streams.media import SECOND, Pose
from robot_memory.streams.recorder import Unreadable

BIGGEST_PICTURE = 20_000_000  # bytes as encoded; 50 megapixels are far less


def to_ns(time: Any) -> int:
    """builtin_interfaces Time or Duration in nanoseconds."""
    return int(time.sec) * SECOND + int(time.nanosec)


def picture(message: Any) -> Encode:
    """The encoder of a camera message (raw or compressed). The bytes are taken now, decoding waits until they are
    needed.
    """
    if hasattr(message, "encoding"):
        return lambda: _encode_raw(message)
    if len(message.data) > BIGGEST_PICTURE:
        return lambda: _too_big(len(message.data))
    data = bytes(message.data)
    return lambda: _known_encoding(data)


def sound(message: Any) -> tuple[int | None, int | None, int, int, NDArray[np.int16]]:
    """(stamp in ns, first sample, rate, channels, interleaved int16) of an audio message of any known type.

    The stamp or the counter is None where the type has none. Raises Unreadable for other types and formats.
    """
    if hasattr(message, "first_sample"):  # robot_memory_msgs/AudioChunk
        data = np.frombuffer(message.data, np.int16)
        return (
            to_ns(message.header.stamp),
            int(message.first_sample),
            int(message.sample_rate),
            int(message.channels),
            data,
        )
    if hasattr(message, "channel_count"):  # audio_utils_msgs/AudioFrame
        data = _samples(bytes(message.data), str(message.format))
        return to_ns(message.header.stamp), None, int(message.sampling_frequency), int(message.channel_count), data
    if hasattr(message, "audio") and hasattr(message.audio, "audio_data"):  # audio_common_msgs/AudioStamped
        info = message.audio.info
        return (
            to_ns(message.header.stamp),
            None,
            int(info.rate),
            int(info.channels),
            _by_width(message.audio.audio_data),
        )
    raise Unreadable(
        f"audio messages with the fields {', '.join(_fields(message))} are not known: "
        "publish robot_memory_msgs/AudioChunk"
    )


def pose(message: Any) -> Pose:
    """nav_msgs/Odometry as a Pose. Raises Unreadable for poses that are not finite."""
    place, turn = message.pose.pose.position, message.pose.pose.orientation
    position, orientation = (place.x, place.y, place.z), (turn.x, turn.y, turn.z, turn.w)
    if not np.isfinite([*position, *orientation]).all():
        raise Unreadable("a pose with NaN or infinite numbers")
    return Pose(
        to_ns(message.header.stamp),
        message.header.frame_id,
        position,
        orientation,
        tuple(float(c) for c in message.pose.covariance),
    )


def _too_big(size: int) -> bytes:
    raise Unreadable(f"pictures of more than {BIGGEST_PICTURE // 1_000_000} MB")


def _known_encoding(data: bytes) -> bytes:
    if not data.startswith((JPEG_START, PNG_START)):
        raise Unreadable("compressed pictures that are neither JPEG nor PNG")
    return data


def _encode_raw(message: Any) -> bytes:
    import cv2
    from rosbags.image import ImageError, message_to_cvimage

    from robot_memory.perception.pictures import encode_jpeg

    if message.width * message.height == 0:
        raise Unreadable(f"pictures of {message.width} x {message.height} pixels")
    if message.encoding == "16UC1" or message.encoding.startswith("32FC"):
        raise Unreadable(f"pictures encoded as '{message.encoding}': that is depth, not colour; use the colour topic")
    try:
        return encode_jpeg(np.asarray(message_to_cvimage(message, "bgr8"), np.uint8))
    except (ImageError, ValueError, KeyError, TypeError, IndexError, cv2.error) as error:
        raise Unreadable(f"pictures encoded as '{message.encoding}': {str(error) or 'not known'}") from error


def _samples(data: bytes, form: str) -> NDArray[np.int16]:
    if form == "signed_16":
        return np.frombuffer(data[: len(data) // 2 * 2], np.int16)
    if form == "float":
        return _from_float(np.frombuffer(data[: len(data) // 4 * 4], np.float32))
    raise Unreadable(f"audio in the format '{form}': signed_16 and float are known")


def _by_width(data: Any) -> NDArray[np.int16]:
    """The one field of AudioData that is filled, as int16."""
    if len(data.int16_data):
        return np.asarray(data.int16_data, np.int16)
    if len(data.float32_data):
        return _from_float(np.asarray(data.float32_data, np.float32))
    if len(data.int32_data):
        return (np.asarray(data.int32_data, np.int32) >> 16).astype(np.int16)
    raise Unreadable("audio of 8 bits: 16 bits or float are needed")


def _from_float(samples: NDArray[np.float32]) -> NDArray[np.int16]:
    return (np.nan_to_num(samples).clip(-1, 1) * 32767).astype(np.int16)


def _fields(message: Any) -> list[str]:
    if hasattr(message, "get_fields_and_field_types"):
        return list(message.get_fields_and_field_types())
    return [field.name for field in dataclasses.fields(message)] if dataclasses.is_dataclass(message) else []
