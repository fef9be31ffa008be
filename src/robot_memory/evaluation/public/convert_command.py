"""`robot-memory world convert`: a video to a bag."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime, timezone

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.options import path
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.stopping import like_ctrl_c
from robot_memory.evaluation.terminal import shown

SECOND = 1_000_000_000


class StartUnknown(RobotMemoryError):
    """A moment that cannot be read."""


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `convert` to what `world` can do."""
    one = actions.add_parser(
        "convert",
        help="a video to a bag",
        description="Make a rosbag2 folder of a video (MP4 and whatever else FFmpeg reads), for `robot-memory replay`.",
    )
    one.add_argument("video", type=path, metavar="VIDEO", help="the video file")
    one.add_argument("out", type=path, metavar="OUT", help="the bag's folder; other files in it stay")
    one.add_argument("--start", metavar="ISO", help="when it was filmed, e.g. 2026-03-02T09:30:00Z")
    one.add_argument("--fps", type=float, default=5.0, help="pictures a second, 0.1 to 60 (5)")
    one.add_argument(
        "--size", type=int, default=1280, metavar="PIXELS", help="longest side of a picture at most (1280)"
    )
    one.add_argument("--quality", type=int, default=85, help="of the JPEG pictures, 10 to 100 (85)")
    one.add_argument("--storage", choices=("mcap", "sqlite3"), default="mcap", help="the bag's storage (mcap)")
    one.add_argument("--force", action="store_true", help="replace a bag that is there already")
    one.set_defaults(func=convert_video)


@like_ctrl_c()
def convert_video(args: argparse.Namespace) -> int:
    """Convert and say what was written. Errors meant for a person rise to the command line."""
    from robot_memory.evaluation.public.convert import convert
    from robot_memory.evaluation.public.video import UNKNOWN_START_NS, Look, Video

    within("--fps", args.fps, 0.1, 60)
    within("--size", args.size, 16, 7680)
    within("--quality", args.quality, 10, 100)
    video = Video(args.video, UNKNOWN_START_NS if args.start is None else moment_ns(args.start))
    if video.made and args.start is None:
        print(f"note: the file says it was made at {shown(video.made)}; --start sets a date", file=sys.stderr)
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
        raise StartUnknown(f"--start {written!r}: write date, time and zone like 2026-03-02T09:30:00Z") from None
    if moment.tzinfo is None:
        lacks = "zone" if "T" in written or ":" in written else "time and no zone"
        raise StartUnknown(f"--start {written}: has no {lacks}; write {moment.isoformat()}Z, or an offset like +01:00")
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    if not 0 <= since.days < 24855:  # what a ROS stamp can hold
        raise StartUnknown(f"--start {written}: choose a date between 1970 and 2037")
    return (since.days * 86400 + since.seconds) * SECOND + since.microseconds * 1000


def within(option: str, value: float, low: float, high: float) -> None:
    """Raises RobotMemoryError naming the option and its range."""
    if not low <= value <= high:
        raise RobotMemoryError(f"{option} {value:g}: must lie between {low:g} and {high:g}")
