"""`robot-memory models list | fetch | verify`: what a profile needs, what is there, and whether its bytes are right."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from robot_memory.models import places
from robot_memory.models.fetch import fetch
from robot_memory.models.files import ModelFile
from robot_memory.models.manifest import load_profile
from robot_memory.models.mirrors import Progress, Watch, megabytes
from robot_memory.models.model import DEFAULT_PROFILE, Model, Profile, fetch_command
from robot_memory.models.weights import FileState, rehash, state

INTERRUPTED = 130
WORST_FIRST = (FileState.MISSING, FileState.PARTIAL, FileState.WRONG, FileState.UNVERIFIED, FileState.READY)
Look = Callable[[Path, ModelFile], FileState]


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `models` and its own verbs. Each sets `func`, which takes the arguments and returns an exit code."""
    models = verbs.add_parser("models", help="list, fetch and verify the model weights a profile needs")
    own = models.add_subparsers(dest="models_verb", metavar="VERB", required=True)
    for name, func, sentence in (
        ("list", list_models, "show each role's model, its size, its licence and whether it is there"),
        ("fetch", fetch_models, "download what is missing, resuming what was begun, and verify it"),
        ("verify", verify_models, "read every byte and compare it with the manifest's sha256"),
    ):
        verb = own.add_parser(name, help=sentence, description=f"{sentence[0].upper()}{sentence[1:]}.")
        verb.add_argument("--profile", default=DEFAULT_PROFILE, help="a file in models/ (default: %(default)s)")
        verb.set_defaults(func=func)


def list_models(args: argparse.Namespace) -> int:
    """Show what is known without reading the weights. Returns 0."""
    profile = load_profile(args.profile)
    print(f"profile {profile.name}: {profile.about}")
    print_table(profile, state)
    return 0


def fetch_models(args: argparse.Namespace) -> int:
    """Bring what is missing. Returns 0, or 130 after Ctrl-C; raises RobotMemoryError like `fetch`."""
    profile, screen = load_profile(args.profile), ProgressLine()
    try:
        report = fetch(profile, Watch(screen.show))
    except KeyboardInterrupt:
        screen.end()
        print("stopped; run it again to go on where it stopped")
        return INTERRUPTED
    finally:
        screen.end()
    print_table(profile, state)
    brought = f"fetched {report.fetched} files, {megabytes(report.bytes)}, in {report.seconds:.1f} s"
    print(f"{brought}; {report.present} were there already")
    return 0


def verify_models(args: argparse.Namespace) -> int:
    """Hash every file. Returns 0 if all are right, else 1."""
    profile = load_profile(args.profile)
    if print_table(profile, rehash):
        return 0
    print(f"not all is right — run: {fetch_command(profile.name)}")
    return 1


def print_table(profile: Profile, look: Look) -> bool:
    """Print a line a model and where they lie. Returns whether every file is ready."""
    states = [model_state(model, look) for model in profile.models]
    rows = [(m.role, m.name, megabytes(m.bytes), m.licence.spdx, s.value) for m, s in zip(profile.models, states)]
    total = megabytes(sum(model.bytes for model in profile.models))
    print("\n".join(aligned([("role", "model", "size", "licence", "state"), *rows])))
    print(f"{total} in {places.weights_folder()}")
    return all(found is FileState.READY for found in states)


def model_state(model: Model, look: Look) -> FileState:
    """The worst state among the model's files."""
    return min((look(model.folder, file) for file in model.files), key=WORST_FIRST.index)


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows as lines with columns of equal width, sizes to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    justify = [str.rjust if title == "size" else str.ljust for title in rows[0]]
    return ["  ".join(put(cell, width) for put, cell, width in zip(justify, row, widths)).rstrip() for row in rows]


class ProgressLine:
    """Progress on standard error: one line that is rewritten on a terminal, a line a step elsewhere."""

    def __init__(self) -> None:
        self.step, self.open, self.terminal = "", False, sys.stderr.isatty()

    def show(self, progress: Progress) -> None:
        if self.terminal:
            share = f"  {progress.done / progress.total:4.0%} of {megabytes(progress.total)}" if progress.total else ""
            print(f"\r\033[K{progress.step}{share}", end="", file=sys.stderr, flush=True)
            self.open = True
        elif progress.step != self.step:
            print(progress.step, file=sys.stderr)
        self.step = progress.step

    def end(self) -> None:
        """Leave the rewritten line, so that what follows starts on its own."""
        if self.open:
            print(file=sys.stderr)
            self.open = False
