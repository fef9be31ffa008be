"""The real senses, and real pictures and speech to try them on. What is not on this machine is skipped with its reason.

Pictures: tests/media. Portraits and read speech: the folder ROBOT_MEMORY_DATA (default ../shared/data). Transcribed
speech: Debian's pocketsphinx-testdata (ROBOT_MEMORY_POCKETSPHINX says where if not in /usr/share). Portraits of two
presidents: tests/test_images of the face_recognition 1.3.0 source package (ROBOT_MEMORY_FACE_PICTURES says where).
"""

from __future__ import annotations

import os
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelMissing
from robot_memory.perception.senses import Senses, open_senses

ROOT = Path(__file__).parents[2]
MEDIA = ROOT / "tests" / "media"
RATE = 16_000
Samples = NDArray[np.int16]


def folder(variable: str, default: Path, what: str) -> Path:
    path = Path(os.environ.get(variable) or default)
    if not path.is_dir():
        pytest.skip(f"{what} not found: {path} is no folder (set {variable})")
    return path


@pytest.fixture(scope="session")
def fresh_senses() -> Callable[[], Senses]:
    """Opens all models anew, with empty memories."""

    def fresh() -> Senses:
        try:
            return open_senses(PerceptionSettings())
        except ModelMissing as missing:
            pytest.skip(str(missing))

    return fresh


@pytest.fixture(scope="session")
def senses(fresh_senses: Callable[[], Senses]) -> Senses:
    return fresh_senses()


@pytest.fixture(scope="session")
def hopper() -> bytes:
    return (MEDIA / "grace_hopper.jpg").read_bytes()


@pytest.fixture(scope="session")
def astronaut() -> bytes:
    return (MEDIA / "astronaut.jpg").read_bytes()


@pytest.fixture(scope="session")
def portraits() -> list[tuple[Path, Path]]:
    """Two different portraits of each of 40 people."""
    path = folder("ROBOT_MEMORY_DATA", ROOT.parent / "shared" / "data", "portraits") / "portraits"
    return [(a, a.with_name(a.name.replace("_a", "_b"))) for a in sorted(path.glob("*_a.jpg"))]


@pytest.fixture(scope="session")
def presidents() -> Path:
    return folder("ROBOT_MEMORY_FACE_PICTURES", ROOT / "no-such-folder", "face_recognition's test pictures")


@pytest.fixture(scope="session")
def speech() -> dict[str, list[Samples]]:
    """Utterances of six readers of LibriSpeech test-other, by reader and in order."""
    path = folder("ROBOT_MEMORY_DATA", ROOT.parent / "shared" / "data", "speech") / "speech"
    return {reader.name: [flac(f) for f in sorted(reader.glob("*.flac"))] for reader in sorted(path.iterdir())}


@pytest.fixture(scope="session")
def librivox() -> list[tuple[Samples, str]]:
    """Five sentences read from Sense and Sensibility, each with its words."""
    path = folder("ROBOT_MEMORY_POCKETSPHINX", Path("/usr/share/pocketsphinx/test/data"), "pocketsphinx-testdata")
    lines = (path / "librivox" / "transcription").read_text().splitlines()
    return [(wav(path / "librivox" / f"{name}.wav"), words) for words, name in map(transcript_line, lines)]


def transcript_line(line: str) -> tuple[str, str]:
    words, _, name = line.replace("<s>", "").replace("</s>", "").rpartition("(")
    return words.strip(), name.strip(" )")


def flac(path: Path) -> Samples:
    import av

    with av.open(str(path)) as container:
        return np.concatenate([f.to_ndarray().reshape(-1) for f in container.decode(audio=0)]).astype(np.int16)


def wav(path: Path) -> Samples:
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16)


@pytest.fixture(scope="session")
def no_speech() -> dict[str, Samples]:
    """Five seconds each of what a microphone hears when nobody speaks, soft and loud, and of clipping."""
    rng, n = np.random.default_rng(0), 5 * RATE
    t = np.arange(n) / RATE
    sounds = {
        "digital silence": np.zeros(n),
        "faint hiss": rng.normal(0, 0.001, n),
        "hiss": rng.normal(0, 0.01, n),
        "loud noise": rng.normal(0, 0.1, n),
        "rumble": np.cumsum(rng.normal(0, 0.002, n)),
        "mains hum": sum(0.05 * np.sin(2 * np.pi * 50 * k * t) for k in range(1, 6)),
        "tone": 0.3 * np.sin(2 * np.pi * 440 * t),
        "chord": sum(0.1 * np.sin(2 * np.pi * f * t) for f in (220, 277, 330)) * (1 + 0.5 * np.sin(2 * np.pi * 5 * t)),
        "beeps": 0.3 * np.sin(2 * np.pi * 880 * t) * (np.sin(4 * np.pi * t) > 0),
        "clicks": (rng.random(n) < 0.0005) * 0.8,
        "wobbling noise": rng.normal(0, 0.1, n) * (1 + np.sin(8 * np.pi * t)),
        "clipped hum": np.clip(5 * np.sin(2 * np.pi * 120 * t), -1, 1),
        "stuck at full scale": np.ones(n),
    }
    return {name: (np.clip(sound, -1, 1) * 32767).astype(np.int16) for name, sound in sounds.items()}
