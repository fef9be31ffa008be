"""Chunks of sound become gapless spans of mono 16 kHz.

Stitching happens when a clip closes and depends on the set of chunks alone, not on the order in which they came.
Where the sample counter says that two chunks touch, stamps that jitter are smoothed over; where it does not, the gap
stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robot_memory.streams.media import SAMPLE_RATE, SECOND, AudioSpan

JITTER_NS = 50_000_000
MAX_RATE = 384_000


@dataclass(frozen=True)
class Chunk:
    """Sound as received, mixed to mono: `samples` [n] int16 at `rate` Hz; `first_sample` is the sender's counter."""

    stamp_ns: int
    first_sample: int
    rate: int
    samples: NDArray[np.int16]

    @property
    def end_ns(self) -> int:
        return self.stamp_ns + len(self.samples) * SECOND // self.rate


Run = list[Chunk]  # one after the other; the first one's stamp is the run's


def to_mono(data: NDArray[np.int16], channels: int) -> NDArray[np.int16]:
    """Interleaved samples mixed down; a torn last frame is cut off."""
    if channels <= 1:
        return data
    whole = len(data) // channels * channels
    mixed: NDArray[np.int16] = data[:whole].reshape(-1, channels).mean(axis=1).round().astype(np.int16)
    return mixed


def stitch(chunks: Iterable[Chunk], start_ns: int, end_ns: int) -> tuple[AudioSpan, ...]:
    """The sound within [start_ns, end_ns) as spans that do not touch, in order of time."""
    return cut(runs(chunks), start_ns, end_ns)


def runs(chunks: Iterable[Chunk], left_over: Iterable[Chunk] = ()) -> list[Run]:
    """Chunks that follow one another without a gap, behind what an earlier clip left over.

    Sound heard twice is kept once: of overlapping chunks the earlier one counts.
    """
    found: list[Run] = []
    end_ns, next_sample = 0, 0
    for chunk in [*left_over, *sorted(chunks, key=lambda c: (c.stamp_ns, c.first_sample, len(c.samples)))]:
        fresh = chunk
        joins = bool(found) and _touches(found[-1], chunk, end_ns, next_sample)
        if found and not joins:
            fresh = _without(chunk, _samples_until(chunk, end_ns))
            joins = _touches(found[-1], fresh, end_ns, next_sample)
        if not len(fresh.samples):
            continue
        if not joins:
            found.append([])
            end_ns = fresh.stamp_ns
        found[-1].append(fresh)
        end_ns += len(fresh.samples) * SECOND // fresh.rate
        next_sample = fresh.first_sample + len(fresh.samples)
    return found


def cut(found: Iterable[Run], start_ns: int, end_ns: int) -> tuple[AudioSpan, ...]:
    """The sound of runs within [start_ns, end_ns)."""
    return tuple(span for run in found if (span := _span(run, start_ns, end_ns)) is not None)


def beyond(found: Iterable[Run], border_ns: int) -> tuple[Chunk, ...]:
    """What `cut` leaves over after `border_ns`, to go on with in the next clip.

    A chunk's place within a run may differ from its own stamp, so the next clip could not cut it at the same sample.
    """
    return tuple(part for run in found for part in _tail(run, border_ns))


def sound_end_ns(found: Iterable[Run], default: int) -> int:
    """Where the last run ends."""
    return max(
        (run[0].stamp_ns + sum(len(part.samples) for part in run) * SECOND // run[0].rate for run in found),
        default=default,
    )


def _touches(run: Run, chunk: Chunk, end_ns: int, next_sample: int) -> bool:
    if chunk.rate != run[0].rate:
        return False
    if chunk.first_sample == next_sample:
        return abs(chunk.stamp_ns - end_ns) <= JITTER_NS
    sample_ns = SECOND // chunk.rate
    return -sample_ns // 2 <= chunk.stamp_ns - end_ns <= sample_ns


def _samples_until(chunk: Chunk, moment_ns: int) -> int:
    """How many of the samples, were they to go on for ever, are heard before a moment."""
    return max(0, -(-(moment_ns - chunk.stamp_ns) * chunk.rate // SECOND))


def _without(chunk: Chunk, skip: int) -> Chunk:
    return Chunk(
        chunk.stamp_ns + skip * SECOND // chunk.rate, chunk.first_sample + skip, chunk.rate, chunk.samples[skip:]
    )


def _span(run: Run, start_ns: int, end_ns: int) -> AudioSpan | None:
    first, samples = run[0], np.concatenate([part.samples for part in run])
    low, high = _samples_until(first, start_ns), _samples_until(first, end_ns)
    resampled = _resample(samples[low:high], first.rate)
    return AudioSpan(first.stamp_ns + low * SECOND // first.rate, resampled) if len(resampled) else None


def _tail(run: Run, border_ns: int) -> Iterator[Chunk]:
    """The samples from a border on, stamped with their place in the run."""
    first, before = run[0], 0
    skip = _samples_until(first, border_ns)
    for part in run:
        rest = _without(part, max(0, skip - before))
        if len(rest.samples):
            yield replace(rest, stamp_ns=first.stamp_ns + max(skip, before) * SECOND // first.rate)
        before += len(part.samples)


def _resample(samples: NDArray[np.int16], rate: int) -> NDArray[np.int16]:
    if rate == SAMPLE_RATE or not len(samples):
        return samples
    import soxr

    resampled: NDArray[np.int16] = soxr.resample(samples, rate, SAMPLE_RATE)
    return resampled
