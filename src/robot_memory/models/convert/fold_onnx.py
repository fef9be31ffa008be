"""Fold an ONNX model's constant, block-quantised weights into float32: fold_onnx.py SOURCE TARGET.

OpenCV Zoo ships YuNet and SFace with weights behind DequantizeLinear nodes in blocks, which ONNX Runtime rejects.
Folding computes those nodes once, so the numbers are the same and the file is larger. Needs onnx and numpy;
the same source gives the same bytes each time.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Array = NDArray[Any]


def fold(source: str, target: str) -> None:
    """Write `source` to `target` with every constant DequantizeLinear and Reshape computed."""
    model = onnx.load(source)
    graph = model.graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    folded = []
    for operator, compute in (("DequantizeLinear", dequantised), ("Reshape", reshaped)):
        for node in [node for node in graph.node if node.op_type == operator]:
            if all(name in constants for name in node.input if name):
                value = constants[node.output[0]] = compute(node, constants)
                folded.append(numpy_helper.from_array(value, node.output[0]))
                graph.node.remove(node)
    keep_used(graph, folded, constants)
    model.ir_version = max(model.ir_version, 4)  # before 4 every weight had to be listed as an input
    onnx.save(model, target)


def dequantised(node: Any, constants: dict[str, Array]) -> Array:
    """(x - zero) * scale, where scale and zero hold for the tensor, for one slice of `axis`, or for a block of it."""
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    axis, block = attributes.get("axis", 1), attributes.get("block_size", 0)
    x, scale, *zeros = (constants[name].astype(np.float32) for name in node.input if name)
    scale, zero = (spread(values, x.shape, axis, block) for values in (scale, *(zeros or [np.zeros_like(scale)])))
    return np.asarray((x - zero) * scale)


def spread(values: Array, shape: tuple[int, ...], axis: int, block: int) -> Array:
    """Bring one value per block, or per slice of `axis`, to a shape that multiplies with the weights."""
    if block and values.ndim == len(shape):
        return np.take(np.repeat(values, block, axis), range(shape[axis]), axis)  # the last block may be cut short
    if values.size > 1:
        return values.reshape([-1 if dimension == axis else 1 for dimension in range(len(shape))])
    return values


def reshaped(node: Any, constants: dict[str, Array]) -> Array:
    return constants[node.input[0]].reshape(constants[node.input[1]].astype(int))


def keep_used(graph: Any, folded: list[Any], constants: dict[str, Array]) -> None:
    """Leave only the weights that a node still reads, and only true inputs among the graph's inputs."""
    used = {name for node in graph.node for name in node.input}
    weights = [tensor for tensor in [*graph.initializer, *folded] if tensor.name in used]
    inputs = [entry for entry in graph.input if entry.name in used and entry.name not in constants]
    for repeated, kept in ((graph.initializer, weights), (graph.input, inputs), (graph.value_info, [])):
        del repeated[:]
        repeated.extend(kept)


if __name__ == "__main__":
    fold(*sys.argv[1:3])
