"""Sets an episode: people come in, change places, speak one after the other and leave, on one running clock."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from robot_memory.evaluation.worlds.world import Entry, Line, Placing, spoken_s

PLACES = (0.16, 0.38, 0.62, 0.84)  # where people stand, in widths of the view
OUT = 0.2  # how far outside the view a path begins and ends
WALK_S = 1.8  # from outside to one's place
CROSS_S = 3.0
SETTLED_S = 0.4  # after walking, before one speaks


@dataclass
class Presence:
    """One stay of one person: when they come (None: there from the start), move and leave (None: stay)."""

    who: str
    size: float
    place: float
    comes_s: float | None
    side: float
    moves: list[tuple[float, float, float]] = field(default_factory=list)  # from when, until when, to where
    leaves_s: float | None = None
    exit: float = 0.0
    passing: bool = False

    @property
    def at(self) -> float:
        return self.moves[-1][2] if self.moves else self.place


class Stage:
    """The running clock of an episode and what happened on it so far."""

    def __init__(self, throw: random.Random) -> None:
        self._throw = throw
        self.now_s = 0.0
        self.lines: list[Line] = []
        self._stays: list[Presence] = []

    def present(self) -> list[str]:
        """Who is there now."""
        return [stay.who for stay in self._stays if stay.leaves_s is None]

    def wait(self, low_s: float, high_s: float) -> None:
        self.now_s += self._throw.uniform(low_s, high_s)

    def there_already(self, who: str) -> None:
        """Somebody is in view when the episode begins."""
        self._stays.append(Presence(who, self._size(), self._free(), None, 0.0))

    def come(self, who: str) -> None:
        """Somebody walks in from one side and takes a free place."""
        place = self._free()
        side = -OUT if place < 0.5 else 1 + OUT
        self._stays.append(Presence(who, self._size(), place, self.now_s, side))
        self.now_s += WALK_S + SETTLED_S

    def leave(self, who: str) -> None:
        """Somebody walks out at the nearer side."""
        stay = next(stay for stay in self._stays if stay.who == who and stay.leaves_s is None)
        stay.exit = -OUT if stay.at < 0.5 else 1 + OUT
        arrived_s = max([until_s for _, until_s, _ in stay.moves] + [(stay.comes_s or 0.0) + WALK_S])
        stay.leaves_s = max(self.now_s, arrived_s) + WALK_S
        self.now_s = stay.leaves_s

    def pass_through(self, who: str, during_s: float) -> None:
        """Somebody crosses the whole view without stopping; the clock does not move."""
        left = self._throw.random() < 0.5
        side = -OUT if left else 1 + OUT
        stay = Presence(who, self._throw.uniform(0.42, 0.5), 0.5, self.now_s, side, passing=True)
        stay.exit, stay.leaves_s = (1 + OUT if left else -OUT), self.now_s + during_s
        self._stays.append(stay)

    def swap(self, one: str, other: str) -> None:
        """Two people walk past each other and change places; the clock does not move."""
        stays = [stay for stay in self._stays if stay.who in (one, other) and stay.leaves_s is None]
        first, second = stays
        ends = first.at, second.at
        first.moves.append((self.now_s, self.now_s + CROSS_S, ends[1]))
        second.moves.append((self.now_s, self.now_s + CROSS_S, ends[0]))

    def say(self, who: str, text: str) -> float:
        """Somebody speaks; returns when. The clock goes to a moment after the last word."""
        at_s = self._round(self.now_s)
        self.lines.append(Line(who, at_s, text))
        self.now_s = at_s + spoken_s(text) + self._throw.uniform(0.5, 1.8)
        return at_s

    def interject(self, who: str, text: str) -> None:
        """Somebody speaks into the end of the last line."""
        last = self.lines[-1]
        self.lines.append(Line(who, self._round(max(last.at_s, last.until_s - 0.4)), text))
        self.now_s = max(self.now_s, self.lines[-1].until_s + 0.5)

    def entries(self) -> tuple[Entry, ...]:
        """Everybody's paths until now, in order of coming."""
        entries = [Entry(stay.who, self._path(stay)) for stay in self._stays]
        return tuple(sorted(entries, key=lambda entry: (entry.path[0].at_s, entry.who)))

    def _path(self, stay: Presence) -> tuple[Placing, ...]:
        points: list[tuple[float, float]] = []
        if stay.comes_s is None:
            points.append((0.0, stay.place))
        else:
            points.append((stay.comes_s, stay.side))
            if not stay.passing:
                points.append((stay.comes_s + WALK_S, stay.place))
        for begins_s, ends_s, place in stay.moves:
            points += [(begins_s, points[-1][1]), (ends_s, place)]
        if stay.leaves_s is None:
            points.append((max(self.now_s, points[-1][0] + 1.0), points[-1][1]))
        else:
            if not stay.passing:
                points.append((stay.leaves_s - WALK_S, points[-1][1]))
            points.append((stay.leaves_s, stay.exit))
        return _rising([Placing(self._round(at_s), round(x, 3), round(stay.size, 2)) for at_s, x in points])

    def _free(self) -> float:
        taken = [stay.at for stay in self._stays if stay.leaves_s is None]
        free = [place for place in PLACES if all(abs(place - other) > 0.1 for other in taken)]
        return self._throw.choice(free or list(PLACES))

    def _size(self) -> float:
        return self._throw.uniform(0.55, 0.75)

    @staticmethod
    def _round(at_s: float) -> float:
        return round(at_s, 2)


def _rising(path: list[Placing]) -> tuple[Placing, ...]:
    """Without points that do not lie after the one before."""
    kept = path[:1]
    for placing in path[1:]:
        if placing.at_s > kept[-1].at_s:
            kept.append(placing)
    return tuple(kept)
