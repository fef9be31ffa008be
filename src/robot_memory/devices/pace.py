"""When something was heard or seen, on the robot's clock: for sound that is counted, and for films that are played."""

from __future__ import annotations

from robot_memory.streams.media import SECOND

APART_NS = SECOND // 5  # a clock that differs by more was set, or the sound stood still
FOLLOW = 64  # how slowly a sound card's clock is followed: the jitter of one measurement counts 1/64


class SampleClock:
    """Stamps for counted samples that neither jitter nor drift away from the clock they are measured with."""

    def __init__(self) -> None:
        self._sample, self._stamp_ns, self._rate = 0, 0, 0
        self.jumps = 0

    def started(self) -> bool:
        return self._rate > 0

    def expected_ns(self, sample: int) -> int:
        """When sample number `sample` is heard if all goes on as it did."""
        return self._stamp_ns + (sample - self._sample) * SECOND // self._rate

    def stamp(self, sample: int, rate: int, measured_ns: int) -> int:
        """The stamp of a chunk that begins with `sample` and was heard at about `measured_ns`."""
        if not self.started() or rate != self._rate:
            self._sample, self._stamp_ns, self._rate = sample, measured_ns, rate
            return measured_ns
        expected_ns = self.expected_ns(sample)
        off_ns = measured_ns - expected_ns
        if abs(off_ns) > APART_NS:
            self.jumps += 1
            stamp_ns = measured_ns
        else:
            stamp_ns = expected_ns + off_ns // FOLLOW
        self._sample, self._stamp_ns = sample, stamp_ns
        return stamp_ns


class FilmClock:
    """Stamps for what is played: its place in the film, counted from when it began, or began again after a halt."""

    def __init__(self) -> None:
        self._began: tuple[int, float] | None = None  # the robot's clock, and the steady one

    def begin(self, now_ns: int, steady_s: float, at_s: float) -> None:
        """The moment `at_s` of the film is now."""
        self._began = now_ns - round(at_s * SECOND), steady_s - at_s

    def wait_s(self, steady_s: float, at_s: float) -> float:
        """How long until the moment `at_s` of the film; negative: that long ago."""
        return 0.0 if self._began is None else self._began[1] + at_s - steady_s

    def stamp_ns(self, at_s: float) -> int:
        """When that moment is, on the robot's clock."""
        assert self._began is not None
        return self._began[0] + round(at_s * SECOND)
