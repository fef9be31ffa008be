"""The machine that a bench ran on, and BLAS on one thread of it."""

from __future__ import annotations

import os
import platform
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from robot_memory.evaluation.environment import environment

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread() -> AbstractContextManager[None]:
    """Libraries that are loaded inside work on one thread. What is loaded already keeps what it has."""
    return environment(dict.fromkeys(THREADS, "1"))


def facts() -> dict[str, Any]:
    """What explains milliseconds: processor, cores that we may use, versions."""
    import numpy as np

    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]  # type: ignore[call-arg, index, unused-ignore]
    return {
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip(),
        "blas_threads": os.environ.get(THREADS[0], "all"),
        "sqlite": sqlite3.sqlite_version,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model")))
    return next(named, "") or platform.processor() or "unknown"
