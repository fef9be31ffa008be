"""A verdict is between 0 and 1, never falls when support grows, and does not depend on the order of what is found."""

from __future__ import annotations

from dataclasses import fields, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from robot_memory.control.verification import wording
from robot_memory.control.verification.asked import Asked, Passage, Term
from robot_memory.control.verification.matching import Features
from robot_memory.control.verification.verify import supported, verify

PERSONS = ("person_1", "person_2", "person_3")
NAMES = {"Anna": "person_1", "Ben": "person_2", "Jo": "person_3"}
SCRAPS = ("I painted a lake.", "Your lake?", "Anna swims", "Not the lake!", "We swim, Ben.", "…", "", "\n", "lake’s")

texts = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=12), max_size=3).map(" ".join)
people = st.frozensets(st.sampled_from(PERSONS))
stamps = st.integers(0, 10)
passages = st.builds(
    Passage,
    memory=st.integers(1, 99),
    text=texts,
    speaker=st.sampled_from(("", *PERSONS)),
    hearers=people,
    about=people,
    start_ns=stamps,
    end_ns=stamps,
    cosine=st.floats(-1, 1),
    place=st.sampled_from(("", "kitchen", "library")),
)
readings = st.builds(
    Asked,
    words=st.lists(st.builds(Term, st.sampled_from(("lake", "paint", "swim", "yacht")), st.integers(0, 50))).map(tuple),
    memories=st.integers(0, 50),
    persons=people,
    names=st.just(NAMES),
    start_ns=st.none() | stamps,
    end_ns=st.none() | stamps,
    place=st.sampled_from(("", "kitchen", "attic")),
    denied=st.booleans(),
)
values = st.builds(Features, **{one.name: st.floats(-3, 3) for one in fields(Features)})


@given(readings, st.lists(passages, max_size=6))
def test_whatever_is_asked_and_found_the_verdict_is_a_share_with_a_reason(reading: Asked, found: list[Passage]) -> None:
    verdict = verify(reading, found)
    assert 0.0 <= verdict.supported <= 1.0 and verdict.reasons
    cited = {verdict.person.memory, verdict.attribute.memory, verdict.time.memory, verdict.place.memory}
    assert cited <= {one.memory for one in found} | {None}


@given(readings, st.lists(passages, max_size=6))
def test_the_order_of_what_was_found_does_not_matter(reading: Asked, found: list[Passage]) -> None:
    there, back = verify(reading, found).supported, verify(reading, found[::-1]).supported
    assert abs(there - back) < 1e-9


@given(values, st.sampled_from([one.name for one in fields(Features)]), st.floats(0, 3), st.booleans())
def test_more_of_any_feature_never_lowers_it(seen: Features, name: str, more: float, named: bool) -> None:
    grown = replace(seen, **{name: getattr(seen, name) + more})
    assert supported(grown, named) >= supported(seen, named)


@settings(max_examples=50)
@given(st.lists(passages, max_size=5), st.floats(-1, 1), st.floats(-1, 1))
def test_a_nearer_line_of_her_own_never_lowers_it(found: list[Passage], one: float, other: float) -> None:
    reading = Asked((Term("lake", 3),), 40, frozenset({"person_1"}), NAMES)
    far, near = (Passage(100, "I painted a lake.", "person_1", cosine=c) for c in sorted((one, other)))
    assert verify(reading, [*found, near]).supported >= verify(reading, [*found, far]).supported - 1e-9


@given(st.lists(passages, min_size=1, max_size=5), st.floats(-1, 1))
def test_a_line_about_somebody_else_never_raises_it(found: list[Passage], cosine: float) -> None:
    reading = Asked((Term("lake", 3),), 40, frozenset({"person_1"}), NAMES)
    spoken = [one for one in found if wording.sentences(one.text)] or [Passage(1, "I swim.", "person_1")]
    more = Passage(100, "I painted a lake.", "person_2", cosine=cosine)
    assert verify(reading, [*spoken, more]).supported <= verify(reading, spoken).supported + 1e-9
