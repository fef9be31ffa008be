"""A mirror on loopback that can stall, cut, lie and redirect; manifest entries and wheels that point to it."""

from __future__ import annotations

import hashlib
import re
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from robot_memory.models.files import ModelFile, Url

WriteProfile = Callable[..., str]


def pattern(size: int, seed: int = 1) -> bytes:
    """`size` bytes that differ everywhere, the same each time."""
    words = b"".join(hashlib.sha256(bytes([seed, *n.to_bytes(4, "big")])).digest() for n in range(size // 32 + 1))
    return words[:size]


def pinned(name: str, body: bytes, *urls: str) -> ModelFile:
    return ModelFile(name, len(body), hashlib.sha256(body).hexdigest(), tuple(Url(url) for url in urls))


@dataclass
class Route:
    """How one path answers. `cuts`: after how many bytes of the body the next answers break off."""

    body: bytes = b""
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    stalls: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    length: int | None = None  # None: the true one; negative: none at all
    content_range: str = ""
    location: str = ""
    pause_s: float = 0.0  # before each chunk
    chunk: int = 4096
    asked: list[str] = field(default_factory=list)  # the Range header of each request, "" without one


@dataclass
class Mirror:
    """The server: routes by path, and its address."""

    address: str
    routes: dict[str, Route] = field(default_factory=dict)
    released: threading.Event = field(default_factory=threading.Event)

    def serve(self, path: str, body: bytes = b"", **how: object) -> str:
        """Serve `body` at `path`; returns its address."""
        self.routes[path] = Route(body, **how)  # type: ignore[arg-type]
        return self.address + path


class Handler(BaseHTTPRequestHandler):
    mirror: Mirror

    def do_GET(self) -> None:
        route = self.mirror.routes.get(self.path, Route(statuses=[404]))
        asked = self.headers.get("Range", "")
        route.asked.append(asked)
        if route.location or route.statuses:
            self.send_response(302 if route.location else route.statuses.pop(0))
            self.send_header("Location", route.location)
            self.end_headers()
        else:
            self.send_body(route, int(re.findall(r"\d+", asked)[0]) if asked and route.ranges else 0, bool(asked))

    def send_body(self, route: Route, start: int, asked: bool) -> None:
        body = route.body[start:]
        partial = asked and route.ranges
        self.send_response(206 if partial else 200)
        if partial:
            whole = f"bytes {start}-{len(route.body) - 1}/{len(route.body)}"
            self.send_header("Content-Range", route.content_range or whole)
        if route.length is None or route.length >= 0:
            self.send_header("Content-Length", str(len(body) if route.length is None else route.length))
        self.end_headers()
        stall = route.stalls.pop(0) if route.stalls else None
        end = stall if stall is not None else route.cuts.pop(0) if route.cuts else len(body)
        for offset in range(0, end, route.chunk):
            if route.pause_s:
                self.mirror.released.wait(route.pause_s)
            self.wfile.write(body[offset : min(offset + route.chunk, end)])
        if stall is not None:
            self.mirror.released.wait(30)

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client hung up: part of the game
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def running() -> Iterator[Mirror]:
    """A mirror that listens until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = Mirror(f"http://127.0.0.1:{server.server_address[1]}")
    server.RequestHandlerClass = type("Bound", (Handler,), {"mirror": found})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        found.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def entry(name: str, body: bytes, *mirrors: object) -> dict[str, object]:
    """A file of a profile: mirrors are addresses or package mappings."""
    listed = [{"url": mirror} if isinstance(mirror, str) else mirror for mirror in mirrors]
    return {"name": name, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest(), "mirrors": listed}


def make_wheel(folder: Path, name: str, tag: str, **members: bytes) -> None:
    """A wheel of `name` 1.0 whose package holds `members`."""
    with zipfile.ZipFile(folder / f"{name}-1.0-{tag}.whl", "w") as box:
        for member, body in members.items():
            box.writestr(f"{name}/{member}", body)
        box.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        box.writestr(f"{name}-1.0.dist-info/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        box.writestr(f"{name}-1.0.dist-info/RECORD", "")
