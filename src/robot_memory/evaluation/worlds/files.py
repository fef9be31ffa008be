"""A world in a folder: the seed it is made from again, and what people and scorers want to read without making it.

`world.json` seed, options and version; `truth.json` (evaluation.truth); `questions.json` (evaluation.questionfile);
`stream.jsonl` one clip a line, as perceived, without embeddings and pictures.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import questionfile, truth
from robot_memory.evaluation.questionfile import iso
from robot_memory.evaluation.trial import Clip, Question
from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.oracle import oracle
from robot_memory.evaluation.worlds.questions import questions
from robot_memory.evaluation.worlds.truths import truth as truth_of
from robot_memory.evaluation.worlds.world import VERSION, World

FILE, STREAM = "world.json", "stream.jsonl"


class WorldUnreadable(RobotMemoryError):
    """A world's folder is missing, damaged or of another version."""


def save(world: World, folder: Path, asked: tuple[Question, ...] | None = None) -> None:
    """Write the four files, replacing older ones; `asked`: the world's questions, where they were made already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = {"version": VERSION, "seed": world.seed, "options": asdict(world.options)}
        (folder / FILE).write_text(json.dumps(written, indent=1) + "\n", "utf-8")
        truth.write(truth_of(world), folder / truth.FILE)
        questionfile.write(questions(world) if asked is None else asked, folder / questionfile.FILE)
        with (folder / STREAM).open("w", encoding="utf-8") as stream:
            for clip in oracle(world):
                stream.write(json.dumps(_readable(clip), ensure_ascii=False) + "\n")
    except OSError as error:
        raise WorldUnreadable(f"{folder}: the world cannot be written ({error}) — choose another folder") from error


def load(folder: Path) -> World:
    """The world of a folder, made again from its seed. Raises WorldUnreadable."""
    path = folder / FILE
    try:
        known = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise WorldUnreadable(
            f"{path}: cannot be read ({error}) — `robot-memory world make` writes such a folder"
        ) from error
    if not isinstance(known, dict) or known.get("version") != VERSION:
        raise WorldUnreadable(f"{path}: is no world of version {VERSION} — make it again from its seed")
    try:
        return make(int(known["seed"]), **{key: int(known["options"][key]) for key in ("days", "people", "rooms")})
    except (KeyError, TypeError, ValueError) as error:
        raise WorldUnreadable(f"{path}: {error} is missing or wrong — make the world again") from error


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
