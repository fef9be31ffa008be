"""The command line's `doctor` verb."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from robot_memory.config import PerceptionSettings, StoreSettings
from robot_memory.doctor.finding import Check, Finding


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `doctor`. It sets `func`, which takes the arguments and returns an exit code."""
    about = "what this machine has, what is missing, and how to get it"
    verb = verbs.add_parser("doctor", help=about, description=f"Say {about}. Exit code 1: it cannot run.")
    verb.add_argument("--store", default="", metavar="FILE", help="the memory to look at (default: the usual one)")
    verb.add_argument("--profile", default=PerceptionSettings().profile, help="model profile (default: %(default)s)")
    verb.add_argument("--json", action="store_true", help="for programs")
    verb.set_defaults(func=doctor)


def doctor(args: argparse.Namespace) -> int:
    """Print what was found. Returns 1 if something that is needed is missing, else 0."""
    from robot_memory.doctor.examination import examine

    findings = examine(checks(StoreSettings(path=args.store), args.profile))
    fatal = [one for one in findings if one.fatal]
    print(as_json(findings) if args.json else "\n".join([*lines(findings), "", verdict(fatal)]))
    return int(bool(fatal))


def checks(store: StoreSettings, profile: str) -> list[Check]:
    """All that is looked at, in the order in which it is told."""
    from robot_memory.doctor import belongings, machine, middleware, senses

    return [
        Check("python", machine.python),
        Check("libraries", machine.libraries),
        Check("ros", middleware.ros),
        Check("network", middleware.network),
        Check("models", lambda: belongings.models(profile)),
        Check("processors", machine.processors),
        Check("microphone", senses.microphones),
        Check("camera", senses.cameras),
        Check("sqlite", belongings.database),
        Check("memory", lambda: belongings.memory(store)),
        Check("copies", lambda: belongings.copies(store)),
        Check("spool", lambda: belongings.spool(store)),
        Check("disk", lambda: belongings.disk(store)),
        Check("clock", machine.clock),
        Check("limits", machine.limits),
        Check("flite", machine.speech),
        Check("extras", machine.extras),
    ]


def lines(findings: Sequence[Finding]) -> list[str]:
    """One line each: state, what, how it is, what to do."""
    width = max(len(one.what) for one in findings)
    return [
        f"{one.state.value:7}  {one.what:{width}}  {one.text}" + (f" — {one.remedy}" if one.remedy else "")
        for one in findings
    ]


def verdict(fatal: Sequence[Finding]) -> str:
    if not fatal:
        return "All that is needed is here."
    return f"Not ready: {', '.join(dict.fromkeys(one.what for one in fatal))} missing, see above."


def as_json(findings: Sequence[Finding]) -> str:
    """The same for programs, in ASCII: whatever the terminal's letters are, it can be read."""
    found = [
        {"what": f.what, "state": f.state.value, "text": _text(f.text), "remedy": _text(f.remedy), "needed": f.needed}
        for f in findings
    ]
    return json.dumps({"ready": not any(f.fatal for f in findings), "findings": found}, indent=2)


def _text(words: str) -> str:
    """Paths may hold bytes that are no text."""
    return words.encode("utf-8", "replace").decode("utf-8")
