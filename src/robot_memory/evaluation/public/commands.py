"""The command line's doors to films and recorded speech: `evaluate m3bench`, `evaluate videomme`, `evaluate speech`.

The memory under test and the judge come from whoever registers the verbs: what is measured does not know its measure.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.options import path, writable
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.public.convert_command import within
from robot_memory.evaluation.terminal import shown

if TYPE_CHECKING:
    from robot_memory.evaluation.public.watched import Judge
    from robot_memory.evaluation.subject import Subject
    from robot_memory.evaluation.trial import Trial

    Make = Callable[[str, Path, Trial], Subject]  # name of the memory, its empty folder, the trial

SETS = {  # word of `evaluate` -> what --data names
    "m3bench": "FILE, the question file of M3-Bench (robot or web) as published",
    "videomme": "FILE, the question file of Video-MME (long) as published",
    "speech": "FOLDER of LibriSpeech, of wav with a Sphinx transcription or rttm, or pyannote-audio's wheel",
}


def add_options(verb: argparse.ArgumentParser) -> None:
    """What `evaluate` can be told about films beyond what every set knows."""
    verb.add_argument(
        "--videos", type=path, metavar="DIR", help="m3bench, videomme: a folder with the films; watch and answer"
    )
    verb.add_argument(
        "--out",
        type=path,
        metavar="FILE",
        help="with --videos: answers in M3-Agent's format (default: DATA.results.jsonl)",
    )
    verb.add_argument("--limit", type=int, metavar="N", help="with --videos: only the first N of the films found")


def measure(args: argparse.Namespace, make: Make, judge: Callable[[], Judge]) -> int:
    """Measure on one of SETS and print. Returns the exit code."""
    if args.data is None:
        raise RobotMemoryError(f"{args.what} needs its data: --data {SETS[args.what]}")
    return _speech(args, make) if args.what == "speech" else _m3bench(args, make, judge)


def _m3bench(args: argparse.Namespace, make: Make, judge: Callable[[], Judge]) -> int:
    from robot_memory.evaluation.public import questionsets, report

    questions = questionsets.load(args.data)
    if args.videos is None:
        _print(args, report.questions_json(questions), report.questions_text)
        return 0

    from robot_memory.config import PerceptionSettings
    from robot_memory.evaluation.public.watched import watch_all
    from robot_memory.perception.senses import open_senses

    if not args.videos.is_dir():
        raise RobotMemoryError(f"--videos {args.videos}: is no folder")
    if args.limit is not None:
        within("--limit", args.limit, 1, 1_000_000)
    out = args.out or Path(f"{args.data.stem}.results.jsonl")
    writable(out, "--out")
    if out.exists() and not out.is_file():
        raise RobotMemoryError(f"--out {out}: is no file that answers can be kept in — name another")
    with Line() as line:
        watched = watch_all(
            questions,
            args.videos,
            out,
            lambda: open_senses(PerceptionSettings()),
            args.subject,
            partial(make, args.subject),
            judge(),
            args.limit,
            line.show,
        )
    _print(args, report.answers_json(watched, out), report.answers_text)
    return int(bool(watched.unreadable) or not watched.rows)


def _speech(args: argparse.Namespace, make: Make) -> int:
    from robot_memory.config import PerceptionSettings
    from robot_memory.evaluation.public import hearing, report, speechsets
    from robot_memory.evaluation.trial import Trial
    from robot_memory.evaluation.truth import Truth
    from robot_memory.perception.senses import open_senses

    nothing = Trial("speech", Truth("speech", "", 0, 0, (), (), ()), (), lambda: iter(()), {})
    speech = speechsets.load(args.data)
    senses = open_senses(PerceptionSettings())
    with Line() as line:
        found = hearing.listen(speech, senses, lambda folder: make(args.subject, folder, nothing), line.show)
    _print(args, found.as_json(), report.speech_text)
    return 0


def _print(args: argparse.Namespace, figures: dict[str, Any], told: Callable[[dict[str, Any]], str]) -> None:
    print(json.dumps(figures, indent=1) if args.json else shown(told(figures)), flush=True)
