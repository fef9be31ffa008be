"""The truth of a world, as scorers want it: who was in view when and where, what was said, what was so."""

from __future__ import annotations

from robot_memory.evaluation.truth import Appearance, Said, Truth
from robot_memory.evaluation.worlds import sight
from robot_memory.evaluation.worlds.world import World


def truth(world: World) -> Truth:
    """All of it, in order of time. Boxes are not cut at the picture's edges; those of a stream are."""
    appearances = [one for episode in world.episodes for one in sight.appearances(episode)]
    said = [
        Said(line.who, episode.at_ns(line.at_s), episode.at_ns(line.until_s), line.text, episode.room)
        for episode in world.episodes
        for line in episode.lines
    ]
    return Truth(
        world.name,
        world.zone,
        world.days[0].start_ns,
        world.days[-1].end_ns,
        tuple(person.name for person in world.people) + world.strangers,
        tuple(sorted(appearances, key=_order)),
        tuple(sorted(said, key=lambda line: (line.start_ns, line.who))),
        world.facts,
    )


def _order(appearance: Appearance) -> tuple[int, str]:
    return appearance.start_ns, appearance.who
