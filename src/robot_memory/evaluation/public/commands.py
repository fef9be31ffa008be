"""The command line's doors to the public sets: `evaluate m3bench`, `evaluate speech` and `world convert`.

The memory under test and the judge come from whoever registers the verbs: what is measured does not know its measure.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from robot_memory.errors import RobotMemoryError

if TYPE_CHECKING:
    from robot_memory.evaluation.public.watched import Judge
    from robot_memory.evaluation.subject import Subject
    from robot_memory.evaluation.trial import Trial

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]
    Make = Callable[[str, Path, Trial], Subject]  # name of the memory, its empty folder, the trial

REDRAW_S, LOG_S = 0.1, 10.0
SECOND = 1_000_000_000


class StartUnknown(RobotMemoryError):
    """A moment that cannot be read."""


def register(benches: Verbs, make: Make, judge: Callable[[], Judge]) -> None:
    """Add `m3bench` and `speech` to what `evaluate` can do."""
    one = benches.add_parser(
        "m3bench",
        help="question files of M3-Bench and Video-MME, and their videos",
        description="How the product understands the questions of M3-Bench (robot, web) or Video-MME; with --videos, "
        "how it answers them. Answers are written at once: the same command again goes on where it stopped.",
    )
    one.add_argument("--data", type=Path, required=True, metavar="FILE", help="the question file, JSON")
    one.add_argument("--videos", type=Path, metavar="DIR", help="a folder with the videos: watch them and answer")
    one.add_argument(
        "--out", type=Path, metavar="FILE", help="answers in M3-Agent's format (default: DATA.results.jsonl)"
    )
    one.add_argument("--limit", type=int, metavar="N", help="only the first N of the videos found")
    one.add_argument("--memory", default="memory", metavar="NAME", help="the memory under test (default: memory)")
    one.add_argument("--json", action="store_true", help="all figures as JSON")
    one.set_defaults(func=partial(_m3bench, make=make, judge=judge))

    one = benches.add_parser(
        "speech",
        help="recorded speech: words, speakers, voices, false facts",
        description="Word error rate, diarization error rate, equal error rate of voices and false facts an hour on "
        "recorded speech: LibriSpeech folders, wav with a Sphinx transcription, wav with rttm, pyannote-audio's wheel.",
    )
    one.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="the folder, or the wheel")
    one.add_argument("--memory", default="memory", metavar="NAME", help="the memory that listens (default: memory)")
    one.add_argument("--json", action="store_true", help="all figures as JSON")
    one.set_defaults(func=partial(_speech, make=make))


def register_convert(actions: Verbs) -> None:
    """Add `convert` to what `world` can do."""
    one = actions.add_parser(
        "convert",
        help="a video to a bag",
        description="Make a rosbag2 folder of a video (MP4 and whatever else FFmpeg reads), for `robot-memory replay`.",
    )
    one.add_argument("video", type=Path, metavar="VIDEO", help="the video file")
    one.add_argument("out", type=Path, metavar="OUT", help="the bag's folder; other files in it stay")
    one.add_argument("--start", default="", metavar="ISO", help="when it was filmed, e.g. 2026-03-02T09:30:00Z")
    one.add_argument("--fps", type=float, default=5.0, help="pictures a second, 0.1 to 60 (5)")
    one.add_argument(
        "--size", type=int, default=1280, metavar="PIXELS", help="longest side of a picture at most (1280)"
    )
    one.add_argument("--quality", type=int, default=85, help="of the JPEG pictures, 10 to 100 (85)")
    one.add_argument("--storage", choices=("mcap", "sqlite3"), default="mcap", help="the bag's storage (mcap)")
    one.add_argument("--force", action="store_true", help="replace a bag that is there already")
    one.set_defaults(func=convert_video)


def convert_video(args: argparse.Namespace) -> int:
    from robot_memory.evaluation.public.convert import convert
    from robot_memory.evaluation.public.video import UNKNOWN_START_NS, Look, Video

    _within("--fps", args.fps, 0.1, 60)
    _within("--size", args.size, 16, 7680)
    _within("--quality", args.quality, 10, 100)
    video = Video(args.video, moment_ns(args.start) if args.start else UNKNOWN_START_NS)
    if video.made and not args.start:
        print(f"note: the file says it was made at {video.made}; --start sets a date", file=sys.stderr)
    with Line() as line:

        def progress(seconds: float) -> None:
            of = f" of {video.seconds:.0f}" if video.seconds else ""
            line.show(f"converting {seconds:.0f}{of} s")

        done = convert(video, args.out, Look(args.fps, args.size, args.quality), args.storage, args.force, progress)
    for topic, count in sorted(done.counts.items()):
        print(f"{topic}: {count} messages")
    for problem, count in sorted(done.problems.items()):
        print(f"note: {count} x {problem}")
    speed = done.seconds / max(done.took_s, 1e-9)
    print(f"{done.bag}: {done.size / 1e6:.2f} MB, {done.seconds:.1f} s of video in {done.took_s:.1f} s ({speed:.0f} x)")
    return 0


def moment_ns(written: str) -> int:
    """Nanoseconds since 1970 of an ISO 8601 moment with its zone. Raises StartUnknown."""
    try:
        moment = datetime.fromisoformat(written.replace("Z", "+00:00"))
    except ValueError:
        raise StartUnknown(f"--start {written}: write date, time and zone like 2026-03-02T09:30:00Z") from None
    if moment.tzinfo is None:
        raise StartUnknown(f"--start {written}: has no zone; write {written}Z, or an offset like +01:00")
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    if not 0 <= since.days < 24855:  # what a ROS stamp can hold
        raise StartUnknown(f"--start {written}: choose a date between 1970 and 2037")
    return (since.days * 86400 + since.seconds) * SECOND + since.microseconds * 1000


def _m3bench(args: argparse.Namespace, make: Make, judge: Callable[[], Judge]) -> int:
    from robot_memory.evaluation.public import questionsets, report

    questions = questionsets.load(args.data)
    if args.videos is None:
        figures = report.questions_json(questions)
        print(json.dumps(figures, indent=1, ensure_ascii=False) if args.json else report.questions_text(figures))
        return 0

    from robot_memory.config import PerceptionSettings
    from robot_memory.evaluation.public.watched import watch_all
    from robot_memory.perception.senses import open_senses

    if not args.videos.is_dir():
        raise RobotMemoryError(f"--videos {args.videos}: is no folder")
    if args.limit is not None:
        _within("--limit", args.limit, 1, 1_000_000)
    out = args.out or Path(f"{args.data.stem}.results.jsonl")
    with Line() as line:
        watched = watch_all(
            questions,
            args.videos,
            out,
            lambda: open_senses(PerceptionSettings()),
            args.memory,
            partial(make, args.memory),
            judge(),
            args.limit,
            line.show,
        )
    figures = report.answers_json(watched, out)
    print(json.dumps(figures, indent=1, ensure_ascii=False) if args.json else report.answers_text(figures))
    return int(bool(watched.unreadable))


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
        found = hearing.listen(speech, senses, lambda folder: make(args.memory, folder, nothing), line.show)
    figures = found.as_json()
    print(json.dumps(figures, indent=1, ensure_ascii=False) if args.json else report.speech_text(figures))
    return 0


def _within(option: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise RobotMemoryError(f"{option} {value:g}: must lie between {low:g} and {high:g}")


class Line:
    """Progress on stderr: one line drawn over itself on a terminal; elsewhere (a log) a line now and then."""

    def __init__(self) -> None:
        self._drawn, self._live = 0.0, sys.stderr.isatty()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *error: object) -> None:
        if self._live and self._drawn:
            print(file=sys.stderr)

    def show(self, text: str) -> None:
        if time.monotonic() - self._drawn < (REDRAW_S if self._live else LOG_S):
            return
        self._drawn = time.monotonic()
        print(
            f"\r\x1b[K{text[:120]}" if self._live else text, end="" if self._live else "\n", file=sys.stderr, flush=True
        )
