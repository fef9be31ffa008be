"""Convert the safetensors of all-MiniLM-L6-v2, a BERT sentence encoder, to ONNX with 8-bit weights: SOURCE TARGET.

The network (Devlin et al. 2019, arXiv 1810.04805; distilled by Wang et al. 2020, arXiv 2002.10957; Reimers & Gurevych
2019, arXiv 1908.10084 for the pooling): token and position embeddings, six layers of attention, mean of the tokens,
unit norm. Inputs `ids` and `mask` [n, t] int64, output `embedding` [n, 384] float32. The matrices are rounded in blocks
of 128 weights, the table of words row by row (symmetric, to the nearest of 255 steps). ONNX Runtime's MatMulNBits
multiplies them as they are, and rounds what comes in row by row: unlike with its dynamic quantisation, a sentence's
vector then depends on no other sentence. Needs onnx and numpy, no torch; the same source gives the same bytes.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LAYERS, HIDDEN, HEADS, EPSILON = 6, 384, 12, 1e-12
UNSEEN = -1e9  # added to the attention of padding
BLOCK = 128  # weights that share a scale; the largest power of two in 384
STEPS = 127  # on each side of 0
INT8 = 4  # MatMulNBits' accuracy level: multiply in 8 bits, not in float32
Array = NDArray[Any]


def read_weights(path: Path) -> dict[str, Array]:
    """The float32 tensors of a safetensors file by name: an 8-byte length, a JSON header, then the values."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    weights = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            weights[name] = np.frombuffer(content[start + first : start + last], "<f4").reshape(entry["shape"])
    return weights


def rounded(values: Array) -> tuple[Array, Array]:
    """Steps from -127 to 127, and the size of a step for each run along the last axis [..., 1]."""
    scales = np.abs(values).max(axis=-1, keepdims=True) / np.float32(STEPS)
    scales[scales == 0] = 1
    return np.rint(values / scales).astype(np.int8), scales


@dataclass
class Graph:
    """An ONNX graph that grows node by node; each method returns the name of what it computes."""

    weights: dict[str, Array]
    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)

    def add(self, operator: str, *inputs: str, **attributes: object) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, value: Array) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def number(self, value: float) -> str:
        return self.constant(f"f{value:g}", np.array(value, np.float32))

    def whole(self, *values: int) -> str:
        return self.constant("i" + "_".join(map(str, values)), np.array(values, np.int64))

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def linear(self, source: str, name: str) -> str:
        matrix = self.weights[f"{name}.weight"]
        outputs, inputs = matrix.shape
        steps, scales = rounded(matrix.reshape(outputs, inputs // BLOCK, BLOCK))
        above_zero = (steps.astype(np.int16) + STEPS + 1).astype(np.uint8)  # the operator takes 128 for 0
        product = self.add(
            "MatMulNBits",
            source,
            self.constant(f"{name}.steps", above_zero),
            self.constant(f"{name}.scales", scales.reshape(-1)),
            domain="com.microsoft",
            K=inputs,
            N=outputs,
            bits=8,
            block_size=BLOCK,
            accuracy_level=INT8,
        )
        return self.add("Add", product, self.weight(f"{name}.bias"))

    def rows(self, name: str, numbers: str) -> str:
        """Rows of a table, as float32."""
        steps, scales = rounded(self.weights[name])
        picked = self.add("Gather", self.constant(f"{name}.steps", steps), numbers)
        factors = self.add("Gather", self.constant(f"{name}.scales", scales), numbers)
        return self.add("Mul", self.add("Cast", picked, to=TensorProto.FLOAT), factors)

    def normed(self, source: str, name: str) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", source, scale, shift, axis=-1, epsilon=EPSILON)

    def gelu(self, source: str) -> str:
        erf = self.add("Erf", self.add("Div", source, self.number(np.sqrt(2.0))))
        return self.add("Mul", self.add("Mul", source, self.add("Add", erf, self.number(1))), self.number(0.5))


def embedded(graph: Graph) -> str:
    """Word + position + the one token type, normed: [n, t, 384]."""
    words = graph.rows("embeddings.word_embeddings.weight", "ids")
    length = graph.add("Slice", graph.add("Shape", "ids"), graph.whole(1), graph.whole(2))
    positions = graph.weight("embeddings.position_embeddings.weight")
    places = graph.add("Slice", positions, graph.whole(0), length, graph.whole(0))
    kind = graph.constant("kind", graph.weights["embeddings.token_type_embeddings.weight"][0])
    total = graph.add("Add", graph.add("Add", words, kind), places)
    return graph.normed(total, "embeddings.LayerNorm")


def split(graph: Graph, source: str, order: list[int]) -> str:
    """[n, t, 384] as heads, [n, 12, t, 32] for order 0 2 1 3."""
    heads = graph.add("Reshape", source, graph.whole(0, 0, HEADS, HIDDEN // HEADS))
    return graph.add("Transpose", heads, perm=order)


def layer(graph: Graph, source: str, unseen: str, name: str) -> str:
    query = split(graph, graph.linear(source, f"{name}.attention.self.query"), [0, 2, 1, 3])
    key = split(graph, graph.linear(source, f"{name}.attention.self.key"), [0, 2, 3, 1])
    value = split(graph, graph.linear(source, f"{name}.attention.self.value"), [0, 2, 1, 3])
    scores = graph.add("Div", graph.add("MatMul", query, key), graph.number(np.sqrt(HIDDEN / HEADS)))
    shares = graph.add("Softmax", graph.add("Add", scores, unseen), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", shares, value), perm=[0, 2, 1, 3])
    joined = graph.add("Reshape", mixed, graph.whole(0, 0, HIDDEN))
    attended = graph.add("Add", graph.linear(joined, f"{name}.attention.output.dense"), source)
    middle = graph.normed(attended, f"{name}.attention.output.LayerNorm")
    wide = graph.gelu(graph.linear(middle, f"{name}.intermediate.dense"))
    return graph.normed(
        graph.add("Add", graph.linear(wide, f"{name}.output.dense"), middle), f"{name}.output.LayerNorm"
    )


def pooled(graph: Graph, source: str, seen: str) -> str:
    """The mean of the tokens that are no padding, of unit norm: [n, 384]."""
    weighted = graph.add("Mul", source, graph.add("Unsqueeze", seen, graph.whole(2)))
    total = graph.add("ReduceSum", weighted, graph.whole(1), keepdims=0)
    count = graph.add("ReduceSum", seen, graph.whole(1), keepdims=1)
    mean = graph.add("Div", total, count)
    return graph.add("LpNormalization", mean, axis=1, p=2)


def build(weights: dict[str, Array]) -> bytes:
    """The network as serialised ONNX, opset 17 and ONNX Runtime's own operators."""
    graph = Graph(weights)
    seen = graph.add("Cast", "mask", to=TensorProto.FLOAT)
    padding = graph.add("Mul", graph.add("Sub", graph.number(1), seen), graph.number(UNSEEN))
    unseen = graph.add("Unsqueeze", padding, graph.whole(1, 2))
    state = embedded(graph)
    for number in range(LAYERS):
        state = layer(graph, state, unseen, f"encoder.layer.{number}")
    last = pooled(graph, state, seen)
    graph.nodes.append(helper.make_node("Identity", [last], ["embedding"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"]) for name in ("ids", "mask")]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", HIDDEN])
    body = helper.make_graph(graph.nodes, "minilm", inputs, [output], list(graph.constants.values()))
    operators = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(body, opset_imports=operators)
    model.ir_version = 8  # fixed, so that the bytes do not depend on the onnx release
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(build(read_weights(Path(sys.argv[1]))))
