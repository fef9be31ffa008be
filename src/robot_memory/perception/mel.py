"""The mel spectrogram the GE2E voice encoder was trained on: librosa's, written in numpy.

25 ms periodic Hann windows every 10 ms, centred and zero-padded at the ends; power; 40 mel bands from 0 to 8 kHz on
Slaney's scale, each triangle of unit area. No logarithm.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from robot_memory.streams.media import SAMPLE_RATE

SIZE, HOP, BANDS = 400, 160, 40


def mel_spectrogram(wave: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n // HOP + 1, BANDS] of a wave of n samples in -1..1."""
    frames = sliding_window_view(np.pad(wave, SIZE // 2), SIZE)[::HOP]
    power = np.abs(np.fft.rfft(frames * _hann(), axis=1)) ** 2
    return np.asarray(power @ filters().T, np.float32)


def _hann() -> NDArray[np.float64]:
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SIZE) / SIZE)


@lru_cache(maxsize=1)
def filters() -> NDArray[np.float64]:
    """[BANDS, SIZE // 2 + 1]: triangles between neighbouring band edges, divided by half their width in Hz."""
    bins = np.fft.rfftfreq(SIZE, 1 / SAMPLE_RATE)
    edges = _mel_to_hz(np.linspace(0, _hz_to_mel(SAMPLE_RATE / 2), BANDS + 2))
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising, falling = (bins - low) / (centre - low), (high - bins) / (high - centre)
    return np.maximum(0, np.minimum(rising, falling)) * 2 / (high - low)


# Slaney's scale: linear (200/3 Hz a mel) up to 1 kHz, then 27 mels for each factor of 6.4.
_LINEAR, _KNEE_HZ, _LOG_STEP = 200 / 3, 1000.0, np.log(6.4) / 27


def _hz_to_mel(hz: float) -> float:
    return hz / _LINEAR if hz < _KNEE_HZ else _KNEE_HZ / _LINEAR + float(np.log(hz / _KNEE_HZ)) / _LOG_STEP


def _mel_to_hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    knee = _KNEE_HZ / _LINEAR
    return np.where(mel < knee, mel * _LINEAR, _KNEE_HZ * np.exp(_LOG_STEP * (mel - knee)))
