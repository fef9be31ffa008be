"""The perception node: camera, microphone and odometry topics in; faces, turns, closed clips and the watermark out.

Callbacks take the message and hand it to the watcher; nothing is computed in the executor's thread.
"""

from __future__ import annotations

import importlib
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from nav_msgs.msg import Odometry
from robot_memory_msgs.msg import ClipReady, Face, FaceArray, VoiceTurn, Watermark
from robot_memory_msgs.msg import Session as SessionMessage
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import Header, String

from robot_memory.config import PerceptionSettings, StoreSettings, StreamSettings, TopicSettings
from robot_memory.errors import SettingsInvalid
from robot_memory.lanes import Traffic
from robot_memory.perception import messages
from robot_memory.perception.live import HeardTurn
from robot_memory.perception.reports import Reports, WatcherProgress
from robot_memory.perception.senses import open_senses
from robot_memory.perception.tracking import LiveTrack
from robot_memory.perception.watcher import Watcher
from robot_memory.ros import convert, known_names, parameters, qos
from robot_memory.ros.node import MemoryNode
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.recorder import STREAMS, Unreadable
from robot_memory.streams.sessions import ID, Session, boot_id
from robot_memory.streams.spool import Spool


class PerceptionNode(MemoryNode):
    """Configure loads the models; activate subscribes; the private watcher does the work."""

    def __init__(self, traffic: Traffic | None = None, **kwargs: Any) -> None:
        super().__init__("perception", **kwargs)
        self._traffic = traffic or Traffic()
        self._watcher: Watcher | None = None
        self.wanted: list[Any] = []
        self._clip_ready = self.create_publisher(ClipReady, "clip_ready", qos.EVENTS)
        self._watermark = self.create_publisher(Watermark, "watermark", qos.LATCHED)
        self._faces = self.create_publisher(FaceArray, "faces", qos.EVENTS)
        self._turns = self.create_publisher(VoiceTurn, "turns", qos.EVENTS)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", qos.EVENTS)
        self._progress: WatcherProgress | None = None
        self._turn, self._language = 0, ""  # number of the last turn; of what is spoken
        self._progress_lock = threading.Lock()
        self._hint_names, self._names = False, tuple[str, ...]()

    def configure(self) -> None:
        """Read the parameters, load the models, open the spool."""
        streams = parameters.read(self, StreamSettings, "streams")
        perception = parameters.read(self, PerceptionSettings, "perception")
        store = parameters.read(self, StoreSettings, "store")
        self._language, self._hint_names, self._names = perception.language, perception.hint_names, ()
        self._topics = parameters.read(self, TopicSettings)
        self._audio_type = _message_type(self._topics.audio_type)
        reports = Reports(self._publish_faces, self._publish_turn, self._publish_clip, self._publish_progress)
        spool = Spool(store.spool_path(), streams.spool_bytes)
        senses, clock = open_senses(perception), self.clock_name()
        self._watcher = Watcher(senses, streams, perception, spool, reports, self._traffic, clock, lambda: self._names)

    def activate(self) -> None:
        """Subscribe. A topic left empty is not listened to."""
        topics, subscribe = self._topics, self.create_subscription
        reliable = topics.image_reliability == "reliable"
        self.wanted = [subscribe(SessionMessage, "session", self._on_session, qos.LATCHED)]
        if topics.image_topic:
            kind = CompressedImage if topics.image_topic.endswith("compressed") else Image
            self.wanted.append(
                subscribe(kind, topics.image_topic, self._on_image, qos.stream(qos.IMAGE_DEPTH, reliable))
            )
        if topics.audio_topic:
            self.wanted.append(
                subscribe(
                    self._audio_type, topics.audio_topic, self._on_audio, qos.stream(qos.AUDIO_DEPTH, reliable=True)
                )
            )
        if topics.pose_topic:
            self.wanted.append(
                subscribe(Odometry, topics.pose_topic, self._on_pose, qos.stream(qos.POSE_DEPTH, reliable))
            )
        if self._hint_names:
            self.wanted.append(subscribe(String, known_names.TOPIC, self._on_names, qos.LATCHED))
        self.every(1.0, self._on_second)

    def describe(self) -> str:
        if self._watcher is None:
            return "not configured yet"
        topics = self._topics
        names = {"camera": topics.image_topic, "sound": topics.audio_topic, "odometry": topics.pose_topic}
        return "listening to " + ", ".join(
            f"{what} on {self.resolve_topic_name(name)}" for what, name in names.items() if name
        )

    def drain(self) -> None:
        """Finish or give up what is open and end the watcher's threads."""
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher = None

    # ---- messages in: copy and enqueue

    def _on_image(self, message: Any) -> None:
        if (watcher := self._watcher) is not None:
            stamp_ns = self._stamp(watcher, convert.to_ns(message.header.stamp), "image")
            watcher.frame(stamp_ns, messages.picture(message))

    def _on_audio(self, message: Any) -> None:
        if (watcher := self._watcher) is None:
            return
        try:
            stamp, first, rate, channels, data = messages.sound(message)
        except Unreadable as error:
            watcher.unreadable("audio", str(error))
            return
        watcher.audio(self._stamp(watcher, stamp or 0, "audio"), first, rate, channels, data.copy())

    def _on_pose(self, message: Any) -> None:
        if (watcher := self._watcher) is None:
            return
        try:
            pose = messages.pose(message)
        except Unreadable as error:
            watcher.unreadable("pose", str(error))
            return
        watcher.pose(replace(pose, stamp_ns=self._stamp(watcher, pose.stamp_ns, "pose")))

    def _on_names(self, message: String) -> None:
        self._names = known_names.read(message)

    def _on_session(self, message: SessionMessage) -> None:
        if (watcher := self._watcher) is None:
            return
        if message.state == SessionMessage.CLOSE:
            watcher.close()
            return
        if not ID.fullmatch(message.id):
            watcher.note(f"session id {message.id[:80]!r} was refused: letters, digits, _ and - are allowed")
            return
        watcher.open(
            Session(
                id=message.id,
                bag_uri=message.bag_uri,
                bag_fingerprint=message.bag_fingerprint,
                utc_offset_s=message.utc_offset_s,
                zone=message.zone,
                boot_id=boot_id(),
                clock=self.clock_name(),
                origin_ns=convert.to_ns(message.origin) or None,
                lockstep=message.lockstep,
                run=message.run,
            )
        )

    def _stamp(self, watcher: Watcher, stamp_ns: int, stream: str) -> int:
        """The message's stamp; a zero stamp gets its time of arrival and is counted."""
        if stamp_ns == 0:
            watcher.note(f"{stream} messages without a stamp: their time of arrival is used")
        return stamp_ns or self.now_ns()

    # ---- reports out: called from the watcher's threads

    def _publish_faces(self, session: str, stamp_ns: int, tracks: tuple[LiveTrack, ...]) -> None:
        faces = [
            Face(track=t.number, box=[int(side) for side in t.box], first_seen=convert.to_time(t.start_ns))
            for t in tracks
        ]
        self._faces.publish(FaceArray(header=Header(stamp=convert.to_time(stamp_ns)), session=session, faces=faces))

    def _publish_turn(self, session: str, turn: HeardTurn) -> None:
        self._turn += 1
        self._turns.publish(
            VoiceTurn(
                header=Header(stamp=convert.to_time(turn.start_ns)),
                session=session,
                turn=self._turn,
                end=convert.to_time(turn.end_ns),
                text=turn.text,
                language=self._language,
                confidence=float(turn.confidence),
                no_speech=float(turn.no_speech),
            )
        )

    def _publish_clip(self, clip: ClipObservation, place: Path) -> None:
        self._clip_ready.publish(
            ClipReady(
                header=Header(stamp=convert.to_time(clip.end_ns)),
                session=clip.session,
                sequence=clip.sequence,
                start=convert.to_time(clip.start_ns),
                path=str(place),
            )
        )

    def _publish_progress(self, progress: WatcherProgress) -> None:
        with self._progress_lock:  # or the second's repetition could overtake what is newer
            self._progress = progress
            self._publish_watermark(progress)

    def _publish_watermark(self, progress: WatcherProgress) -> None:
        recorder = progress.recorder
        self._watermark.publish(
            Watermark(
                header=Header(stamp=convert.to_time(self.now_ns())),
                session=recorder.session,
                run=progress.run,
                watermark=convert.to_time(recorder.watermark_ns),
                clips_closed=recorder.clips_closed,
                clips_lost=progress.lost,
                closed=progress.closed,
                recording=True,
                streams=list(STREAMS),
                received=[recorder.received.get(stream, 0) for stream in STREAMS],
                left_out=[sum(recorder.left_out.get(stream, {}).values()) for stream in STREAMS],
                frames_in=recorder.received.get("image", 0),
                frames_used=recorder.frames_used,
                frames_spare=recorder.frames_spare,
                frames_dropped=recorder.frames_dropped,
                audio_gap_s=recorder.audio_gap_s,
                problems=[f"{reason} ({count})" for reason, count in progress.trouble().items()],
            )
        )

    def _on_second(self) -> None:
        """Say again how far we are, for whoever has just come, and how we are."""
        with self._progress_lock:
            if self._progress is not None:
                self._publish_watermark(self._progress)
        self._publish_diagnostics()

    def _publish_diagnostics(self) -> None:
        watcher, progress = self._watcher, self._progress
        if watcher is None:
            return
        values = [KeyValue(key=f"{role} runs on", value=where) for role, where in watcher.running().items()]
        trouble = progress.trouble() if progress else {}
        values += [KeyValue(key=reason, value=str(count)) for reason, count in trouble.items()]
        level, text = (
            (DiagnosticStatus.WARN, "some messages could not be used")
            if trouble
            else (DiagnosticStatus.OK, "perceiving")
        )
        status = DiagnosticStatus(level=level, name="robot_memory: perception", message=text, values=values)
        self._diagnostics.publish(DiagnosticArray(header=Header(stamp=convert.to_time(self.now_ns())), status=[status]))


def _message_type(name: str) -> Any:
    """The class of "package/msg/Type". Raises SettingsInvalid if the package is not installed."""
    try:
        package, _, kind = name.split("/")
        return getattr(importlib.import_module(f"{package}.msg"), kind)
    except (ValueError, ImportError, AttributeError) as error:
        raise SettingsInvalid(
            f"audio_type {name!r} is not a message type installed here ({error}): write package/msg/Type"
        ) from error
