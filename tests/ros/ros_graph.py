"""Running the graph as a user would: its own processes, its own home, its own domain."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GRACE = Path(__file__).parents[1] / "bags/grace"
FEWER_FRAMES = ("--set", "streams.frames_per_second=2.0")
_locks: list[socket.socket] = []


@dataclass(frozen=True)
class Running:
    """A process and the file its standard error goes to."""

    process: subprocess.Popen[bytes]
    log: Path

    def errors(self) -> str:
        return self.log.read_text()

    def kill(self) -> None:
        """As the kernel does when memory runs out."""
        self.process.kill()
        self.process.wait()


@dataclass
class Robot:
    """Runs `robot-memory` verbs as a user would, in their own processes, with their own home and domain."""

    home: Path
    env: dict[str, str]
    running: list[Running] = field(default_factory=list)

    @property
    def store(self) -> Path:
        return self.home / "memory.sqlite"

    def run(self, *args: str | Path, timeout_s: float = 120.0) -> subprocess.CompletedProcess[str]:
        """A verb to its end."""
        return subprocess.run(
            _command(args), env=self.env, text=True, capture_output=True, timeout=timeout_s, check=False
        )

    def start(self, *args: str | Path, executable: str = "") -> Running:
        """A verb, or a ROS executable, in the background; returns once it has printed its first line."""
        script = f"import sys; from robot_memory.ros import up; sys.exit(up.{executable}())"
        command = [sys.executable, "-c", script, *map(str, args)] if executable else _command(args)
        self.home.mkdir(exist_ok=True)
        log = self.home / f"process-{len(self.running)}.log"
        with log.open("w") as out:
            one = Running(subprocess.Popen(command, env=self.env, stdout=subprocess.DEVNULL, stderr=out), log)
        self.running.append(one)
        wait_for(f"the first line of {command}", lambda: "\n" in one.errors() or one.process.poll() is not None)
        return one

    def replay(self, bag: Path, *args: str, store: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self.run("replay", bag, "--store", store or self.store, "--quiet", *FEWER_FRAMES, *args)

    def fingerprint(self, store: Path | None = None) -> str:
        return self.run("fingerprint", "--store", store or self.store).stdout.strip()

    def end(self) -> None:
        """End what still runs; pytest shows what all have said if the test failed."""
        for one in self.running:
            one.process.kill()
            one.process.wait()
            print(f"--- {one.log.name}: {one.process.args}\n{one.errors()}")


def _command(args: Sequence[str | Path]) -> list[str]:
    return [sys.executable, "-m", "robot_memory.cli", *map(str, args)]


def new_robot(home: Path) -> Robot:
    """A robot with nothing in its memory."""
    env = os.environ | {
        "ROS_DOMAIN_ID": str(_own_domain()),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_LOG_DIR": str(home / "log"),
        "ROBOT_MEMORY_HOME": str(home),
        "OMP_NUM_THREADS": "1",
    }
    return Robot(home, env)


def _own_domain() -> int:
    """A domain that no other test run on this machine uses: each is claimed by a port held for as long as we live."""
    for domain in range(1, 100):
        claim = socket.socket()
        try:
            claim.bind(("127.0.0.1", 21_000 + domain))
        except OSError:
            claim.close()
            continue
        _locks.append(claim)
        return domain
    raise RuntimeError("all ROS domains are in use by other test runs")


def cut(source: Path, out: Path, seconds: float) -> Path:
    """A bag of a bag's first seconds."""
    from rosbags.highlevel import AnyReader
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    with (
        AnyReader([source], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader,
        Writer(out, version=9, storage_plugin=StoragePlugin.MCAP) as writer,
    ):
        ours = {
            c.topic: writer.add_connection(c.topic, c.msgtype, msgdef=c.msgdef.data, rihs01=c.digest)
            for c in reader.connections
        }
        for connection, stamp, raw in reader.messages():
            if stamp - reader.start_time < seconds * 1e9:
                writer.write(ours[connection.topic], stamp, raw)
    return out


def wait_for(what: str, ready: Callable[[], object], timeout_s: float = 30.0) -> None:
    """Wait until `ready()` is true."""
    deadline = time.monotonic() + timeout_s
    while not ready():
        assert time.monotonic() < deadline, f"waited {timeout_s} s for {what}"
        time.sleep(0.05)
