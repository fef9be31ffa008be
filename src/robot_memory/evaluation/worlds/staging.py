"""A generated world, or the first part of it, as a script that can be rendered: faces, voices, rooms, light, distance.

What the world leaves open is thrown with dice of its seed: who plays whom (a face and a voice of their gender where
one is left), what each room looks like, how far off people stand, how noisy an episode is. Somebody who comes on
another day does so in another picture, where there is one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from robot_memory.evaluation import truth
from robot_memory.evaluation.assets import Assets, AssetsInvalid, voices_apart
from robot_memory.evaluation.rendering.speech import recorded
from robot_memory.evaluation.story import script
from robot_memory.evaluation.story.script import Script
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.truths import truth as truth_of
from robot_memory.evaluation.worlds.world import Entry, Episode, Person, World
from robot_memory.streams.media import SAMPLE_RATE, SECOND

READER = "Reader "
SLACK_S = 2.0  # a voice may be slower than the world thinks
EYES, TALLER = 0.40, 0.03  # height of faces in the view, and how much people differ
FAR, FAR_SHARE = 0.5, 0.2  # some stand twice as far off: small faces
SHUTTER_S = 0.02
FRAMES_PER_S, QUALITY = 5.0, 70


@dataclass(frozen=True)
class Part:
    """How much of a world is rendered: its first episodes, or as many as fit into so many minutes; 0: all."""

    episodes: int = 0
    minutes: float = 0.0

    def of(self, world: World) -> tuple[Episode, ...]:
        """At least one."""
        chosen, seconds = list[Episode](), 0.0
        for episode in world.episodes[: self.episodes or None]:
            seconds += episode.duration_s
            if chosen and self.minutes and seconds > self.minutes * 60:
                break
            chosen.append(episode)
        return tuple(chosen)

    def whole(self, world: World) -> bool:
        return len(self.of(world)) == len(world.episodes)


WHOLE = Part()


def staged(world: World, assets: Assets, part: Part = WHOLE, readers: bool = False) -> Script:
    """The script of a world. Raises AssetsInvalid where there are too few faces or voices for it.

    `readers`: the folder's recorded speakers read aloud, out of view, where nobody speaks for long enough. The world
    knows nothing of them: their words are no lines of its truth, and no question is about them.
    """
    episodes = part.of(world)
    seen = {entry.who for episode in episodes for entry in episode.entries}
    heard = {line.who for episode in episodes for line in episode.lines}
    faces = _cast(world, seen, assets.faces, assets.genders, f"faces in {assets.source}")
    genders = {name: voice.gender for name, voice in voices_apart().items()}
    spoken = _cast(world, heard, voices_apart(), genders, "voices that a speaker model keeps apart")
    people = tuple(
        script.Person(
            person.name,
            assets.faces[faces[person.name]] if person.name in faces else (),
            spoken.get(person.name, ""),
        )
        for person in world.people
        if person.name in seen | heard
    )
    pictures = {person.name: len(person.pictures) for person in people}
    staged_episodes = tuple(_Stage(world, episode, pictures).episode() for episode in episodes)
    return Script(
        name=world.name,
        zone=world.zone,
        seed=abs(world.seed) % 2**31,
        frames_per_second=FRAMES_PER_S,
        quality=QUALITY,
        people=people + tuple(script.Person(READER + name) for name in assets.readers if readers),
        episodes=_read_aloud(staged_episodes, assets) if readers else staged_episodes,
    )


def _read_aloud(episodes: tuple[script.Episode, ...], assets: Assets) -> tuple[script.Episode, ...]:
    """At most one recording an episode, in the first pause that is long enough; speakers and pieces take turns."""
    if not assets.readers:
        raise AssetsInvalid(f"{assets.source} has no recordings — put some into speech/SPEAKER, or leave out --readers")
    piles = {name: list(pieces) for name, pieces in assets.readers.items()}
    done = []
    for number, episode in enumerate(episodes):
        name = list(piles)[number % len(piles)]
        piece = piles[name][0]
        at_s = _pause(episode, len(recorded(piece)) / SAMPLE_RATE)
        if at_s is not None:
            piles[name] = piles[name][1:] + [piece]
            reading = script.Line(at_s, READER + name, "", sound=piece, far=True)
            episode = replace(episode, lines=tuple(sorted((*episode.lines, reading), key=lambda line: line.at_s)))
        done.append(episode)
    return tuple(done)


def _pause(episode: script.Episode, needed_s: float) -> float | None:
    """Where `needed_s` and a second around them are free of lines."""
    ends = [0.0, *(line.at_s + 1.2 * line.lasts_s for line in episode.lines)]
    begins = [*(line.at_s for line in episode.lines), episode.duration_s]
    free = [end + 1.0 for end, begin in zip(ends, begins, strict=True) if begin - end >= needed_s + 2.0]
    return free[0] if free else None


def facts(world: World, until_ns: int) -> tuple[truth.Fact, ...]:
    """The world's facts as far as they were so, or told, by then."""
    return tuple(
        replace(fact, told=tuple(at_ns for at_ns in fact.told if at_ns < until_ns))
        for fact in truth_of(world).facts
        if fact.valid_from_ns is None or fact.valid_from_ns < until_ns
    )


