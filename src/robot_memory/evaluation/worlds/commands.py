"""The command line's `world make`: `robot-memory world make --seed N [--days D --people P --rooms R] OUT`."""

from __future__ import annotations

import argparse
from collections import Counter

from robot_memory.evaluation.options import path, seed
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.stopping import like_ctrl_c


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `make` to the actions of the `world` verb."""
    make = actions.add_parser(
        "make",
        help="make a world of people, days and questions from a seed",
        description="Make a world from a seed: its truth, its questions and what a robot with perfect senses perceives "
        "of it, as files in a folder. The same seed and options give the same world.",
    )
    make.add_argument("--seed", type=seed, required=True, help="a whole number; 0 to 49 are for building")
    make.add_argument("--days", type=int, default=3, help="days in a row (3)")
    make.add_argument("--people", type=int, default=6, help="people who are seen or heard (6)")
    make.add_argument("--rooms", type=int, default=4, help="rooms that the robot moves between (4)")
    make.add_argument("--force", action="store_true", help="replace a world that is there already")
    make.add_argument("out", type=path, metavar="OUT", help="the folder to write into; other files in it stay")
    make.set_defaults(func=make_world)


@like_ctrl_c()
def make_world(args: argparse.Namespace) -> int:
    """Make, write and sum up. Errors meant for a person rise to the command line."""
    from robot_memory.evaluation.worlds import files
    from robot_memory.evaluation.worlds.make import make
    from robot_memory.evaluation.worlds.questions import questions

    if not args.force:
        files.check_free(args.out)
    with Line() as line:
        line.show("making days and talk")
        world = make(args.seed, args.days, args.people, args.rooms)
        asked = questions(world, progress=line.share("making questions"))
        files.save(world, args.out, asked, args.force, line.share("writing what is perceived"))
    minutes = sum(episode.duration_s for episode in world.episodes) / 60
    told = sum(bool(fact.told) for fact in world.facts)
    types = Counter(question.type for question in asked)
    print(f"{args.out}: {world.name}")
    print(f"people     {len(world.people)} ({', '.join(f'{one.name} {one.kind}' for one in world.people)})")
    print(f"rooms      {', '.join(room.name for room in world.rooms)}")
    print(f"episodes   {len(world.episodes)} in {len(world.days)} days, {minutes:.0f} minutes")
    print(f"facts      {told} told, {len(world.facts) - told} that nobody tells")
    print(f"questions  {len(asked)}: {', '.join(f'{count} {name}' for name, count in types.most_common())}")
    print(
        f"           {sum(not one.answerable for one in asked)} nobody can answer, "
        f"{sum(one.sight for one in asked)} need sight"
    )
    return 0
