"""The command line's `bench memory`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from robot_memory.evaluation.bench import plan
from robot_memory.evaluation.bench.machine import one_thread
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.stopping import like_ctrl_c

ABOUT = (
    "Measure what remembering and finding again cost on this machine, every figure as a ratio to something measured in "
    "the same run, on made-up memories in a temporary folder. One thread; some minutes; Ctrl-C prints what there is."
)


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `bench`, with all it can do, to the command line's verbs."""
    verb = verbs.add_parser("bench", help="measure what it costs on this machine", description=ABOUT)
    benches = verb.add_subparsers(dest="bench", required=True, metavar="WHAT")
    memory = benches.add_parser("memory", help="vectors, retrieval, opening a store", description=ABOUT)
    memory.add_argument(
        "--sizes", type=_numbers(100, 10_000_000), metavar="N,…", help=f"numbers of memories ({_listed(plan.SIZES)})"
    )
    memory.add_argument(
        "--dimensions", type=_numbers(8, 16_384), metavar="D,…", help=f"of vectors ({_listed(plan.DIMENSIONS)})"
    )
    memory.add_argument("--rounds", type=_number(1, 100_000), metavar="N", help=f"of each contest ({plan.ROUNDS})")
    memory.add_argument("--only", nargs="+", choices=plan.PARTS, metavar="PART", help=f"of {', '.join(plan.PARTS)}")
    memory.add_argument(
        "--quick",
        action="store_true",
        help=f"{_listed(plan.QUICK_SIZES)} memories, {plan.QUICK_ROUNDS} rounds, unless others are given",
    )
    memory.add_argument("--json", action="store_true", help="print everything as JSON in place of the table")
    memory.set_defaults(func=measure)


@like_ctrl_c()
def measure(args: argparse.Namespace) -> int:
    """Measure and print. Errors meant for a person rise to the command line."""
    sizes, dimensions, rounds = (
        (plan.QUICK_SIZES, plan.QUICK_DIMENSIONS, plan.QUICK_ROUNDS)
        if args.quick
        else (plan.SIZES, plan.DIMENSIONS, plan.ROUNDS)
    )
    with one_thread(), TemporaryDirectory(prefix="robot-memory-bench-") as folder:
        from robot_memory.evaluation.bench.memory import measured, printed

        with Line() as line:
            wanted = plan.Plan(
                args.sizes or sizes, args.dimensions or dimensions, args.rounds or rounds, Path(folder), line.show
            )
            report = measured(wanted, args.only or plan.PARTS)
    print(printed(report, args.json))
    if report.interrupted:
        raise KeyboardInterrupt
    return 0


def _number(low: int, high: int) -> Callable[[str], int]:
    """A whole number, for argparse."""

    def number(written: str) -> int:
        if not (written.isascii() and written.isdigit() and len(written) < 20 and low <= int(written) <= high):
            raise argparse.ArgumentTypeError(f"{written[:20]!r}: write whole numbers from {low:,} to {high:,}")
        return int(written)

    return number


def _numbers(low: int, high: int) -> Callable[[str], tuple[int, ...]]:
    """Whole numbers with commas between, each once, ascending."""
    one = _number(low, high)
    return lambda written: tuple(sorted({one(part) for part in written.split(",")}))


def _listed(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))
