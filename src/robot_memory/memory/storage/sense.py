"""What a row must be beyond its types, so that nothing that reads it later stumbles over it.

Import refuses what makes no sense, naming its line; a rescue mends it where it can be kept, or leaves it out.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping
from typing import Any

import numpy as np

from robot_memory.memory.storage.tables import Value

LOST = "lost in a damaged file"
VECTORS = {"memories": "embedding", "embeddings": "vector"}  # columns of float16 numbers, a model's name beside them
FINITE = {"votes": "share", "edges": "weight", "alike": "score", "weights": "value"}  # what is summed up, or compared
BREAKING = ("Cc", "Zl", "Zp")  # control characters, line and paragraph separators
Row = Mapping[str, Value]


def nonsense(table: str, row: Row) -> str:
    """What makes no sense in a row of the right types, in words; empty where all does."""
    match table:
        case "journal" if not _is_object(row["detail"]):
            return "a detail in journal that is no JSON object"
        case "names" if any(unicodedata.category(letter) in BREAKING for letter in str(row["name"])):
            return "a name with control characters"
        case "persons" if row["merged_into"] is not None and row["merged_into"] == row["id"]:
            return "a person who is merged into themself"
        case "votes" | "edges" | "alike" | "weights" if not _finite(row.get(FINITE[table], 0)):
            return f"a number in {table}.{FINITE[table]} that is not finite"
        case "memories" | "embeddings" if row["model"] != "" and not _is_vector(row[VECTORS[table]]):
            return f"bytes in {table}.{VECTORS[table]} that are no finite float16 numbers"
        case "memories" if row["archived"] not in (0, 1):
            return "a memory that is neither archived nor not"
        case "running" if not _is_vector(row["total"], np.float64):
            return "bytes in running.total that are no finite float64 numbers"
    return ""


def mended(table: str, row: Row) -> Row | None:
    """The row as it makes sense, with all of its meaning that can be kept; None where nothing of it can be."""
    match table:
        case "journal":
            return {**row, "action": "lost", "detail": "{}", **({"reason": LOST} if "reason" in row else {})}
        case "names":
            name = "".join(letter for letter in str(row["name"]) if unicodedata.category(letter) not in BREAKING)
            return {**row, "name": name} if name.strip() else None
        case "persons":
            return {**row, "merged_into": None}
        case "memories":  # a sentence whose vector is damaged is embedded anew, and one that was nowhere is at hand
            return {**row, "embedding": b"", "model": "", "archived": int(row["archived"] == 1)}
    return None


def in_a_circle(merged: Mapping[int, int]) -> list[int]:
    """Of each circle of persons who are merged into one another, the one with the lowest number."""
    found, known = [], set[int]()
    for person in merged:
        way: list[int] = []
        while person in merged and person not in known:
            known.add(person)
            way.append(person)
            person = merged[person]
        if person in way:
            found.append(min(way[way.index(person) :]))
    return sorted(found)


class Across:
    """What must agree across the rows of an export: the vectors of a model have one length, and who is merged into
    somebody is somebody in the end. Rows are shown one by one, with the line they came from.
    """

    def __init__(self) -> None:
        self._vectors: dict[str, tuple[int, int]] = {}
        self._merged: dict[int, tuple[int, int]] = {}

    def wrong(self, table: str, row: Row, line: int) -> str:
        """In words, where the row disagrees with those before."""
        person, into = row.get("id"), row.get("merged_into")
        if table == "persons" and isinstance(person, int) and isinstance(into, int):
            self._merged[person] = into, line
        if table not in VECTORS or row["model"] == "":
            return ""
        vector, model = row[VECTORS[table]], str(row["model"])
        assert isinstance(vector, bytes)
        length, first = self._vectors.setdefault(model, (len(vector) // 2, line))
        if length == len(vector) // 2:
            return ""
        return f"a vector of {len(vector) // 2} numbers, of a model that has {length} in line {first:,}"

    def wrong_in_all(self, dimensions: Mapping[str, int]) -> tuple[int, str] | None:
        """The line and what is wrong, once all rows are there; `dimensions`: of the models that the memory knows."""
        for model, (length, line) in self._vectors.items():
            if dimensions.get(model, length) != length:
                return line, f"a vector of {length} numbers, of a model that has {dimensions[model]}"
        for person in in_a_circle({person: into for person, (into, _) in self._merged.items()}):
            return self._merged[person][1], "a person who is merged into others in a circle"
        return None


def _is_object(value: Value) -> bool:
    try:
        return isinstance(json.loads(str(value)), dict)
    except (ValueError, RecursionError):
        return False


def _finite(value: Value) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _is_vector(value: Value, kind: type[np.floating[Any]] = np.float16) -> bool:
    return (
        isinstance(value, bytes)
        and len(value) > 0
        and len(value) % np.dtype(kind).itemsize == 0
        and bool(np.isfinite(np.frombuffer(value, kind)).all())
    )
