"""The node graph over real Fast DDS, each test in a domain of its own, each process started by the test and ended by
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ros_graph import GRACE, Robot, cut, new_robot


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    try:
        import rclpy  # noqa: F401
        import robot_memory_msgs  # noqa: F401
    except ImportError as error:
        for item in items:
            if item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason=f"ROS 2 is not installed here: {error}"))


@pytest.fixture
def robot(tmp_path: Path) -> Iterator[Robot]:
    one = new_robot(tmp_path / "home")
    yield one
    one.end()


@pytest.fixture(scope="session")
def short_bag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 15 s of the sample bag: Grace comes in and says her name."""
    return cut(GRACE, tmp_path_factory.mktemp("bags") / "short", 15.0)
