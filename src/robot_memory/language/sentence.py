"""Sentences as vectors of a small transformer (MiniLM-L6 by Sentence-Transformers) through ONNX Runtime.

Hears likeness where no word is shared, which the static table does not; some 9 ms a sentence on one core. Optional:
`robot-memory models fetch --profile minilm`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import ModelCorrupt
from robot_memory.models.manifest import Model

PROFILE = "minilm"
LONGEST = 256  # tokens; the model was trained on no longer texts, what follows is cut off
BATCH = 16


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
        self._session = _opened(network, threads)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[n, dimension] float32, unit norm; a text without a word gives zeros, which match nothing."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]
        # like lengths together: padding costs as much as words
        order = sorted((n for n in range(len(texts)) if texts[n].strip()), key=lambda n: (len(tokens[n]), n))
        for first in range(0, len(order), BATCH):
            some = order[first : first + BATCH]
            vectors[some] = self._run([tokens[n] for n in some])
        return vectors

    def _run(self, tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        mask = np.zeros_like(ids)
        for row, own in enumerate(tokens):
            ids[row, : len(own)], mask[row, : len(own)] = own, 1
        found: NDArray[np.float32] = self._session.run(["embedding"], {"ids": ids, "mask": mask})[0]
        return found


def _opened(network: object, threads: int) -> Any:
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
            f"{network} is not a model ONNX Runtime can run ({error}) — run: robot-memory models fetch "
            f"--profile {PROFILE}"
        ) from error
