"""A video file as a robot would have seen and heard it: pictures and sound in order of time, never all of it in memory.

Times are nanoseconds: the container's own presentation stamps, counted from its beginning, plus a start. Rotation and
the shape of the pixels are undone, variable frame rates and files without sound or without pictures are fine.
"""

from __future__ import annotations

import heapq
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.perception.pictures import encode_jpeg
from robot_memory.streams.media import SAMPLE_RATE, SECOND

CHUNK = SAMPLE_RATE // 10  # samples: 100 ms
HELD_NS = SECOND // 2  # a picture that stands longer is repeated, as a camera would see it again and again
SLIP_NS = SECOND // 10  # sound whose stamps are this far off what came before begins anew
UNKNOWN_START_NS = SECOND  # stamps this small are seconds of a recording, not dates; zero would mean "no stamp"

logger = logging.getLogger(__name__)


class VideoUnreadable(RobotMemoryError):
    """A file that is no video, or holds neither pictures nor sound."""


@dataclass(frozen=True)
class Picture:
    """One picture as JPEG."""

    at_ns: int
    jpeg: bytes

    @property
    def taken_ns(self) -> int:
        """When a recorder would have had it."""
        return self.at_ns


@dataclass(frozen=True, eq=False)
class Sound:
    """Up to 100 ms of mono sound at 16 kHz; `first` counts samples since the beginning, gaps included."""

    at_ns: int
    first: int
    samples: NDArray[np.int16]

    @property
    def taken_ns(self) -> int:
        return self.at_ns + len(self.samples) * SECOND // SAMPLE_RATE


@dataclass(frozen=True)
class Look:
    """Which pictures are taken of a video: so many a second, scaled down to `longest_side` pixels, JPEG `quality`."""

    fps: float = 5.0
    longest_side: int = 1280
    quality: int = 85


USUAL = Look()


