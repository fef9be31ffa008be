"""The messages, services and actions do not change by accident: other people's nodes and bags are built on them.

`python tests/docs/test_interfaces_are_frozen.py > tests/docs/interfaces.lock` writes the list anew, after a decision.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "ros2_ws/src/robot_memory_msgs"
FILES = sorted(path for kind in ("msg", "srv", "action") for path in (FOLDER / kind).iterdir())
LOCK = Path(__file__).with_name("interfaces.lock")
WHAT_TO_DO = """
robot_memory_msgs is frozen (docs/interfaces.md). A field added, removed, renamed, moved or retyped makes another type
of it, which nodes and bags of the version before do not understand. If that is wanted, it is a new major version of
robot_memory_msgs: say so in its package.xml and in docs/interfaces.md. A new constant or a new file breaks nobody: a
new minor version. Comments are free. Then write the list anew:
    python tests/docs/test_interfaces_are_frozen.py > tests/docs/interfaces.lock
"""


def listing() -> str:
    """Every interface without its comments."""
    return "\n".join(line for path in FILES for line in (f"[{path.parent.name}/{path.stem}]", *declared(path))) + "\n"


def declared(path: Path) -> list[str]:
    """The fields, constants and borders of a file, their spaces made even."""
    lines = [" ".join(line.partition("#")[0].split()) for line in path.read_text().splitlines()]
    return [line for line in lines if line]


def test_the_interfaces_are_those_of_the_list() -> None:
    locked, now = LOCK.read_text().splitlines(), listing().splitlines()
    assert now == locked, WHAT_TO_DO


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_says_what_it_is_for(path: Path) -> None:
    assert path.read_text().startswith("# ")
    assert all(len(line) <= 120 for line in path.read_text().splitlines())


def test_the_same_outcome_has_the_same_number_everywhere() -> None:
    numbers = {
        name: dict(line.split()[1].split("=") for line in declared(FOLDER / f"msg/{name}.msg") if "=" in line)
        for name in ("Outcome", "AnswerResult")
    }
    answered = numbers["AnswerResult"].pop("ANSWERED")
    assert numbers["Outcome"]["DONE"] == answered == "0"
    assert numbers["AnswerResult"].items() <= numbers["Outcome"].items()


if __name__ == "__main__":
    print(listing(), end="")
