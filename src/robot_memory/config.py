"""Every setting of the system in one place, typed, with its unit, its range and a sentence on what it does.

The ROS nodes declare their parameters from these dataclasses and the command line reads the same ones, so a
setting has one name, one default and one description. A field named `x_s` is in seconds, `x_bytes` in bytes.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from robot_memory.errors import SettingsInvalid


def setting(
    default: Any, doc: str, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """A dataclass field that carries its description, its inclusive range and its choices as metadata."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": choices})


@dataclass(frozen=True)
class Group:
    """A group of settings, checked when it is made. Raises SettingsInvalid naming the setting and its range."""

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            check(item, value)
            if isinstance(item.default, float):
                object.__setattr__(self, item.name, float(value))


def check(item: dataclasses.Field[Any], value: Any) -> None:
    """Raise SettingsInvalid unless `value` has the type of the field's default and lies in its range."""
    meta, name = item.metadata, item.name
    expected = type(item.default)
    if expected is float and type(value) is int:
        value = float(value)
    if type(value) is not expected:
        raise SettingsInvalid(f"{name} must be {expected.__name__}, not {value!r}")
    if meta["choices"] and value not in meta["choices"]:
        raise SettingsInvalid(f"{name} must be one of {', '.join(meta['choices'])}, not {value!r}")
    low, high = meta["low"], meta["high"]
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        allowed = f"be at least {low:,}" if high is None else f"lie between {low} and {high}"
        raise SettingsInvalid(f"{name} must {allowed}, not {value!r}")


@dataclass(frozen=True)
class StreamSettings(Group):
    """How stamped messages become clips (design: laws of time)."""

    clip_s: float = setting(30.0, "length of a clip", 1.0, 600.0)
    frames_per_second: float = setting(5.0, "frames looked at per second, chosen by stamp", 0.1, 30.0)
    lateness_s: float = setting(3.0, "a stream this far behind the newest stamp no longer holds clips open", 0.5, 60.0)
    reorder_s: float = setting(1.0, "messages up to this late are still put in their place", 0.0, 10.0)
    stray_s: float = setting(
        60.0, "a leap of the stamps is believed when the next message follows it within this time", 1.0, 86400.0
    )
    silence_s: float = setting(
        3.0, "live sources only: seconds without any message that close the open clip", 0.5, 600.0
    )
    closed_clips: int = setting(
        2, "closed clips that may wait for perception before the source is held or a clip skipped", 1, 64
    )
    spool_bytes: int = setting(2_000_000_000, "closed clips kept on disk for the memory server", 1_000_000, None)


@dataclass(frozen=True)
class PerceptionSettings(Group):
    """What is looked for in a clip. Thresholds come with the model (manifest and calibration), not from here."""

    profile: str = setting("cpu", "model profile, a file in models/")
    min_face_px: int = setting(32, "smaller faces are not embedded", 8, 1000)
    min_face_score: float = setting(0.8, "detector score below which a box is not a face", 0.0, 1.0)
    embeddings_per_track: int = setting(5, "best views kept of one appearance of a face", 1, 50)
    track_gap_s: float = setting(1.5, "a face unseen for this long starts a new track", 0.1, 30.0)
    speech_threshold: float = setting(0.5, "voice activity probability that starts a turn", 0.05, 0.95)
    turn_pause_s: float = setting(0.6, "a pause this long ends a turn", 0.1, 5.0)
    min_turn_s: float = setting(0.3, "shorter sounds are not speech", 0.05, 5.0)
    min_enrol_s: float = setting(3.0, "speech needed in a clip before a new voice is enrolled", 0.5, 60.0)
    language: str = setting("en", "spoken language, ISO 639-1")
    hint_names: bool = setting(
        False, "known names help the transcriber; not in lockstep, where a late list would change what is heard"
    )
    threads: int = setting(1, "threads of one inference (ONNX Runtime intra-op, Whisper)", 1, 64)


@dataclass(frozen=True)
class StoreSettings(Group):
    """Where memory lives."""

    path: str = setting("", "the SQLite file; empty: memory.sqlite in the robot_memory home")
    spool: str = setting("", "folder of closed clips; empty: beside the store, its name with .spool")
    snapshot_days: float = setting(30.0, "days lived after which a picture goes; 0: no limit", 0.0, 36_500.0)
    snapshot_bytes: int = setting(6_000_000_000, "bytes of pictures kept, the oldest go first; 0: no limit", 0, None)
    quote_days: float = setting(365.0, "days lived after which the line of a turn goes; 0: no limit", 0.0, 36_500.0)
    quote_bytes: int = setting(200_000_000, "bytes of transcribed lines kept; 0: no limit", 0, None)
    memories: int = setting(100_000, "memories searched; the least worth then go to the archive; 0: no limit", 0, None)
    memory_bytes: int = setting(0, "bytes of their texts and vectors; 0: no limit", 0, None)
    archive: int = setting(400_000, "memories in the archive; the least worth then go for good; 0: no limit", 0, None)
    archive_bytes: int = setting(0, "bytes of their texts and vectors; 0: no limit", 0, None)
    half_life_days: float = setting(120.0, "days lived in which a memory's worth halves", 1.0, 36_500.0)

    def store_path(self) -> Path:
        return expanded(self.path) if self.path else home() / "memory.sqlite"

    def spool_path(self) -> Path:
        return expanded(self.spool) if self.spool else self.store_path().with_suffix(".spool")