def _cast(
    world: World, who: set[str], parts: Mapping[str, object], genders: Mapping[str, str], what: str
) -> dict[str, str]:
    """Person -> part, in the world's order of people: of their gender if one is left, else any."""
    wanted = [person for person in world.people if person.name in who]
    if len(wanted) > len(parts):
        raise AssetsInvalid(
            f"{world.name} needs {len(wanted)} {what}, there are {len(parts)} — render a smaller part (--episodes), "
            "make a world of fewer people, or name a folder with more (--assets)"
        )
    throw = dice(world.seed, "cast", what.split()[0])
    left = throw.sample(sorted(parts), len(parts))
    cast: dict[str, str] = {}
    for person in sorted(wanted, key=lambda person: not _one_of(left, genders, person)):
        cast[person.name] = (_one_of(left, genders, person) or left)[0]
        left.remove(cast[person.name])
    return cast


def _one_of(left: Sequence[str], genders: Mapping[str, str], person: Person) -> list[str]:
    return [name for name in left if genders.get(name, person.gender) == person.gender]


class _Stage:
    """One episode on its way to the script."""

    def __init__(self, world: World, episode: Episode, pictures: Mapping[str, int]) -> None:
        self._world, self._episode, self._pictures = world, episode, pictures
        self._throw = dice(world.seed, "staging", episode.id)

    def episode(self) -> script.Episode:
        one = self._episode
        duration_s = one.duration_s + self._slack_s()
        lines = (script.Line(line.at_s, line.who, line.text, lasts_s=line.until_s - line.at_s) for line in one.lines)
        scenes = tuple(
            self._scene(entry, dice(self._world.seed, "far", one.id, n)) for n, entry in enumerate(one.entries)
        )
        return script.Episode(
            start_ns=one.start_ns,
            duration_s=duration_s,
            place=one.room,
            room=self._room(),
            scenes=tuple(sorted(scenes, key=lambda scene: scene.start_s)),
            lines=tuple(lines),
            stands=tuple(script.Stand(stand.at_s, stand.x_m, stand.y_m, stand.yaw) for stand in one.stands),
        )

    def _slack_s(self) -> float:
        """Seconds added at the end, where the next episode leaves room for them."""
        later = [one.start_ns for one in self._world.episodes if one.start_ns >= self._episode.end_ns]
        return min(SLACK_S, (min(later) - self._episode.end_ns) / SECOND) if later else SLACK_S

    def _scene(self, entry: Entry, throw: random.Random) -> script.Scene:
        nearness = FAR if throw.random() < FAR_SHARE else 1.0
        tall = dice(self._world.seed, "tall", entry.who).uniform(-TALLER, TALLER)
        path = tuple(
            script.Placing(one.at_s, one.x, one.size * nearness, y=EYES + tall * nearness) for one in entry.path
        )
        shift = dice(self._world.seed, "clothes", entry.who).randrange(8)
        return script.Scene(entry.who, path, (self._episode.day + shift) % self._pictures[entry.who])

    def _room(self) -> script.Room:
        own = dice(self._world.seed, "look", self._episode.room)
        look, echo, window = own.randrange(2**31), own.uniform(0.7, 1.7), own.uniform(0.3, 0.7)
        hour = self._world.local(self._episode.start_ns).hour
        day = 8 <= hour < 18
        light = self._throw.uniform(0.85, 1.1) if day else self._throw.uniform(0.45, 0.75)
        against = window if day and self._throw.random() < 0.25 else 0.0
        return script.Room(look, round(light, 2), against, self._throw.uniform(0.0, 8.0), echo, SHUTTER_S)
