"""Played at its own pace like a live source: every loss is counted, sound is not lost, the sums agree."""

from __future__ import annotations

import re

from ros_graph import GRACE, Robot


def test_free_running_counts_every_frame_and_loses_no_sound(robot: Robot) -> None:
    done = robot.replay(GRACE, "--rate", "3")
    assert done.returncode == 0, done.stderr
    clips = re.search(r"clips: (\d+) in = (\d+) stored \+ (\d+) skipped \+ (\d+) waiting", done.stdout)
    frames = re.search(
        r"frames: (\d+) sent, (\d+) lost on the way; (\d+) in = (\d+) used \+ (\d+) spare \+ (\d+) dropped", done.stdout
    )
    assert clips and frames, done.stdout
    came, stored, skipped, waiting = map(int, clips.groups())
    assert came == stored + skipped and waiting == 0 and stored == 3
    sent, lost, arrived, used, spare, dropped = map(int, frames.groups())
    assert sent == 310 and lost == sent - arrived and arrived == used + spare + dropped
    assert "audio: 620 chunks sent, 0 lost on the way, gaps of 0.0 s" in done.stdout
