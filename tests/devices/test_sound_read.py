"""Sound files of every common kind become the samples that are in them."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from robot_memory.config import MicrophoneSettings
from robot_memory.devices.pace import SampleClock
from robot_memory.devices.sound import Block, blocks
from robot_memory.devices.sources import Kind, SourceRefused, source

SECOND = 10**9


def record(path: Path, codec: str, samples: np.ndarray, rate: int, form: str = "s16") -> Path:
    """Write [channels, n] int16 samples."""
    layout = "mono" if len(samples) == 1 else "stereo"
    with av.open(str(path), "w") as box:
        stream = box.add_stream(codec, rate=rate, layout=layout)
        packed = np.ascontiguousarray(samples.T.reshape(1, -1))
        frame = av.AudioFrame.from_ndarray(packed, format="s16", layout=layout)
        frame.sample_rate = rate
        for one in av.AudioResampler(format=form, layout=layout, rate=rate, frame_size=1024).resample(frame):
            box.mux(stream.encode(one))
        box.mux(stream.encode(None))
    return path


def tone(seconds: float, rate: int, channels: int = 1) -> np.ndarray:
    wave = 8000 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * rate)) / rate)
    return np.tile(wave.astype(np.int16), (channels, 1))


def heard(path: Path, **settings: object) -> tuple[np.ndarray, list[Block]]:
    found = list(blocks(source(str(path)), MicrophoneSettings(**settings)))
    return np.concatenate([block.samples for block in found]), found


@pytest.mark.parametrize(("name", "codec"), [("a.wav", "pcm_s16le"), ("a.flac", "flac")])
def test_lossless_files_are_read_to_the_sample(tmp_path: Path, name: str, codec: str) -> None:
    samples = np.random.default_rng(3).integers(-30_000, 30_000, (2, 20_000), dtype=np.int16)
    file = record(tmp_path / name, codec, samples, 44_100)
    found, parts = heard(file, channels=0)
    whole = samples.T.reshape(-1)[: len(found)]
    assert len(whole) >= 2 * 19_456 and np.array_equal(found, whole)  # the writer of this test drops a part frame
    assert {(part.rate, part.channels, part.age_s) for part in parts} == {(44_100, 2, None)}
    assert {part.count for part in parts[:-1]} == {4410}


@pytest.mark.parametrize(("name", "codec", "form"), [("a.mp3", "mp3", "s16p"), ("a.mp4", "aac", "fltp")])
def test_other_files_sound_the_same_at_any_rate(tmp_path: Path, name: str, codec: str, form: str) -> None:
    file = record(tmp_path / name, codec, tone(2.0, 44_100, 2), 44_100, form)
    found, parts = heard(file, rate=16_000)
    assert (parts[0].rate, parts[0].channels) == (16_000, 1)
    assert abs(len(found) / 16_000 - 2.0) < 0.15
    spectrum = np.abs(np.fft.rfft(found[8000:24_000]))
    assert abs(int(spectrum.argmax()) - 440) <= 1  # a second of it: one bin a hertz


def test_channels_that_a_file_does_not_have_are_refused(tmp_path: Path) -> None:
    file = record(tmp_path / "a.wav", "pcm_s16le", tone(0.1, 16_000), 16_000)
    with pytest.raises(SourceRefused, match="1 channels, not 6"):
        heard(file, channels=6)


def test_sources_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "talk").write_bytes(b"")
    assert source("0").kind is Kind.DEVICE and source("/dev/video2").kind is Kind.DEVICE
    assert source("USB Microphone").kind is Kind.DEVICE
    assert source(str(tmp_path / "talk")).kind is Kind.FILE
    camera = source("rtsp://admin:secret@camera.local/stream")
    assert camera.kind is Kind.URL and "secret" not in str(camera) and "secret" in camera.address
    with pytest.raises(SourceRefused, match="no file"):
        source("missing.wav")


def test_stamps_neither_jitter_nor_drift() -> None:
    """A sound card 100 ppm too slow, measured to within 10 ms, for an hour."""
    clock, jitter = SampleClock(), np.random.default_rng(5).integers(-(10**7), 10**7, 36_000)
    off = []
    for number, noise in enumerate(jitter):
        true_ns = round(number * 0.1 * SECOND * (1 + 100e-6))
        off.append(clock.stamp(number * 1600, 16_000, true_ns + int(noise)) - true_ns)
    assert max(map(abs, off[1000:])) < 5e6 and clock.jumps == 0
    assert np.std(np.diff(off[1000:])) < 5e5


def test_a_clock_that_was_set_is_believed() -> None:
    clock = SampleClock()
    clock.stamp(0, 16_000, 0)
    assert clock.stamp(1600, 16_000, 3600 * SECOND) == 3600 * SECOND and clock.jumps == 1
