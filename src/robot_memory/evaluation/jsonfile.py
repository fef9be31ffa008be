"""Reads JSON files that others made: every mistake becomes one line that names the file, the place and what to do.

`load` gives the content or says why there is none; the other functions take it apart and raise Wrong, which names the
place, for the caller to complete with the file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError

LONGEST_NUMBER = 40  # digits
KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}


class Wrong(ValueError):
    """What is wrong in a file, and where."""


def load(path: Path, failure: type[RobotMemoryError], remedy: str) -> Any:
    """The content of a JSON file in UTF-8. Raises `failure`."""
    try:
        return parse(path.read_text("utf-8-sig"))
    except OSError as error:
        raise failure(f"{path}: cannot be read ({error.strerror or error}) — {remedy}") from error
    except UnicodeDecodeError as error:
        raise failure(f"{path}: is no text in UTF-8 (byte {error.start + 1:,}) — {remedy}") from error
    except ValueError as error:
        raise failure(f"{path}: is no JSON ({error}) — {remedy}") from error


def parse(text: str) -> Any:
    """Raises ValueError, also for what Python itself would choke on."""
    try:
        return json.loads(text, parse_int=_digits)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def mapping(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise Wrong(f"{where} is {kind(found)}, not an object")
    return found


def listing(found: Any, where: str) -> list[Any]:
    if not isinstance(found, list):
        raise Wrong(f"{where} is {kind(found)}, not a list")
    return found


def text(fields: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A text; numbers, which some answers are, become text. Null counts as missing."""
    found = fields.get(key)
    if found is None:
        found = default
    if found is None:
        raise Wrong(f"{where}: {key!r} is missing")
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        raise Wrong(f"{where}: {key!r} is {kind(found)}, not text")
    return str(found)


def whole(fields: Mapping[str, Any], key: str, where: str, low: int, high: int) -> int:
    """A whole number, written as one."""
    found = fields.get(key)
    if type(found) is not int:
        raise Wrong(f"{where}: {key!r} is {kind(found)}, not a whole number")
    if not low <= found <= high:
        raise Wrong(f"{where}: {key!r} is {found}, not between {low:,} and {high:,}")
    return found


def number(fields: Mapping[str, Any], key: str, where: str) -> float:
    """A finite number."""
    found = fields.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise Wrong(f"{where}: {key!r} is {kind(found)}, not a number")
    if not math.isfinite(found):
        raise Wrong(f"{where}: {key!r} is {found}, not a finite number")
    return float(found)


def kind(found: Any) -> str:
    """What something in a JSON file is, in words."""
    return "missing" if found is None else KINDS.get(type(found), type(found).__name__)


def _digits(written: str) -> int:
    if len(written) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(written):,} digits")
    return int(written)
