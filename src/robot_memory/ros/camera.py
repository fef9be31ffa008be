"""The camera node: a device, a film, pictures or a URL become JPEG CompressedImage messages on `image_topic`."""

from __future__ import annotations

from array import array
from collections.abc import Generator
from pathlib import Path
from typing import Any

from sensor_msgs.msg import CompressedImage
from std_msgs.msg import Header

from robot_memory.config import CameraSettings, TopicSettings
from robot_memory.devices import pictures
from robot_memory.devices.pace import FilmClock
from robot_memory.devices.pictures import Picture
from robot_memory.errors import SettingsInvalid
from robot_memory.ros import convert, parameters, qos
from robot_memory.ros.source import SourceNode

LATE_S = 1.0  # a film that is so late has stood still: it goes on from now


class CameraNode(SourceNode):
    """Publishes pictures."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("camera", "camera", **kwargs)
        self._settings = CameraSettings()
        self._out: Any = None
        self._film = FilmClock()
        self._fresh = True
        self._bad: set[Path] = set()

    def configure(self) -> None:
        """Read the parameters, see that the source can be watched."""
        self._settings = parameters.read(self, CameraSettings, "camera")
        topic = parameters.read(self, TopicSettings).image_topic
        if topic and not topic.endswith("compressed"):
            raise SettingsInvalid(f"image_topic {topic!r}: the camera sends JPEG, so the name must end in 'compressed'")
        pictures.check(self.choose(self._settings.source))
        profile = qos.stream(qos.IMAGE_DEPTH, reliable=True)  # which a best-effort subscriber may take, too
        self._out = self.create_publisher(CompressedImage, topic or "camera/image_raw/compressed", profile)

    def on_cleanup(self, state: Any) -> Any:
        self.destroy_publisher(self._out)
        return super().on_cleanup(state)

    def items(self) -> Generator[Picture, None, None]:
        return pictures.pictures(self.source, self._settings, self._pass_over)

    def listeners(self) -> int:
        return int(self._out.get_subscription_count())

    def looped(self) -> bool:
        return self._settings.loop

    def begin(self) -> None:
        self._fresh = True

    def deliver(self, item: Picture) -> None:
        stamp_ns = self.now_ns() if item.at_s is None else self._due_ns(item.at_s)
        if self.stop.is_set():
            return
        header = Header(stamp=convert.to_time(stamp_ns), frame_id="camera")
        self._out.publish(CompressedImage(header=header, format="jpeg", data=array("B", item.jpeg)))

    def counts(self) -> dict[str, str]:
        return {"pictures passed over": str(len(self._bad))}

    def _pass_over(self, path: Path) -> None:
        """Counted and said once, however often its folder is shown."""
        if path not in self._bad:
            self._bad.add(path)
            self.get_logger().warning(f"camera: {path} is not a picture that can be read: it is passed over")

    def _due_ns(self, at_s: float) -> int:
        """Wait for a picture's moment in the film."""
        if self._fresh or self._film.wait_s(self.steady_s(), at_s) < -LATE_S:
            self._fresh = False
            self._film.begin(self.now_ns(), self.steady_s(), at_s)
        self.sleep(self._film.wait_s(self.steady_s(), at_s))
        return self._film.stamp_ns(at_s)
