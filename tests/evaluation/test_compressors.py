"""What every compressor promises: exactly the target, the same again for the same seed, whatever the memories are;
and what is told where there is no such compressor.
"""

from __future__ import annotations

import numpy as np
import pytest
from compressing import at, life, nodes

from robot_memory.evaluation.compressors import CompressorUnknown, make, names

PRUNING = [name for name in names() if name != "none"]


@pytest.fixture(params=PRUNING)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("target", [1, 2, 7, 60, 100, 181, 199])
def test_exactly_the_target(name: str, target: int) -> None:
    kept = make(name).keep(life(200), target, seed=1)
    assert kept.shape == (200,) and kept.dtype == np.bool_
    assert kept.sum() == target


def test_nothing_is_to_stay(name: str) -> None:
    assert not make(name).keep(life(50), 0, seed=1).any()


@pytest.mark.parametrize("target", [50, 51, 1000])
def test_all_stay_where_there_is_room(name: str, target: int) -> None:
    assert make(name).keep(life(50), target, seed=1).all()


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_any(name: str, count: int) -> None:
    assert make(name).keep(nodes(at(*[30.0] * count)), 1, seed=1).sum() == count


def test_a_target_below_nothing_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="-1 memories"):
        make(name).keep(life(50), -1, seed=1)


@pytest.mark.parametrize("target", [1, 20, 39])
def test_all_memories_the_same_sentence(name: str, target: int) -> None:
    assert make(name).keep(nodes(at(*[30.0] * 40), clips=[1, 2] * 20), target, seed=1).sum() == target


@pytest.mark.parametrize("target", [3, 25])
def test_every_memory_in_a_clip_of_its_own(name: str, target: int) -> None:
    """As in a dialogue that is stored line by line, where a share of each clip, rounded up, would be everything."""
    alone = nodes(at(*range(0, 90, 3)), clips=range(30), edges=[(0, 1, 1.0), (4, 1, 2.0)])
    assert make(name).keep(alone, target, seed=1).sum() == target


def test_the_same_again(name: str) -> None:
    first, again = (make(name).keep(life(300), 90, seed=5) for _ in range(2))
    assert (first == again).all()


def test_what_is_given_stays_as_it_was(name: str) -> None:
    given, untouched = life(100), life(100)
    make(name).keep(given, 30, seed=5)
    assert (given.vectors == untouched.vectors).all() and (given.clips == untouched.clips).all()


@pytest.mark.parametrize("drawing", ["random", "k-means", "dart"])
def test_another_seed_draws_anew(drawing: str) -> None:
    assert (make(drawing).keep(life(300), 90, seed=5) != make(drawing).keep(life(300), 90, seed=6)).any()


@pytest.mark.parametrize("settled", ["timechat", "memoryllm", "streammeco", "ours"])
def test_what_draws_nothing_has_no_seed(settled: str) -> None:
    assert (make(settled).keep(life(300), 90, seed=5) == make(settled).keep(life(300), 90, seed=6)).all()


def test_every_compressor_has_its_name() -> None:
    assert [make(name).name for name in names()] == names()


def test_an_unknown_one_is_told() -> None:
    with pytest.raises(CompressorUnknown, match=r"'zip'.*none, random"):
        make("zip")


def test_none_keeps_all() -> None:
    assert make("none").keep(life(50), 3, seed=1).all()
