"""ROS parameters from the settings dataclasses: typed, ranged, described, and refused with the same words."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.exceptions import InvalidParameterTypeException, ParameterException
from rclpy.node import Node

from robot_memory.config import Group
from robot_memory.errors import SettingsInvalid

G = TypeVar("G", bound=Group)
HUGE = 2**62


def read(node: Node, kind: type[G], prefix: str = "") -> G:
    """Declare `kind`'s settings as `<prefix>.<name>` and return their values. Raises SettingsInvalid."""
    values = {}
    for item in dataclasses.fields(kind):
        name = f"{prefix}.{item.name}" if prefix else item.name
        values[item.name] = _value(node, name, item.default, _descriptor(item))
    return kind(**values)


def declare(node: Node, name: str, default: Any, description: str) -> Any:
    """Declare one parameter of the node itself and return its value. Raises SettingsInvalid."""
    return _value(node, name, default, ParameterDescriptor(description=description, read_only=True))


def _value(node: Node, name: str, default: Any, descriptor: ParameterDescriptor) -> Any:
    try:
        if not node.has_parameter(name):
            node.declare_parameter(name, default, descriptor)
        return node.get_parameter(name).value
    except (ParameterException, InvalidParameterTypeException) as error:
        raise SettingsInvalid(f"parameter {name}: {error}") from error


def _descriptor(item: dataclasses.Field[Any]) -> ParameterDescriptor:
    meta = item.metadata
    choices = f"; one of {', '.join(meta['choices'])}" if meta["choices"] else ""
    descriptor = ParameterDescriptor(description=meta["doc"] + choices, read_only=True)
    low, high = meta["low"], meta["high"]
    if low is None and high is None:
        return descriptor
    if isinstance(item.default, int):
        span = IntegerRange(from_value=int(-HUGE if low is None else low), to_value=int(HUGE if high is None else high))
        descriptor.integer_range = [span]
    elif isinstance(item.default, float):
        descriptor.floating_point_range = [
            FloatingPointRange(
                from_value=float("-inf") if low is None else float(low),
                to_value=float("inf") if high is None else float(high),
            )
        ]
    return descriptor
