"""A memory server with a small told memory, and a node to call its services from."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ros_graph import Robot, Running, wait_for

from robot_memory.config import PerceptionSettings
from robot_memory.control.service import models_of
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from told import Story


def tell_a_morning(path: Path) -> None:
    """Anna says her name twice, Ben and a stranger come and go."""
    profile = load_profile(PerceptionSettings().profile)
    with Store(path) as store:
        story = Story(MemoryGraph(store, models_of(profile)), open_text_embedder(profile.model("text_embedding")))
        said = [("anna", 2.0, 8.0, "My name is Anna."), ("anna", 12.0, 18.0, "I am Anna, I said.")]
        story.clip({"anna": (0, 20)}, said)
        story.clip({"ben": (31, 50)}, [("ben", 33.0, 38.0, "My name is Ben.")])
        story.clip({"carl": (61, 80)}, [])


def serve(robot: Robot, *settings: str) -> Running:
    """The memory server alone, ready."""
    values = ["--ros-args", "-p", f"store.path:={robot.store}", *(w for one in settings for w in ("-p", one))]
    running = robot.start(*values, executable="memory_server")
    wait_for("the memory server", lambda: "ready" in running.errors())
    return running


@contextmanager
def caller(robot: Robot) -> Iterator[Any]:
    """A node in the robot's domain, spinning in a thread of its own."""
    import rclpy
    from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=int(robot.env["ROS_DOMAIN_ID"]))
    node = rclpy.create_node("caller", context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)

    def spin() -> None:
        with suppress(ExternalShutdownException):
            executor.spin()

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield node
    finally:
        executor.shutdown()
        thread.join()
        node.destroy_node()
        rclpy.try_shutdown(context=context)
