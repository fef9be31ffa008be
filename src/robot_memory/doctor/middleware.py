"""ROS 2: is it there, with our interfaces, and can its nodes find one another?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from robot_memory.doctor.finding import Finding, missing, ok, warning
from robot_memory.doctor.probe import ProbeFailed, probe

SETUP = "make setup, or source your ROS 2 workspace"
BUILD = "make setup, or colcon build (docs/build.md)"
RMW = "rmw_fastrtps_cpp"
LEAST_SHM = 64 * 2**20
LAST_DOMAIN = 232  # DDS has no ports for higher ones
LAST_SAFE_DOMAIN = 101  # on Linux, ports of higher ones meet those the system gives away
PROBE = """
import importlib.metadata, json, os, rclpy
found = {"distro": os.environ.get("ROS_DISTRO", ""), "rmw": "", "messages": "", "wheels": ""}
try:
    found["rmw"] = rclpy.get_rmw_implementation_identifier()
except Exception as error:
    found["rmw"] = "! " + str(error).splitlines()[0]
try:
    found["wheels"] = importlib.metadata.version("ros-jazzy-rclpy")
except importlib.metadata.PackageNotFoundError:
    pass
try:
    from robot_memory_msgs.msg import AudioChunk, Outcome
    found["messages"] = "yes"
except ImportError as error:
    found["messages"] = "! " + str(error)
print(json.dumps(found))
"""


def ros() -> Iterator[Finding]:
    """rclpy, its transport, robot_memory_msgs."""
    try:
        found = probe(PROBE)
    except ProbeFailed as error:
        yield missing("ros", f"rclpy cannot be used: {error}", SETUP, needed=True)
        return
    origin = f"wheels, rclpy {found['wheels']}" if found["wheels"] else f"{found['distro'] or 'unknown distribution'}"
    yield ok("ros", f"ROS 2 ({origin})")
    if found["rmw"].startswith("!"):
        yield missing("transport", found["rmw"][2:], "pip install ros-jazzy-rmw-fastrtps-cpp, or apt's", needed=True)
    elif found["rmw"] != RMW:
        yield warning("transport", f"{found['rmw']}: only {RMW} is tested", f"export RMW_IMPLEMENTATION={RMW}")
    else:
        yield ok("transport", RMW)
    if found["messages"].startswith("!"):
        why = f"robot_memory_msgs is not built, or is of another version: {found['messages'][2:]}"
        yield missing("interfaces", why, BUILD, needed=True)
    else:
        yield ok("interfaces", "robot_memory_msgs is built")


def network() -> Iterator[Finding]:
    """Settings by which nodes find one another, and the memory they share."""
    domain = os.environ.get("ROS_DOMAIN_ID", "")
    reach = os.environ.get("ROS_AUTOMATIC_DISCOVERY_RANGE", "") or "SUBNET"
    remedy = f"export ROS_DOMAIN_ID=0 (0 to {LAST_SAFE_DOMAIN})"
    if domain and not (domain.isascii() and domain.isdecimal() and int(domain[:9]) <= LAST_DOMAIN):
        yield missing("domain", f"ROS_DOMAIN_ID={domain} is not a number from 0 to {LAST_DOMAIN}", remedy, needed=True)
    elif domain and int(domain) > LAST_SAFE_DOMAIN:
        yield warning("domain", f"ROS_DOMAIN_ID={domain} will not work everywhere", remedy)
    else:
        yield ok("domain", f"{domain or '0'}{'' if domain else ' (not set)'}, discovery {reach}")
    shared = Path("/dev/shm")
    if not shared.is_dir():
        yield warning("shared memory", "there is no /dev/shm: pictures go through the network", "mount a tmpfs there")
        return
    free = shutil.disk_usage(shared).free
    text = f"{free / 2**20:,.0f} MiB free in /dev/shm"
    if free < LEAST_SHM:
        yield warning("shared memory", f"{text}: pictures may be lost", "docker run --shm-size=512m, or --ipc=host")
    else:
        yield ok("shared memory", text)
