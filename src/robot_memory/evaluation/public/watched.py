"""Films watched and asked about, one after another, every answer written down at once in M3-Agent's result format.

Stopped at any point, the same command goes on with the first question that has no answer yet. Keys beside the
published ones: `film`, `type`, `memory`, `outcome`, `confidence`, `latency_s`; `gpt_eval` is the verdict of `judge`.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import jsonfile
from robot_memory.evaluation.jsonfile import Wrong
from robot_memory.evaluation.public.films import find_video, right_choice, trial_of
from robot_memory.evaluation.public.questionsets import CLIP_S, Film, Item, QuestionSet
from robot_memory.evaluation.public.video import Video, VideoUnreadable
from robot_memory.evaluation.subject import Asked, Reply, Subject
from robot_memory.evaluation.trial import Question, Trial
from robot_memory.evaluation.truth import Truth
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import SECOND

MakeSubject = Callable[[Path, Trial], Subject]
Row = dict[str, Any]
FIRST_KEY = b'{"id": '


class ResultsUnusable(RobotMemoryError):
    """A results file that is not ours to go on with."""


@dataclass(frozen=True)
class Judge:
    """Who says whether a reply is right, and its name for the record."""

    name: str
    right: Callable[[Question, Reply, Truth], bool]


@dataclass
class Watched:
    """What became of the films: rows of all answers in the file, films passed over and why; the models of this run."""

    rows: list[Row] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)


def watch_all(
    questions: QuestionSet,
    videos: Path,
    out: Path,
    senses: Callable[[], Senses],
    memory: str,
    make: MakeSubject,
    judge: Judge,
    limit: int | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Watched:
    """Ask about every film whose video is in the folder `videos`; at most `limit` of those. Raises ResultsUnusable."""
    outcome = Watched(read_results(out, memory))
    done = {row["id"] for row in outcome.rows}
    paths = {film.name: find_video(film, videos) for film in questions.films}
    outcome.missing = [name for name, path in paths.items() if path is None]
    chosen = [(film, path) for film in questions.films if (path := paths[film.name]) is not None][:limit]
    opened: Senses | None = None
    for n, (film, path) in enumerate(chosen, start=1):
        if all(item.id in done for item in film.items):
            tell(f"{n} of {len(chosen)}: {film.name}: done before")
            continue
        opened = opened or senses()
        try:
            video = Video(path)
        except VideoUnreadable as error:
            outcome.unreadable[film.name] = str(error)
            tell(str(error))
            continue
        tell(f"{n} of {len(chosen)}: {film.name}: {video.seconds / 60:.1f} min, {len(film.items)} questions")
        trial = trial_of(film, video, opened)
        with tempfile.TemporaryDirectory(prefix="robot_memory_") as folder:
            subject = make(Path(folder), trial)
            outcome.models = trial.models | dict(subject.models)
            try:
                for question, reply in ask_in_time(trial, subject, done, tell):
                    row = _judged(film, trial, question, reply, judge) | {"memory": memory}
                    append(out, row)
                    outcome.rows.append(row)
            finally:
                subject.close()
    return outcome


def _judged(film: Film, trial: Trial, question: Question, reply: Reply, judge: Judge) -> Row:
    item = next(item for item in film.items if item.id == question.id)
    right = right_choice(item, reply)
    verdict = judge.right(question, reply, trial.truth) if right is None else right
    row = row_of(film, item, reply, trial.truth.start_ns)
    return row | {"judge": judge.name if right is None else "choice", "gpt_eval": verdict}


def ask_in_time(
    trial: Trial, subject: Subject, done: set[str], tell: Callable[[str], None] = lambda line: None
) -> Iterator[tuple[Question, Reply]]:
    """Each question once all clips that end by its moment are watched, and none that ends later."""
    waiting = [question for question in trial.questions if question.id not in done]
    for clip in trial.clips():
        while waiting and waiting[0].at_ns < clip.observation.end_ns:
            yield waiting[0], _ask(subject, waiting.pop(0))
        if not waiting:
            return
        subject.watch(clip.observation, clip.session)
        tell(f"clip {clip.observation.sequence}, {len(waiting)} questions to go")
    for question in waiting:
        yield question, _ask(subject, question)


def _ask(subject: Subject, question: Question) -> Reply:
    return subject.ask(Asked(question.id, question.text, question.at_ns))


def row_of(film: Film, item: Item, reply: Reply, start_ns: int) -> Row:
    """An answer as M3-Agent's control writes it ("currenr_clips" is its spelling)."""
    row: Row = {"id": item.id, "mem_path": film.mem_path, "question": item.text, "answer": item.answer}
    if item.before_clip is not None:
        row["before_clip"] = item.before_clip
    said = f"Action: [Answer]\nContent: {reply.text}"
    return row | {
        "conversations": [{"role": "user", "content": item.text}, {"role": "assistant", "content": said}],
        "finish": reply.outcome in ("ANSWERED", "ABSTAINED"),
        "currenr_clips": sorted({(one.start_ns - start_ns) // (CLIP_S * SECOND) for one in reply.cited}),
        "response": reply.text,
        "film": film.name,
        "type": list(item.types),
        "outcome": reply.outcome,
        "confidence": reply.confidence,
        "latency_s": round(reply.latency_s, 4),
    }


def read_results(out: Path, memory: str) -> list[Row]:
    """The answers of an earlier run. A line that its end cut short is taken off. Raises ResultsUnusable."""
    if not out.exists():
        return []
    whole, newline, torn = out.read_bytes().rpartition(b"\n")
    try:
        lines = whole.decode("utf-8").split("\n") if whole else []
        rows = [_row(line, number) for number, line in enumerate(lines, start=1)]
        of = {row["memory"] for row in rows}
        if not FIRST_KEY.startswith(torn[: len(FIRST_KEY)]):
            raise Wrong(f"its last line begins with {torn[:20]!r}")
    except ValueError as error:
        raise ResultsUnusable(f"{out}: holds something else ({error}) — choose another file with --out") from error
    if of - {memory}:
        raise ResultsUnusable(f"{out}: holds answers of {', '.join(sorted(of))} — choose another file with --out")
    if torn:
        os.truncate(out, len(whole) + len(newline))
    return rows


def _row(line: str, number: int) -> Row:
    """A line of the file with all that is counted of it. Raises ValueError."""
    where = f"line {number}"
    try:
        row = jsonfile.mapping(jsonfile.parse(line), where)
    except json.JSONDecodeError as error:
        raise Wrong(f"{where} is no JSON: {error}") from error
    for key in ("id", "memory", "film", "judge", "outcome"):
        if not isinstance(row.get(key), str):
            raise Wrong(f"{where}: {key!r} is {jsonfile.kind(row.get(key))}, not text")
    if not isinstance(row.get("gpt_eval"), bool):
        raise Wrong(f"{where}: 'gpt_eval' is {jsonfile.kind(row.get('gpt_eval'))}, not true or false")
    if not all(isinstance(one, str) for one in jsonfile.listing(row.get("type"), f"{where}: 'type'")):
        raise Wrong(f"{where}: 'type' is no list of words")
    return row


def append(out: Path, row: Row) -> None:
    """One line, on the disk when this returns."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def summary(rows: list[Row]) -> dict[str, dict[str, int]]:
    """Right, abstained and wrong by question type, "all" first; a question of several types counts in each."""
    sums: dict[str, dict[str, int]] = defaultdict(lambda: {"right": 0, "abstained": 0, "wrong": 0})
    for row in rows:
        end = "right" if row["gpt_eval"] else "wrong" if row["outcome"] == "ANSWERED" else "abstained"
        for kind in ("all", *row["type"]):
            sums[kind][end] += 1
    return dict(sums)
