"""Who was in view together is told in the largest groups, and no two who were are left out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.memorization.company import TOGETHER_NS, Group, groups
from robot_memory.memorization.scene import REJOIN_NS
from robot_memory.streams.media import SECOND

Spans = dict[int, list[tuple[int, int]]]


def group(faces: set[int], start_s: float, end_s: float) -> Group:
    return Group(frozenset(faces), int(start_s * SECOND), int(end_s * SECOND))


def together(**spans: tuple[float, float]) -> list[Group]:
    order = sorted(spans)
    return groups({order.index(who): [(int(a * SECOND), int(b * SECOND))] for who, (a, b) in spans.items()})


def test_three_at_once_are_one_group() -> None:
    assert together(anna=(0, 30), ben=(0.4, 30), clara=(1, 29)) == [group({0, 1, 2}, 1, 29)]


def test_two_who_were_there_much_longer_than_the_third_are_told_as_well() -> None:
    assert together(anna=(0, 30), ben=(0, 30), clara=(12, 20)) == [group({0, 1}, 0, 30), group({0, 1, 2}, 12, 20)]


def test_one_after_the_other_are_no_group() -> None:
    assert together(anna=(0, 10), ben=(12, 30)) == []


def test_those_who_merely_pass_each_other_are_no_group() -> None:
    assert together(anna=(0, 10), ben=(9.5, 30)) == []


def test_a_chain_is_told_link_by_link() -> None:
    assert together(anna=(0, 12), ben=(5, 25), clara=(15, 30)) == [group({0, 1}, 5, 12), group({1, 2}, 15, 25)]


spans = st.dictionaries(
    st.integers(1, 5),
    st.tuples(st.integers(0, 29), st.integers(1, 15)).map(lambda t: [(t[0] * SECOND, (t[0] + t[1]) * SECOND)]),
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(spans)
def test_every_two_are_in_a_group_for_as_long_as_they_were_together(seen: Spans) -> None:
    """But for the few seconds by which two of three were longer together than the three."""
    found = groups(seen)
    for one, ((a, b),) in seen.items():
        for other, ((c, d),) in seen.items():
            if one < other and min(b, d) - max(a, c) >= TOGETHER_NS:
                theirs = [g for g in found if {one, other} <= g.faces]
                told_ns = max(g.end_ns for g in theirs) - min(g.start_ns for g in theirs)
                assert told_ns > min(b, d) - max(a, c) - REJOIN_NS


@settings(max_examples=60, deadline=None)
@given(spans)
def test_all_of_a_group_are_there_all_the_time(seen: Spans) -> None:
    for one in groups(seen):
        assert len(one.faces) > 1
        assert all(seen[face][0][0] <= one.start_ns and one.end_ns <= seen[face][0][1] for face in one.faces)
