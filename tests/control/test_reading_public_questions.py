"""Questions that others have worded are read: each asks for something, and whom it names is found, in capitals or not.

Not what they should be read as: that is in no file. Skipped where the data is not there.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from reading_cast import Cast

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.reader import Reader

DATA = Path(os.environ.get("ROBOT_MEMORY_DATA") or Path(__file__).parents[3] / "shared" / "data")
NOW_NS = 1_772_452_800_000_000_000
EVERY = 4  # question: enough for the shares, in little time


@pytest.mark.parametrize("small", [False, True], ids=["as written", "in small letters"])
def test_speakers_are_found_and_something_is_asked(tmp_path: Path, small: bool) -> None:
    if not (path := DATA / "locomo_dev.json").exists():
        pytest.skip(f"{path} is not there (set ROBOT_MEMORY_DATA)")
    named = found = questions = asking = 0
    for number, talk in enumerate(json.loads(path.read_text("utf-8"))):
        cast = {person: (name,) for person, name in enumerate(talk["speakers"], start=1)}
        with Cast(tmp_path / f"{number}.sqlite", cast) as people:
            reader = Reader(people)
            for question in (row["question"] for row in talk["qa"][::EVERY]):
                wanted = {person for person, (name,) in cast.items() if re.search(rf"\b{name}\b", question)}
                try:
                    reading = reader.read(question.lower() if small else question, NOW_NS, Zone())
                except UnknownTime:
                    continue
                mentioned = {person for mention in reading.mentions for person in mention.persons}
                named, found = named + len(wanted), found + len(wanted & mentioned)
                questions, asking = questions + 1, asking + bool(reading.asks)
    assert questions > 200 and asking == questions
    assert found >= 0.98 * named
