"""`robot-memory`: one verb for each thing a person may want.

Verbs import what they need when they run, so `--help` is instant and works without ROS or models.
"""

from __future__ import annotations

import argparse
import io
import logging
import sqlite3
import sys
import time
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from robot_memory import __version__, config
from robot_memory.control.options import Robot, add_store, store_of
from robot_memory.errors import RobotMemoryError, SettingsInvalid, StoreLocked


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code. A user's mistake gives one clear line, never a traceback."""
    for stream in (sys.stdout, sys.stderr):  # a terminal without our letters gets others; without one there is None
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        args = parser().parse_args(argv)
        logging.basicConfig(
            level=logging.DEBUG if args.verbose else logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
        )
        return int(args.func(args))
    except RobotMemoryError as error:
        print(f"robot-memory: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has left: `robot-memory timeline | head`
        sys.stderr.close()
        return 0
    except (OSError, UnicodeError) as error:  # a folder that is a file, a full disk
        print(f"robot-memory: {error}", file=sys.stderr)
        return 1
    except sqlite3.Error as error:
        print(f"robot-memory: the memory is damaged or cannot be read: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def replay_executable() -> int:
    """The `replay` executable of launch files: `robot-memory replay`, passing over what launch adds for ROS."""
    own = sys.argv[1 : sys.argv.index("--ros-args")] if "--ros-args" in sys.argv else sys.argv[1:]
    return main(["replay", *own])


def parser() -> argparse.ArgumentParser:
    """Every verb with its options; the tests read the documentation against it."""
    from robot_memory.control import commands as control
    from robot_memory.doctor import commands as doctor
    from robot_memory.evaluation import commands as evaluation
    from robot_memory.models import commands as models

    top = argparse.ArgumentParser(prog="robot-memory", description="The memory that robots run on.")
    top.add_argument("--version", action="version", version=__version__)
    top.add_argument("--verbose", action="store_true", help="log what happens inside")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")

    one = verbs.add_parser("up", help="run perception and the memory server in one process")
    add_store(one)
    one.add_argument(
        "--microphone", default="", metavar="SOURCE", help="listen here: default, a device, a file or a URL"
    )
    one.add_argument(
        "--camera", default="", metavar="SOURCE", help="watch here: 0, a device, a film, a folder of pictures or a URL"
    )
    one.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter, e.g. image_topic=/camera/image_raw",
    )
    one.set_defaults(func=_up)

    one = verbs.add_parser("replay", help="remember a rosbag2 bag (sqlite3 or mcap)")
    one.add_argument("bag", type=Path)
    add_store(one)
    pace = one.add_mutually_exclusive_group()
    pace.add_argument("--lockstep", action="store_true", help="as fast as perception can, losing nothing (the default)")
    pace.add_argument("--rate", type=float, help="play at so many times real time instead; what is lost is counted")
    one.add_argument("--into", action="store_true", help="allow a store that holds live sessions")
    one.add_argument("--zone", default="", help="IANA zone of the recording, for words like 'today' (default: UTC)")
    one.add_argument("--attach", action="store_true", help="play into a graph that already runs")
    one.add_argument("--quiet", action="store_true", help="no progress")
    one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the nodes")
    one.set_defaults(func=_replay)

    one = verbs.add_parser("ask", help='ask a question: robot-memory ask "Who was here?"')
    one.add_argument("question", nargs="+")
    add_store(one)
    one.add_argument("--json", action="store_true", help="the whole answer as JSON")
    one.set_defaults(func=_ask)

    for verb, what, func in (
        ("who", "everyone the robot knows", _who),
        ("timeline", "what is remembered, in order of time", _timeline),
        ("fingerprint", "the logical hash of a store", _fingerprint),
    ):
        one = verbs.add_parser(verb, help=what)
        add_store(one)
        one.set_defaults(func=func)
        if verb == "who":
            one.add_argument("file", type=Path, metavar="FILE", nargs="?", help="a picture or a sound: who is this?")
            one.add_argument("--crops", type=Path, metavar="DIR", help="write the best picture of each face there")
        if verb == "fingerprint":
            one.add_argument("--lines", action="store_true", help="print what is hashed")

    one = verbs.add_parser("status", help="what a running robot's memory is doing")
    one.add_argument("--namespace", default="", help="ROS namespace of the robot's nodes")
    one.set_defaults(func=_status)

    one = verbs.add_parser("demo", help="replay a bag into a new memory and ask it questions")
    one.add_argument("bag", type=Path, nargs="?", help="default: the bag that comes with the source")
    one.add_argument(
        "--out", type=Path, default=Path("demo"), help="folder for the memory and the pictures (default: demo)"
    )
    one.set_defaults(func=_demo)

    control.register(verbs, _running_robot)
    models.register(verbs)
    evaluation.register(verbs)
    doctor.register(verbs)
    return top


def _settings(pairs: Sequence[str]) -> dict[str, object]:
    """NAME=VALUE pairs with their values read as YAML, as ROS does."""
    import yaml

    known, settings = config.names(), dict[str, object]()
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise RobotMemoryError(f"--set {pair}: write NAME=VALUE, e.g. streams.frames_per_second=2.0")
        if name not in known:
            close = get_close_matches(name, known, 3, 0.5)
            hint = f"near it: {', '.join(close)}" if close else "docs/settings.md lists them"
            raise RobotMemoryError(f"--set {pair}: there is no setting {name!r}; {hint}")
        try:
            settings[name] = config.fitting(known[name], yaml.safe_load(value))
        except yaml.YAMLError as error:
            raise RobotMemoryError(f"--set {pair}: the value cannot be read: {error}") from error
        except SettingsInvalid as error:
            raise RobotMemoryError(f"--set {pair}: {error}") from error
    return settings


def _zone(name: str) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name).key if name else ""
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise RobotMemoryError(f"--zone {name}: there is no such zone; write one like Europe/Berlin") from error


