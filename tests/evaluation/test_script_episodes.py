"""A day of several episodes: clock jumps, rooms, and a person who comes back in another picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from robot_memory.evaluation.assets import AssetsInvalid, open_assets
from robot_memory.evaluation.story.script import Line, Room, Script
from robot_memory.evaluation.story.scriptfile import parse
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.streams.media import SECOND

PATH = "path: [{at: 1, x: 0.5, size: 0.8}, {at: 2, x: 0.5, size: 0.8}]"
PERSON = "anna: {pictures: [a.jpg, b.jpg], voice: rms-plain}"
DAY = f"""\
name: day
zone: Europe/London
people:
  {PERSON}
episodes:
  - start: 2026-05-09T08:00:00+01:00
    duration: 10
    place: kitchen
    room: {{look: 3, light: 0.4, backlight: 0.5, noise: 6, echo: 2, shutter: 0.02}}
    scenes:
      - who: anna
        {PATH}
  - gap: 3600
    duration: 5
    scenes:
      - who: anna
        {PATH}
    says:
      - {{at: 1, who: anna, sound: a.jpg, text: "Once upon a time.", far: false}}
  - start: 2026-05-09T19:00:00+01:00
    duration: 5
    scenes:
      - who: anna
        picture: 2
        {PATH}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(b"looked at when rendering")
    return tmp_path


def test_episodes_follow_one_another_with_their_gaps(folder: Path) -> None:
    script: Script = parse(DAY, folder)
    morning, later, evening = script.episodes
    assert later.start_ns - morning.end_ns == 3600 * SECOND
    assert evening.start_ns - morning.start_ns == 11 * 3600 * SECOND
    assert (script.zone, script.duration_s, script.end_ns) == ("Europe/London", 20.0, evening.end_ns)
    assert (morning.place, morning.room, later.room) == ("kitchen", Room(3, 0.4, 0.5, 6, 2, 0.02), Room())


def test_each_new_scene_takes_the_next_picture_unless_it_names_one(folder: Path) -> None:
    script = parse(DAY, folder)
    assert [episode.scenes[0].picture for episode in script.episodes] == [0, 1, 1]
    again = parse(DAY.replace("        picture: 2\n", ""), folder)
    assert [episode.scenes[0].picture for episode in again.episodes] == [0, 1, 0]


def test_a_line_may_be_a_recording(folder: Path) -> None:
    line = parse(DAY, folder).episodes[1].lines[0]
    assert line == Line(1, "anna", "Once upon a time.", sound=folder / "a.jpg", far=False)


def test_a_person_may_look_like_a_face_of_the_assets(folder: Path) -> None:
    script = parse(DAY.replace("pictures: [a.jpg, b.jpg]", "looks: barack_obama, name: Walter"), folder)
    assert script.person("Walter").pictures == open_assets().looks("barack_obama")
    with pytest.raises(AssetsInvalid, match="no face 'nobody'"):
        parse(DAY.replace("pictures: [a.jpg, b.jpg]", "looks: nobody"), folder)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("2026-05-09T19:00", "2026-05-09T07:00", "line 20: episodes[2].start is before the end of the episode before"),
        ("  - start: 2026-05-09T08:00:00+01:00", "  - gap: 5", "line 6: episodes[0].gap is not a known field"),
        ("gap: 3600", "gap: -1", "line 13: episodes[1].gap is -1"),
    ],
)
def test_episodes_out_of_order_are_refused(folder: Path, right: str, wrong: str, said: str) -> None:
    assert right in DAY
    with pytest.raises(ScriptInvalid) as caught:
        parse(DAY.replace(right, wrong, 1), folder, "day.yaml")
    assert said in str(caught.value)
