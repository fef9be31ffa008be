"""The steps from a fresh clone to an environment that runs the demo and the tests.

1 .venv  2 ROS 2 wheels  3 the other libraries, while the ROS 2 interfaces compile  4 robot_memory itself  5 the models,
while hnswlib compiles, without which all works as well.
Each is skipped while its stamp is current. Stopped half-way, the next run goes on where this one was.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import checks
import hnswlib_wheel
import interfaces
from children import Child, Trouble, step
from stamps import Stamps, digest

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "requirements"
PYTHON_TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"
PIP_INSTALL = ("-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-input", "--disable-pip-version-check")


class Setup:
    """One environment on its way. `lock` is the descriptor that keeps a second set-up out."""

    def __init__(self, venv: Path, disk_gb: float, lock: int) -> None:
        self.venv, self.disk_gb, self.lock = venv, disk_gb, lock
        self.python = venv / "bin/python"
        self.stamps = Stamps(venv)

    def make_venv(self) -> None:
        """The folder itself, with the pinned setuptools. Made anew when the Python or the place has changed."""
        base = getattr(sys, "_base_executable", sys.executable)  # not the one of a venv that happens to be active
        key = digest(sys.version, sys.base_prefix, str(self.venv), REQUIREMENTS / "base.txt")
        if self.stamps.current("venv", key):
            return
        require(checks.venv_module(), checks.free_disk(self.venv, self.disk_gb))
        with step(f"{self.venv.name}: Python {sys.version.split()[0]}"):
            log = self.venv.with_name(self.venv.name + ".log")
            Child([base, "-m", "venv", "--clear", self.venv], log, self.lock).wait("Making the environment")
            self.stamps.begin("venv")
            self.pip(["-r", REQUIREMENTS / "base.txt"], "base", "Installing setuptools")
            self.stamps.finish("venv", key)
            log.unlink()

    def install(self, label: str, *layers: str) -> None:
        """Install requirements/LAYER.txt for the layers that are not installed yet."""
        keys = {layer: digest(REQUIREMENTS / f"{layer}.txt") for layer in layers}
        todo = [layer for layer in layers if not self.stamps.current(layer, keys[layer])]
        if not todo:
            return
        require(checks.free_disk(self.venv, self.disk_gb / 3))
        if any(self.stamps.begun(layer) for layer in todo):
            forget_half_installed(self.venv)
        with step(label):
            for layer in todo:
                self.stamps.begin(layer)
            files = [part for layer in todo for part in ("-r", REQUIREMENTS / f"{layer}.txt")]
            self.pip(files, "-".join(todo), f"Installing {label}")
            for layer in todo:
                self.stamps.finish(layer, keys[layer])

    def install_interfaces(self, wheel: Path) -> None:
        key = digest(wheel)
        if self.stamps.current("interfaces", key):
            return
        with step("robot_memory_msgs: the ROS 2 interfaces"):
            self.stamps.begin("interfaces")
            self.pip(["--no-index", "--force-reinstall", wheel], "interfaces", "Installing robot_memory_msgs")
            self.stamps.finish("interfaces", key)

    def install_robot_memory(self) -> None:
        """Editable, so that the source is what runs; installed again whenever the metadata has changed."""
        names = ("setup.py", "setup.cfg", "src/robot_memory/__init__.py")
        key = digest(*(ROOT / name for name in names), *sorted(REQUIREMENTS.glob("*.in")))
        if self.stamps.current("robot_memory", key):
            return
        with step("robot_memory, editable"):
            self.stamps.begin("robot_memory")
            self.pip(["--no-index", "--editable", ROOT], "robot_memory", "Installing robot_memory")
            self.stamps.finish("robot_memory", key)

    def fetch_models(self) -> None:
        """`robot-memory models fetch` checks all and resumes; asked again only when a file or a manifest changed."""
        if self.stamps.current("models", models_key()):
            return
        print("models", flush=True)  # the program shows its own progress
        self.stamps.begin("models")
        Child([self.venv / "bin/robot-memory", "models", "fetch"], None, self.lock).wait("Fetching the models")
        self.stamps.finish("models", models_key())

    def start_hnswlib(self) -> Child | None:
        """Begin to compile it, unless that has been done. Says in a line what is missing for that."""
        if self.stamps.current("hnsw", hnsw_key()) or hnswlib_wheel.kept(ROOT, PYTHON_TAG).exists():
            return None
        if missing := checks.compiler():
            print(hnswlib_wheel.left_out(" ".join(missing)), flush=True)
            return None
        made = self.stamps.folder / "hnswlib"
        shutil.rmtree(made, ignore_errors=True)
        command = hnswlib_wheel.build_command(self.python, ROOT, made)
        return Child(command, self.log("compile-hnswlib"), self.lock, hnswlib_wheel.PORTABLE)

    def install_hnswlib(self, build: Child | None) -> None:
        """Install what was compiled now or for another clone. Where that fails, a line says so, no more."""
        folder = hnswlib_wheel.kept(ROOT, PYTHON_TAG)
        if self.stamps.current("hnsw", hnsw_key()) or not (build or folder.exists()):
            return
        try:
            with step("hnswlib, for large memories" + (": the rest of the compiling" if build else "")):
                if build:
                    build.wait("Compiling hnswlib")
                    hnswlib_wheel.keep(self.stamps.folder / "hnswlib", folder)
                if self.stamps.begun("hnsw"):
                    forget_half_installed(self.venv)
                self.stamps.begin("hnsw")
                self.pip(["--no-index", "--force-reinstall", *folder.glob("*.whl")], "hnswlib", "Installing hnswlib")
                self.stamps.finish("hnsw", hnsw_key())
        except (Trouble, OSError) as trouble:
            print(hnswlib_wheel.left_out(str(trouble)), flush=True)

    def pip(self, arguments: list[str | Path], log: str, what: str) -> None:
        command: list[str | Path] = [self.python, *PIP_INSTALL, "--progress-bar", "off", *arguments]
        Child(command, self.log(log), self.lock).wait(what)

    def log(self, name: str) -> Path:
        return self.stamps.folder / f"{name}.log"


def run(setup: Setup, colcon: bool) -> None:
    """All steps, in the order that takes the least time."""
    require(checks.machine(), checks.c_library())
    wheel = interfaces.cached(ROOT, PYTHON_TAG)
    if not wheel.exists():
        require(*checks.compiler(), None if setup.python.exists() else checks.venv_module())
    setup.make_venv()
    if wheel.exists() and not colcon:
        setup.install("ROS 2 wheels", "ros")
        setup.install("libraries and test tools", "runtime", "dev")
    else:
        setup.install("ROS 2 wheels and what compiles against them", "ros", "build", *(["colcon"] if colcon else []))
        build = None if wheel.exists() else start_build(setup, wheel)
        try:
            setup.install("libraries and test tools (the interfaces compile meanwhile)", "runtime", "dev")
            if build:
                with step("robot_memory_msgs: the rest of the compiling"):
                    build.wait("Compiling robot_memory_msgs")
        finally:
            if build:
                build.stop()
    setup.install_interfaces(wheel)
    setup.install_robot_memory()
    build_hnswlib = setup.start_hnswlib()
    try:
        setup.fetch_models()
        setup.install_hnswlib(build_hnswlib)
    finally:
        if build_hnswlib:
            build_hnswlib.stop()


def start_build(setup: Setup, wheel: Path) -> Child:
    command = interfaces.build_command(setup.python, ROOT, setup.stamps.folder / "interfaces", wheel)
    return Child(command, setup.log("compile"), setup.lock)


def hnsw_key() -> str:
    return digest(REQUIREMENTS / "hnsw.txt")


def models_key() -> str:
    """Hash of the manifests and of the names and sizes of the weights that are there."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    weights = Path(os.environ.get("ROBOT_MEMORY_MODELS") or cache / "robot_memory/models").expanduser()
    present = [f"{path} {path.stat().st_size}" for path in sorted(weights.rglob("*")) if path.is_file()]
    return digest(ROOT / "models", str(weights), *present)


