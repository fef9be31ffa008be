"""The command line's `world hostile KIND|all SOURCE OUT`: bad bags made of a good one."""

from __future__ import annotations

import argparse

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.options import path, seed
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.stopping import like_ctrl_c


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `hostile` to what `robot-memory world` can do."""
    hostile = actions.add_parser(
        "hostile",
        help="make bad bags of a good one",
        description="Make bad bags of a good one, to try out what a program makes of them. The same seed gives the "
        "same bags. Without SOURCE and OUT, list the kinds.",
    )
    hostile.add_argument("kind", metavar="KIND", help="what shall be wrong, or all: each kind in a folder below OUT")
    hostile.add_argument("source", type=path, nargs="?", metavar="SOURCE", help="a good bag (see world render)")
    hostile.add_argument("out", type=path, nargs="?", metavar="OUT", help="the new bag's folder")
    hostile.add_argument("--seed", type=seed, default=0, help="for whatever is random about it (0)")
    hostile.add_argument("--force", action="store_true", help="replace a bag that is there already")
    hostile.set_defaults(func=make_hostile)


@like_ctrl_c()
def make_hostile(args: argparse.Namespace) -> int:
    """Make one kind or all, and print what each is. Errors meant for a person rise to the command line."""
    from robot_memory.evaluation.hostile import bags

    kinds = bags.KINDS if args.kind == "all" else (args.kind,)
    if args.source is not None and args.out is None:
        raise RobotMemoryError(f"{args.source} is the good bag; where shall the bad one be? Give OUT as well")
    if args.source is None:
        for kind in kinds:
            print(f"{kind}: {bags.what(kind)}")
        return 0
    with Line() as line:
        for number, kind in enumerate(kinds, start=1):
            line.show(f"{kind} ({number} of {len(kinds)})")
            out = args.out / kind if args.kind == "all" else args.out
            bags.make(kind, args.source, out, args.seed, args.force)
    print(f"{args.out}: {len(kinds)} bad bag{'s' if len(kinds) > 1 else ''}, seed {args.seed}")
    return 0
