"""The computer itself: Python, libraries, processors, limits, and its clock."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import os
import platform
import resource
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from robot_memory import __version__
from robot_memory.doctor.finding import Finding, missing, ok, warning
from robot_memory.doctor.probe import ProbeFailed, probe
from robot_memory.perception.runtime import PREFERENCE
from robot_memory.streams.sessions import local_zone

LIBRARIES = (
    *("numpy", "onnxruntime", "cv2", "faster_whisper", "tokenizers", "safetensors", "soxr", "av", "rosbags"),
    *("yaml", "ruamel.yaml", "lz4"),
)
NVIDIA = ("/dev/nvidia0", "/dev/nvhost-gpu", "/etc/nv_tegra_release")
EXTRAS = {  # module -> (package, what it brings)
    "sounddevice": ("sounddevice", "a microphone without a ROS driver"),
    "hnswlib": ("hnswlib", "large memories found faster"),
    "llama_cpp": ("llama-cpp-python", "local language models"),
    "insightface": ("insightface", "ArcFace (weights for non-commercial research only)"),
    "ray": ("ray", "evaluating on more than one machine"),
    "hdbscan": ("hdbscan", "clustering as in the M3-Agent paper"),
}
TIME_ERROR = 5  # adjtimex(2): the kernel's clock is not synchronised
FEW_FILES = 1024


def python() -> Iterator[Finding]:
    """The interpreter and our own version."""
    yield ok("python", f"{platform.python_version()} at {sys.executable}, robot_memory {__version__}")


def libraries() -> Iterator[Finding]:
    """What pip must have brought."""
    absent = [name for name in LIBRARIES if not _installed(name)]
    if absent:
        yield missing("libraries", f"not installed: {', '.join(absent)}", "make setup, or pip install .", needed=True)
    else:
        yield ok("libraries", f"all {len(LIBRARIES)} are installed")


def processors() -> Iterator[Finding]:
    """CPU, memory, and what ONNX Runtime computes on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    cores = len(os.sched_getaffinity(0))
    yield ok("machine", f"{platform.machine()}, {cores} core{'s' * (cores != 1)} for us, {memory:.1f} GB of memory")
    gpu = next((path for path in NVIDIA if Path(path).exists()), "")
    if not _installed("onnxruntime"):
        return
    try:
        found = probe("import json, onnxruntime as o; print(json.dumps([o.__version__, o.get_available_providers()]))")
    except ProbeFailed as error:
        yield missing("onnxruntime", f"cannot be loaded: {error}", "pip install --force-reinstall onnxruntime", True)
        return
    version, present = found
    providers = [
        name.removesuffix("ExecutionProvider") for name in present if name in PREFERENCE
    ]  # Azure's is no device
    text = f"{version} on {', '.join(providers)}"
    if gpu and not {"CUDA", "Tensorrt"} & set(providers):
        remedy = "pip uninstall onnxruntime && pip install onnxruntime-gpu (Jetson: docs/jetson.md)"
        yield warning("onnxruntime", f"{text}; there is an NVIDIA GPU that it does not use", remedy)
    else:
        yield ok("onnxruntime", text)


def limits() -> Iterator[Finding]:
    """What the system lets one process have."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    size, space = (resource.getrlimit(one)[0] for one in (resource.RLIMIT_FSIZE, resource.RLIMIT_AS))
    tight = [f"{files} open files"] * (files < FEW_FILES)
    tight += [f"files of {size:,} bytes"] * (size != resource.RLIM_INFINITY)
    tight += [f"{space / 1e9:.1f} GB of addresses"] * (space != resource.RLIM_INFINITY)
    if tight:
        yield warning("limits", f"a process may have {', '.join(tight)}", "ulimit -n 4096 -f unlimited -v unlimited")
    else:
        yield ok("limits", f"{files:,} open files, no limit on sizes")


def clock() -> Iterator[Finding]:
    """Zone, and whether somebody keeps the clock right: memories are told by it."""
    zone = local_zone()
    if zone:
        yield ok("time zone", zone)
    else:
        yield warning("time zone", "not known: 'this morning' is meant in UTC", "sudo timedatectl set-timezone ZONE")
    libc, buffer = ctypes.CDLL(None), ctypes.create_string_buffer(512)  # struct timex with modes = 0: only reads
    if not hasattr(libc, "adjtimex"):
        return
    state = libc.adjtimex(buffer)
    if state < 0:
        yield warning("clock", "the kernel does not say whether it is synchronised", "look at timedatectl")
    elif state == TIME_ERROR:
        remedy = "sudo timedatectl set-ntp true, or sudo apt install chrony"
        yield warning("clock", "not synchronised: memories may be dated wrongly", remedy)
    else:
        yield ok("clock", "synchronised")


def speech() -> Iterator[Finding]:
    """The voice of rendered stories."""
    if where := shutil.which("flite"):
        yield ok("flite", where)
    else:
        yield missing("flite", "only for robot-memory world render", "sudo apt install flite")


def extras() -> Iterator[Finding]:
    """What nothing needs, and some want."""
    for module, (package, purpose) in EXTRAS.items():
        if _installed(module):
            yield ok(package, f"{_version(package)}: {purpose}")
        else:
            yield missing(package, f"optional: {purpose}", f"pip install {package}")


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of a package that a dotted name is in
        return False


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # built from source, or under another name
        return "installed"
