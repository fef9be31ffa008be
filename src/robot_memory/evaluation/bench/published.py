"""The work that M3-Agent's published code does for one query, in our own code: what our search is measured against.

A dictionary of nodes whose embeddings are lists of numbers, and one of edges in both directions. Each query finds anew
who is who (every face and voice looks through all edges), finds a person's memories by another look through all edges,
and turns every embedding into a row of a new array. Left out, in its favour: embedding the question, loading the file,
the rule that was meant to settle contradicting equivalences.

`as_arrays`: the same with embeddings kept as float32 arrays, to tell the cost of lists from that of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bench.plain import PlainMemory

TOKEN = re.compile(r"<(face|voice)_(\d+)>")
TEXTS = ("episodic", "semantic")
PEOPLE = ("face", "voice")


@dataclass
class Node:
    """A face, a voice or a sentence. `embeddings`: a list of lists of float, or of arrays."""

    kind: str
    embeddings: list[Any]
    contents: list[str]
    clip: int


class PublishedGraph:
    """A memory as the published code keeps it in the process."""

    def __init__(self, memory: PlainMemory, as_arrays: bool = False) -> None:
        kept: Sequence[Any] = list(memory.vectors) if as_arrays else memory.vectors.tolist()
        self.nodes = {entity: Node(PEOPLE[entity % 2], [], [], -1) for entity in memory.entities}
        for n, number in enumerate(memory.ids.tolist()):
            kind = TEXTS[int(memory.semantic[n])]
            self.nodes[number] = Node(kind, [kept[n]], [memory.texts[n]], int(memory.clips[n]))
        self.text_nodes = memory.ids.tolist()
        self.edges: dict[tuple[int, int], float] = {}
        for text, entity in zip(memory.edge_memory.tolist(), memory.edge_entity.tolist(), strict=True):
            self.edges[text, entity] = self.edges[entity, text] = 1.0
        self.characters: dict[str, list[str]] = {}
        self.character_of: dict[str, str] = {}

    def search_clip(
        self,
        questions: Sequence[Any],
        entities: Collection[int] = (),
        before_clip: int | None = None,
        k: int = 2,
        threshold: float = 0.5,
    ) -> list[int]:
        """The best clips for the wordings of a question, about any of `entities` where there are some; best first."""
        scores: dict[int, list[float]] = {}
        for number, score in self.search_node(questions, entities):
            scores.setdefault(self.nodes[number].clip, []).append(score)
        ranked = sorted(((max(own), clip) for clip, own in scores.items()), key=lambda one: one[0], reverse=True)
        last = max(scores, default=0) if before_clip is None else before_clip
        return [clip for score, clip in ranked if score >= threshold and clip <= last][:k]

    def search_node(self, questions: Sequence[Any], entities: Collection[int] = ()) -> list[tuple[int, float]]:
        """Every text with its best cosine over the wordings, best first."""
        self.refresh()
        texts = self.text_nodes
        if entities:
            texts = sorted({text for entity in entities for text in self.neighbours(entity, TEXTS)})
        if not texts:
            return []
        rows = np.array([self.nodes[text].embeddings for text in texts])[:, 0]
        best = _cosines(np.array(questions), rows).max(axis=0)
        return sorted(zip(texts, best.tolist(), strict=True), key=lambda one: one[1], reverse=True)

    def neighbours(self, number: int, kinds: Collection[str]) -> list[int]:
        """The nodes of these kinds that share an edge with one: all edges are looked through."""
        found = set()
        for one, other in self.edges:
            if one == number and self.nodes[other].kind in kinds:
                found.add(other)
            elif other == number and self.nodes[one].kind in kinds:
                found.add(one)
        return list(found)

    def refresh(self) -> None:
        """Who is who, from the "Equivalence" sentences on every face and voice."""
        people = {f"{node.kind}_{number}": number for number, node in self.nodes.items() if node.kind in PEOPLE}
        leader = {name: name for name in people}

        def lead(name: str) -> str:
            while leader[name] != name:
                leader[name] = name = leader[leader[name]]
            return name

        for sentence in sorted(set(self._equivalences(people.values()))):
            named = [f"{kind}_{number}" for kind, number in TOKEN.findall(sentence) if f"{kind}_{number}" in people]
            for other in named[1:]:
                leader[lead(other)] = lead(named[0])
        groups: dict[str, list[str]] = {}
        for name in people:
            groups.setdefault(lead(name), []).append(name)
        self.characters = {f"character_{n}": group for n, group in enumerate(groups.values())}
        self.character_of = {name: character for character, group in self.characters.items() for name in group}

    def _equivalences(self, people: Collection[int]) -> Iterator[str]:
        for number in people:
            for text in self.neighbours(number, ("semantic",)):
                sentence = self.nodes[text].contents[0]
                if sentence.lower().startswith("equivalence"):
                    yield sentence


def _cosines(questions: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """[questions, rows]; both are brought to unit length first, as the library does that the published code calls."""
    questions = questions / np.linalg.norm(questions, axis=1, keepdims=True)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines: NDArray[Any] = questions @ rows.T
    return cosines
