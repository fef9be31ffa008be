"""Sentences as vectors of a small transformer (MiniLM-L6 by Sentence-Transformers) through ONNX Runtime.

Hears likeness where no word is shared, which a static table does not; some 7 ms a line of dialogue and 2 ms a question
on one core. The model makes no difference between questions and texts: neither has a prefix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import ModelCorrupt
from robot_memory.models.manifest import Model
from robot_memory.models.model import fetch_command

LONGEST = 256  # tokens; the model was trained on no longer texts, what follows is cut off


class SentenceEmbedder:
    """A TextEmbedder from a profile's text_embedding model: an ONNX file (ids, mask -> embedding) and its tokenizer.

    Raises ModelMissing or ModelCorrupt.
    """

    def __init__(self, model: Model, threads: int = 1) -> None:
        from tokenizers import Tokenizer

        network, tokenizer = (
            model.path(next(f.name for f in model.files if f.name.endswith(end))) for end in (".onnx", ".json")
        )
        self.name = model.name
        self.dimension = model.dimension or 0
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        self._session = _opened(network, threads, fetch_command(model.profile))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[n, dimension] float32, unit norm; a text without a word gives zeros, which match nothing.

        One text at a time: on one core a batch gains nothing, and a vector would depend on the texts it came with.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            if text.strip():
                ids = np.array([self._tokenizer.encode(text).ids], np.int64)
                row[:] = self._session.run(["embedding"], {"ids": ids, "mask": np.ones_like(ids)})[0][0]
        return vectors


def _opened(network: object, threads: int, fetch: str) -> Any:
    import onnxruntime as ort  # type: ignore[import-untyped, unused-ignore]

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a robot shares its cores
    state = ort.capi.onnxruntime_pybind11_state
    try:
        return ort.InferenceSession(str(network), options, providers=["CPUExecutionProvider"])
    except (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NotImplemented,
    ) as error:
        raise ModelCorrupt(
            f"{network} is not a model that ONNX Runtime {ort.__version__} can run ({error}) — it takes 1.22 or newer: "
            f"pip install 'onnxruntime>=1.22'; else: {fetch}"
        ) from error
