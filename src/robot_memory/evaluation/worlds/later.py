"""A world's questions again, long after it has ended: evidence that is months old, without months of stream.

Only those whose answer stays what it was: asked when all was over, and naming no time. "Yesterday" is another day by
then, "still" asks how things are now, and what was asked in the middle may have changed until the end.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from robot_memory.control.clock import Zone
from robot_memory.control.times import Span, UnknownTime, span_in
from robot_memory.control.understanding.reader import Reader
from robot_memory.evaluation.trial import Question, Trial
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store
from robot_memory.streams.media import SECOND

DAY_NS = 24 * 3600 * SECOND
ABOUT = re.compile(r"\babout\b", re.IGNORECASE)


def asked_later(trial: Trial, after_days: float) -> Trial:
    """The trial with its lasting questions alone, all asked so many days after its end."""
    at_ns = trial.truth.end_ns + round(after_days * DAY_NS)
    with TemporaryDirectory(prefix="robot-memory-") as folder, Store(Path(folder) / "nobody.sqlite") as nobody:
        reader, zone = Reader(People(nobody.reader())), Zone(trial.truth.zone)
        over = [one for one in trial.questions if one.at_ns >= trial.truth.end_ns]
        lasting = [one for one in over if _lasts(one, reader, zone)]
    return replace(trial, questions=tuple(replace(one, at_ns=at_ns) for one in lasting))


def _lasts(question: Question, reader: Reader, zone: Zone) -> bool:
    """Whether the words mean the same at any later time, as the product reads them. A time that is only spoken about
    ("what about this morning, who was here?") moves on as well.
    """
    try:
        reading = reader.read(question.text, question.at_ns, zone)
        spoken_about, _ = span_in(ABOUT.sub(" ", question.text), question.at_ns, zone)
    except UnknownTime:
        return False
    return reading.span == spoken_about == Span() and not reading.order and not reading.validity