class Video:
    """A video file; each call of `media` reads it afresh. `problems` counts what could not be decoded."""

    def __init__(self, path: Path, start_ns: int = UNKNOWN_START_NS) -> None:
        """Raises VideoUnreadable."""
        self.path, self.start_ns = path, start_ns
        self.problems: Counter[str] = Counter()
        with _opened(path) as container:
            self.aspect = _aspect(shown := _stream(container, "video"))
            self.has_pictures = shown is not None
            self.has_sound = _stream(container, "audio") is not None
            self.seconds = container.duration / 1e6 if container.duration else 0.0  # 0: the file does not say
            self.made = str(container.metadata.get("creation_time", ""))
        if not (self.has_pictures or self.has_sound):
            raise VideoUnreadable(f"{path}: holds neither pictures nor sound — give a video such as an MP4 file")

    def media(self, look: Look = USUAL) -> Iterator[Picture | Sound]:
        """Pictures and sound in the order in which a recorder would have got them."""
        streams: list[Iterator[Picture | Sound]] = [self.pictures(look), self.sound()]
        return heapq.merge(*streams, key=lambda item: item.taken_ns)

    def pictures(self, look: Look) -> Iterator[Picture]:
        """The first picture of each slot of 1/fps; where the same one stands for long, it is there in every slot."""
        millifps = round(look.fps * 1000)
        last: Picture | None = None
        last_slot = -1
        for at_ns, frame in self._frames("video"):
            slot = at_ns * millifps // (1000 * SECOND)
            if slot <= last_slot:
                continue
            if last is not None and at_ns - last.at_ns > HELD_NS:
                for between in range(last_slot + 1, slot):
                    yield Picture(-(-between * 1000 * SECOND // millifps), last.jpeg)
            last, last_slot = Picture(at_ns, _jpeg(frame, self.aspect, look)), slot
            yield last

    def sound(self) -> Iterator[Sound]:
        """Gapless but where the stamps leave a gap; what overlaps is heard once."""
        run: _Run | None = None
        for at_ns, frame in self._frames("audio"):
            if run is not None and at_ns < run.ends_ns - SLIP_NS:
                continue
            if run is None or at_ns > run.ends_ns + SLIP_NS or not run.fits(frame):
                if run is not None:
                    yield from run.finish()
                    at_ns = max(at_ns, run.given_ns)
                run = _Run(at_ns, self.start_ns, frame)
            yield from run.add(frame)
        if run is not None:
            yield from run.finish()

    def _frames(self, kind: str) -> Iterator[tuple[int, Any]]:
        """Decoded frames with their stamps. A file that is torn ends where it is torn; what cannot be decoded is left
        out.
        """
        import av

        with _opened(self.path) as container:
            stream = _stream(container, kind)
            if stream is None:
                return
            stream.thread_type = "AUTO"
            begin_ns = (container.start_time or 0) * 1000
            at_ns = self.start_ns
            for packet in self._packets(container, stream):
                try:
                    frames = packet.decode()
                except av.error.FFmpegError as error:
                    self._problem(f"{kind} that cannot be decoded", error)
                    continue
                for frame in frames:
                    stamp = frame.pts if frame.pts is not None else frame.dts
                    if stamp is not None:
                        since_ns = int(stamp * frame.time_base * SECOND) - begin_ns
                        at_ns = self.start_ns + max(0, since_ns)
                    yield at_ns, frame

    def _packets(self, container: Any, stream: Any) -> Iterator[Any]:
        import av

        try:
            yield from container.demux(stream)
        except av.error.FFmpegError as error:
            self._problem("the file is torn; what came before is used", error)

    def _problem(self, what: str, error: Exception) -> None:
        logger.info("%s: %s: %s", self.path, what, error)
        self.problems[what] += 1


class _Run:
    """Gapless sound, resampled as it comes."""

    def __init__(self, at_ns: int, start_ns: int, frame: Any) -> None:
        import av

        self._at_ns, self._first = at_ns, (at_ns - start_ns) * SAMPLE_RATE // SECOND
        self._given = self._taken = 0  # samples at 16 kHz given out, at the source's rate taken in
        self._resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
        self._rate, self._form = frame.sample_rate, _form(frame)
        self._rest = np.zeros(0, np.int16)

    @property
    def ends_ns(self) -> int:
        """Where what was taken in ends."""
        return self._at_ns + self._taken * SECOND // int(self._rate)

    @property
    def given_ns(self) -> int:
        return self._at_ns + self._given * SECOND // SAMPLE_RATE

    def fits(self, frame: Any) -> bool:
        return _form(frame) == self._form

    def add(self, frame: Any) -> Iterator[Sound]:
        self._taken += frame.samples
        frame.pts = None  # the resampler would fill or cut by them; gaps are our business
        self._collect(frame)
        whole = len(self._rest) // CHUNK * CHUNK
        yield from self._give(whole)

    def finish(self) -> Iterator[Sound]:
        self._collect(None)
        yield from self._give(len(self._rest))

    def _collect(self, frame: Any) -> None:
        pieces = [piece.to_ndarray().reshape(-1) for piece in self._resampler.resample(frame)]
        self._rest = np.concatenate([self._rest, *pieces]).astype(np.int16)

    def _give(self, count: int) -> Iterator[Sound]:
        for begin in range(0, count, CHUNK):
            samples = self._rest[begin : min(begin + CHUNK, count)]
            yield Sound(self.given_ns, self._first + self._given, samples)
            self._given += len(samples)
        self._rest = self._rest[count:]


def _opened(path: Path) -> Any:
    import av

    if not path.is_file():
        raise VideoUnreadable(f"{path}: there is no such file")
    try:
        return av.open(str(path))
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise VideoUnreadable(f"{path}: cannot be read as a video ({error}) — is it whole?") from error


def _stream(container: Any, kind: str) -> Any:
    """The stream a player would show; None if there is none. A cover picture is no video."""
    streams = [one for one in container.streams if one.type == kind and not _is_cover(one)]
    return container.streams.best(kind) if len(streams) > 1 else next(iter(streams), None)


def _is_cover(stream: Any) -> bool:
    return "attached_pic" in str(stream.disposition).lower()


def _form(frame: Any) -> tuple[int, str, str]:
    return frame.sample_rate, frame.layout.name, frame.format.name


def _aspect(stream: Any) -> float:
    """Width of a pixel by its height."""
    ratio = stream.sample_aspect_ratio if stream is not None else None
    return float(ratio) if ratio else 1.0


def _jpeg(frame: Any, aspect: float, look: Look) -> bytes:
    """Scaled, turned upright, encoded."""
    wide, high = frame.width * max(aspect, 1.0), frame.height / min(aspect, 1.0)
    scale = min(1.0, look.longest_side / max(wide, high))
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    pixels = frame.reformat(width=size[0], height=size[1], format="bgr24", interpolation="AREA").to_ndarray()
    return encode_jpeg(np.ascontiguousarray(np.rot90(pixels, round(frame.rotation / 90) % 4)), look.quality)
