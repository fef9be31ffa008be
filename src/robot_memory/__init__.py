"""A robot's memory: people by face and voice, what happened, what it means, answers with evidence.

Importing this package loads no model, opens no file and touches no network. Rooms, from the top of the house
to the ground: cli, ros, doctor, evaluation, control, memorization, perception, devices, streams, memory, language,
models. A room imports the rooms below it, never those above; everything outside `ros` runs without ROS.
"""

import os

__version__ = "0.1.0"

# ONNX Runtime would otherwise count our sessions in the user's home folder and try to send the figures away; it looks
# at this when it is imported, and others (faster-whisper) import it too
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
