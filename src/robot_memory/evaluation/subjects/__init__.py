"""Memories under test, by name. Each is loaded when it is asked for, so a missing model of one disturbs no other.

SUBJECTS see what a robot sees. ORACLES are upper bounds: they may look at the truth, and are named so in every table.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.subject import Subject
from robot_memory.evaluation.trial import Trial

HERE = "robot_memory.evaluation.subjects"
SUBJECTS = {  # name -> "module:callable", called with an empty folder of its own
    "memory": f"{HERE}.memory:MemorySubject",
    "memory+algorithm2": f"{HERE}.linking:Algorithm2Subject",
    "memory+published": f"{HERE}.linking:PublishedSubject",
    "bm25": f"{HERE}.bm25:Bm25Subject",
    "flat": f"{HERE}.flat:FlatSubject",
    "flat-wordllama": f"{HERE}.flat:with_wordllama",
    "hybrid": f"{HERE}.hybrid:HybridSubject",
    "hybrid-wordllama": f"{HERE}.hybrid:with_wordllama",
    "context": f"{HERE}.hybrid:ContextSubject",
    "context-wordllama": f"{HERE}.hybrid:context_with_wordllama",
    "socratic": f"{HERE}.socratic:SocraticSubject",
    "socratic-wordllama": f"{HERE}.socratic:with_wordllama",
    "tmr": f"{HERE}.decay:DecaySubject",
    "tmr-wordllama": f"{HERE}.decay:with_wordllama",
    "tmr-undecayed": f"{HERE}.decay:UndecayedSubject",
    "tmr-undecayed-wordllama": f"{HERE}.decay:undecayed_with_wordllama",
}
ORACLES = {  # name -> "module:callable", called with such a folder and the trial
    "oracle": f"{HERE}.oracle:OracleSubject",
    "oracle+facts": f"{HERE}.oracle:with_facts",
    "memory+names": f"{HERE}.named:NamedSubject",
    "memory+names+forced": f"{HERE}.named:forced",
    "memory+words": f"{HERE}.cells:with_words",
    "memory+people": f"{HERE}.cells:with_people",
    "memory+words+people": f"{HERE}.cells:with_both",
    # the baselines again, told who speaks
    "bm25+names": f"{HERE}.bm25:named",
    "flat+names": f"{HERE}.flat:named",
    "flat-wordllama+names": f"{HERE}.flat:with_wordllama_named",
    "hybrid+names": f"{HERE}.hybrid:named",
    "hybrid-wordllama+names": f"{HERE}.hybrid:with_wordllama_named",
    "context+names": f"{HERE}.hybrid:context_named",
    "context-wordllama+names": f"{HERE}.hybrid:context_with_wordllama_named",
    "socratic+names": f"{HERE}.socratic:named",
    "socratic-wordllama+names": f"{HERE}.socratic:with_wordllama_named",
    "tmr+names": f"{HERE}.decay:named",
    "tmr-wordllama+names": f"{HERE}.decay:with_wordllama_named",
    "tmr-undecayed+names": f"{HERE}.decay:undecayed_named",
    "tmr-undecayed-wordllama+names": f"{HERE}.decay:undecayed_with_wordllama_named",
}


class SubjectUnknown(RobotMemoryError):
    """There is no memory under test of this name."""


def names() -> list[str]:
    """Every name that `make` knows, sorted."""
    return sorted({**SUBJECTS, **ORACLES})


def check(name: str) -> None:
    """Raises SubjectUnknown."""
    if name not in SUBJECTS and name not in ORACLES:
        raise SubjectUnknown(f"there is no memory called {name!r} to measure; there are: {', '.join(names())}")


def make(name: str, folder: Path, trial: Trial) -> Subject:
    """A fresh memory of that name in an empty folder. Raises SubjectUnknown, or what the memory itself lacks."""
    check(name)
    module, _, made_by = (SUBJECTS.get(name) or ORACLES[name]).partition(":")
    if name in ORACLES:
        return cast(Subject, getattr(import_module(module), made_by)(folder, trial))
    return cast(Subject, getattr(import_module(module), made_by)(folder))
