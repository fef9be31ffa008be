"""YAML values that remember their place in the file, so that an error can name the line and say what to do.

For files that people write by hand. Every check raises ScriptInvalid; nothing is guessed or passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.terminal import shown

SCRIPTS = "robot_memory.evaluation.story.scriptfile"  # where the form of a script is written down


class ScriptInvalid(RobotMemoryError):
    """A script cannot be read, or asks for something that makes no sense."""


@dataclass(frozen=True)
class Item:
    """One value of a YAML file: where it stands (`file`, line), what it is called (`name`) and its parsed `node`. The
    names of what lies in the `top` do not begin with its own.
    """

    file: str
    name: str
    node: Any
    top: bool = False

    def wrong(self, what: str, remedy: str) -> ScriptInvalid:
        line = self.node.start_mark.line + 1
        return ScriptInvalid(shown(f"{self.file}, line {line}: {self.name} {what} — {remedy}"))

    def fields(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Item]:
        """The entries of a mapping with exactly these keys; `optional` ones may be absent."""
        found = self.entries()
        known = required + optional
        for key, item in found.items():
            if key not in known:
                raise item.wrong("is not a known field", f"use {', '.join(known)}")
        for key in required:
            if key not in found:
                raise self.wrong(f"has no '{key}'", f"add '{key}: …'")
        return found

    def entries(self) -> dict[str, Item]:
        """The entries of a mapping, in order. An empty value counts as an empty mapping."""
        if self._empty():
            return {}
        if self.node.id != "mapping":
            raise self.wrong("must be a mapping", "write 'key: value' lines, indented alike")
        found: dict[str, Item] = {}
        for key_node, value_node in self.node.value:
            key = str(key_node.value)
            item = Item(self.file, key if self.top else f"{self.name}.{key}", value_node)
            if key in found:
                raise Item(self.file, item.name, key_node).wrong("is given twice", "keep one of the two")
            found[key] = item
        return found

    def items(self) -> tuple[Item, ...]:
        """The elements of a list. An empty value counts as an empty list."""
        if self._empty():
            return ()
        if self.node.id != "sequence":
            raise self.wrong("must be a list", "start each element with '- '")
        return tuple(Item(self.file, f"{self.name}[{i}]", node) for i, node in enumerate(self.node.value))

    def number(self, low: float, high: float) -> float:
        """A number in low..high; not-a-number is refused like any other value out of range."""
        if self.node.id != "scalar" or str(self.node.tag).rsplit(":", 1)[-1] not in ("int", "float"):
            raise self.wrong(f"must be a number, not {self._shown()}", f"write a number from {low:g} to {high:g}")
        try:
            value = float(self.node.value)
        except ValueError:
            raise self.wrong(
                f"must be a plain number, not {self._shown()}", f"write it from {low:g} to {high:g}"
            ) from None
        if not low <= value <= high:
            raise self.wrong(f"is {value:g}", f"it must lie between {low:g} and {high:g}")
        return value

    def whole(self, low: int, high: int) -> int:
        value = self.number(low, high)
        if value != int(value):
            raise self.wrong(f"is {value:g}", "it must be a whole number")
        return int(value)

    def yes(self) -> bool:
        written = str(self.node.value).lower() if self.node.id == "scalar" else ""
        if written not in ("true", "false"):
            raise self.wrong(f"is {self._shown()}", "write true or false")
        return written == "true"

    def text(self) -> str:
        """A non-empty line of text; numbers and dates are taken as they are written."""
        if self.node.id != "scalar" or not str(self.node.value).strip():
            raise self.wrong("must be text", 'write it in quotes: "…"')
        return str(self.node.value).strip()

    def _empty(self) -> bool:
        return bool(self.node.id == "scalar" and str(self.node.tag).endswith("null"))

    def _shown(self) -> str:
        return repr(self.node.value) if self.node.id == "scalar" else f"a {self.node.id}"


def load(path: Path, what: str) -> str:
    """The text of a file. Raises ScriptInvalid."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ScriptInvalid(
            f"{path}: cannot be read ({error.strerror or error}) — give the path of {what} in UTF-8"
        ) from error
    except UnicodeDecodeError as error:
        raise ScriptInvalid(
            f"{path}: is no text in UTF-8 (byte {error.start + 1:,}) — write {what} in UTF-8"
        ) from error


def compose(text: str, file: str, name: str = "the script", docs: str = SCRIPTS) -> Item:
    """The root of a YAML document, called `name`. Raises ScriptInvalid where it is no YAML or is empty."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ScriptInvalid(f"{file}, line {line}: not YAML ({error.problem}) — mend the line") from error
    except YAMLError as error:
        raise ScriptInvalid(f"{file}: not YAML ({error}) — is this the right file?") from error
    except RecursionError:
        raise ScriptInvalid(f"{file}: is nested too deep — is this the right file?") from None
    if root is None:
        raise ScriptInvalid(f"{file}: the file is empty — see the format in {docs}")
    return Item(file, name, root, top=True)
