"""Our published searches give what the published code gave, on the golden cases (GOLDEN_DIR, default ../shared/golden).

Exactly, but for scores that are equal within float32: those may stand in another order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robot_memory.memory.retrieval.parity.candidates import Candidates, by_clip
from robot_memory.memory.retrieval.parity.decay import search_tmr
from robot_memory.memory.retrieval.parity.presets import ANY, CODE, PAPER, Preset
from robot_memory.memory.retrieval.parity.search import search_clip, search_node

GOLDEN = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parents[3] / "shared" / "golden")
CASES = ("small", "medium", "dense")
EQUAL = 2e-6  # two float32 sums over up to 64 products
EVERYTHING = Preset(node_k=20, node_threshold=ANY, clip_k=10, clip_threshold=ANY)


@dataclass(frozen=True)
class Question:
    """A golden query: what it may find, scored by us, and what the published code found."""

    found: Candidates
    before_clip: int | None
    expected: dict[str, Any]
    name_of: dict[int, str]  # memory -> "memory C-J"


def golden(case: str) -> Iterator[Question]:
    arrays, told = np.load(GOLDEN / f"{case}.npz"), json.loads((GOLDEN / f"{case}.json").read_text())
    ids, clips = arrays["node_id"], arrays["clip"]
    name_of, counts = {}, dict[int, int]()
    for memory, clip in zip(ids.tolist(), clips.tolist(), strict=True):
        name_of[memory] = f"memory {clip}-{counts.get(clip, 0)}"
        counts[clip] = counts.get(clip, 0) + 1
    for expected in told["queries"]:
        cosines = arrays["embedding"] @ arrays["query"][expected["q"]]
        entity = expected["entity"]
        about = None if entity is None else arrays["edge_text"][arrays["edge_entity"] == entity]
        yield Question(by_clip(ids, clips, cosines).among(about), expected["before_clip"], expected, name_of)


@pytest.fixture(params=[(case, q) for case in CASES for q in range(8)], ids=lambda param: f"{param[0]}-{param[1]}")
def question(request: pytest.FixtureRequest) -> Question:
    case, number = request.param
    if not (GOLDEN / f"{case}.npz").is_file():
        pytest.skip(f"no golden cases in {GOLDEN}: set GOLDEN_DIR to the folder that holds {case}.npz")
    return list(golden(case))[number]


def same_ranking(found: list[tuple[int, float]], expected: list[list[float]]) -> bool:
    """The same in the same order, but for equals."""
    scores = [score for _, score in expected]
    if len(found) != len(expected) or not np.allclose([score for _, score in found], scores, rtol=0, atol=EQUAL):
        return False
    known = dict(found)
    return all(
        ours == theirs or (theirs in known and abs(known[theirs] - score) < EQUAL)
        for (ours, score), (theirs, _) in zip(found, expected, strict=True)
    )


def test_the_best_clips(question: Question) -> None:
    found = search_clip(question.found, PAPER, before_clip=question.before_clip)
    assert [one.clip for one in found] == question.expected["clip_search_top2"]


def test_the_score_of_each_clip(question: Question) -> None:
    """The published list of scores has all clips, those after `before_clip` too."""
    found = search_clip(question.found, EVERYTHING)
    assert same_ranking([(one.clip, one.score) for one in found], question.expected["clip_scores_top10"])


def test_the_best_memories(question: Question) -> None:
    """So has its list of memories."""
    found = search_node(question.found, CODE)
    assert same_ranking([(one.memory, one.score) for one in found], question.expected["node_top20"])


def test_the_best_memories_before_a_clip(question: Question) -> None:
    expected = question.expected["node_top20"]
    if question.before_clip is not None:
        clip_of = dict(zip(question.found.ids.tolist(), question.found.clips.tolist(), strict=True))
        expected = [one for one in expected if clip_of[one[0]] <= question.before_clip]
    found = search_node(question.found, CODE, before_clip=question.before_clip)
    assert same_ranking([(one.memory, one.score) for one in found[: len(expected)]], expected)
    assert question.before_clip is None or all(one.clip <= question.before_clip for one in found)


def test_three_rounds_of_time_decay(question: Question) -> None:
    seen: set[int] = set()
    for expected in question.expected["tmr_rounds"]:
        shown = search_tmr(question.found, seen, question.before_clip)
        ours = {f"CLIP_{clip}": [question.name_of[memory] for memory in own] for clip, own in shown.items()}
        assert ours == expected
        assert list(ours) == list(expected)
        seen |= shown.keys()
