"""The nodes as lifecycle nodes: driven by hand, refused with a reason, alone in the role of writer."""

from __future__ import annotations

from pathlib import Path

import pytest
from ros_graph import Robot, wait_for


def test_a_second_writer_is_told_who_the_first_is(robot: Robot) -> None:
    first = robot.start("up", "--store", robot.store)
    wait_for("the store", lambda: robot.store.exists() and robot.store.stat().st_size > 0)
    second = robot.run("up", "--store", robot.store)
    assert second.returncode == 1
    assert f"being written by process {first.process.pid}" in second.stderr


def test_a_replay_beside_a_running_robot_leaves_it_alone(robot: Robot, short_bag: Path) -> None:
    """A recording must not reach a live robot's eyes and ears, nor its memory."""
    topics = ("image_topic=/camera/image_raw/compressed", "audio_topic=/audio")
    running = robot.start("up", "--store", robot.store, *(word for topic in topics for word in ("--set", topic)))
    wait_for("the robot to be ready", lambda: "ready" in running.errors())
    other = robot.home / "other.sqlite"
    assert robot.replay(short_bag, store=other).returncode == 0
    assert "was in view" in robot.run("timeline", "--store", other).stdout
    assert robot.run("timeline", "--store", robot.store).stdout.strip() == "nothing yet"
    assert "frames: 0 in" in robot.run("status").stdout


def test_missing_models_are_named_with_the_command_that_fetches_them(robot: Robot, tmp_path: Path) -> None:
    robot.env["ROBOT_MEMORY_MODELS"] = str(tmp_path / "none")
    done = robot.run("up", "--store", robot.store)
    assert done.returncode == 1
    assert "robot-memory models fetch" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "setting",
    [
        "streams.clip_s=0.0",
        "image_reliability=perhaps",
        "perception.min_face_px=wide",
        "audio_type=no/msg/Such",
        "nonsense",
        "streams.fps=2",
        "image_topic=a b",
        "store.path={",
    ],
)
def test_wrong_settings_are_refused_in_words(robot: Robot, setting: str) -> None:
    done = robot.run("up", "--store", robot.store, "--set", setting)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr, done.stderr
    name, _, value = setting.partition("=")
    assert name.split(".")[-1] in done.stderr or repr(value) in done.stderr


def test_the_life_of_a_node_driven_by_hand(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    """configure, activate, deactivate, cleanup and configure again, as a lifecycle manager would."""
    import rclpy
    from rclpy.lifecycle import TransitionCallbackReturn
    from rclpy.parameter import Parameter

    from robot_memory.ros.memory_server import MemoryServer
    from robot_memory.ros.perception_node import PerceptionNode

    monkeypatch.setenv("ROS_LOG_DIR", robot.env["ROS_LOG_DIR"])
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=int(robot.env["ROS_DOMAIN_ID"]))
    values = [Parameter("store.path", value=str(robot.store)), Parameter("autostart", value=False)]
    nodes = [kind(parameter_overrides=values, context=context) for kind in (MemoryServer, PerceptionNode)]
    try:
        for node in nodes:
            assert not node.autostart
            for step in (
                "configure",
                "activate",
                "deactivate",
                "activate",
                "deactivate",
                "cleanup",
                "configure",
                "cleanup",
            ):
                assert getattr(node, f"trigger_{step}")() == TransitionCallbackReturn.SUCCESS, step
    finally:
        for node in nodes:
            node.drain()
            node.destroy_node()
        rclpy.try_shutdown(context=context)
