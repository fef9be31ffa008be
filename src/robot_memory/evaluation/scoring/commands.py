"""`robot-memory evaluate WHAT`: how well is it remembered, beside which baselines, and what went wrong."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from robot_memory.evaluation.options import days, path, writable
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.terminal import shown

if TYPE_CHECKING:
    from robot_memory.evaluation.scoring.many import Evaluation

CELLS = ("memory+words", "memory+people", "memory+words+people")
ABOUT = (
    "Measure the memory on generated worlds (their seeds: 7, 0-19, 1,4), on a bag with its truth, or on a public set, "
    "and print a table with the baselines beside it."
)


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add `evaluate` to the command line's verbs; returns it, so that more can be added."""
    verb = verbs.add_parser("evaluate", help="measure how well things are remembered", description=ABOUT)
    verb.add_argument(
        "what",
        metavar="WHAT",
        help="seeds of worlds (7, 0-19, 1,4), a world's folder, bags, compression, or a set: locomo, m3bench, "
        "videomme, speech",
    )
    verb.add_argument("--baseline", nargs="+", action="extend", default=[], metavar="NAME", help="memories beside it")
    verb.add_argument("--subject", default="memory", metavar="NAME", help="the memory to measure (default: memory)")
    verb.add_argument("--json", action="store_true", help="print everything as JSON in place of the table")
    verb.add_argument("--report", type=path, metavar="FILE", help="write an HTML report with every failure")
    verb.add_argument("--workers", type=int, default=1, metavar="N", help="trials at a time, a process each (1)")
    verb.add_argument(
        "--ray", default="", metavar="ADDRESS", help="run the trials on a Ray cluster instead, or 'local'"
    )
    verb.add_argument("--k", nargs="+", type=int, default=[1, 5, 10, 20], metavar="K", help="of recall@k (1 5 10 20)")
    verb.add_argument("--data", type=path, metavar="FILE", help="the set's data, or a bag's questions")
    verb.add_argument("--cells", action="store_true", help="also with words, people or both put right: four cells")
    verb.add_argument(
        "--mishaps",
        nargs="*",
        metavar="NAME=RATE",
        help="of worlds: perceived with errors, at default rates but for these; 'none': at no others",
    )
    verb.add_argument(
        "--later", type=days, metavar="DAYS", help="of worlds: what names no time, asked again so long after the end"
    )
    verb.set_defaults(func=evaluate)
    return verb


def evaluate(args: argparse.Namespace) -> int:
    """Measure and print. Returns 1 if anything could not be measured, or not wholly."""
    from robot_memory.errors import SettingsInvalid
    from robot_memory.evaluation.scoring import many, report
    from robot_memory.evaluation.scoring.sources import sources
    from robot_memory.evaluation.scoring.summary import summarise
    from robot_memory.evaluation.scoring.table import table
    from robot_memory.evaluation.worlds.mishaps.rates import parsed

    if args.workers < 1 or min(args.k) < 1:
        raise SettingsInvalid("--workers and --k must be at least 1")
    if args.report:
        writable(args.report, "--report")
    makers = many.by_name(list(dict.fromkeys([args.subject, *(CELLS if args.cells else ()), *args.baseline])))
    mishaps = None if args.mishaps is None else parsed(args.mishaps)
    found = sources(args.what, args.data, mishaps, args.later)
    with Line() as line:
        progress = _progress(line, len(found))
        done = many.evaluate(found, makers, args.workers, args.ray, sorted(set(args.k)), progress=progress)
    later = "" if args.later is None else f", asked {args.later:g} days later"
    summary = summarise(done, args.what + (" with mishaps" if mishaps else "") + later)
    print(json.dumps(summary, indent=1) if args.json else shown(table(summary)), flush=True)
    for told in _incomplete(done):
        print(shown(told), file=sys.stderr)
    if args.report:
        report.write(summary, args.report)
        print(f"{args.report}: the report", file=sys.stderr)
    return 1 if done.failures or any(score.problems for score in done.scores) else 0


def _incomplete(done: Evaluation) -> Iterator[str]:
    """A line for each memory that failed while it watched or told: its figures are of what was left."""
    for name in done.subjects:
        own = [score for score in done.scores if score.subject == name and score.problems]
        if own:
            count, first = sum(len(score.problems) for score in own), own[0]
            yield (
                f"INCOMPLETE {name}: it failed {count} time{'s' * (count != 1)} while watching or telling, first in "
                f"{first.trial} at {first.problems[0]}; its figures are of the rest"
            )


def _progress(line: Line, sources: int) -> Callable[[str, float], None]:
    """Shows the share of all the work that is done."""
    shares: dict[str, float] = {}

    def show(source: str, done: float) -> None:
        shares[source] = done
        ready = sum(share >= 1.0 for share in shares.values())
        line.show(f"measuring {int(100 * sum(shares.values()) / sources):3d} % ({ready} of {sources} trials)")

    return show
