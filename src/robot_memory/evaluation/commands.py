"""The command line's `world` verb: `robot-memory world render SCRIPT OUT`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `world` and what it can do to the command line's verbs."""
    world = verbs.add_parser("world", help="make bags of scripted scenes", description="Make bags of scripted scenes.")
    actions = world.add_subparsers(dest="action", required=True, metavar="ACTION")
    render = actions.add_parser(
        "render",
        help="render a script to a bag",
        description="Render a script (YAML; format: robot_memory/evaluation/story/scriptfile.py) to a rosbag2 folder.",
    )
    render.add_argument("script", type=Path, metavar="SCRIPT", help="the script, a YAML file")
    render.add_argument("out", type=Path, metavar="OUT", help="the bag's folder; other files in it stay")
    render.add_argument("--storage", choices=("mcap", "sqlite3"), default="mcap", help="the bag's storage (mcap)")
    render.add_argument("--force", action="store_true", help="replace a bag that is there already")
    render.set_defaults(func=render_world)


def render_world(args: argparse.Namespace) -> int:
    """Render and say what was written. Errors meant for a person rise to the command line."""
    from robot_memory.evaluation.rendering.render import render
    from robot_memory.evaluation.story.scriptfile import load

    begun = time.monotonic()
    done = render(load(args.script), args.out, args.storage, args.force, _progress())
    print(file=sys.stderr)
    for topic, count in sorted(done.counts.items()):
        print(f"{topic}: {count} messages")
    print(f"{done.bag}: {done.size / 1e6:.2f} MB in {time.monotonic() - begun:.1f} s")
    return 0


def _progress() -> Callable[[float], None]:
    """A line on stderr that grows by whole percents."""
    last = -1

    def show(done: float) -> None:
        nonlocal last
        if (percent := int(done * 100)) > last:
            last = percent
            print(f"\rrendering {percent:3d} %", end="", file=sys.stderr, flush=True)

    return show