def _need_ros() -> None:
    try:
        import rclpy  # noqa: F401
        import robot_memory_msgs  # noqa: F401
    except ImportError as error:
        raise RobotMemoryError(
            f"this needs ROS 2 and robot_memory_msgs ({error}): run it in the environment that `make setup` made, or "
            "source your ROS 2 workspace"
        ) from error


def _running_robot(locked: StoreLocked) -> Robot:
    """Whoever writes the memory that we may not may be a memory server, whose services do it. Without ROS, that it is
    locked is all there is to say.
    """
    try:
        _need_ros()
    except RobotMemoryError:
        raise locked from None
    from robot_memory.ros import operating

    return operating


def _up(args: argparse.Namespace) -> int:
    _need_ros()
    from robot_memory.ros import up

    given = {"store.path": args.store, "microphone.source": args.microphone, "camera.source": args.camera}
    return up.run(_settings(args.set) | {name: value for name, value in given.items() if value})


def _replay(args: argparse.Namespace) -> int:
    if args.rate is not None and not args.rate > 0:
        raise RobotMemoryError(f"--rate {args.rate}: give a number above 0, e.g. 1 for real time")
    if args.attach and (args.store or args.set):
        raise RobotMemoryError("--attach plays into a graph with a store and settings of its own: no --store, no --set")
    _need_ros()
    from robot_memory.ros.replay import replay

    return replay(
        config.expanded(args.bag),
        store=args.store,
        rate=args.rate,
        into=args.into,
        zone=_zone(args.zone),
        attach=args.attach,
        quiet=args.quiet,
        settings=_settings(args.set),
    )


def _ask(args: argparse.Namespace) -> int:
    from robot_memory.control import terminal

    return terminal.ask(store_of(args), " ".join(args.question), time.time_ns(), args.json)


def _who(args: argparse.Namespace) -> int:
    from robot_memory.control import terminal

    if args.file is not None:
        return terminal.who_is(store_of(args), args.file)
    return terminal.who(store_of(args), args.crops)


def _timeline(args: argparse.Namespace) -> int:
    from robot_memory.control import terminal

    return terminal.timeline(store_of(args))


def _fingerprint(args: argparse.Namespace) -> int:
    from robot_memory.memory import fingerprint
    from robot_memory.memory.storage.store import Store

    with Store(store_of(args), readonly=True) as store, store.snapshot() as db:
        print("\n".join(fingerprint.lines(db)) if args.lines else fingerprint.fingerprint(db))
    return 0


def _status(args: argparse.Namespace) -> int:
    _need_ros()
    from robot_memory.ros.status import show

    return show(args.namespace)


def _demo(args: argparse.Namespace) -> int:
    _need_ros()
    from robot_memory.ros.demo import demo

    return demo(args.bag, args.out)


if __name__ == "__main__":
    sys.exit(main())
