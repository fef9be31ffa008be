"""Packaging of robot_memory, for pip and for colcon (ament_python) alike.

The metadata is here and not in a [project] table: with one, `colcon build --symlink-install` installs no programs.
For the same reason there is no python_requires: colcon's ament_python does not get along with it.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
NAME = "robot_memory"


def requirements(layer):
    """The lines of requirements/LAYER.in."""
    lines = (ROOT / "requirements" / f"{layer}.in").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def files(pattern):
    """Paths relative to this folder, as data_files wants them."""
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


setup(
    name=NAME,
    version=re.search(r'__version__ = "(.+)"', (ROOT / "src" / NAME / "__init__.py").read_text()).group(1),
    description="A robot's memory: people by face and voice, what happened, what it means, answers with evidence.",
    maintainer="robot_memory maintainers",
    maintainer_email="maintainers@robot-memory.example",
    license="Apache-2.0",
    packages=find_packages("src"),
    package_dir={"": "src"},
    package_data={NAME: ["py.typed", "**/*.sql", "**/*.json", "**/*.yaml", "**/*.gbnf", "**/*.txt", "**/*.css"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        (f"share/{NAME}/launch", files("launch/*.launch.py")),
        (f"share/{NAME}/models", files("models/*.yaml")),
        (f"share/{NAME}/calibration", files("calibration/*.yaml")),
    ],
    install_requires=requirements("runtime"),
    extras_require={  # why each, its licence and where it runs: docs/dependencies.md
        "ros": [f'{line} ; platform_machine == "x86_64"' for line in requirements("ros")],
        "test": requirements("dev"),
        "gpu": ["onnxruntime-gpu", "tensorrt"],  # first: pip uninstall onnxruntime
        "cluster": ["hdbscan", "scikit-learn"],
        "hnsw": requirements("hnsw"),
        "llm": ["llama-cpp-python==0.3.36"],
        "insightface": ["insightface"],
        "modelscope": ["modelscope"],
        "microphone": ["sounddevice"],
        "ray": ["ray>=2.9"],
    },
    entry_points={
        "console_scripts": [
            "robot-memory = robot_memory.cli:main",
            "up = robot_memory.ros.up:main",
            "perception = robot_memory.ros.up:perception",
            "memory_server = robot_memory.ros.up:memory_server",
            "microphone = robot_memory.ros.up:microphone",
            "camera = robot_memory.ros.up:camera",
            "replay = robot_memory.cli:replay_executable",
        ],
    },
    zip_safe=False,
)
