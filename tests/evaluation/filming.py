"""Small videos made on the spot: a bar that moves with time, a tone that changes its pitch every second."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

WIDE, HIGH, RATE = 320, 180, 44_100
TICK = Fraction(1, 12_800)


def film(
    path: Path,
    times: Iterable[float] = (),
    sound: NDArray[np.float32] | None = None,
    b_frames: int = 0,
    sound_at: Iterable[tuple[float, float]] = (),
    size: tuple[int, int] = (WIDE, HIGH),
) -> Path:
    """A video with a picture at each of `times` (seconds). `sound` [n] at 44.1 kHz; `sound_at`: (from, to) stretches
    of it that are written, each at its own time; all of it by default.
    """
    times = list(times)
    with av.open(str(path), "w") as container:
        streams = []
        if times:
            video = container.add_stream("libx264", rate=25, options={"bf": str(b_frames), "preset": "ultrafast"})
            video.width, video.height, video.pix_fmt, video.time_base = *size, "yuv420p", TICK
            video.codec_context.time_base = TICK
            streams.append((video, pictures(times, size)))
        if sound is not None:
            audio = container.add_stream("aac", rate=RATE, layout="mono")
            streams.append((audio, sounds(sound, list(sound_at) or [(0.0, len(sound) / RATE)])))
        for stream, frames in streams:
            for frame in frames:
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
    return path


def pictures(times: list[float], size: tuple[int, int]) -> Iterable[av.VideoFrame]:
    for time in times:
        frame = av.VideoFrame.from_ndarray(picture(time, size), "bgr24")
        frame.pts, frame.time_base = round(time / TICK), TICK
        yield frame


def picture(time: float, size: tuple[int, int] = (WIDE, HIGH)) -> NDArray[np.uint8]:
    """A white bar, a hundredth of the width further each tenth of a second; the top left corner red."""
    wide, high = size
    shown = np.full((high, wide, 3), 60, np.uint8)
    shown[: high // 4, : wide // 4] = (0, 0, 255)
    left = bar_at(time, wide)
    shown[high // 2 :, left : left + wide // 16] = 255
    return shown


def bar_at(time: float, wide: int = WIDE) -> int:
    return int(wide * 0.1 * time) % (wide - wide // 16)


def sounds(sound: NDArray[np.float32], stretches: list[tuple[float, float]]) -> Iterable[av.AudioFrame]:
    for begin, end in stretches:
        for first in range(round(begin * RATE), round(end * RATE), 1024):
            piece = sound[first : min(first + 1024, round(end * RATE))]
            frame = av.AudioFrame.from_ndarray(piece[None], "fltp", "mono")
            frame.sample_rate, frame.pts, frame.time_base = RATE, first, Fraction(1, RATE)
            yield frame


def tones(seconds: float) -> NDArray[np.float32]:
    """Second n sounds at 300 + 100 n Hz."""
    t = np.arange(round(seconds * RATE)) / RATE
    return (0.4 * np.sin(2 * np.pi * (300 + 100 * np.floor(t)) * t)).astype(np.float32)


def turned(path: Path, out: Path, degrees: int) -> Path:
    """The same video, marked as filmed with the camera turned: its track's matrix says so, as telephones write it."""
    one = 1 << 16
    matrices = {90: (0, one, -one, 0), 180: (-one, 0, 0, -one), 270: (0, -one, one, 0)}
    a, b, c, d = matrices[degrees]
    wanted = b"".join(v.to_bytes(4, "big", signed=True) for v in (a, b, 0, c, d, 0, 0, 0, 1 << 30))
    data = path.read_bytes()
    at = data.index(b"tkhd") + 4 + 4 + 20 + 8 + 8  # version and flags, times and id, reserved, layer to volume
    assert int.from_bytes(data[at : at + 4], "big") == one
    out.write_bytes(data[:at] + wanted + data[at + 36 :])
    return out
