"""One run of the clock, cut into clips on message stamps.

Which messages are in a clip depends on their stamps alone: any order of arrival that is not too late gives the same
clip. A clip is closed once the watermark has passed its end, and then never changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from robot_memory.config import StreamSettings
from robot_memory.streams.audio import JITTER_NS, Chunk, Run, beyond, cut, runs, sound_end_ns
from robot_memory.streams.media import SECOND, AudioSpan, ClipMedia, Frame, Pose
from robot_memory.streams.sessions import Session

Encode = Callable[[], bytes]
ChunkKey = tuple[int, int, int]  # stamp, counter, samples


@dataclass
class OpenClip:
    """What has come for a clip so far: the earliest frame of each slot, sound and poses."""

    start_ns: int
    end_ns: int
    frames: dict[int, Frame] = field(default_factory=dict)
    chunks: dict[ChunkKey, Chunk] = field(default_factory=dict)
    poses: dict[int, Pose] = field(default_factory=dict)

    def holds_media(self) -> bool:
        return bool(self.frames or self.chunks)


class ClipCutter:
    """The clips of one session part and its watermark (design: laws of time)."""

    def __init__(self, session: Session, settings: StreamSettings, first_sequence: int = 0) -> None:
        self.session = session
        self._settings = settings
        self._clip_ns = int(settings.clip_s * SECOND)
        self._millifps = round(settings.frames_per_second * 1000)
        self._origin_ns = session.origin_ns or 0
        self._open: dict[int, OpenClip] = {}
        self._ends: dict[str, int] = {}
        self._closed_until: int | None = None
        self._sounded_until: int | None = None
        self._stitched: set[ChunkKey] = set()  # chunks of the clip closed last,
        self._left_over: tuple[Chunk, ...] = ()  # and their sound beyond its end
        self._next_sequence = first_sequence
        self.watermark_ns: int | None = None
        self.used = self.spare = 0
        self.dropped: Counter[str] = Counter()
        self.audio_gap_s = 0.0

    def add_frame(self, stamp_ns: int, encode: Encode) -> bytes | None:
        """Keep the frame if it is the earliest of its slot; returns its bytes, or None when it was not needed or not
        usable.
        """
        clip = self._clip_at(stamp_ns)
        self._reach("image", stamp_ns)
        if clip is None:
            self.dropped["late"] += 1
            return None
        slot = stamp_ns * self._millifps // (1000 * SECOND)
        rival = clip.frames.get(slot)
        if rival is not None and rival.stamp_ns <= stamp_ns:
            self._surplus(rival.stamp_ns == stamp_ns)
            return None
        encoded = None
        try:
            encoded = encode()
        finally:
            self.dropped["unreadable"] += encoded is None
        if rival is not None:
            self._surplus(duplicate=False)
        clip.frames[slot] = Frame(stamp_ns, encoded)
        return encoded

    def add_audio(self, chunk: Chunk) -> str:
        """Keep the chunk in each clip it reaches into; returns why not ("late", "duplicate"), or "" if it was kept."""
        key, clips = (chunk.stamp_ns, chunk.first_sample, len(chunk.samples)), []
        stamp_ns = max(chunk.stamp_ns, self._closed_until or chunk.stamp_ns)
        while stamp_ns < chunk.end_ns:
            if (clip := self._clip_at(stamp_ns)) is not None:
                clips.append(clip)
            stamp_ns = self._slot_end(stamp_ns)
        self._reach("audio", chunk.end_ns)
        if not clips:
            return "late" if len(chunk.samples) else ""
        if all(key in clip.chunks for clip in clips):
            return "duplicate"
        for clip in clips:
            clip.chunks.setdefault(key, chunk)
        return ""

    def add_pose(self, pose: Pose) -> bool:
        """Keep the pose; False if it came too late."""
        clip = self._clip_at(pose.stamp_ns)
        self._reach("pose", pose.stamp_ns)
        if clip is not None:
            clip.poses.setdefault(pose.stamp_ns, pose)
        return clip is not None

    def close_due(self) -> list[ClipMedia]:
        """The clips whose end the watermark has passed, in order."""
        due = [] if self.watermark_ns is None else [k for k, c in self._open.items() if c.end_ns <= self.watermark_ns]
        return self._close(sorted(due))

    def close_all(self) -> list[ClipMedia]:
        """Close what is open, the last clip where its last message ends: the source has paused or is done."""
        keys = sorted(self._open)
        closed = self._close(keys[:-1])
        if keys:
            last = self._open[keys[-1]]
            reached = max(end_ns + (stream != "audio") for stream, end_ns in self._ends.items())
            # where stamps jitter, the sound may end a little later than its stamps say
            last.end_ns = max(
                last.start_ns + 1, min(last.end_ns, reached), sound_end_ns(self._sound_of(last), last.start_ns)
            )
        return closed + self._close(keys[-1:])

    def open_frames(self) -> int:
        return sum(len(clip.frames) for clip in self._open.values())

    def holds_media(self) -> bool:
        return any(clip.holds_media() for clip in self._open.values())

    def border(self, stamp_ns: int) -> int:
        """Where the clip that a moment lies in will end."""
        return self._slot_end(stamp_ns)

    def _surplus(self, duplicate: bool) -> None:
        if duplicate:
            self.dropped["duplicate"] += 1
        else:
            self.spare += 1

    def _slot_start(self, stamp_ns: int) -> int:
        return stamp_ns - (stamp_ns - self._origin_ns) % self._clip_ns

    def _slot_end(self, stamp_ns: int) -> int:
        return self._slot_start(stamp_ns) + self._clip_ns

    def _clip_at(self, stamp_ns: int) -> OpenClip | None:
        """The open clip for a stamp; None if that time is over: closed, or passed by the watermark before anything
        came.
        """
        if self._closed_until is not None and stamp_ns < self._closed_until:
            return None
        key = self._slot_start(stamp_ns)
        if key not in self._open:
            if self.watermark_ns is not None and key + self._clip_ns <= self.watermark_ns:
                return None
            start_ns = key if self._closed_until is None else max(key, self._closed_until)
            self._open[key] = OpenClip(start_ns, key + self._clip_ns)
        return self._open[key]

    def _reach(self, stream: str, end_ns: int) -> None:
        """A stream has come as far as `end_ns`: the least of the live streams, minus the time allowed for reordering,
        is safe.
        """
        self._ends[stream] = max(end_ns, self._ends.get(stream, end_ns))
        newest = max(self._ends.values())
        lateness, reorder = int(self._settings.lateness_s * SECOND), int(self._settings.reorder_s * SECOND)
        safe = min(end for end in self._ends.values() if newest - end <= lateness) - reorder
        self.watermark_ns = safe if self.watermark_ns is None else max(self.watermark_ns, safe)

    def _close(self, keys: list[int]) -> list[ClipMedia]:
        closed = []
        for key in keys:
            clip = self._open.pop(key)
            self._closed_until = clip.end_ns if self._closed_until is None else max(self._closed_until, clip.end_ns)
            media = self._media(clip)
            if media.frames or media.audio:
                self._next_sequence = media.sequence + 1
                closed.append(media)
        return closed

    def _media(self, clip: OpenClip) -> ClipMedia:
        sound = self._sound_of(clip)
        frames = tuple(sorted(clip.frames.values(), key=lambda frame: frame.stamp_ns))
        audio = cut(sound, clip.start_ns, clip.end_ns)
        poses = tuple(sorted(clip.poses.values(), key=lambda pose: pose.stamp_ns))
        self._stitched, self._left_over = set(clip.chunks), beyond(sound, clip.end_ns)
        self.used += len(frames)
        self._measure_gaps(audio)
        return ClipMedia(self.session.id, self._sequence_of(clip), clip.start_ns, clip.end_ns, frames, audio, poses)

    def _sequence_of(self, clip: OpenClip) -> int:
        """A clip's number. Where the session says where it began, the number is the slot, whoever counts, so that a
        restart in the middle numbers as before.
        """
        slot = 0
        if self.session.origin_ns is not None:
            slot = (self._slot_start(clip.start_ns) - self._origin_ns) // self._clip_ns
        return max(self._next_sequence, slot)

    def _sound_of(self, clip: OpenClip) -> list[Run]:
        """What the clip before left over, and the chunks that it did not have."""
        return runs((chunk for key, chunk in clip.chunks.items() if key not in self._stitched), self._left_over)

    def _measure_gaps(self, audio: tuple[AudioSpan, ...]) -> None:
        for n, span in enumerate(audio):
            if self._sounded_until is not None:
                # a span's end is floored to whole nanoseconds and the next begins on its own sample, and with each clip
                # jittering stamps are believed anew: those are no gaps
                gap_ns = span.stamp_ns - self._sounded_until
                self.audio_gap_s += gap_ns / SECOND if gap_ns > (SECOND // 1000 if n else JITTER_NS) else 0.0
            self._sounded_until = span.end_ns
