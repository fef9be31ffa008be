"""Ways to make a memory smaller, by name, to measure ours against. Each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.compressors.compressor import Compressor

HERE = "robot_memory.evaluation.compressors"
COMPRESSORS = {  # name -> "module:class"
    "none": f"{HERE}.none:Everything",
    "random": f"{HERE}.chance:Chance",
    "k-means": f"{HERE}.centres:Centres",
    "dart": f"{HERE}.pivots:Pivots",
    "timechat": f"{HERE}.neighbours:Neighbours",
    "memoryllm": f"{HERE}.replacing:Replacing",
    "streammeco": f"{HERE}.streammeco:StreamMeCo",
    "ours": f"{HERE}.ours:Ours",
}


class CompressorUnknown(RobotMemoryError):
    """There is no compressor of this name."""


def names() -> list[str]:
    """Every name that `make` knows, in the order of a table."""
    return list(COMPRESSORS)


def make(name: str) -> Compressor:
    """The compressor of that name. Raises CompressorUnknown."""
    if name not in COMPRESSORS:
        raise CompressorUnknown(f"there is no compressor called {name!r}; there are: {', '.join(COMPRESSORS)}")
    module, _, made_by = COMPRESSORS[name].partition(":")
    return cast(Compressor, getattr(import_module(module), made_by)())
