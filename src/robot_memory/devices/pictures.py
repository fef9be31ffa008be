"""Pictures from a camera, a film, a folder of pictures or a URL, as JPEG."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import CameraSettings
from robot_memory.devices import media, v4l2
from robot_memory.devices.sources import Kind, Source, SourceRefused

SUFFIXES = {".jpg", ".jpeg", ".png", ".bmp", ".webp"}
JPEG = b"\xff\xd8\xff"


@dataclass(frozen=True)
class Picture:
    """`at_s`: its moment in the film, None where it is seen now."""

    jpeg: bytes
    at_s: float | None = None


def pictures(
    source: Source, settings: CameraSettings, passed_over: Callable[[Path], None] = lambda path: None
) -> Generator[Picture, None, None]:
    """The pictures of a source, at most `fps` a second, until it ends. Raises SourceLost or SourceRefused.

    `passed_over` hears of each file of a folder that cannot be read.
    """
    if source.kind is Kind.DEVICE:
        for image in v4l2.watch(source, settings):
            yield Picture(encoded(image, settings))
    elif stills := _stills(source):
        yield from _shown(source, stills, settings, passed_over)
    else:
        with media.opened(source, "video") as (box, stream):
            yield from _film(box, stream, settings)


def check(source: Source) -> None:
    """Raise SourceRefused for what can never be watched."""
    if source.kind is Kind.DEVICE:
        v4l2.find(source.address)
    elif source.kind is Kind.FILE and not _stills(source):
        with media.opened(source, "video"):
            pass


def encoded(image: NDArray[np.uint8], settings: CameraSettings) -> bytes:
    """A BGR picture [height, width, 3] as JPEG of the size and quality that are wanted."""
    import cv2

    size = _size(image.shape[1], image.shape[0], settings)
    if size != (image.shape[1], image.shape[0]):
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, settings.quality])[1])


def _shown(
    source: Source, stills: list[Path], settings: CameraSettings, passed_over: Callable[[Path], None]
) -> Generator[Picture, None, None]:
    """One after the other; one that cannot be read leaves no gap."""
    shown = 0
    for path in stills:
        if (jpeg := still(path, settings)) is None:
            passed_over(path)
            continue
        yield Picture(jpeg, shown / settings.fps)
        shown += 1
    if not shown:
        holds = f"{source} is not a picture" if stills == [Path(source.address)] else f"{source} has no picture"
        raise SourceRefused(f"{holds} that can be read")


def _film(box: Any, stream: Any, settings: CameraSettings) -> Generator[Picture, None, None]:
    """By slot: the first picture of each 1/fps of the film."""
    as_it_is = stream.codec_context.name == "mjpeg" and not (settings.width or settings.height)
    first_s, slot, seen = None, -1, 0
    for packet in media.packets(box, stream):
        for frame in [packet] if as_it_is and packet.size else media.frames(packet):
            moment = float(frame.pts * frame.time_base) if frame.pts is not None else None
            at_s = seen / float(stream.average_rate or 25) if moment is None else moment
            seen += 1
            first_s = at_s if first_s is None else first_s
            if (now := int((at_s - first_s) * settings.fps + 1e-6)) <= slot:
                continue
            slot = now
            jpeg = bytes(frame) if as_it_is else encoded(_upright(frame), settings)
            if jpeg.startswith(JPEG):
                yield Picture(jpeg, at_s - first_s)


def _upright(frame: Any) -> NDArray[np.uint8]:
    """A film's frame as BGR; telephones only note down how they were held."""
    image = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
    return np.ascontiguousarray(np.rot90(image, frame.rotation // 90 % 4))


def _stills(source: Source) -> list[Path]:
    path = Path(source.address)
    if source.kind is not Kind.FILE:
        return []
    if not path.is_dir():
        return [path] if path.suffix.lower() in SUFFIXES else []
    found = sorted(one for one in path.iterdir() if one.suffix.lower() in SUFFIXES and one.is_file())
    if not found:
        raise SourceRefused(f"{path} has no pictures ({', '.join(sorted(SUFFIXES))})")
    return found


def still(path: Path, settings: CameraSettings) -> bytes | None:
    """A picture's file as JPEG; None where it cannot be read."""
    import cv2

    try:
        data = path.read_bytes()
        if data.startswith(JPEG) and not (settings.width or settings.height):
            return data
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
        return None if image is None else encoded(np.asarray(image, np.uint8), settings)
    except (OSError, cv2.error):  # the latter for pictures of more pixels than it dares
        return None


def _size(width: int, height: int, settings: CameraSettings) -> tuple[int, int]:
    """What is wanted; a side left at 0 follows the other."""
    if not settings.width and not settings.height:
        return width, height
    wanted = settings.width or round(width * settings.height / height)
    return max(1, wanted), max(1, settings.height or round(height * settings.width / width))
