"""The command line's `evaluate compression`: what forgetting costs, by compressor and by how much is gone."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from robot_memory.errors import SettingsInvalid
from robot_memory.evaluation.compression.plan import DAYS, MOST_DAYS, RATIOS, SEEDS, SETS
from robot_memory.evaluation.options import path, writable
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.terminal import shown

WHAT = "compression"


def add_options(verb: argparse.ArgumentParser) -> None:
    """What `evaluate` can be told about compression."""
    verb.add_argument(
        "--on", nargs="+", choices=SETS, metavar="SET", help=f"compression: on which of {', '.join(SETS)} (all)"
    )
    verb.add_argument("--seeds", default=SEEDS, metavar="SEEDS", help=f"compression: of worlds and lives ({SEEDS})")
    verb.add_argument(
        "--ratios",
        type=_ratios,
        default=RATIOS,
        metavar="R,…",
        help=f"compression: shares of memories gone ({','.join(map(str, RATIOS))})",
    )
    verb.add_argument("--compressors", nargs="+", default=[], metavar="NAME", help="compression: only these of them")
    verb.add_argument("--ablations", action="store_true", help="compression: also ours without each of its parts")
    verb.add_argument("--days", type=_days, default=DAYS, metavar="N", help=f"compression: length of lives ({DAYS})")
    verb.add_argument("--questions", type=_count, default=0, metavar="N", help="compression: at most N of each case")
    verb.add_argument("--light", action="store_true", help="compression: with the light profile's text embedder")
    verb.add_argument("--plot", type=path, metavar="FILE", help="compression: also as a picture (SVG)")


def measure(args: argparse.Namespace) -> int:
    """Measure and print; of an interrupted run what there is. Errors meant for a person rise to the command line."""
    from robot_memory.evaluation.compression.cases import recipes
    from robot_memory.evaluation.compression.contenders import contenders
    from robot_memory.evaluation.compression.plot import write
    from robot_memory.evaluation.compression.runs import run_all
    from robot_memory.evaluation.compression.summary import summarise
    from robot_memory.evaluation.compression.table import table
    from robot_memory.evaluation.scoring.sources import seeds

    kinds = list(dict.fromkeys(args.on or [kind for kind in SETS if kind != "locomo" or args.data]))
    if ("locomo" in kinds) != (args.data is not None):
        raise SettingsInvalid("--data FILE.json is LoCoMo's, as published: give it with --on locomo, and only then")
    if args.plot:
        writable(args.plot, "--plot")
    chosen = contenders(args.compressors, args.ablations)
    wanted = recipes(kinds, args.data, seeds(args.seeds), args.days, args.questions, args.light)
    with Line() as line:
        done = run_all(wanted, chosen, args.ratios, line.show)
    summary = summarise(done)
    print(json.dumps(summary, indent=1) if args.json else shown(table(summary)), flush=True)
    if args.plot and done.runs:
        write(summary, args.plot)
    if done.interrupted:
        raise KeyboardInterrupt
    return 0


def _ratios(written: str) -> tuple[float, ...]:
    """Shares from 0 to below 1 with commas between, each once, ascending; for argparse."""
    try:
        found = sorted({float(part) for part in written.split(",")})
    except ValueError:
        found = [1.0]
    if not all(0.0 <= one < 1.0 for one in found):  # nor a NaN
        raise argparse.ArgumentTypeError(f"{written[:20]!r}: write shares from 0 to below 1, as in 0,0.5,0.9")
    return tuple(found)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def whole(written: str) -> int:
        if not (written.isascii() and written.isdigit() and len(written) <= 9 and low <= int(written) <= high):
            raise argparse.ArgumentTypeError(f"{written[:20]!r}: write a whole number from {low} to {high:,}")
        return int(written)

    return whole


_days, _count = _whole(1, MOST_DAYS), _whole(1, 100_000)
