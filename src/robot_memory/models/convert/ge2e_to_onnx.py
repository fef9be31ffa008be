"""Convert Resemblyzer's pretrained.pt, a GE2E speaker encoder, to ONNX without torch: ge2e_to_onnx.py SOURCE TARGET.

The network (Wan et al. 2018, arXiv 1710.10467): three LSTM layers, a linear layer, ReLU, unit norm. Input `mels`
[n, t, 40] float32, output `embedding` [n, 256] float32. Needs onnx and numpy; the same source gives the same bytes.
The pickle is read by a reader that admits four names and builds nothing but arrays.
"""

from __future__ import annotations

import collections
import pickle
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LAYERS, HIDDEN, MELS = 3, 256, 40
Array = NDArray[Any]
Shape = tuple[int, ...]


class Storage:
    """A block of numbers whose values follow after the pickles."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.values: Array = np.zeros(0, self.dtype)


def view_of(storage: Storage, offset: int, shape: Shape, strides: Shape, *_: object) -> tuple[Any, ...]:
    """Stands in for torch's tensor: the values are not read yet, so only note where they will be."""
    return storage, offset, shape, strides


ALLOWED = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("torch._utils", "_rebuild_tensor_v2"): view_of,
    ("torch", "FloatStorage"): np.float32,
    ("torch", "LongStorage"): np.int64,
}


class Reader(pickle.Unpickler):
    """Reads torch's legacy file format; any name outside ALLOWED is refused, so no code of the file can run."""

    def __init__(self, file: BinaryIO, storages: dict[str, Storage]) -> None:
        super().__init__(file)
        self.storages = storages

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"refused {module}.{name}")
        return ALLOWED[module, name]

    def persistent_load(self, pid: Any) -> Storage:
        _, dtype, key, *_ = pid
        return self.storages.setdefault(key, Storage(dtype))


def read_weights(path: str) -> dict[str, Array]:
    """The checkpoint's `model_state`: arrays by name."""
    storages: dict[str, Storage] = {}
    with open(path, "rb") as file:
        for _ in ("magic number", "protocol", "system"):
            Reader(file, storages).load()
        checkpoint = Reader(file, storages).load()
        for key in Reader(file, storages).load():
            storage = storages[key]
            count = int(np.frombuffer(file.read(8), "<i8")[0])
            storage.values = np.frombuffer(file.read(count * storage.dtype.itemsize), storage.dtype)
    return {name: array_of(*view) for name, view in checkpoint["model_state"].items()}


def array_of(storage: Storage, offset: int, shape: Shape, strides: Shape) -> Array:
    steps = [stride * storage.dtype.itemsize for stride in strides]
    return np.array(np.lib.stride_tricks.as_strided(storage.values[offset:], shape, steps))


def iofc(weight: Array) -> Array:
    """Gates as ONNX orders them (i, o, f, c), from torch's order (i, f, g, o)."""
    i, f, g, o = np.split(weight, 4)
    return np.concatenate([i, o, f, g]).astype(np.float32)


def lstm(layer: int, source: str, weights: dict[str, Array]) -> tuple[list[Any], list[Any]]:
    """Nodes and weights of one LSTM layer that reads `source` and writes s<layer> [t, n, 256] and h<layer>."""
    arrays = {
        "W": iofc(weights[f"lstm.weight_ih_l{layer}"])[None],
        "R": iofc(weights[f"lstm.weight_hh_l{layer}"])[None],
        "B": np.concatenate([iofc(weights[f"lstm.bias_{kind}_l{layer}"]) for kind in ("ih", "hh")])[None],
    }
    inputs = [source, *(f"{name}{layer}" for name in arrays)]
    nodes = [
        helper.make_node("LSTM", inputs, [f"y{layer}", f"h{layer}"], hidden_size=HIDDEN),
        helper.make_node("Squeeze", [f"y{layer}", "axis1"], [f"s{layer}"]),
    ]
    return nodes, [numpy_helper.from_array(array, f"{name}{layer}") for name, array in arrays.items()]


def build(weights: dict[str, Array]) -> bytes:
    """The network as serialised ONNX, opset 17."""
    constants = [numpy_helper.from_array(np.array([axis], np.int64), f"axis{axis}") for axis in (0, 1)]
    nodes = [helper.make_node("Transpose", ["mels"], ["x"], perm=[1, 0, 2])]
    for layer in range(LAYERS):
        layer_nodes, layer_weights = lstm(layer, f"s{layer - 1}" if layer else "x", weights)
        nodes += layer_nodes
        constants += layer_weights
    for name in ("linear.weight", "linear.bias"):
        constants.append(numpy_helper.from_array(weights[name].astype(np.float32), name))
    nodes += [
        helper.make_node("Squeeze", [f"h{LAYERS - 1}", "axis0"], ["last"]),
        helper.make_node("Gemm", ["last", "linear.weight", "linear.bias"], ["projected"], transB=1),
        helper.make_node("Relu", ["projected"], ["positive"]),
        helper.make_node("LpNormalization", ["positive"], ["embedding"], axis=1, p=2),
    ]
    mels = helper.make_tensor_value_info("mels", TensorProto.FLOAT, ["n", "t", MELS])
    embedding = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", HIDDEN])
    graph = helper.make_graph(nodes, "ge2e", [mels], [embedding], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8  # fixed, so that the bytes do not depend on the onnx release
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(build(read_weights(sys.argv[1])))
