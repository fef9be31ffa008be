"""The fast published searches do what their rules say: each is compared with the rule written out word for word."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from robot_memory.memory.retrieval.parity.candidates import Candidates, by_clip, candidates
from robot_memory.memory.retrieval.parity.decay import search_tmr
from robot_memory.memory.retrieval.parity.presets import CODE, PAPER, PUBLISHED, Decay
from robot_memory.memory.retrieval.parity.search import FoundClip, search_clip, search_node
from robot_memory.memory.vectors.index import Scores

Row = tuple[int, int, float]  # memory, clip, cosine
# fractions of two, so that sums are exact; the coarse ones make ties
COSINES = st.integers(-400, 1024).map(lambda part: part / 1024) | st.integers(-3, 8).map(lambda part: part / 8)
ROWS = st.lists(st.tuples(st.integers(0, 9), COSINES), max_size=40).map(
    lambda pairs: [(memory, clip, cosine) for memory, (clip, cosine) in enumerate(pairs)]
)
SEEN = st.sets(st.integers(0, 9), max_size=4)
BEFORE = st.none() | st.integers(-1, 40)


def scored(rows: list[Row]) -> Scores:
    ids, clips, cosines = zip(*rows, strict=True) if rows else ((), (), ())
    return Scores(np.array(ids, np.int64), np.array(clips, np.int64), np.array(cosines, np.float32))


def found(rows: list[Row]) -> Candidates:
    return candidates([scored(rows)])


def ranked(rows: list[Row]) -> list[Row]:
    """Best first; equals by clip, then as they came, which is the order of candidates."""
    return sorted(sorted(rows, key=lambda row: row[1]), key=lambda row: -row[2])


def tmr_by_the_rule(rows: list[Row], seen: set[int], before: int | None, rate: float, k: int) -> dict[int, list[int]]:
    clips: dict[int, list[Row]] = defaultdict(list)
    for row in ranked(rows):
        if row[1] not in seen and (before is None or row[1] <= before):
            clips[row[1]].append(row)
    if not clips:
        return {}
    importance = {}
    for clip, own in clips.items():
        age = 0 if before is None else max(0, before - clip)
        importance[clip] = sum(row[2] for row in own) / len(own) * math.exp(-rate * age)
    highest = max(importance.values())
    importance = {clip: value / highest if highest > 0 else 0.0 for clip, value in importance.items()}
    total, k = sum(importance.values()), min(k, sum(map(len, clips.values())))
    if total <= 0:
        shown = ranked([row for own in clips.values() for row in own])[:k]
        return {clip: [row[0] for row in shown if row[1] == clip] for clip in sorted({row[1] for row in shown})}
    assume(total > 1e-3)  # the rule's own loop would take for ever
    wanted = {clip: value / total * k for clip, value in importance.items()}
    share = {clip: min(len(own), int(wanted[clip])) for clip, own in clips.items()}
    over = {clip: wanted[clip] - share[clip] for clip in clips}
    assume(not _told_apart_by_rounding(wanted, over, importance))
    turns = sorted(clips, key=lambda clip: (over[clip], importance[clip]), reverse=True)
    left = k - sum(share.values())
    while left > 0:
        for clip in turns:
            if left > 0 and share[clip] < len(clips[clip]):
                share[clip] += 1
                left -= 1
    return {clip: [row[0] for row in clips[clip][: share[clip]]] for clip in sorted(clips) if share[clip] > 0}


def _told_apart_by_rounding(wanted: dict[int, float], over: dict[int, float], importance: dict[int, float]) -> bool:
    """Whether the order of a sum could decide: a share is next to a whole number, or two different clips are even."""
    edge = any(abs(value - round(value)) < 1e-9 for value in wanted.values() if value)
    even = any(
        abs(over[one] - over[other]) < 1e-9 and importance[one] != importance[other]
        for one, other in combinations(over, 2)
    )
    return edge or even


@given(ROWS, SEEN, BEFORE, st.sampled_from([0.0, 0.1, 1.0]), st.integers(1, 25))
@settings(max_examples=400, deadline=None)
def test_time_decay(rows: list[Row], seen: set[int], before: int | None, rate: float, k: int) -> None:
    expected = tmr_by_the_rule(rows, seen, before, rate, k)
    shown = search_tmr(found(rows), seen, before, Decay(rate, k))
    assert shown == expected and list(shown) == list(expected)


@given(ROWS, SEEN, BEFORE)
@settings(max_examples=200, deadline=None)
def test_clips(rows: list[Row], seen: set[int], before: int | None) -> None:
    for preset in (CODE, PAPER):
        best: dict[int, float] = {}
        for _, clip, cosine in sorted(rows, key=lambda row: row[1]):
            if before is None or clip <= before:
                best[clip] = max(best.get(clip, -2.0), cosine)
        kept = [clip for clip in sorted(best, key=lambda clip: -best[clip]) if best[clip] >= preset.clip_threshold]
        expected = [FoundClip(clip, best[clip]) for clip in kept[: preset.clip_k] if clip not in seen]
        assert search_clip(found(rows), preset, seen, before) == expected


@given(ROWS, BEFORE)
@settings(max_examples=200, deadline=None)
def test_memories(rows: list[Row], before: int | None) -> None:
    for preset in (CODE, PAPER):
        allowed = [row for row in ranked(rows) if before is None or row[1] <= before]
        expected = [row for row in allowed if row[2] >= preset.node_threshold][: preset.node_k]
        shown = search_node(found(rows), preset, before)
        assert [(one.memory, one.clip, one.score) for one in shown] == expected


def clips_of(*clips: list[float]) -> list[Row]:
    """Clips 0, 1, … of these cosines; memories are numbered through."""
    pairs = [(clip, cosine) for clip, own in enumerate(clips) for cosine in own]
    return [(memory, clip, cosine) for memory, (clip, cosine) in enumerate(pairs)]


def shares(rows: list[Row], k: int) -> dict[int, int]:
    return {clip: len(own) for clip, own in search_tmr(found(rows), rule=Decay(0.1, k)).items()}


def test_what_is_left_goes_by_remainder_first() -> None:
    assert shares(clips_of([1.0] * 3, *[[0.25] * 3] * 4), k=3) == {0: 2, 1: 1}  # 1.5 and four times 0.375


def test_of_equal_remainders_the_more_important_clip_has_it() -> None:
    assert shares(clips_of([0.25] * 3, [0.75] * 3, [1.0] * 3), k=4) == {1: 2, 2: 2}  # 0.5, 1.5 and 2


def test_of_equally_important_clips_the_one_with_the_best_memory_has_it() -> None:
    assert shares(clips_of([0.5, 0.5], [0.25, 0.75]), k=1) == {1: 1}


def test_the_published_constants() -> None:
    assert (PAPER.node_k, PAPER.node_threshold, PAPER.clip_k) == (2, 0.5, 2)
    assert (CODE.node_k, CODE.clip_threshold, CODE.clip_k) == (20, 0.5, 2)
    assert (PUBLISHED.rate, PUBLISHED.k) == (0.1, 20)


def test_one_who_owes_more_than_a_loop_could_pay() -> None:
    """Means of 1 and of almost -1 leave next to nothing to share in, so that shares are in the millions."""
    rows = [(0, 0, 1.0), (1, 0, 1.0), (2, 1, -1.0 + 2.0**-23), (3, 2, 0.25)]
    shown = search_tmr(found([*rows[:3], (3, 1, -1.0 + 2.0**-23)]), rule=Decay(0.1, 3))
    assert shown == {0: [0, 1], 1: [2]}


def test_without_a_last_clip_nothing_is_old() -> None:
    rows = [(n, n // 20, 0.5) for n in range(600)]
    assert len(search_tmr(found(rows))) == 20
    assert list(search_tmr(found(rows), before_clip=29)) == list(range(14, 30))  # eight minutes have it all


def test_a_clip_that_was_shown_in_part_does_not_come_back() -> None:
    rows = [(n, n // 30, 0.5) for n in range(60)]
    first = search_tmr(found(rows), before_clip=1)
    assert {clip: len(own) for clip, own in first.items()} == {0: 10, 1: 10}
    assert search_tmr(found(rows), first, before_clip=1) == {}


def test_the_best_clips_are_cut_off_before_seen_ones_are_dropped() -> None:
    rows = [(0, 0, 0.9), (1, 1, 0.8), (2, 2, 0.7)]
    assert [one.clip for one in search_clip(found(rows), CODE, seen={0})] == [1]
    assert search_clip(found(rows), CODE, seen={0, 1}) == []


def test_the_better_of_two_wordings_counts() -> None:
    one, other = scored([(0, 0, 0.9), (1, 1, 0.1)]), scored([(0, 0, 0.2), (1, 1, 0.6)])
    assert candidates([one, other]).cosines.tolist() == pytest.approx([0.9, 0.6])


def test_wordings_scored_on_other_memories_are_refused() -> None:
    with pytest.raises(ValueError, match="different memories"):
        candidates([scored([(0, 0, 0.9)]), scored([(1, 0, 0.9)])])
    with pytest.raises(ValueError, match="at least one wording"):
        candidates([])


def test_about_nobody_known_nothing_is_found() -> None:
    rows = found([(0, 0, 0.9), (1, 1, 0.8)])
    nobody = rows.among([])
    assert search_clip(nobody) == search_node(nobody) == [] and search_tmr(nobody) == {}
    assert rows.among(None) is rows
    assert rows.among([1]).ids.tolist() == [1]


def test_memories_that_came_out_of_order_are_brought_into_it() -> None:
    rows = by_clip(np.array([5, 6, 7, 8]), np.array([2, 0, 2, 1]), np.array([0.1, 0.2, 0.3, 0.4], np.float32))
    assert rows.ids.tolist() == [6, 8, 5, 7]
    assert rows.numbers.tolist() == [0, 1, 2] and rows.sizes.tolist() == [1, 1, 2]
    assert rows.means.tolist() == pytest.approx([0.2, 0.4, 0.2]) and rows.best.tolist() == pytest.approx(
        [0.2, 0.4, 0.3]
    )