def forget_half_installed(venv: Path) -> None:
    """Drop the records of packages pip was stopped in the midst of, else it takes them for installed."""
    for info in venv.glob("lib/python3*/site-packages/*.dist-info"):
        if not (info / "INSTALLER").exists() or not (info / "RECORD").exists():  # pip writes these two last
            shutil.rmtree(info)


def require(*troubles: str | None) -> None:
    """Raise Trouble with every line that is one."""
    found = [trouble for trouble in troubles if trouble]
    if found:
        raise Trouble("\n".join(found))


def take_lock(path: Path) -> int:
    """Held until this process and its children have ended, so that two set-ups never work on one folder."""
    lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another set-up works on this folder; waiting for it.", flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 tools/bootstrap", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where the environment goes (default: .venv)")
    parser.add_argument("--disk-gb", type=float, default=3.0, help="free space asked for before anything is installed")
    parser.add_argument("--colcon", action="store_true", help="colcon and the build tools, too")
    options = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    begin = time.monotonic()
    try:
        lock = take_lock(options.venv.with_name(options.venv.name + ".lock"))
        run(Setup(options.venv.absolute(), options.disk_gb, lock), options.colcon)
    except Trouble as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The next run goes on from here.", file=sys.stderr)
        return 130
    if time.monotonic() - begin > 1:
        print(f"ready after {time.monotonic() - begin:.0f} s")
    return 0
