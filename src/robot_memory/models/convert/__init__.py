"""Conversions of published weights into files ONNX Runtime can read, each a script of its own.

The scripts need onnx, which the robot never needs again: `conversion.py` runs them in a throw-away place.
"""

CONVERSIONS = ("fold_onnx", "ge2e_to_onnx", "minilm_to_int8")
