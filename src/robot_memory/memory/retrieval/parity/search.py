"""M3-Agent's two tools over scored memories: the best clips, and the best memories."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from robot_memory.memory.retrieval.parity.candidates import Candidates
from robot_memory.memory.retrieval.parity.presets import CODE, Preset
from robot_memory.memory.vectors.ranking import best_rows


@dataclass(frozen=True)
class FoundClip:
    """A clip and its score, the cosine of its best memory."""

    clip: int
    score: float


@dataclass(frozen=True)
class FoundMemory:
    """A memory, its clip and its cosine."""

    memory: int
    clip: int
    score: float


def search_clip(
    among: Candidates, preset: Preset = CODE, seen: Collection[int] = (), before_clip: int | None = None
) -> list[FoundClip]:
    """The best clips up to `before_clip`, best first, without those `seen`.

    As published, the best are cut off first and the seen ones dropped then: when all of the best were seen nothing is
    found, although others would do.
    """
    among = among.before(before_clip)
    places = best_rows(among.best, preset.clip_k)
    found = [FoundClip(int(among.numbers[place]), float(among.best[place])) for place in places]
    return [one for one in found if one.score >= preset.clip_threshold and one.clip not in seen]


def search_node(among: Candidates, preset: Preset = CODE, before_clip: int | None = None) -> list[FoundMemory]:
    """The best memories up to `before_clip`, best first. What was seen before may come again, as published."""
    among = among.before(before_clip)
    found = [
        FoundMemory(int(among.ids[row]), int(among.clips[row]), float(among.cosines[row]))
        for row in best_rows(among.cosines, preset.node_k)
    ]
    return [one for one in found if one.score >= preset.node_threshold]
