"""Verbs for rendered bags: `world sheet` draws one for people to look at, `world listen` says what is heard of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verbs to those of `world`."""
    sheet = actions.add_parser(
        "sheet",
        help="a contact sheet of a bag, to look at",
        description="Draw pictures, who is in view, the sound and the words of a bag with its truth, as one PNG.",
    )
    sheet.add_argument("bag", type=Path, metavar="BAG", help="the bag's folder, with truth.json in it")
    sheet.add_argument("out", type=Path, metavar="OUT.png", help="the picture to write")
    sheet.add_argument(
        "--every", type=float, default=0.0, metavar="S", help="seconds between pictures (all on one sheet)"
    )
    sheet.set_defaults(func=_sheet)
    listen = actions.add_parser(
        "listen",
        help="what speech recognition makes of a bag's lines",
        description="Word error rate of the product's ears on a bag with its truth, by person and in all.",
    )
    listen.add_argument("bag", type=Path, metavar="BAG", help="the bag's folder, with truth.json in it")
    listen.add_argument("--lines", action="store_true", help="also print every line that was misheard")
    listen.set_defaults(func=_listen)


def _sheet(args: argparse.Namespace) -> int:
    from robot_memory.evaluation.rendering import sheet

    wide, high = sheet.write(args.bag, args.out, args.every)
    print(f"{args.out}: {wide} x {high}")
    return 0


def _listen(args: argparse.Namespace) -> int:
    from robot_memory.evaluation.rendering.listening import listen, word_error_rate

    heard = listen(args.bag, progress("listening"))
    print(file=sys.stderr)
    for one in heard:
        if args.lines and one.errors:
            print(f"{one.line.who}: {one.line.text}\n    {one.text or '(nothing)'}")
    for who in sorted({one.line.who for one in heard}):
        own = [one for one in heard if one.line.who == who]
        print(f"{who}: {word_error_rate(own):.1%} of {sum(one.words for one in own)} words wrong")
    print(f"all: {word_error_rate(heard):.1%} of {sum(one.words for one in heard)} words wrong, {len(heard)} lines")
    return 0


def progress(what: str) -> Callable[[float], None]:
    """A line on stderr that grows by whole percents."""
    last = -1

    def show(done: float) -> None:
        nonlocal last
        if (percent := int(done * 100)) > last:
            last = percent
            print(f"\r{what} {percent:3d} %", end="", file=sys.stderr, flush=True)

    return show
