"""A perfectly perceived stream with the mishaps of perception in it; what was really there stays beside it.

Each clip throws its own dice, by the seed, its session and its number: leaving out a clip or changing the rate of one
mishap moves no other clip's.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from robot_memory.evaluation.trial import Clip, Trial
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.mishaps import blur, strangers, tracks, turns
from robot_memory.evaluation.worlds.mishaps.rates import Mishaps
from robot_memory.evaluation.worlds.mishaps.tracks import Face
from robot_memory.evaluation.worlds.mishaps.turns import Said


def spoiled(trial: Trial, mishaps: Mishaps) -> Trial:
    """The trial with an imperfectly perceived stream. Its rates stand among its models, where every table has them."""
    return replace(trial, clips=partial(_again, trial, mishaps), models={**trial.models, "mishaps": str(mishaps)})


def apply(clips: Iterable[Clip], mishaps: Mishaps) -> Iterator[Clip]:
    """The clips with mishaps. `faces` and `voices` say who each track and turn mostly is, `words` what was said."""
    episode: tuple[str, int] = ("", -1)
    last: tuple[str, int] = ("", -1)
    for clip in clips:
        if clip.key != (last[0], last[1] + 1):  # after a gap begins another episode
            episode = clip.key
        last = clip.key
        yield clip if mishaps.nothing or clip.observation.skipped else _spoiled(clip, episode, mishaps)


def _again(trial: Trial, mishaps: Mishaps) -> Iterator[Clip]:
    return apply(trial.clips(), mishaps)


def _spoiled(clip: Clip, episode: tuple[str, int], mishaps: Mishaps) -> Clip:
    seen = clip.observation
    throws = {what: dice(mishaps.seed, what, *clip.key) for what in ("blur", "tracks", "turns", "strangers", "voices")}
    said = [Said(*one) for one in zip(seen.turns, clip.voices, clip.words, strict=True)]
    there = [Face(*one) for one in zip(seen.tracks, clip.faces, strict=True)]
    faces = [*there, *_strange_faces(clip, episode, mishaps, throws["strangers"])]
    heard = [*said, *_strange_voices(clip, said, episode, mishaps, throws["strangers"])]
    heard.sort(key=lambda one: one.turn.start_ns)
    if mishaps.blur:
        faces = [_blurred_face(one, mishaps, throws["blur"]) for one in faces]
    if mishaps.blur or mishaps.voice_changed:
        heard = [_blurred_voice(one, clip, mishaps, throws["voices"]) for one in heard]
    faces = tracks.spoiled(faces, [(one.turn, one.who) for one in said], mishaps, throws["tracks"])
    heard = turns.spoiled(heard, mishaps, throws["turns"])
    return replace(
        clip,
        observation=replace(seen, tracks=tuple(one.track for one in faces), turns=tuple(one.turn for one in heard)),
        faces=tuple(one.who for one in faces),
        voices=tuple(one.who for one in heard),
        words=tuple(one.words for one in heard),
    )


def _strange_faces(clip: Clip, episode: tuple[str, int], mishaps: Mishaps, throw: random.Random) -> Iterator[Face]:
    wall = dice(mishaps.seed, "poster", *episode)
    if wall.random() < mishaps.poster:
        yield strangers.poster(clip.observation, wall.randrange(strangers.POSTERS))
    if _television(episode, mishaps):
        yield from strangers.shots(clip.observation, throw)
    if throw.random() < mishaps.phantom:
        yield strangers.phantom(clip.observation, throw)


def _strange_voices(
    clip: Clip, said: list[Said], episode: tuple[str, int], mishaps: Mishaps, throw: random.Random
) -> Iterator[Said]:
    if _television(episode, mishaps):
        yield from strangers.lines(clip.observation, said, throw)


def _television(episode: tuple[str, int], mishaps: Mishaps) -> bool:
    return dice(mishaps.seed, "television", *episode).random() < mishaps.television


def _blurred_face(face: Face, mishaps: Mishaps, throw: random.Random) -> Face:
    afar = throw.random() < mishaps.face_afar
    return replace(face, track=blur.face(face.track, mishaps, throw, afar))


def _blurred_voice(said: Said, clip: Clip, mishaps: Mishaps, throw: random.Random) -> Said:
    """A voice that has changed has done so for the whole day."""
    today = f"{said.who} {clip.session.id}"
    changed = bool(said.who) and dice(mishaps.seed, "changed", today).random() < mishaps.voice_changed
    return replace(said, turn=blur.voice(said.turn, mishaps, throw, today if changed else ""))
