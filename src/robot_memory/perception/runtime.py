"""Opens ONNX models on the best hardware present (TensorRT, else CUDA, else CPU) and tells what really runs.

Asking for more than the machine has is not an error, but never quiet either: it is logged, and `Session.running`
says it for the diagnostics. Sessions are single-file, deterministic and do not spin while they wait.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import ModelCorrupt, ModelMissing

PREFERENCE = ("TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider")
CPU = PREFERENCE[-1]

logger = logging.getLogger(__name__)


class Session:
    """One loaded model. `asked` is the provider that was wished for, `running` the one that computes."""

    def __init__(self, path: Path, session: Any, asked: str) -> None:
        self.path, self.asked, self._session = path, asked, session
        self.running: str = session.get_providers()[0]
        self.inputs: tuple[str, ...] = tuple(i.name for i in session.get_inputs())
        self.outputs: tuple[str, ...] = tuple(o.name for o in session.get_outputs())

    def run(self, feeds: dict[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
        """All outputs by name."""
        return dict(zip(self.outputs, self._session.run(None, feeds), strict=True))


def open_session(path: Path, providers: Sequence[str] = (), threads: int = 1) -> Session:
    """The model in `path` on the first of `providers` that is present (default: PREFERENCE; the CPU is always last).

    Raises ModelMissing if there is no such file and ModelCorrupt if it is not a model.
    """
    import onnxruntime as ort  # type: ignore[import-untyped, unused-ignore]

    if not path.is_file():
        raise ModelMissing(f"{path} is not there — run: robot-memory models fetch")
    wished = [p for p in (*(providers or PREFERENCE), CPU) if p in PREFERENCE]
    present = ort.get_available_providers()
    usable = list(dict.fromkeys(p for p in wished if p in present))
    try:
        inner = ort.InferenceSession(str(path), _options(ort, threads), providers=usable)
    except _refusals(ort) as error:
        raise ModelCorrupt(
            f"{path} is not a model ONNX Runtime can run ({error}) — run: robot-memory models verify"
        ) from error
    session = Session(path, inner, wished[0])
    explicit = bool(providers) and session.running != session.asked
    logger.log(
        logging.WARNING if explicit else logging.INFO,
        "%s: asked %s, running %s, %d thread(s)",
        path.name,
        session.asked,
        session.running,
        threads,
    )
    return session


def _refusals(ort: Any) -> tuple[type[Exception], ...]:
    """What ONNX Runtime raises for a file that is no model, or one it has no operators for."""
    state = ort.capi.onnxruntime_pybind11_state
    return state.Fail, state.InvalidArgument, state.InvalidGraph, state.InvalidProtobuf, state.NotImplemented


def _options(ort: Any, threads: int) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.log_severity_level = 3
    for pool in ("intra_op", "inter_op"):  # a robot shares its cores: waiting threads sleep
        options.add_session_config_entry(f"session.{pool}.allow_spinning", "0")
    return options
