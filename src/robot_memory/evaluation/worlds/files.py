"""A world in a folder: the seed it is made from again, and what people and scorers want to read without making it.

`world.json` seed, options and version; `truth.json` (evaluation.truth); `questions.json` (evaluation.questionfile);
`stream.jsonl` one clip a line, as perceived, without embeddings and pictures.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import jsonfile, questionfile, truth
from robot_memory.evaluation.jsonfile import Wrong, mapping, whole
from robot_memory.evaluation.options import MOST_SEED
from robot_memory.evaluation.questionfile import iso
from robot_memory.evaluation.trial import Clip, Question
from robot_memory.evaluation.worlds.make import LIMITS, make
from robot_memory.evaluation.worlds.oracle import oracle
from robot_memory.evaluation.worlds.questions import questions
from robot_memory.evaluation.worlds.truths import truth as truth_of
from robot_memory.evaluation.worlds.world import VERSION, World

FILE, STREAM = "world.json", "stream.jsonl"
FILES = (STREAM, truth.FILE, questionfile.FILE, FILE)  # the last makes it a world


class WorldUnreadable(RobotMemoryError):
    """A world's folder is missing, damaged or of another version."""


def check_free(folder: Path) -> None:
    """Raises WorldUnreadable where a world, or somebody's truth or questions, would be overwritten."""
    if there := [name for name in FILES if (folder / name).exists()]:
        raise WorldUnreadable(
            f"{folder}: {', '.join(there)} {'is' if len(there) == 1 else 'are'} there already — choose another folder, "
            "or replace what is there (--force)"
        )


def save(
    world: World,
    folder: Path,
    asked: tuple[Question, ...] | None = None,
    replace: bool = False,
    progress: Callable[[float], None] = lambda done: None,
) -> None:
    """Write the four files, all of them or none; `asked`: the world's questions, where they were made already.

    Raises WorldUnreadable, also where one of them is there already, unless they may be replaced.
    """
    if not replace:
        check_free(folder)
    new = not folder.exists()
    partial = folder / f".{FILE}.partial"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _write(world, partial, questions(world) if asked is None else asked, progress)
        for name in FILES:
            (partial / name).replace(folder / name)
    except OSError as error:
        raise WorldUnreadable(f"{folder}: the world cannot be written ({error}) — choose another folder") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        if new:
            with suppress(OSError):  # it is no longer empty: the world is in it
                folder.rmdir()


def _write(world: World, folder: Path, asked: tuple[Question, ...], progress: Callable[[float], None]) -> None:
    written = {"version": VERSION, "seed": world.seed, "options": asdict(world.options)}
    (folder / FILE).write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    known = truth_of(world)
    truth.write(known, folder / truth.FILE)
    questionfile.write(asked, folder / questionfile.FILE)
    with (folder / STREAM).open("w", encoding="utf-8") as stream:
        for clip in oracle(world):
            stream.write(json.dumps(_readable(clip), ensure_ascii=False) + "\n")
            progress((clip.observation.end_ns - known.start_ns) / max(1, known.end_ns - known.start_ns))


def load(folder: Path) -> World:
    """The world of a folder, made again from its seed. Raises WorldUnreadable."""
    path = folder / FILE
    known = jsonfile.load(path, WorldUnreadable, "`robot-memory world make` writes such a folder")
    if not isinstance(known, dict) or known.get("version") != VERSION:
        raise WorldUnreadable(f"{path}: is no world of version {VERSION} — make it again from its seed")
    try:
        options = mapping(known.get("options"), "options")
        size = {key: whole(options, key, "options", *LIMITS[key]) for key in ("days", "people", "rooms")}
        return make(whole(known, "seed", "the file", 0, MOST_SEED), **size)
    except Wrong as wrong:
        raise WorldUnreadable(f"{path}: {wrong} — make the world again") from None


def _readable(clip: Clip) -> dict[str, Any]:
    seen = clip.observation
    tracks = [
        {
            "who": who,
            "from": iso(track.start_ns),
            "to": iso(track.end_ns),
            "first_box": [round(float(x)) for x in track.boxes[0]],
            "last_box": [round(float(x)) for x in track.boxes[-1]],
        }
        for track, who in zip(seen.tracks, clip.faces, strict=True)
    ]
    turns = [
        {"who": who, "voice": turn.voice, "from": iso(turn.start_ns), "to": iso(turn.end_ns), "text": turn.text}
        for turn, who in zip(seen.turns, clip.voices, strict=True)
    ]
    where = [round(x, 2) for x in seen.poses[0].position[:2]] if seen.poses else None
    return {
        "session": seen.session,
        "clip": seen.sequence,
        "from": iso(seen.start_ns),
        "to": iso(seen.end_ns),
        "robot_at": where,
        "tracks": tracks,
        "turns": turns,
    }
