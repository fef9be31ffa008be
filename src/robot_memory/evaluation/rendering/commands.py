"""Verbs for rendered bags: `world sheet` draws one for people to look at, `world listen` says what is heard of it."""

from __future__ import annotations

import argparse

from robot_memory.evaluation.options import path
from robot_memory.evaluation.progress import Line
from robot_memory.evaluation.stopping import like_ctrl_c
from robot_memory.evaluation.terminal import shown


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verbs to those of `world`."""
    sheet = actions.add_parser(
        "sheet",
        help="a contact sheet of a bag, to look at",
        description="Draw pictures, who is in view, the sound and the words of a bag with its truth, as one PNG.",
    )
    sheet.add_argument("bag", type=path, metavar="BAG", help="the bag's folder, with truth.json in it")
    sheet.add_argument("out", type=path, metavar="OUT.png", help="the picture to write")
    sheet.add_argument(
        "--every", type=float, default=0.0, metavar="S", help="seconds between pictures (all on one sheet)"
    )
    sheet.set_defaults(func=_sheet)
    listen = actions.add_parser(
        "listen",
        help="what speech recognition makes of a bag's lines",
        description="Word error rate of the product's ears on a bag with its truth, by person and in all.",
    )
    listen.add_argument("bag", type=path, metavar="BAG", help="the bag's folder, with truth.json in it")
    listen.add_argument("--lines", action="store_true", help="also print every line that was misheard")
    listen.set_defaults(func=_listen)


@like_ctrl_c()
def _sheet(args: argparse.Namespace) -> int:
    from robot_memory.evaluation.rendering import sheet

    wide, high = sheet.write(args.bag, args.out, args.every)
    print(f"{args.out}: {wide} x {high}")
    return 0


@like_ctrl_c()
def _listen(args: argparse.Namespace) -> int:
    from robot_memory.evaluation.rendering.listening import errors_in, listen
    from robot_memory.evaluation.wordrate import NORMALISED

    with Line() as line:
        heard = listen(args.bag, line.share("listening"))
    for one in heard:
        if args.lines and one.errors.errors:
            print(shown(f"{one.line.who}: {one.line.text}\n    {one.text or '(nothing)'}"))
    for who in sorted({one.line.who for one in heard}):
        own = errors_in(one for one in heard if one.line.who == who)
        print(f"{shown(who)}: {own.rate:.1%} of {own.words} words wrong")
    total = errors_in(heard)
    print(f"all: {total.rate:.1%} of {total.words} words wrong, {len(heard)} lines")
    print(f"  normalised: {NORMALISED}")
    return 0
