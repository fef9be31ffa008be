"""Reads the bank's YAML tables: blocks of text with one phrase a line, or one row a line with ` | ` between columns.

Every mistake is a BankInvalid that names the file, the table and the phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.worlds.bank.filling import SLOT, slots_of

FOLDER = Path(__file__).parent


class BankInvalid(RobotMemoryError):
    """A table of the phrase bank is missing, malformed, or uses a slot that nobody fills."""


def read(name: str) -> dict[str, Any]:
    """The mapping in FOLDER/name.yaml. Raises BankInvalid."""
    import yaml

    path = FOLDER / f"{name}.yaml"
    try:
        tables = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BankInvalid(f"{path}: cannot be read ({error}) — mend the file, or install the package again") from error
    if not isinstance(tables, dict):
        raise BankInvalid(f"{path}: is no mapping — write 'table: |' and the phrases below it, one a line")
    return tables


def lines(tables: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """The lines of the block `key`, empty ones left out. Raises BankInvalid."""
    block = tables.get(key)
    if not isinstance(block, str):
        raise BankInvalid(f"{where}: has no block '{key}' — write '{key}: |' and its lines below, indented")
    return tuple(line.strip() for line in block.splitlines() if line.strip())


def phrases(tables: Mapping[str, Any], key: str, where: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The templates of the block `key`, which may use the slots `known` alone. Raises BankInvalid."""
    found = lines(tables, key, where)
    allowed = frozenset(known)
    for template in found:
        if set(SLOT.sub("", template)) & set("{}"):
            raise BankInvalid(f"{where}, {key}: {template!r} has a stray brace — slots are written {{name}}")
        unknown = sorted(slots_of(template) - allowed)
        if unknown:
            raise BankInvalid(
                f"{where}, {key}: {template!r} uses {', '.join(unknown)}, which nobody fills — "
                f"use {', '.join(sorted(allowed)) or 'no slots'}"
            )
    return found


def rows(text: Any, columns: tuple[str, ...], where: str) -> tuple[dict[str, str], ...]:
    """The rows of a table, column -> cell; a cell `-` is empty. Raises BankInvalid."""
    if not isinstance(text, str):
        raise BankInvalid(f"{where}: is no block of rows — write '|' after its key and the rows below, indented")
    found = []
    for line in text.splitlines():
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split(" | ")]
        if len(cells) != len(columns):
            raise BankInvalid(f"{where}: {line!r} has {len(cells)} cells — write {' | '.join(columns)}")
        found.append({column: "" if cell == "-" else cell for column, cell in zip(columns, cells)})
    return tuple(found)
