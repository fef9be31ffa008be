"""The command line's `world` (make, render, look at, listen to, spoil), `evaluate` and `bench`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from robot_memory.evaluation import options
from robot_memory.evaluation.bench import commands as bench
from robot_memory.evaluation.compression import commands as compressing
from robot_memory.evaluation.hostile import commands as hostile
from robot_memory.evaluation.options import path
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.public import commands as public
from robot_memory.evaluation.public import convert_command as converting
from robot_memory.evaluation.rendering import commands as rendering
from robot_memory.evaluation.scoring import commands as scoring
from robot_memory.evaluation.stopping import like_ctrl_c
from robot_memory.evaluation.worlds import commands as making

if TYPE_CHECKING:
    from robot_memory.evaluation.assets import Assets
    from robot_memory.evaluation.public.watched import Judge
    from robot_memory.evaluation.rendering.render import Rendered
    from robot_memory.evaluation.subject import Subject
    from robot_memory.evaluation.trial import Trial


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `world`, `evaluate` and `bench`, with all they can do, to the command line's verbs."""
    public.add_options(verb := scoring.register(verbs))
    compressing.add_options(verb)
    verb.set_defaults(func=partial(_evaluate, verb))
    bench.register(verbs)
    world = verbs.add_parser(
        "world",
        help="make worlds and bags, and look into them",
        description="Make worlds from seeds and bags of them, of scripts or of films; look into bags, and spoil them.",
    )
    actions = world.add_subparsers(dest="action", required=True, metavar="ACTION")
    making.register(actions)
    _register_render(actions)
    for one in (rendering, converting, hostile):
        one.register(actions)


def _register_render(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    render = actions.add_parser(
        "render",
        help="render a script or a world to a bag",
        description="Render a script (YAML; its format: docs/stories.md) or a world (a folder "
        "of `world make`) to a rosbag2 folder, with truth.json and, for a world, questions.json in it.",
    )
    render.add_argument("what", type=path, metavar="WHAT", help="the script, a YAML file, or a world's folder")
    render.add_argument("out", type=path, metavar="OUT", help="the bag's folder; other files in it stay")
    render.add_argument("--storage", choices=("mcap", "sqlite3"), default="mcap", help="the bag's storage (mcap)")
    render.add_argument("--force", action="store_true", help="replace a bag that is there already")
    render.add_argument(
        "--assets", type=path, metavar="DIR", help="faces and voices: DIR/portraits/NAME_a.jpg (or ROBOT_MEMORY_ASSETS)"
    )
    render.add_argument("--episodes", type=int, default=0, metavar="N", help="of a world: only the first N episodes")
    render.add_argument("--minutes", type=float, default=0.0, metavar="M", help="of a world: only the first M minutes")
    render.add_argument(
        "--readers", action="store_true", help="of a world: the voices of DIR/speech read aloud where nobody speaks"
    )
    render.set_defaults(func=render_world)


@like_ctrl_c()
def _evaluate(verb: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    from robot_memory.evaluation import subjects
    from robot_memory.evaluation.scoring.sources import kind

    options.check(args, verb, args.what if args.what in (*public.SETS, compressing.WHAT) else kind(args.what))
    subjects.check(args.subject)
    if args.what == compressing.WHAT:
        return compressing.measure(args)
    return public.measure(args, _memory, _judge) if args.what in public.SETS else scoring.evaluate(args)


def _memory(name: str, folder: Path, trial: Trial) -> Subject:
    from robot_memory.evaluation import subjects

    return subjects.make(name, folder, trial)


def _judge() -> Judge:
    from robot_memory.evaluation.public.watched import Judge
    from robot_memory.evaluation.scoring.judge import RIGHT, NormalisedJudge

    judge = NormalisedJudge()
    return Judge(judge.name, lambda question, reply, truth: judge.judge(question, reply, truth).kind == RIGHT)


@like_ctrl_c()
def render_world(args: argparse.Namespace) -> int:
    """Render and say what was written. Errors meant for a person rise to the command line."""
    from robot_memory.evaluation.assets import open_assets
    from robot_memory.evaluation.rendering.render import render
    from robot_memory.evaluation.story.scriptfile import load

    begun, assets = time.monotonic(), open_assets(args.assets)
    with Line() as line:
        show = line.share("rendering")
        if args.what.is_dir():
            done = _render_part(args, assets, show)
        else:
            done = render(load(args.what, assets), args.out, args.storage, args.force, show)
    for topic, count in sorted(done.counts.items()):
        print(f"{topic}: {count} messages")
    print(f"{done.bag}: {done.size / 1e6:.2f} MB in {time.monotonic() - begun:.1f} s")
    return 0


def _render_part(args: argparse.Namespace, assets: Assets, show: Callable[[float], None]) -> Rendered:
    """A world's folder; of a part of it, with questions about that part, asked at its end."""
    from robot_memory.evaluation import questionfile, truth
    from robot_memory.evaluation.rendering.render import render
    from robot_memory.evaluation.worlds import files, staging
    from robot_memory.evaluation.worlds.questions import questions_at

    world, part = files.load(args.what), staging.Part(args.episodes, args.minutes)
    known = truth.read(args.what / truth.FILE)
    script = staging.staged(world, assets, part, args.readers)
    if part.whole(world):
        end_ns, asked = known.end_ns, questionfile.read(args.what / questionfile.FILE, known.start_ns)
    else:
        end_ns, asked = script.end_ns, questions_at(world, script.end_ns)
    facts = staging.facts(world, end_ns)
    done = render(script, args.out, args.storage, args.force, show, facts, world.strangers)
    questionfile.write(asked, args.out / questionfile.FILE)
    return done
