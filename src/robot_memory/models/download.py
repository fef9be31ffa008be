"""Downloads one file over HTTP(S) into a .part file, resuming what is already there.

Ends with the whole, verified file, or with MirrorFailed and the reason. A server may ignore Range, send too much or
too little, stall, lie or redirect: each is noticed. What was received stays in the .part file for the next try,
unless its bytes proved wrong.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.models.files import ModelFile
from robot_memory.models.mirrors import MirrorFailed, Progress, Watch, check_bytes, writing

BLOCK = 1 << 18
TRIES = 3
GOOD_PIECE = 1 << 16  # bytes that make it worth resuming from the same mirror
BROKEN = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.HTTPException)
SLOWEST = 1024  # bytes per second over a whole stall time; below that a connection counts as stalled


class Interrupted(Exception):
    """The transfer broke off but may be resumed from the same mirror."""


@dataclass
class Downloader:
    """Downloads for one run; a host that could not be reached is not asked again.

    `stall_s`: silence after which a connection is given up. `pause_s`: wait before a try, longer each time.
    """

    watch: Watch = field(default_factory=Watch)
    stall_s: float = 15.0
    pause_s: float = 1.0
    unreachable: dict[str, str] = field(default_factory=dict)

    def download(self, url: str, part: Path, file: ModelFile) -> None:
        """Make `part` the whole, verified `file`. Raises MirrorFailed, WeightsUnwritable or Cancelled."""
        resumed = part.is_file() and part.stat().st_size > 0
        try:
            self.complete(url, part, file)
            check_bytes(part, file)
        except MirrorFailed:
            if not resumed or part.exists():
                raise
            # The old piece may have come from a mirror that lied: this mirror gets one chance from the start.
            self.complete(url, part, file)
            check_bytes(part, file)

    def complete(self, url: str, part: Path, file: ModelFile) -> None:
        """Receive until `part` has all bytes. Tries that bring a good piece go on; TRIES poor ones in a row end it."""
        tries = 0
        while (before := size_of(part)) != file.bytes:
            try:
                self.receive(url, part, file)
                return
            except Interrupted as error:
                tries = tries + 1 if size_of(part) - before < GOOD_PIECE else 0
                if tries == TRIES:
                    raise MirrorFailed(f"{error} ({TRIES} tries)") from error
            self.watch.cancel.wait(self.pause_s * (1 + tries))
            self.watch.check()

    def receive(self, url: str, part: Path, file: ModelFile) -> None:
        """One request: append to `part` from where it ends, or from the start if the server ignores Range."""
        have = size_of(part)
        if have > file.bytes:
            part.unlink()
            have = 0
        step = f"{part.parent.name}/{file.name}"
        with self.open(url, have) as response:
            start = start_of(response, have)
            check_length(response, start, file)
            with writing(part):
                part.parent.mkdir(parents=True, exist_ok=True)
                with part.open("r+b" if start else "wb") as target:
                    target.seek(start)
                    for block in self.blocks(response):
                        target.write(block)
                        if target.tell() > file.bytes:
                            break
                        self.watch.report(Progress(step, target.tell(), file.bytes))
        if size_of(part) < file.bytes:
            raise Interrupted(f"the connection ended after {size_of(part):,} of {file.bytes:,} B")

    def open(self, url: str, have: int) -> http.client.HTTPResponse:
        host = urllib.parse.urlsplit(url).netloc
        if host in self.unreachable:
            raise MirrorFailed(f"{host} is out of reach ({self.unreachable[host]})")
        headers = {"User-Agent": "robot-memory", **({"Range": f"bytes={have}-"} if have else {})}
        request = urllib.request.Request(url, headers=headers)
        try:
            response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=self.stall_s)
            return response
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 429 or error.code >= 500:
                raise Interrupted(f"HTTP {error.code} {error.reason}") from error
            raise MirrorFailed(f"HTTP {error.code} {error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(reason, BROKEN):
                raise Interrupted(f"no connection: {said(reason)}") from error
            self.unreachable[host] = said(reason)
            raise MirrorFailed(f"{host} is out of reach ({said(reason)})") from error

    def blocks(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        """What arrives, as it arrives. Raises Interrupted when the connection stalls, trickles or breaks."""
        since, received = time.monotonic(), 0
        while True:
            self.watch.check()
            try:
                block = response.read1(BLOCK)
            except TimeoutError as error:
                raise Interrupted(f"stalled for {self.stall_s:g} s") from error
            except (OSError, http.client.HTTPException) as error:
                raise Interrupted(f"the connection broke: {said(error)}") from error
            if not block:
                return
            yield block
            received += len(block)
            if (elapsed := time.monotonic() - since) >= self.stall_s:
                if received < SLOWEST * elapsed:
                    raise Interrupted(f"only {received} B in {elapsed:.1f} s")
                since, received = time.monotonic(), 0


def start_of(response: http.client.HTTPResponse, have: int) -> int:
    """The offset at which the body starts: `have` if the server honours Range, else 0."""
    if response.status != 206:
        return 0
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if not match or int(match.group(1)) != have:
        raise MirrorFailed(f"asked for bytes from {have}, got {response.headers.get('Content-Range')!r}")
    return have


def check_length(response: http.client.HTTPResponse, start: int, file: ModelFile) -> None:
    """Refuse a file of another length before it is received. A server that sends no length is judged by the bytes."""
    length = response.headers.get("Content-Length", "")
    if length.isdigit() and start + int(length) != file.bytes:
        raise MirrorFailed(f"serves {start + int(length):,} B, the manifest says {file.bytes:,} B")


def size_of(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def said(error: object) -> str:
    """An exception in a few words."""
    if isinstance(error, socket.gaierror):
        return "its name cannot be resolved"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ssl.SSLError):
        return f"TLS: {error.reason}"
    return str(getattr(error, "strerror", None) or error or type(error).__name__)
