"""A second server on the same memory is turned away, however often it tries; the first does not notice."""

from __future__ import annotations

import os
from pathlib import Path

from inspection import Undisturbed
from troubles import Starter, is_whole
from writing_server import start

ALL = 12


def test_the_second_is_told_who_is_first(tmp_path: Path, life: Undisturbed, starts: Starter) -> None:
    first = start(tmp_path)
    for number, clip in enumerate(life.clips):
        if number == 6:
            fates = starts(tmp_path, starts=3, clips=ALL)
            assert len(fates) == 3
            for fate in fates:
                assert fate.plain and str(os.getpid()) in fate.error and "stop it" in fate.error
        first.spool.open_session(clip.session)
        first.intake.clip_ready(first.spool.add(clip.observation))
    first.intake._lane.submit(lambda: None).result(20)
    assert first.intake.problems == {}
    first.close()
    assert is_whole(tmp_path, life, ALL) == ALL
    (second,) = starts(tmp_path, starts=1, clips=ALL)
    assert (second.error, second.problems, second.stored, second.waiting) == ("", {}, ALL, 0)
