"""The microphone node: a device, a file or a URL becomes AudioChunk messages on `audio_topic`.

The counter goes on through every loss, by as many samples as are missing; stamps are the node clock's at the first
sample, without the jitter of single measurements.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator
from typing import Any

from robot_memory_msgs.msg import AudioChunk
from std_msgs.msg import Header

from robot_memory.config import MicrophoneSettings, TopicSettings
from robot_memory.devices import sound
from robot_memory.devices.pace import SampleClock
from robot_memory.devices.sound import Block
from robot_memory.ros import convert, parameters, qos
from robot_memory.ros.source import SourceNode
from robot_memory.streams.media import SECOND


class MicrophoneNode(SourceNode):
    """Publishes sound."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("microphone", "microphone", **kwargs)
        self._settings = MicrophoneSettings()
        self._out: Any = None
        self._samples = SampleClock()
        self._next = self.gaps = self.lost = 0
        self._back = False

    def configure(self) -> None:
        """Read the parameters, see that the source can be listened to."""
        self._settings = parameters.read(self, MicrophoneSettings, "microphone")
        topic = parameters.read(self, TopicSettings).audio_topic
        sound.check(self.choose(self._settings.source))
        self._out = self.create_publisher(AudioChunk, topic or "audio", qos.stream(qos.AUDIO_DEPTH, reliable=True))

    def on_cleanup(self, state: Any) -> Any:
        self.destroy_publisher(self._out)
        return super().on_cleanup(state)

    def items(self) -> Generator[Block, None, None]:
        return sound.blocks(self.source, self._settings)

    def listeners(self) -> int:
        return int(self._out.get_subscription_count())

    def looped(self) -> bool:
        return self._settings.loop

    def begin(self) -> None:
        self._back = self._samples.started() and self.losses > 0

    def deliver(self, item: Block) -> None:
        first_ns = self._heard_ns(item)
        if self._back:
            self._back = False
            self._lose(max(0, first_ns - self._samples.expected_ns(self._next)) * item.rate // SECOND)
        self._lose(item.lost)
        stamp_ns = self._samples.stamp(self._next, item.rate, first_ns)
        if self.stop.is_set():
            return
        self._out.publish(
            AudioChunk(
                header=Header(stamp=convert.to_time(stamp_ns), frame_id="microphone"),
                first_sample=self._next,
                sample_rate=item.rate,
                channels=item.channels,
                data=array("h", item.samples.tobytes()),
            )
        )
        self._next += item.count

    def counts(self) -> dict[str, str]:
        return {"gaps": str(self.gaps), "samples lost": str(self.lost), "stamps set anew": str(self._samples.jumps)}

    def _heard_ns(self, block: Block) -> int:
        """When the first sample was heard. Sound that is played is held until its last sample is over."""
        if block.age_s is not None:
            return self.now_ns() - round(block.age_s * SECOND)
        length_ns = block.count * SECOND // block.rate
        if not self._samples.started() or self._back:
            if self._settings.realtime:
                self.sleep(length_ns / SECOND)
            return self.now_ns() - length_ns
        expected_ns = self._samples.expected_ns(self._next + block.lost)
        if not self._settings.realtime:
            return expected_ns
        self.sleep((expected_ns + length_ns - self.now_ns()) / SECOND)
        late = self.now_ns() - length_ns - expected_ns > SECOND  # it stood still: it goes on from now
        return self.now_ns() - length_ns if late else expected_ns

    def _lose(self, samples: int) -> None:
        if samples:
            self.gaps += 1
            self.lost += samples
            self._next += samples
