"""The truth beside a bag is what the bag shows: faces where the detector finds them, lines where they are heard."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelMissing
from robot_memory.evaluation import questionfile, truth
from robot_memory.evaluation.rendering import watching
from robot_memory.evaluation.rendering.render import Rendering, recording
from robot_memory.evaluation.story.scriptfile import load, parse
from robot_memory.evaluation.trial import HEARD
from robot_memory.evaluation.truth import Truth
from robot_memory.models.manifest import load_profile
from robot_memory.perception.faces import YuNet
from robot_memory.perception.runtime import open_session

BAGS = Path(__file__).resolve().parents[1] / "bags"
MEDIA = BAGS.parent / "media"
SECOND = 1_000_000_000

SCRIPT = """\
name: walk
start: 2026-03-02T09:30:00Z
duration: 10
people:
  anna: {name: Anna, picture: grace_hopper.jpg}
scenes:
  - who: anna
    path: [{at: 1, x: -0.5, size: 0.7, y: 0.4}, {at: 6, x: 0.5, size: 0.7, y: 0.4}, {at: 8, x: 0.5, size: 0.35, y: 0.4}]
"""


@pytest.fixture(scope="module")
def detector() -> YuNet:
    try:
        path = load_profile(PerceptionSettings().profile).model("face_detection").path()
    except ModelMissing as missing:
        pytest.skip(str(missing))
    return YuNet(open_session(path, threads=1))


@pytest.mark.parametrize("bag", ["grace", "day"])
def test_the_detector_finds_each_face_in_its_box(detector: YuNet, bag: str) -> None:
    import cv2

    known, frames = truth.read(BAGS / bag / truth.FILE), watching.read(BAGS / bag).frames
    found = missed = 0
    for frame in frames[:: len(frames) // 24]:
        there = [
            one.boxes([frame.stamp_ns])[0] for one in known.appearances if one.start_ns <= frame.stamp_ns < one.end_ns
        ]
        picture = np.asarray(cv2.imdecode(np.frombuffer(frame.encoded, np.uint8), cv2.IMREAD_COLOR))
        seen = [detection.box for detection in detector.detect(picture)]
        whole = [box for box in there if 60 < box[0] + box[2] / 2 < 580]  # at the edge a face is cut off
        for x, y, wide, high in whole:
            middles = [(left + across / 2, top + down / 2) for left, top, across, down in seen]
            hits = [x < across < x + wide and y < down < y + high for across, down in middles]
            found, missed = found + any(hits), missed + (not any(hits))
        assert len(seen) <= len(there) + 1  # nobody is in view of whom the truth does not know
    assert found >= 12 and missed <= 0.1 * found


@pytest.mark.parametrize("bag", ["grace", "day"])
def test_a_committed_truth_is_the_one_its_script_makes(bag: str) -> None:
    pytest.importorskip("cv2")
    script = load(BAGS / bag / "script.yaml")
    known = truth.read(BAGS / bag / truth.FILE)
    lines = [(line.who, episode.at_ns(line.at_s), line.text) for episode in script.episodes for line in episode.lines]
    assert [(line.who, line.start_ns, line.text) for line in known.lines] == lines
    assert all(0.4 < (line.end_ns - line.start_ns) / SECOND < 8 for line in known.lines)
    assert (known.start_ns, known.end_ns, known.zone) == (script.start_ns, script.end_ns, script.zone)
    scenes = sorted(
        (scene.who, episode.at_ns(scene.start_s)) for episode in script.episodes for scene in episode.scenes
    )
    for (who, start_ns), one in zip(
        scenes, sorted(known.appearances, key=lambda one: (one.who, one.start_ns)), strict=True
    ):
        assert one.who == who and 0 <= one.start_ns - start_ns < 2 * SECOND


def test_a_face_is_in_view_while_its_middle_is_and_shrinks_as_it_goes_away() -> None:
    known: Truth = Rendering(parse(SCRIPT, MEDIA)).truth()
    (one,) = known.appearances
    start_s, end_s = ((at - known.start_ns) / SECOND for at in (one.start_ns, one.end_ns))
    assert start_s == pytest.approx(1 + 5 * 0.54, abs=0.01) and end_s == 8.0  # comes in at 0.04 of the width
    near, far = one.boxes([known.start_ns + 6 * SECOND, known.start_ns + 8 * SECOND])
    assert near[3] == pytest.approx(0.42 * 0.7 * 480, rel=0.01) and far[3] == pytest.approx(near[3] / 2, rel=0.01)
    assert near[0] + near[2] / 2 == pytest.approx(320, abs=1) and near[1] + near[3] / 2 == pytest.approx(192, abs=1)


def test_the_truth_is_the_same_every_time() -> None:
    first, again = Rendering(parse(SCRIPT, MEDIA)), Rendering(parse(SCRIPT, MEDIA))
    list(first.messages())
    assert first.truth() == again.truth()


def test_stamps_jump_with_the_episodes_and_the_microphone_counts_on() -> None:
    text = """\
name: two
frames_per_second: 2
people: {anna: {picture: grace_hopper.jpg}}
episodes:
  - {start: 2026-03-02T09:30:00Z, duration: 2}
  - {gap: 7200, duration: 1}
"""
    recorded = list(recording(parse(text, MEDIA)))
    stamps = [message.recorded_ns for message in recorded]
    assert stamps == sorted(stamps)
    leaps = [after - before for before, after in zip(stamps, stamps[1:], strict=False) if after - before > SECOND]
    assert len(leaps) == 1 and leaps[0] == pytest.approx(7200 * SECOND, rel=1e-3)
    sounds = [m for m in recorded if m.topic == "/audio"]
    from robot_memory.evaluation.bags import messages

    counters = [messages.read(m.data, m.msgtype).first_sample for m in sounds]
    assert counters == [1600 * i for i in range(30)]


def test_the_questions_of_the_day_can_be_scored() -> None:
    known = truth.read(BAGS / "day" / truth.FILE)
    questions = questionfile.read(BAGS / "day" / "questions.yaml", known.start_ns)
    assert 12 <= len(questions) <= 20 and sum(not question.answerable for question in questions) >= 5
    for question in questions:
        assert bool(question.evidence) == question.answerable
        for moment in question.evidence:
            whole = known.lines if moment.stream == HEARD else known.appearances
            assert any(one.start_ns < moment.end_ns and moment.start_ns < one.end_ns for one in whole), question.id


def test_the_day_stays_small_enough_to_be_committed() -> None:
    assert sum(path.stat().st_size for path in (BAGS / "day").iterdir()) < 15_000_000
    assert json.loads((BAGS / "day" / truth.FILE).read_text())["zone"] == "Europe/London"
