"""The figures on data small enough to reckon by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_memory.evaluation.scoring import calibration, facts, identities
from robot_memory.evaluation.scoring.calibration import Outcome
from robot_memory.evaluation.scoring.evidence import Timeline, rank, recall
from robot_memory.evaluation.scoring.identities import FACE, VOICE, Item, Taken
from robot_memory.evaluation.scoring.tally import Tally, figure, pooled
from robot_memory.evaluation.subject import Claim, Found
from robot_memory.evaluation.trial import HEARD, SEEN, Moment
from robot_memory.evaluation.truth import Appearance, Box, Fact, Said, Truth

S = 1_000_000_000


def said(confidence: float, right: bool, answered: bool = True, answerable: bool = True) -> Outcome:
    return Outcome(confidence, answered, right, answerable)


def test_risk_rises_with_coverage_and_silence_is_no_coverage() -> None:
    some = [said(0.9, True), said(0.8, True), said(0.7, False), said(0.0, False, answered=False)]
    assert calibration.risk_coverage(some) == [(0.25, 0.0), (0.5, 0.0), (0.75, pytest.approx(1 / 3))]
    assert calibration.area_under_risk(some) == pytest.approx((0 + 0 + 1 / 3) / 3)
    assert calibration.area_under_risk([some[-1]]) is None


def test_answers_of_equal_confidence_have_no_order() -> None:
    some = [said(0.9, True), said(0.9, False), said(0.9, True), said(0.9, False)]
    assert calibration.risk_coverage(some) == [(1.0, 0.5)]
    assert calibration.area_under_risk(some) == calibration.area_under_risk(some[::-1]) == pytest.approx(0.5)


def test_calibration_error_and_brier() -> None:
    some = [said(0.95, True), said(0.95, False), said(0.15, False), said(0.15, False), said(1.0, False, answered=False)]
    assert calibration.ece(some) == pytest.approx(0.5 * 0.45 + 0.5 * 0.15)
    assert calibration.brier(some) == pytest.approx((0.05**2 + 0.95**2 + 2 * 0.15**2) / 4)
    assert calibration.ece([]) is None and calibration.brier([]) is None


def test_auroc_counts_pairs() -> None:
    some = [said(c, True) for c in (0.9, 0.5)] + [said(c, False, answerable=False) for c in (0.5, 0.1)]
    assert calibration.auroc(some) == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert calibration.auroc(some[:2]) is None


@given(st.lists(st.builds(said, st.floats(0, 1), st.booleans(), st.booleans(), st.booleans()), min_size=1))
def test_calibration_stays_in_its_range(some: list[Outcome]) -> None:
    for measure in (calibration.area_under_risk, calibration.ece, calibration.brier, calibration.auroc):
        value = measure(some)
        assert value is None or 0 <= value <= 1 + 1e-9


def test_trials_add_up_and_have_intervals() -> None:
    one = figure([Tally(1, 2)])
    assert one and (one.mean, one.low, one.high, one.trials) == (0.5, None, None, 1)
    few = figure([Tally(1, 2)] * 4)
    assert few and few.low is few.high is None  # so few say nothing about the next
    some = figure([Tally(1, 2), Tally(0, 0), Tally(8, 8), Tally(1, 2), Tally(1, 2), Tally(1, 2)])
    assert some and some.mean == pytest.approx(0.75) and some.trials == 5
    assert some.low is not None and some.high is not None and some.low < 0.75 <= some.high
    assert figure([Tally(0, 0)]) is None
    assert figure([Tally(1, 2), Tally(8, 8)]) == figure([Tally(1, 2), Tally(8, 8)])  # seeded
    alike = figure([Tally(1, 2)] * 5)
    assert alike and alike.low == alike.high == 0.5


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    throw = np.random.default_rng(0)
    for trials in (5, 20):
        worlds = throw.binomial(40, np.clip(throw.normal(0.5, 0.1, (300, trials)), 0, 1))
        found = [figure([Tally(float(right), 40) for right in world]) for world in worlds]
        held = [one.low <= 0.5 <= one.high for one in found if one and one.low is not None and one.high is not None]
        assert len(held) == 300 and 0.91 < sum(held) / 300 < 0.99


def test_measures_that_do_not_add_up_are_pooled() -> None:
    trials = [[1.0], [0.0, 0.0, 0.0], [], [], []]
    mean = pooled(trials, lambda pick: np.mean(own) if (own := [x for n in pick for x in trials[n]]) else None)
    assert mean and mean.mean == 0.25 and mean.low == 0.0 and mean.high == 1.0


TRUTH = Truth(
    "t",
    "UTC",
    0,
    100 * S,
    ("Anna", "Ben"),
    (
        Appearance("Anna", (Box(0, 0, 0, 1, 1), Box(40 * S, 0, 0, 1, 1))),
        Appearance("Ben", (Box(50 * S, 0, 0, 1, 1), Box(60 * S, 0, 0, 1, 1))),
    ),
    tuple(Said("Anna", n * 10 * S, (n * 10 + 5) * S, f"line {n}") for n in range(6)),
)


def found(start_s: float, end_s: float, stream: str) -> Found:
    return Found(int(start_s * S), int(end_s * S), stream, "", 1.0)


def moment(start_s: float, end_s: float, stream: str) -> Moment:
    return Moment(int(start_s * S), int(end_s * S), stream)


@pytest.mark.parametrize(
    ("things", "wanted", "k", "share"),
    [
        ([found(20, 25, HEARD)], [moment(20, 25, HEARD)], 1, 1.0),
        ([found(20, 25, SEEN)], [moment(20, 25, HEARD)], 1, 0.0),  # another stream
        ([found(20, 25, "inferred")], [moment(20, 25, HEARD)], 5, 1.0),
        ([found(0, 5, HEARD), found(20, 25, HEARD)], [moment(20, 25, HEARD)], 1, 0.0),
        ([found(0, 5, HEARD), found(20, 25, HEARD)], [moment(20, 25, HEARD)], 2, 1.0),
        ([found(0, 100, HEARD)], [moment(20, 25, HEARD)], 2, 0.0),  # the third of what the span brings
        ([found(0, 100, HEARD)], [moment(20, 25, HEARD)], 3, 1.0),
        ([found(90, 95, HEARD), found(20, 25, HEARD)], [moment(20, 25, HEARD)], 1, 0.0),  # nothing costs one, too
        ([found(0, 5, HEARD), found(0, 5, HEARD), found(20, 25, HEARD)], [moment(20, 25, HEARD)], 2, 0.0),
        ([found(18, 20.1, HEARD)], [moment(20, 25, HEARD)], 5, 0.0),  # they merely touch
        ([found(0, 5, SEEN)], [moment(30, 40, SEEN)], 5, 0.0),  # of the same appearance, another part
        ([found(0, 5, SEEN), found(32, 38, SEEN)], [moment(30, 40, SEEN)], 2, 1.0),
        ([found(0, 5, HEARD)], [moment(0, 5, HEARD), moment(10, 15, HEARD)], 5, 0.5),
        ([], [moment(0, 5, HEARD)], 5, 0.0),
    ],
)
def test_recall_counts_what_a_thing_found_brings(
    things: list[Found], wanted: list[Moment], k: int, share: float
) -> None:
    assert recall(things, wanted, Timeline(TRUTH), k) == share


def test_evidence_reads() -> None:
    timeline = Timeline(TRUTH)
    assert timeline.reads(moment(20, 25, HEARD)) == "Anna: “line 2”"
    assert timeline.reads(moment(51, 55, SEEN)) == "Ben in view"
    assert timeline.reads(moment(96, 97, SEEN)) == "something seen"


def test_the_rank_of_evidence_is_that_of_the_first_thing_that_meets_it() -> None:
    things, timeline = [found(0, 5, HEARD), found(20, 25, HEARD), found(20, 25, HEARD)], Timeline(TRUTH)
    assert rank(things, moment(20, 25, HEARD), timeline) == 2
    assert rank(things, moment(90, 95, HEARD), timeline) is None
    assert rank([], moment(20, 25, HEARD), timeline) is None


def items(*of: tuple[str, str, str | None]) -> tuple[Item, ...]:
    return tuple(Item(n, *one) for n, one in enumerate(of))


def values(tallies: dict[str, Tally]) -> dict[str, float | None]:
    return {key.split(".")[1]: tally.value for key, tally in tallies.items()}


def test_one_slip_among_many_is_a_mistake_but_no_fusion() -> None:
    some = items(*[(FACE, "Anna", "p1")] * 12, (FACE, "Ben", "p1"), *[(FACE, "Ben", "p2")] * 12)
    counted = values(identities.persons(some))
    assert counted["fused"] == counted["split"] == 0
    assert counted["mistaken"] == pytest.approx(1 / 25)
    assert counted["switches"] == 1


def test_a_person_in_shreds_is_split() -> None:
    shreds = items(*[(FACE, "Anna", f"p{n}") for n in range(30)])
    assert values(identities.persons(shreds))["split"] == 1
    crowd = items(*[(FACE, f"person {n}", "p1") for n in range(30)])
    assert values(identities.persons(crowd))["fused"] == 1


def test_what_is_nobodys_must_be_nobodys() -> None:
    some = items((FACE, "Anna", "p1"), (FACE, "", "p2"), (VOICE, "", None))
    counted = values(identities.persons(some))
    assert counted["true"] == 1 and counted["found"] == 2 and counted["exact"] == 0
    assert counted["mistaken"] == 0.5 and counted["unknown"] == 0


def test_links() -> None:
    some = items((FACE, "Anna", "p1"), (VOICE, "Ben", "p1"), (FACE, "Ben", "p2"), (VOICE, "Cleo", "p3"))
    assert values(identities.links(some)) == {"precision": 0.0, "recall": 0.0}
    some = items((FACE, "Anna", "p1"), (VOICE, "Anna", "p1"), (FACE, "Ben", "p2"), (VOICE, "Ben", "p3"))
    assert values(identities.links(some)) == {"precision": 1.0, "recall": 0.5}


def test_whom_a_label_takes_together() -> None:
    voices = [(VOICE, "Dana", "p1")] * 6 + [(VOICE, "Tom", "p1")] * 2
    some = items((FACE, "Dana", "p1"), *voices, (FACE, "", "p10"), (VOICE, "Tom", "p2"), (VOICE, "Ann", None))
    one, two, ten, rest = identities.taken(some, {"p1": "Dan"})
    assert one == Taken("p1", {"Dana": 1}, {"Dana": 6, "Tom": 2}, "Dan", "Dana", fused=True, linked=True)
    assert two == Taken("p2", {}, {"Tom": 1}, "", "Tom", fused=False, linked=None)
    assert ten == Taken("p10", {"": 1}, {}, "", "", fused=False, linked=None)
    assert rest == Taken(None, {}, {"Ann": 1}, "", "", fused=False, linked=None)
    (wrong,) = identities.taken(items((FACE, "Dana", "p1"), (VOICE, "Tom", "p1")), {})
    assert wrong.linked is False and wrong.fused
    assert identities.taken(items((FACE, "Dana", None)), {}) == ()


def test_a_memory_that_tells_nobody_apart_is_not_asked_how_well_it_does() -> None:
    some = items((FACE, "Anna", None), (VOICE, "Ben", None))
    assert set(identities.persons(some)) == {"persons.true"}
    assert identities.links(some) == {} and identities.names(some, {}, frozenset({"Anna"})) == {}


def test_names() -> None:
    some = items((FACE, "Anna Berg", "p1"), (FACE, "Ben", "p2"), (FACE, "Cleo", "p3"), (FACE, "Dan", "p4"))
    told = frozenset({"Anna Berg", "Ben", "Cleo"})
    counted = values(identities.names(some, {"p1": "anna", "p2": "Bob"}, told))
    assert counted == {"right": 1, "wrong": 1, "missing": 1, "known": pytest.approx(1 / 3)}
    assert values(identities.names(some, {"p1": "anna"}, None)) == {"right": 1, "wrong": 0}
    all_of_them = dict.fromkeys(("p1", "p2"), "Anna Berg Ben Cleo Dan")  # fits everybody, so nobody
    assert values(identities.names(some, all_of_them, None)) == {"right": 0, "wrong": 2}


def test_a_fact_claimed_again_is_one_fact() -> None:
    told = Fact("Anna", "likes", "tea", told=(1,))
    truth = Truth("t", "UTC", 0, 9 * S, ("Anna",), (), (), (told,))
    claims = [Claim("p1", "likes", "tea", 1, 0)] * 9 + [Claim("p1", "likes", "rain", 1, 0)] * 2
    names = [Claim("p1", "name", "Anna", 1, 0)] * 3
    assert values(facts.facts(claims, {"p1": "Anna"}, truth, 1.0)) == {
        "precision": 0.5,
        "recall": 1.0,
        "stale": 0.0,
        "beyond": 0.0,
        "false_per_hour": 1.0,
    }
    assert values(facts.facts(claims + names, {"p1": "Anna"}, truth, 1.0))["precision"] == pytest.approx(2 / 3)
    assert facts.facts(None, {}, truth, 1.0) == {}  # who keeps no facts has no figures of facts
    assert values(facts.facts([], {}, truth, 1.0))["recall"] == 0.0
