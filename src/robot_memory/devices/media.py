"""Opening files and URLs with FFmpeg (PyAV), and saying in words what goes wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from robot_memory.devices.sources import Kind, Source, SourceLost, SourceRefused

OPEN_S, READ_S = 5.0, 3.0  # a URL that answers no sooner is lost
RTSP = {"rtsp_transport": "tcp"}  # over UDP a busy network makes grey pictures


@contextmanager
def opened(source: Source, stream_kind: str) -> Iterator[tuple[Any, Any]]:
    """(container, its first stream of "audio" or "video"). Raises SourceLost for a URL, SourceRefused for a file."""
    import av

    url = source.kind is Kind.URL
    wrong = SourceLost if url else SourceRefused
    try:
        box = av.open(
            source.address,
            options=RTSP if source.address.startswith("rtsp") else {},
            timeout=(OPEN_S, READ_S) if url else None,
            metadata_errors="replace",
        )
    except av.error.ProtocolNotFoundError as error:
        raise SourceRefused(f"{source} cannot be opened: this FFmpeg does not know how") from error
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise wrong(f"{source} cannot be opened: {reason(error)}") from error
    with box:
        streams = getattr(box.streams, stream_kind)
        if not streams:
            what = {"audio": "sound", "video": "pictures"}[stream_kind]
            raise SourceRefused(f"{source} has no {what}")
        try:
            yield box, streams[0]
        except av.error.FFmpegError as error:
            raise wrong(f"{source} cannot be read on: {reason(error)}") from error


def packets(box: Any, stream: Any) -> Iterator[Any]:
    """The stream's packets; the last one flushes the decoder."""
    yield from box.demux(stream)


def frames(packet: Any) -> list[Any]:
    """What a packet decodes to; nothing for one that arrived damaged."""
    import av

    try:
        return list(packet.decode())
    except av.error.InvalidDataError:
        return []


def reason(error: Exception) -> str:
    """FFmpeg's words without its numbers."""
    import av

    if isinstance(error, av.error.ExitError):
        return "no answer in time"
    return str(getattr(error, "strerror", None) or error)