@dataclass(frozen=True)
class AnswerSettings(Group):
    """How questions are answered."""

    max_rounds: int = setting(5, "search rounds before the answer is forced", 1, 20)
    budget_s: float = setting(10.0, "seconds for an answer before it is TIMED_OUT", 0.1, 600.0)
    queue: int = setting(4, "questions that may wait; more are BUSY", 1, 100)
    force_answer: bool = setting(False, "guess rather than be silent: for benchmarks that punish silence, not robots")


@dataclass(frozen=True)
class TopicSettings(Group):
    """What perception listens to. An empty topic is not listened to."""

    image_topic: str = setting(
        "camera/image_raw/compressed", "camera; a name ending in 'compressed' is CompressedImage, else Image"
    )
    image_reliability: str = setting(
        "best_effort", "of the camera and pose subscriptions", choices=("best_effort", "reliable")
    )
    audio_topic: str = setting("audio", "microphone")
    audio_type: str = setting("robot_memory_msgs/msg/AudioChunk", "message type of the audio topic: package/msg/Type")
    pose_topic: str = setting("odom", "nav_msgs/Odometry")


@dataclass(frozen=True)
class MicrophoneSettings(Group):
    """The microphone node. It publishes on audio_topic."""

    source: str = setting(
        "", "microphone: default, a device's number or part of its name; or a file; or a URL; empty: no microphone"
    )
    rate: int = setting(0, "samples a second to publish; 0: as the source has them", 0, 384_000)
    channels: int = setting(1, "channels to publish; 0: as the source has them", 0, 32)
    chunk_s: float = setting(0.1, "seconds of sound in one message", 0.01, 1.0)
    loop: bool = setting(False, "a file starts anew at its end")
    realtime: bool = setting(True, "a file is played at its own pace; false: as fast as it can be read")


@dataclass(frozen=True)
class CameraSettings(Group):
    """The camera node. It publishes JPEG pictures on image_topic."""

    source: str = setting(
        "", "camera: its number or /dev/video0; or a film, a picture, a folder of pictures; or a URL; empty: no camera"
    )
    fps: float = setting(10.0, "pictures a second to publish, at most as many as the source has", 0.1, 120.0)
    width: int = setting(0, "pixels; 0: as the source has them, or in proportion to the height", 0, 8192)
    height: int = setting(0, "pixels; 0: as the source has them, or in proportion to the width", 0, 8192)
    quality: int = setting(90, "of the JPEG pictures", 1, 100)
    loop: bool = setting(False, "a film or folder starts anew at its end")


# prefix of the parameter names -> settings; topics have none
GROUPS: dict[str, type[Group]] = {
    "": TopicSettings,
    "streams": StreamSettings,
    "perception": PerceptionSettings,
    "store": StoreSettings,
    "answers": AnswerSettings,
    "microphone": MicrophoneSettings,
    "camera": CameraSettings,
}


def names() -> dict[str, dataclasses.Field[Any]]:
    """Every setting by its full name: streams.clip_s, image_topic, …"""
    return {
        f"{prefix}.{item.name}" if prefix else item.name: item
        for prefix, group in GROUPS.items()
        for item in dataclasses.fields(group)
    }


def expanded(path: str | Path) -> Path:
    """The path with ~ put in full. Raises SettingsInvalid for the home of nobody."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise SettingsInvalid(f"{path}: {error}; write the whole path") from error


def home() -> Path:
    """ROBOT_MEMORY_HOME, else the XDG data folder's robot_memory."""
    if chosen := os.environ.get("ROBOT_MEMORY_HOME"):
        return expanded(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "robot_memory"


def fitting(item: dataclasses.Field[Any], value: Any) -> Any:
    """A value as its setting wants it: 2 is 2.0 where a fraction may stand. Raises SettingsInvalid."""
    if type(item.default) is float and type(value) is int:
        value = float(value)
    check(item, value)
    return value


def page() -> str:
    """docs/settings.md: `python -m robot_memory.config > docs/settings.md`."""
    rows = [
        "# Settings",
        "",
        "Parameters of the nodes: `--set NAME=VALUE` for `robot-memory up` and `replay`, `--ros-args -p NAME:=VALUE`",
        "for executables, or a parameter file. They are read when a node is configured. A value out of range is",
        "refused in words.",
        "",
        "| name | default | range | what |",
        "|---|---|---|---|",
    ]
    for name, item in names().items():
        low, high, choices = (item.metadata[key] for key in ("low", "high", "choices"))
        span = "" if low is None and high is None else f"{low} to {'any' if high is None else high}"
        default = "(empty)" if item.default == "" else f"`{item.default}`"
        rows.append(f"| `{name}` | {default} | {' or '.join(choices) or span} | {item.metadata['doc']} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(page(), end="")
