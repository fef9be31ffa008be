"""Recording stand-ins for ROS 2's `launch` and `launch_ros`, which are not on PyPI.

They know only what Humble and Jazzy both take without a warning, with the same keywords: any other name or keyword in
a launch file is an ImportError or a TypeError here. They also resolve: which programs start, with which arguments.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from unittest.mock import patch


@dataclass(frozen=True)
class LaunchConfiguration:
    name: str


@dataclass(frozen=True)
class PythonExpression:
    parts: Sequence[Any]


@dataclass(frozen=True)
class ParameterValue:
    value: Any
    value_type: type = field(kw_only=True)  # without one, launch reads '' as nothing and 'on' as true


@dataclass(frozen=True)
class IfCondition:
    predicate: Any
    wanted = True


@dataclass(frozen=True)
class UnlessCondition(IfCondition):
    wanted = False


@dataclass(frozen=True)
class DeclareLaunchArgument:
    name: str
    default_value: str | None = field(default=None, kw_only=True)
    description: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, kw_only=True)
class Node:
    executable: str
    package: str
    name: str | None = None
    namespace: Any = None
    parameters: Sequence[Mapping[str, Any]] = ()
    arguments: Sequence[Any] = ()
    output: str = "log"
    condition: Any = None
    respawn: bool = False
    respawn_delay: float | None = None


@dataclass(frozen=True, kw_only=True)
class LifecycleNode(Node):
    name: str = field()  # both are required here
    namespace: Any = field()


@dataclass(frozen=True)
class LaunchDescription:
    entities: Sequence[Any]

    def arguments(self) -> list[DeclareLaunchArgument]:
        return [one for one in self.entities if isinstance(one, DeclareLaunchArgument)]

    def nodes(self) -> list[Node]:
        return [one for one in self.entities if isinstance(one, Node)]

    def used(self) -> set[str]:
        """Names of the arguments that anything in here asks for."""
        return {one.name for one in _inside(self.entities) if isinstance(one, LaunchConfiguration)}

    def started(self, **given: str) -> list[Node]:
        """What a user's `name:=value`s start, every substitution replaced by its value."""
        values = {one.name: one.default_value for one in self.arguments()} | given
        missing = [name for name, value in values.items() if value is None]
        if missing or given.keys() - {one.name for one in self.arguments()}:
            raise ValueError(f"missing {missing} or unknown arguments in {given}")
        return [_resolved(node, values) for node in self.nodes() if _present(node, values)]


MODULES: dict[str, list[type]] = {
    "launch": [LaunchDescription],
    "launch.actions": [DeclareLaunchArgument],
    "launch.conditions": [IfCondition, UnlessCondition],
    "launch.substitutions": [LaunchConfiguration, PythonExpression],
    "launch_ros": [],
    "launch_ros.actions": [LifecycleNode, Node],
    "launch_ros.parameter_descriptions": [ParameterValue],
}


def describe(source: str, name: str = "launch file") -> LaunchDescription:
    """What a launch file's generate_launch_description() returns."""
    scope: dict[str, Any] = {"__name__": "launched"}
    with patch.dict(sys.modules, {path: _module(path, content) for path, content in MODULES.items()}):
        exec(compile(source, name, "exec"), scope)
        description = scope["generate_launch_description"]()
    assert isinstance(description, LaunchDescription)
    return description


def _module(path: str, content: list[type]) -> ModuleType:
    module = ModuleType(path)
    module.__dict__.update({"__path__": []} | {kind.__name__: kind for kind in content})
    return module


def _inside(thing: Any) -> Iterator[Any]:
    """The thing and all that it is made of."""
    yield thing
    if dataclasses.is_dataclass(thing):
        thing = [getattr(thing, item.name) for item in dataclasses.fields(thing)]
    if isinstance(thing, Mapping):
        thing = list(thing.values())
    if isinstance(thing, (list, tuple)):
        for part in thing:
            yield from _inside(part)


def _value(thing: Any, values: Mapping[str, Any]) -> Any:
    """As launch does it: substitutions become text; a parameter's text becomes its type."""
    if isinstance(thing, LaunchConfiguration):
        return values[thing.name]
    if isinstance(thing, PythonExpression):
        return str(eval("".join(_value(part, values) for part in thing.parts)))
    if isinstance(thing, ParameterValue):
        text = _value(thing.value, values)
        return _truth(text) if thing.value_type is bool else thing.value_type(text)
    return thing


def _truth(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


def _present(node: Node, values: Mapping[str, Any]) -> bool:
    return node.condition is None or _truth(_value(node.condition.predicate, values)) == node.condition.wanted


def _resolved(node: Node, values: Mapping[str, Any]) -> Node:
    return dataclasses.replace(
        node,
        namespace=_value(node.namespace, values),
        arguments=[_value(one, values) for one in node.arguments],
        parameters=[{name: _value(one, values) for name, one in group.items()} for group in node.parameters],
    )
