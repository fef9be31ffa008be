"""The launch files: nothing in them is misspelt, and a user's arguments start what the documentation says.

ROS 2's launch is not on PyPI, so stand-ins take its place here; before a release the files are run with the real one.
"""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from launch_standins import LaunchDescription, LifecycleNode, describe

from robot_memory import cli, config

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {path.name: path.read_text() for path in sorted((ROOT / "launch").glob("*.py"))}
ROBOT, REPLAY = SOURCES["robot.launch.py"], SOURCES["replay.launch.py"]
OF_EVERY_NODE = {"autostart", "use_sim_time"}


def programs() -> set[str]:
    """The console_scripts of setup.py."""
    for node in ast.walk(ast.parse((ROOT / "setup.py").read_text())):
        if isinstance(node, ast.keyword) and node.arg == "entry_points":
            return {line.split(" = ")[0] for line in ast.literal_eval(node.value)["console_scripts"]}
    raise AssertionError("setup.py has no entry_points")


def package() -> ElementTree.Element:
    return ElementTree.parse(ROOT / "package.xml").getroot()


def faults(source: str) -> list[str]:
    """What is wrong in a launch file, in words."""
    try:
        described = describe(source)
    except (ImportError, TypeError) as error:
        return [f"{error}"]
    declared, used = {one.name for one in described.arguments()}, described.used()
    found = [f"{name} is used but not declared" for name in used - declared]
    found += [f"{name} is declared but not used" for name in declared - used]
    found += [f"{one.name} has no description" for one in described.arguments() if len(one.description or "") < 5]
    found += ["an argument is declared twice"] * (len(declared) < len(described.arguments()))
    for node in described.nodes():
        found += [f"{node.executable} is no program"] * (node.executable not in programs())
        found += [f"{node.package} is not our package"] * (node.package != package().findtext("name"))
        known = {*config.names(), *OF_EVERY_NODE}
        found += [f"{name} is no parameter" for group in node.parameters for name in group.keys() - known]
    return found


@pytest.mark.parametrize("name", SOURCES)
def test_a_launch_file_has_no_faults(name: str) -> None:
    assert faults(SOURCES[name]) == []
    assert describe(SOURCES[name]).nodes()


TYPOS = [
    (ROBOT, r'"image_topic", "audio_topic"', '"image_topik", "audio_topic"'),  # used, not declared; no parameter
    (ROBOT, r'LaunchConfiguration\("store"\)', 'LaunchConfiguration("stor")'),
    (ROBOT, r'parameters\["store.path"\]', 'parameters["store.paht"]'),
    (ROBOT, r'"autostart"', '"autostrat"'),
    (ROBOT, r'"pose_topic", "image_reliability"', '"image_reliability"'),  # declared, not used
    (ROBOT, r'"microphone"', '""'),  # not described
    (ROBOT, r'executable="up"', 'executable="upp"'),
    (ROBOT, r'executable="perception"', 'executable="perceptoin"'),
    (ROBOT, r'"package": "robot_memory"', '"package": "robot-memory"'),
    (ROBOT, r'"output": ', '"outptu": '),
    (ROBOT, r"UnlessCondition", "UnlesCondition"),
    (ROBOT, r'name="perception", ', ""),  # a lifecycle node must have a name
    (REPLAY, r'\("bag", "store", "rate"\)', '("bag", "store", "rates")'),
    (REPLAY, r'"executable": "replay"', '"executable": "reply"'),
    (REPLAY, r"IfCondition, UnlessCondition\n", "IfCondition, LaunchConfigurationEquals\n"),  # deprecated since Iron
]


@pytest.mark.parametrize(
    ("source", "right", "wrong"), TYPOS, ids=[wrong.strip() or "left out" for _, _, wrong in TYPOS]
)
def test_a_typo_is_found(source: str, right: str, wrong: str) -> None:
    misspelt, count = re.subn(right, wrong, source)
    assert count, f"{right} is no longer in the launch file: bring this list up to date"
    assert faults(misspelt)


def test_what_is_imported_is_a_dependency_of_the_package() -> None:
    imported = {
        (node.module or "").split(".")[0]
        for source in SOURCES.values()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
    }
    assert imported <= {one.text for one in package().findall("exec_depend")}


class TestRobot:
    @pytest.fixture
    def robot(self) -> LaunchDescription:
        return describe(ROBOT)

    def test_is_one_process_unless_told_otherwise(self, robot: LaunchDescription) -> None:
        (up,) = robot.started()
        assert up.executable == "up"
        assert up.name is None  # a name would rename both nodes in the process

    def test_in_two_processes_each_starts_again_after_a_crash(self, robot: LaunchDescription) -> None:
        nodes = robot.started(composed="false")
        assert {(one.executable, one.name) for one in nodes} == {
            ("memory_server", "memory_server"),
            ("perception", "perception"),
        }
        assert all(isinstance(one, LifecycleNode) and one.respawn and one.respawn_delay for one in nodes)

    @pytest.mark.parametrize("composed", ["true", "false"])
    def test_arguments_reach_every_node(self, robot: LaunchDescription, composed: str) -> None:
        given = {"image_topic": "/camera/image", "audio_topic": "", "store": "/a b/memory.sqlite"}
        for node in robot.started(composed=composed, use_sim_time="True", namespace="r2", **given):
            (values,) = node.parameters
            assert values["image_topic"] == "/camera/image"
            assert values["audio_topic"] == ""
            assert values["store.path"] == "/a b/memory.sqlite"
            assert values["use_sim_time"] is True
            assert values["autostart"] is True
            assert node.namespace == "r2"

    def test_defaults_are_those_of_the_settings(self, robot: LaunchDescription) -> None:
        (values,) = robot.started()[0].parameters
        settings = {name: value for name, value in values.items() if name not in OF_EVERY_NODE}
        assert settings == {name: config.names()[name].default for name in settings}
        assert values["use_sim_time"] is False


class TestReplay:
    @pytest.mark.parametrize(("rate", "wanted"), [("lockstep", None), ("10", 10.0), ("0.5", 0.5)])
    def test_becomes_one_command_that_the_program_takes(self, rate: str, wanted: float | None) -> None:
        (replay,) = describe(REPLAY).started(bag="/bags/a b", store="/memory.sqlite", rate=rate)
        command = cli.parser().parse_args(["replay", *replay.arguments])
        assert (command.bag, command.store, command.rate) == (Path("/bags/a b"), "/memory.sqlite", wanted)

    def test_is_in_lockstep_and_into_the_usual_store_unless_told_otherwise(self) -> None:
        (replay,) = describe(REPLAY).started(bag="/bags/a")
        command = cli.parser().parse_args(["replay", *replay.arguments])
        assert (command.store, command.rate) == ("", None)

    def test_needs_a_bag(self) -> None:
        with pytest.raises(ValueError, match="missing"):
            describe(REPLAY).started()
