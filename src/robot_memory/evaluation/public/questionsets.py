"""Question files of M3-Bench (robot, web) and Video-MME as published with M3-Agent and StreamMeCo.

A file is one JSON object: video name -> `video_path`, `mem_path`, `qa_list`. What is missing or of the wrong kind is
reported with its place; what is merely odd (a `before_clip` that does not fit its timestamp) is counted elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import jsonfile
from robot_memory.evaluation.jsonfile import Wrong, kind, mapping, text
from robot_memory.evaluation.public.choices import split_options

CLIP_S = 30  # of the benchmark's clips
MOST_CLIPS = 1_000_000  # of a film: a year
TIMESTAMP = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})")


class QuestionsUnreadable(RobotMemoryError):
    """A question file is missing, is no JSON, or lacks what a question needs."""


@dataclass(frozen=True)
class Item:
    """One question. `text` is as published, `stem` without its options; `asked_s` is the video's time, where given."""

    id: str
    text: str
    stem: str
    options: tuple[str, ...]
    answer: str
    reasoning: str
    types: tuple[str, ...]
    asked_s: int | None
    before_clip: int | None

    @property
    def clip_fits(self) -> bool | None:
        """Whether `before_clip` is the last clip complete at `asked_s`; None where one of the two is not given."""
        if self.asked_s is None or self.before_clip is None:
            return None
        return self.before_clip == self.asked_s // CLIP_S - 1


@dataclass(frozen=True)
class Film:
    """A video with its questions. Paths as published."""

    name: str
    video_path: str
    mem_path: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class QuestionSet:
    """All films of a file, in its order."""

    name: str
    films: tuple[Film, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for film in self.films for item in film.items)


def load(path: Path) -> QuestionSet:
    """Raises QuestionsUnreadable."""
    known = jsonfile.load(path, QuestionsUnreadable, "give the JSON file of M3-Bench's or Video-MME's questions")
    try:
        films = tuple(_film(name, film) for name, film in mapping(known, "the file").items())
        _check_ids(films)
        if not any(film.items for film in films):
            raise Wrong("the file holds no questions")
    except Wrong as wrong:
        raise QuestionsUnreadable(
            f'{path}: {wrong} — expected {{"VIDEO": {{"video_path": …, "qa_list": [{{"question": …, "answer": …}}]}}}}'
        ) from None
    return QuestionSet(path.stem, films)


def _film(name: str, film: Any) -> Film:
    where = f"video {name!r}"
    fields = mapping(film, where)
    if not isinstance(rows := fields.get("qa_list"), list):
        raise Wrong(f"{where}: 'qa_list' is {kind(rows)}, not a list")
    items = tuple(_item(row, f"{where}, question {n}", f"{name}_{n}") for n, row in enumerate(rows, start=1))
    video = text(fields, "video_path", where, f"{name}.mp4")
    return Film(name, video, text(fields, "mem_path", where, ""), items)


def _item(row: Any, where: str, default_id: str) -> Item:
    fields = mapping(row, where)
    asked = text(fields, "question", where)
    stem, options = split_options(asked)
    types = fields.get("type", [])
    if not isinstance(types, list) or not all(isinstance(one, str) for one in types):
        raise Wrong(f"{where}: 'type' is {kind(types)}, not a list of words")
    before = fields.get("before_clip")
    clip = None if before is None else jsonfile.whole(fields, "before_clip", where, -1, MOST_CLIPS)
    return Item(
        text(fields, "question_id", where, default_id),
        asked,
        stem,
        options,
        text(fields, "answer", where),
        text(fields, "reasoning", where, ""),
        tuple(types),
        _seconds(fields, where),
        clip,
    )


def _seconds(fields: dict[str, Any], where: str) -> int | None:
    if fields.get("timestamp") is None:
        return None
    written = text(fields, "timestamp", where)
    if not (match := TIMESTAMP.fullmatch(written.strip())):
        raise Wrong(f"{where}: 'timestamp' is {written!r}, not MM:SS")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _check_ids(films: tuple[Film, ...]) -> None:
    """Results are kept by id, so an id may stand for one question only."""
    seen: set[str] = set()
    for film in films:
        for item in film.items:
            if item.id in seen:
                raise Wrong(f"video {film.name!r}: question_id {item.id!r} is there twice")
            seen.add(item.id)
