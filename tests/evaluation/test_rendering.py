"""A script becomes a bag: the messages it promises, with the stamps it promises, the same every time."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagNotWritten, Recorded
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.rendering import speech
from robot_memory.evaluation.rendering.render import AUDIO_TOPIC, IMAGE_TOPIC, ODOM_TOPIC, recording, render
from robot_memory.evaluation.story.script import Script
from robot_memory.evaluation.story.scriptfile import parse
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid

needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="flite is not installed (apt-get install flite)")
MEDIA = Path(__file__).resolve().parents[1] / "media"
START = 1_772_443_800_000_000_000  # 2026-03-02T09:30:00Z
SECOND = 1_000_000_000

SCRIPT = """\
name: short
start: 2026-03-02T09:30:00Z
duration: 4
seed: 3
people:
  grace: {picture: grace_hopper.jpg, voice: slt}
scenes:
  - who: grace
    path: [{at: 1, x: 0.5, size: 0.8}, {at: 2, x: 0.5, size: 0.8}]
odometry:
  - {at: 0, x: 1, y: 2, yaw: 0}
  - {at: 4, x: 3, y: 2, yaw: 0.1}
"""
SAYS = 'says: [{at: 1.5, who: grace, text: "Hello."}]\n'


def script(text: str = SCRIPT) -> Script:
    return parse(text, MEDIA)


def of_type(recorded: list[Recorded], msgtype: str) -> list[object]:
    return [messages.read(message.data, msgtype) for message in recorded if message.msgtype == msgtype]


def stamp(message: object) -> int:
    time = message.header.stamp  # type: ignore[attr-defined]
    return int(time.sec) * SECOND + int(time.nanosec)


def digest(recorded: list[Recorded]) -> str:
    return hashlib.sha256(b"".join(repr(message).encode() for message in recorded)).hexdigest()


@pytest.fixture(scope="module")
def silent() -> list[Recorded]:
    return list(recording(script()))


def test_counts_and_stamps_follow_the_script(silent: list[Recorded]) -> None:
    assert Counter(m.topic for m in silent) == {IMAGE_TOPIC: 20, AUDIO_TOPIC: 40, ODOM_TOPIC: 20}
    images, sounds, poses = (of_type(silent, kind) for kind in (messages.COMPRESSED, messages.AUDIO, messages.ODOMETRY))
    assert [stamp(m) for m in images] == [START + 20_000_000 + i * 200_000_000 for i in range(20)]
    assert [stamp(m) for m in sounds] == [START + i * 100_000_000 for i in range(40)]
    assert [stamp(m) for m in poses] == [START + i * 200_000_000 for i in range(20)]
    recorded = [m.recorded_ns for m in silent]
    assert recorded == sorted(recorded)


def test_sound_is_gapless_mono_at_16_khz(silent: list[Recorded]) -> None:
    sounds = of_type(silent, messages.AUDIO)
    assert [m.first_sample for m in sounds] == [1600 * i for i in range(40)]  # type: ignore[attr-defined]
    assert {(m.sample_rate, m.channels, len(m.data), m.data.dtype.name) for m in sounds} == {  # type: ignore[attr-defined]
        (16000, 1, 1600, "int16")
    }


def test_the_person_is_seen_only_in_their_scene(silent: list[Recorded]) -> None:
    import cv2

    images = of_type(silent, messages.COMPRESSED)
    pictures = [np.asarray(cv2.imdecode(m.data, cv2.IMREAD_COLOR), float) for m in images]  # type: ignore[attr-defined]
    assert pictures[0].shape == (480, 640, 3)
    assert images[0].format == "jpeg" and images[0].header.frame_id == "camera_optical"  # type: ignore[attr-defined]
    changed = [float(np.abs(picture[150:460, 240:400] - pictures[0][150:460, 240:400]).mean()) for picture in pictures]
    inside = changed[5:10]  # stamps 1.02 to 1.82 s
    assert min(inside) > 30 and max(changed[:5]) < 12, changed


def test_odometry_moves_in_a_line(silent: list[Recorded]) -> None:
    poses = of_type(silent, messages.ODOMETRY)
    xs = [m.pose.pose.position.x for m in poses]  # type: ignore[attr-defined]
    assert xs == pytest.approx([1 + 0.1 * i for i in range(20)])
    assert poses[0].header.frame_id == "odom"  # type: ignore[attr-defined]


@needs_flite
def test_the_same_script_gives_the_same_bytes() -> None:
    first, second = list(recording(script(SCRIPT + SAYS))), list(recording(script(SCRIPT + SAYS)))
    assert digest(first) == digest(second)
    other = list(recording(script(SCRIPT.replace("seed: 3", "seed: 4") + SAYS)))
    assert digest(other) != digest(first)


@needs_flite
def test_speech_is_where_the_script_puts_it() -> None:
    sounds = [m.data for m in of_type(list(recording(script(SCRIPT + SAYS))), messages.AUDIO)]  # type: ignore[attr-defined]
    sound = np.concatenate(sounds).astype(float)
    before, spoken = sound[:24000].std(), sound[24000:32000].std()
    assert before < 10 and spoken > 500


@needs_flite
def test_a_line_that_outlasts_the_script_is_refused() -> None:
    with pytest.raises(ScriptInvalid, match="lengthen 'duration'"):
        list(recording(script(SCRIPT + SAYS.replace("1.5", "3.9"))))


@needs_flite
def test_an_8_khz_voice_is_resampled() -> None:
    wide, narrow = speech.say("Hello there, how are you?", "kal16"), speech.say("Hello there, how are you?", "kal")
    assert len(narrow) == pytest.approx(len(wide), rel=0.15)


def test_without_flite_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(speech.SpeechToolMissing, match="apt-get install flite"):
        render(script(SCRIPT + SAYS), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("storage", ["mcap", "sqlite3"])
def test_the_bag_reads_back_as_it_was_made(silent: list[Recorded], storage: str, tmp_path: Path) -> None:
    done = render(script(), tmp_path / "short", storage)
    assert digest(list(read_bag(done.bag))) == digest(silent)
    assert done.counts == {IMAGE_TOPIC: 20, AUDIO_TOPIC: 40, ODOM_TOPIC: 20}
    assert min(p.name for p in done.bag.iterdir()) == "metadata.yaml"


def test_a_bag_is_replaced_only_when_asked_and_its_script_stays(tmp_path: Path) -> None:
    out = tmp_path / "short"
    out.mkdir()
    (out / "script.yaml").write_text(SCRIPT)
    render(script(), out)
    with pytest.raises(BagNotWritten, match="there already"):
        render(script(), out)
    render(script(), out, "sqlite3", replace=True)
    assert sorted(p.name for p in out.iterdir()) == ["metadata.yaml", "script.yaml", "short.db3", "truth.json"]


def test_a_file_is_never_taken_for_a_bag(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(BagNotWritten, match="is a file"):
        render(script(), tmp_path / "notes", replace=True)
    assert (tmp_path / "notes").read_text() == "mine"
