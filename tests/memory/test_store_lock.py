"""One writer: a second one gets a clear error, in this process and in another, and the lock ends with its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from remembering import add_clip

from robot_memory.errors import StoreLocked
from robot_memory.memory.storage.store import Store

HOLDER = """
import sys, time
from pathlib import Path
from robot_memory.memory.storage.store import Store
store = Store(Path(sys.argv[1]))
print("open", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path):  # type: ignore[no-untyped-def]
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "memory.sqlite")], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "open\n"
    yield child
    child.kill()
    child.wait()


def test_a_second_process_is_told_who_writes(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    with pytest.raises(StoreLocked, match=f"process {holder.pid}.*stop it, or use its services"):
        Store(tmp_path / "memory.sqlite")
    with Store(tmp_path / "memory.sqlite", readonly=True) as reader:
        assert reader.generation() == 0


def test_the_lock_ends_with_its_process_however_it_ends(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with Store(tmp_path / "memory.sqlite") as store, store.write() as db:
        add_clip(db)


def test_a_second_writer_in_the_same_process(tmp_path: Path) -> None:
    with Store(tmp_path / "m"), pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
        Store(tmp_path / "m")
    with Store(tmp_path / "m"):
        pass


def test_the_lock_is_not_inherited_by_children_that_outlive_us(tmp_path: Path) -> None:
    """A language model in a child process must not hold the memory when the server has gone."""
    store = Store(tmp_path / "m")
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        store.close()
        with Store(tmp_path / "m"):
            pass
    finally:
        child.kill()
        child.wait()
