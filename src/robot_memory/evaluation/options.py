"""What the verbs of this room share about their options: types for argparse, files that shall be written, what fits.

An option that does not fit what is measured is refused: silence would look like it had been heeded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from robot_memory.errors import SettingsInvalid

MOST_SEED = 2**31
MOST_DAYS = 36_500
SCORED = ("seeds", "bags", "world", "bag", "locomo")
FILMS = ("m3bench", "videomme")
COMPRESSION = ("compression",)
FITS: dict[str, tuple[str, ...]] = {  # option of `evaluate` -> what it fits
    "baseline": SCORED,
    "report": SCORED,
    "workers": SCORED,
    "ray": SCORED,
    "k": SCORED,
    "cells": SCORED,
    "mishaps": ("seeds", "world"),
    "later": ("seeds", "world"),
    "data": (*SCORED[2:], *FILMS, "speech", *COMPRESSION),
    "videos": FILMS,
    "out": FILMS,
    "limit": FILMS,
    "on": COMPRESSION,
    "seeds": COMPRESSION,
    "ratios": COMPRESSION,
    "compressors": COMPRESSION,
    "ablations": COMPRESSION,
    "days": COMPRESSION,
    "questions": COMPRESSION,
    "light": COMPRESSION,
    "plot": COMPRESSION,
}
NAMES = {"seeds": "seeds of worlds", "world": "a world's folder", "bag": "a bag", "bags": "a folder of bags"}


def path(written: str) -> Path:
    """A file or folder, for argparse."""
    if not written.strip():
        raise argparse.ArgumentTypeError("is empty: name a file or a folder")
    return Path(written)


def seed(written: str) -> int:
    """A seed, for argparse."""
    if not (written.isascii() and written.isdigit() and len(written) <= 10 and int(written) <= MOST_SEED):
        raise argparse.ArgumentTypeError(f"{written[:20]!r} is no seed: write a whole number from 0 to {MOST_SEED}")
    return int(written)


def days(written: str) -> float:
    """A number of days, for argparse."""
    try:
        count = float(written)
    except ValueError:
        count = 0.0
    if not 0 < count <= MOST_DAYS:  # nor a NaN
        raise argparse.ArgumentTypeError(f"{written[:20]!r} is no number of days: write one above 0, to {MOST_DAYS:,}")
    return count


def check(args: argparse.Namespace, verb: argparse.ArgumentParser, what: str) -> None:
    """Every option given fits `what`: one of SCORED, FILMS, speech or compression. Raises SettingsInvalid."""
    given = [name for name in FITS if getattr(args, name) != verb.get_default(name)]
    unfit = [name for name in given if what not in FITS[name]]
    if unfit:
        said = "; ".join(f"--{name} is for {_listed(FITS[name])}" for name in unfit)
        about = args.what if what in COMPRESSION else f"{args.what} is {NAMES.get(what, 'a public set')}"
        raise SettingsInvalid(f"{about}: {said} — leave out what does not fit")
    if what in FILMS and args.videos is None and (args.out or args.limit is not None):
        raise SettingsInvalid("--out and --limit are about films that are watched: give their folder too, --videos DIR")


def writable(out: Path, option: str) -> None:
    """A file can be written there. Nothing changes. Raises SettingsInvalid."""
    if out.is_dir():
        raise SettingsInvalid(f"{option} {out}: is a folder — name a file in it")
    there = out.exists()
    if there and not out.is_file():
        return  # a device or a pipe: opening it could wait for somebody
    try:
        out.open("ab").close()
        if not there:
            out.unlink()
    except OSError as error:
        raise SettingsInvalid(
            f"{option} {out}: cannot be written ({error.strerror}) — name a file in a folder you may write to"
        ) from error


def _listed(kinds: tuple[str, ...]) -> str:
    names = [NAMES.get(one, one) for one in kinds]
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
