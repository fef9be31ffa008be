"""The perception process without ROS: messages in, spooled clips and live reports out.

Threads: `intake` sorts messages into clips and is the only one to touch the recorder; the speech lane and the faces
lane report live; the clips lane perceives closed clips in order and spools them. A source that can wait (lockstep) is
held when clips pile up; a live one loses the clip, which is then stored as skipped, with the reason.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings, StreamSettings
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.perception.closing import ClipCloser
from robot_memory.perception.ears import Names, no_names
from robot_memory.perception.live import LiveEar, LiveEye
from robot_memory.perception.reports import Reports, WatcherProgress
from robot_memory.perception.senses import Senses
from robot_memory.streams.audio import Chunk
from robot_memory.streams.clips import Encode
from robot_memory.streams.media import SECOND, Frame, Pose
from robot_memory.streams.recorder import Recorder, Unreadable
from robot_memory.streams.sessions import Session, boot_id, local_zone, new_session_id, root_of
from robot_memory.streams.spool import Spool

LOG = logging.getLogger("robot_memory.perception")
IMAGE_BACKLOG = 300  # camera messages that may wait for the intake before a live one is dropped
LIVE_AUDIO_CHUNKS = 2000  # sound that may wait for the live lane; beyond it only the closing of the clip hears it
MOST_REASONS, LONGEST_REASON = 32, 200
REPORT_EVERY_S, REPORT_EVERY_NS = 0.05, SECOND // 4
LAST_CLIP_S = 0.8  # what a live source's open clip may take when the process stops


class Watcher:
    """Start it, feed it from any thread, stop it."""

    def __init__(
        self,
        senses: Senses,
        streams: StreamSettings,
        perception: PerceptionSettings,
        spool: Spool,
        reports: Reports,
        traffic: Traffic,
        clock: str = "system",
        names: Names = no_names,
    ) -> None:
        """`names` are known and help to hear; a session in lockstep, which must be heard alike each time, has none."""
        self._senses, self._streams, self._perception = senses, streams, perception
        self._reports, self._clock, self._names = reports, clock, names
        self._inbox: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._images_waiting = 0
        self._count_lock = threading.Lock()
        self._speech = Lane("speech", Rank.SPEECH, traffic, capacity=LIVE_AUDIO_CHUNKS)
        self._faces = Lane("faces", Rank.FACES, traffic, capacity=8)
        self._closer = ClipCloser(
            senses, perception, spool, traffic, streams.closed_clips, reports.clip, self.note, names
        )
        self._problems: Counter[str] = Counter()
        self._recorder: Recorder | None = None
        self._closed_at: float | None = None  # when the session was closed, by the steady clock
        self._closed = False
        self._last_message = time.monotonic()
        self._reported, self._reported_mark_ns = 0.0, 0
        self._thread = threading.Thread(target=self._run, name="intake")
        self._thread.start()

    def frame(self, stamp_ns: int, encode: Encode) -> None:
        """A camera message. `encode` gives JPEG or PNG bytes and raises Unreadable if it cannot."""
        with self._count_lock:
            full = self._images_waiting >= IMAGE_BACKLOG
            self._images_waiting += not full
        if full:
            self._inbox.put(self._overflowed)
        else:
            self._inbox.put(lambda: self._take_frame(stamp_ns, encode))

    def audio(self, stamp_ns: int, first_sample: int | None, rate: int, channels: int, data: NDArray[np.int16]) -> None:
        """A sound message: interleaved int16."""
        self._inbox.put(lambda: self._take_audio(stamp_ns, first_sample, rate, channels, data))

    def pose(self, pose: Pose) -> None:
        self._inbox.put(lambda: self._recording().pose(pose))

    def unreadable(self, stream: str, reason: str) -> None:
        """A message that could not even be converted: counted as received and dropped, the reason kept for the
        diagnostics.
        """
        self._inbox.put(lambda: self._refuse(stream, reason))

    def note(self, reason: str, count: int = 1) -> None:
        """Something a person should know about the messages; counted by its words."""
        self._inbox.put(partial(self._note, reason, count))

    def open(self, session: Session) -> None:
        """A source begins: what was open before is closed first."""
        self._inbox.put(lambda: self._open(session))

    def close(self) -> None:
        """The source is done: close its last clip; a progress report says when that is spooled."""
        self._inbox.put(self._close)

    def stop(self) -> None:
        """Finish what a live source has open, within about a second, or give it up, and end all threads."""
        live = self._recorder is not None and self._recorder.session.live
        self._closer.finish_by(time.monotonic() + (LAST_CLIP_S if live else 0.0))
        self._inbox.put(None)
        self._thread.join()
        self._closer.stop()
        for lane in (self._speech, self._faces):
            lane.close()

    def running(self) -> dict[str, str]:
        """Model role -> what it runs on."""
        return dict(self._senses.running)

    # ---- the intake thread

    def _run(self) -> None:
        while True:
            try:
                job = self._inbox.get(timeout=0.25)
            except queue.Empty:
                self._guarded(self._idle)
                continue
            if job is None:
                self._guarded(self._stop_recording)
                return
            self._guarded(job)
            self._guarded(self._collect)
            if self._inbox.empty() or self._has_news():
                self._guarded(self._report)

    def _guarded(self, step: Callable[[], None]) -> None:
        """The intake goes on whatever a step met: a robot that is deaf without a word is the worst of all."""
        try:
            step()
        except Unreadable as problem:
            self._note(str(problem))
        except Exception as error:
            LOG.exception("the intake met something unforeseen")
            self._note(f"the intake met something unforeseen: {error!r}")

    def _take_frame(self, stamp_ns: int, encode: Encode) -> None:
        with self._count_lock:
            self._images_waiting -= 1
        self._last_message = time.monotonic()
        recorder = self._recording()
        taken = recorder.frame(stamp_ns, encode)
        self._follow(recorder.current)
        for frame in taken:
            self._live(self._faces, partial(self._look, self._eye, recorder.current.id, frame))

    def _take_audio(
        self, stamp_ns: int, first_sample: int | None, rate: int, channels: int, data: NDArray[np.int16]
    ) -> None:
        self._last_message = time.monotonic()
        recorder = self._recording()
        taken = recorder.audio(stamp_ns, first_sample, rate, channels, data)
        self._follow(recorder.current)
        for chunk in taken:
            self._live(self._speech, partial(self._listen, self._ear, recorder.current.id, chunk, recorder.border()))

    def _refuse(self, stream: str, reason: str) -> None:
        self._recording().refuse(stream)
        self._note(reason)

    def _overflowed(self) -> None:
        self._recording().refuse("image", "no room")

    def _note(self, reason: str, count: int = 1) -> None:
        reason = reason[:LONGEST_REASON]
        if reason not in self._problems and len(self._problems) >= MOST_REASONS:
            reason = "other problems"
        if not self._problems[reason]:
            LOG.warning(reason)
        self._problems[reason] += count

    def _recording(self) -> Recorder:
        """The open session's recorder. A message without a session, or long after its end, opens a live one."""
        over = self._closed_at is not None and time.monotonic() - self._closed_at > self._streams.silence_s
        if self._recorder is None or over:
            offset_s = time.localtime().tm_gmtoff
            session = Session(
                new_session_id(), boot_id=boot_id(), clock=self._clock, utc_offset_s=offset_s, zone=local_zone()
            )
            self._open(session)
        assert self._recorder is not None
        return self._recorder

    def _open(self, session: Session) -> None:
        # a bag that was not closed was cut short: its open clip is half a clip, and the bag can be replayed
        if self._recorder is not None and self._recorder.session.live:
            self._recorder.finish()
            self._collect()
        # a live session may be opened again by a process that was restarted: its numbers must go on growing
        first = time.time_ns() // 1_000_000 if session.live else 0
        self._recorder = Recorder(session, self._streams, first)
        self._problems.clear()
        self._part = ""
        self._closed_at, self._closed = None, False
        self._last_message = time.monotonic()
        self._report()

    def _follow(self, part: Session) -> None:
        """Live reports start afresh with every session and every jump of its clock."""
        if part.id == self._part:
            return
        assert self._recorder is not None
        if part.id != self._recorder.session.id:
            self._note("the clock jumped back: what follows is a session of its own")
        self._part = part.id
        self._eye = LiveEye(self._senses.eyes, self._perception, self._senses.same_face)
        self._ear = LiveEar(self._senses.ears, self._perception, no_names if part.lockstep else self._names)

    def _close(self) -> None:
        if self._recorder is None:
            return
        self._recorder.finish()
        self._collect()
        self._closed_at = time.monotonic()
        recorder = self._recorder

        def done() -> None:  # runs behind the session's last clip in the clips lane
            if self._recorder is recorder:
                self._closed = True
                self._inbox.put(self._report)

        self._closer.after_all(done)

    def _collect(self) -> None:
        """Send the clips that have closed to be perceived."""
        if self._recorder is None:
            return
        for media in self._recorder.closed():
            self._closer.close_clip(media, self._recorder.part_of(media))

    def _idle(self) -> None:
        recorder = self._recorder
        if recorder is None or not recorder.session.live or not recorder.holds_media():
            return
        if time.monotonic() - self._last_message > self._streams.silence_s:
            recorder.pause()
            self._collect()
            self._report()

    def _stop_recording(self) -> None:
        """A bag can be replayed, so only a live source's open clip is worth a hurry."""
        if self._recorder is not None and self._recorder.session.live:
            self._recorder.finish()
            self._collect()
            self._closer.wait()

    def _has_news(self) -> bool:
        """True when the last report is old, by the clock on the wall or by that of the messages."""
        ahead_ns = (self._recorder.watermark_ns if self._recorder else 0) - self._reported_mark_ns
        return time.monotonic() - self._reported > REPORT_EVERY_S or ahead_ns >= REPORT_EVERY_NS

    def _report(self) -> None:
        if self._recorder is not None:
            self._reported_mark_ns = self._recorder.watermark_ns
            self._reported = time.monotonic()
            session = self._recorder.session
            self._reports.progress(
                WatcherProgress(
                    recorder=self._recorder.progress(),
                    run=session.run,
                    lost=self._closer.lost[root_of(session.id)],
                    closed=self._closed,
                    problems=dict(self._problems),
                )
            )

    # ---- the lanes

    def _live(self, lane: Lane, job: Callable[[], None]) -> None:
        """Live reports are a courtesy: when the lane is full they are left out and the closing of the clip does the
        work.
        """
        with suppress(Busy):
            lane.post(job)

    def _look(self, eye: LiveEye, session_id: str, frame: Frame) -> None:
        self._faces.give_way()
        self._reports.faces(session_id, frame.stamp_ns, eye.look(frame))

    def _listen(self, ear: LiveEar, session_id: str, chunk: Chunk, border: Callable[[int], int]) -> None:
        for turn in ear.listen(chunk, border):
            self._reports.turn(session_id, turn)
