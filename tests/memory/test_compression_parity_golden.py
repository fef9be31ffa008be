"""Our published compression keeps what the published code kept, on the golden cases (GOLDEN_DIR, default
../shared/golden): the same memories, at every ratio.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_memory.memory.compression.parity import whole
from robot_memory.memory.compression.parity.split import Split, split

GOLDEN = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parents[3] / "shared" / "golden")
CASES = ("small", "medium", "dense")
RATIOS = (0.7, 0.5, 0.3)
LARGEST_UNCLUSTERED = 20  # a clip with more isolated memories has more than one cluster, so k-means


@dataclass(frozen=True)
class Case:
    """A golden graph, and what the published code said of it."""

    ids: NDArray[np.int64]
    clips: NDArray[np.int64]
    vectors: NDArray[np.float32]
    edge_node: NDArray[np.int64]
    edge_weight: NDArray[np.float32]
    told: dict[str, Any]

    @property
    def split(self) -> Split:
        return split(len(self.ids), self.edge_node)

    @property
    def is_clustered(self) -> bool:
        sizes = np.unique(self.clips[self.split.isolated], return_counts=True)[1]
        return bool(sizes.max() > LARGEST_UNCLUSTERED)

    def kept(self, ratio: float) -> NDArray[np.bool_]:
        if self.is_clustered:
            pytest.importorskip("sklearn", reason="the published k-means is scikit-learn's, an extra: '.[cluster]'")
        return whole.keep(self.clips, self.vectors, self.edge_node, self.edge_weight, ratio)

    def expected(self, ratio: float, which: str) -> list[int]:
        return next(sorted(one[which]) for one in self.told["compress"] if one["keep"] == ratio)


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    if not (GOLDEN / f"{request.param}.npz").is_file():
        pytest.skip(f"no golden cases in {GOLDEN}: set GOLDEN_DIR to the folder that holds {request.param}.npz")
    arrays = np.load(GOLDEN / f"{request.param}.npz")
    return Case(
        arrays["node_id"],
        arrays["clip"],
        arrays["embedding"],
        np.searchsorted(arrays["node_id"], arrays["edge_text"]),
        arrays["edge_weight"],
        json.loads((GOLDEN / f"{request.param}.json").read_text()),
    )


def test_isolated_and_connected(case: Case) -> None:
    assert (np.diff(case.ids) > 0).all()  # so that rows can be looked up by id
    assert case.ids[case.split.isolated].tolist() == case.told["isolated"]
    assert case.ids[case.split.connected].tolist() == case.told["connected"]


@pytest.mark.parametrize("ratio", RATIOS)
def test_em_sampling(case: Case, ratio: float) -> None:
    isolated = case.split.isolated
    assert case.ids[isolated][case.kept(ratio)[isolated]].tolist() == case.expected(ratio, "em_kept")


@pytest.mark.parametrize("ratio", RATIOS)
def test_ew_pruning(case: Case, ratio: float) -> None:
    connected = case.split.connected
    assert case.ids[connected][case.kept(ratio)[connected]].tolist() == case.expected(ratio, "ew_kept")


def test_every_golden_ratio_is_tried(case: Case) -> None:
    assert {one["keep"] for one in case.told["compress"]} == set(RATIOS)
