"""A subscriber in a robot's domain that keeps all that it hears, and a web server whose streams end when told to."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ros_graph import Robot


@contextmanager
def listening(robot: Robot, **topics: Any) -> Iterator[dict[str, list[Any]]]:
    """`topics`: name -> message type. Yields name -> messages, growing; /diagnostics is always among them."""
    import rclpy
    from diagnostic_msgs.msg import DiagnosticArray
    from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

    from robot_memory.ros import qos

    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=int(robot.env["ROS_DOMAIN_ID"]))
    node = rclpy.create_node("listener", context=context)
    heard: dict[str, list[Any]] = {name: [] for name in (*topics, "/diagnostics")}
    for name, kind in {**topics, "/diagnostics": DiagnosticArray}.items():
        node.create_subscription(kind, name, heard[name].append, qos.stream(1000, reliable=True))
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)

    def spin() -> None:
        with suppress(ExternalShutdownException):
            executor.spin()

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield heard
    finally:
        executor.shutdown()
        thread.join()
        node.destroy_node()
        rclpy.try_shutdown(context=context)


def state(heard: dict[str, list[Any]], what: str) -> tuple[str, dict[str, str]]:
    """The newest diagnostics of the microphone or the camera: its message and its values."""
    found = [one for array in heard["/diagnostics"] for one in array.status if one.name == f"robot_memory: {what}"]
    return (found[-1].message, {v.key: v.value for v in found[-1].values}) if found else ("", {})


@contextmanager
def serving(content_type: str, send: Callable[[Callable[[bytes], Any]], None]) -> Iterator[str]:
    """A URL on this machine; `send(write)` fills each answer, and when it returns the connection is closed."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):
                send(self.wfile.write)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/stream"
    finally:
        server.shutdown()
        server.server_close()
