"""`world render` of a generated world: its people get faces and voices, its truth and questions come along."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from robot_memory import cli
from robot_memory.evaluation import questionfile, truth
from robot_memory.evaluation.assets import Assets, AssetsInvalid, Picture, open_assets
from robot_memory.evaluation.worlds import staging
from robot_memory.evaluation.worlds.files import save
from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.staging import Part, staged

needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="flite is not installed (apt-get install flite)")
MANY = Assets("test faces", {f"p{n}": (Picture(Path(f"p{n}_a.jpg")), Picture(Path(f"p{n}_b.jpg"))) for n in range(30)})


def test_the_same_world_is_staged_the_same_way() -> None:
    assert staged(make(2), MANY) == staged(make(2), MANY)
    assert staged(make(2), MANY) != staged(make(3), MANY)


def test_everybody_is_seen_where_and_heard_when_the_world_says() -> None:
    world = make(2)
    script = staged(world, MANY)
    assert [episode.start_ns for episode in script.episodes] == [episode.start_ns for episode in world.episodes]
    for ours, theirs in zip(script.episodes, world.episodes, strict=True):
        assert {(line.who, line.at_s, line.text) for line in ours.lines} == {
            (line.who, line.at_s, line.text) for line in theirs.lines
        }
        assert sorted((scene.who, scene.start_s) for scene in ours.scenes) == sorted(
            (entry.who, entry.path[0].at_s) for entry in theirs.entries
        )
    voices = [person.voice for person in script.people if person.voice]
    pictures = [person.pictures for person in script.people if person.pictures]
    assert len(set(voices)) == len(voices) and len(set(pictures)) == len(pictures)
    by_name = {person.name: person for person in script.people}
    for person in world.people:
        if person.name in by_name:
            assert (
                bool(by_name[person.name].voice) <= person.heard and bool(by_name[person.name].pictures) <= person.seen
            )


def test_people_change_their_picture_from_day_to_day_and_rooms_differ() -> None:
    script, world = staged(make(2), MANY), make(2)
    worn = {
        (scene.who, one.day, scene.picture)
        for ours, one in zip(script.episodes, world.episodes, strict=True)
        for scene in ours.scenes
    }
    assert len({(who, day) for who, day, _ in worn}) == len(worn)
    assert {picture for _, _, picture in worn} == {0, 1}
    looks = {(episode.place, episode.room.look) for episode in script.episodes}
    assert len(looks) == len({place for place, _ in looks}) == len({look for _, look in looks})
    assert min(p.size for e in script.episodes for s in e.scenes for p in s.path) < 0.4  # somebody is far off


def test_a_part_is_the_first_episodes_or_minutes() -> None:
    world = make(0)
    assert Part(episodes=3).of(world) == world.episodes[:3] and Part().whole(world)
    minutes = Part(minutes=5).of(world)
    assert (
        sum(episode.duration_s for episode in minutes)
        <= 300
        < sum(e.duration_s for e in world.episodes[: len(minutes) + 1])
    )
    assert Part(minutes=0.01).of(world) == world.episodes[:1]
    facts = staging.facts(world, world.episodes[2].end_ns)
    assert all(at_ns < world.episodes[2].end_ns for fact in facts for at_ns in fact.told)


def test_too_few_faces_are_reported_with_what_to_do() -> None:
    with pytest.raises(AssetsInvalid, match="--assets"):
        staged(make(0, people=12), open_assets())


@needs_flite
def test_a_world_in_a_folder_becomes_a_bag_with_truth_and_questions(tmp_path: Path) -> None:
    world = make(0, days=1, people=3, rooms=1)
    save(world, tmp_path / "world")
    out = tmp_path / "bag"
    assert cli.main(["world", "render", str(tmp_path / "world"), str(out), "--episodes", "1"]) == 0
    known = truth.read(out / truth.FILE)
    assert known.name == world.name and known.lines[0].text == world.episodes[0].lines[0].text
    end_ns = known.end_ns
    assert all(one.at_ns <= end_ns for one in questionfile.read(out / questionfile.FILE, known.start_ns))
    assert json.loads((tmp_path / "world" / "world.json").read_text())["seed"] == 0
