"""Who plays in a rendered world: faces cut out of portraits, voices that a speaker model keeps apart, recordings."""

from __future__ import annotations

import shutil
import wave
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelMissing
from robot_memory.evaluation import assets
from robot_memory.evaluation.assets import AssetsInvalid, Picture, open_assets, voices_apart
from robot_memory.evaluation.rendering import soundtrack, speech
from robot_memory.evaluation.rendering.cutout import cut, face_of, found
from robot_memory.evaluation.story.script import Episode, Line, Person, Script
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.perception.senses import Senses, open_senses

needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="flite is not installed (apt-get install flite)")
MEDIA = assets.MEDIA
SENTENCES = (
    "We walked along the river until it was dark, and then we took the last bus home.",
    "My brother has painted the kitchen yellow, but nobody likes it except the dog.",
)


@pytest.fixture(scope="module")
def senses() -> Senses:
    try:
        return open_senses(PerceptionSettings())
    except ModelMissing as missing:
        pytest.skip(str(missing))


@needs_flite
def test_voices_are_different_people_to_the_speaker_model(senses: Senses) -> None:
    embedder = senses.ears.embedder
    heard = {
        name: [embedder.embed((speech.say(text, voice) * 14000).astype(np.int16)) for text in SENTENCES]
        for name, voice in voices_apart().items()
    }
    assert len(heard) >= 8
    threshold = embedder.accept(5.0)
    for name, (one, other) in heard.items():
        assert one is not None and other is not None and float(one @ other) > threshold + 0.1, name
    for first, second in combinations(heard, 2):
        scores = [float(a @ b) for a in heard[first] for b in heard[second] if a is not None and b is not None]
        assert np.mean(scores) < threshold - 0.03, (first, second, scores)


@pytest.mark.parametrize("name", sorted(open_assets().faces))
def test_each_default_face_is_where_the_table_says(senses: Senses, name: str) -> None:
    import cv2

    for picture in open_assets().looks(name):
        (detection,) = senses.eyes.detector.detect(np.asarray(cv2.imread(str(picture.path))))
        pixels = cut(picture, 400).colour
        left, top, across, down = face_of(picture)
        whole = cv2.imread(str(picture.path))
        assert whole is not None
        high, wide = whole.shape[:2]
        assert detection.box[0] + detection.box[2] / 2 == pytest.approx((left + across / 2) * wide, rel=0.02)
        assert detection.box[1] + detection.box[3] / 2 == pytest.approx((top + down / 2) * high, rel=0.02)
        assert pixels.shape[0] == 400


def test_pictures_of_one_person_look_like_one_person_and_others_do_not(senses: Senses) -> None:
    import cv2

    faces = {}
    for name, pictures in open_assets().faces.items():
        for picture in pictures:
            pixels = np.asarray(cv2.imread(str(picture.path)))
            (detection,) = senses.eyes.detector.detect(pixels)
            faces[name, picture.path.name] = senses.eyes.embedder.embed(pixels, detection.landmarks)
    for (first, one), (second, other) in combinations(faces.items(), 2):
        assert one is not None and other is not None
        assert (float(one @ other) > 0.6) == (first[0] == second[0]), (first, second)


def test_a_person_is_found_without_an_outline() -> None:
    """Cut by colour, the portrait covers nearly what it does when cut by hand."""
    (by_hand,) = open_assets().looks("grace_hopper")
    mine, theirs = (cut(picture, 320).cover[..., 0] > 0.5 for picture in (Picture(by_hand.path), by_hand))
    mine = mine[: theirs.shape[0], : theirs.shape[1]]
    theirs = theirs[: mine.shape[0], : mine.shape[1]]
    assert (mine & theirs).sum() / (mine | theirs).sum() > 0.75
    left, top, across, down = face_of(Picture(by_hand.path))
    assert left < 0.52 < left + across and top < 0.38 < top + down
    assert found(Picture(by_hand.path)).shape[0] == 320


def test_a_folder_gives_pictures_by_person_and_recordings_by_speaker(tmp_path: Path) -> None:
    (tmp_path / "portraits").mkdir()
    for name in ("ann_a.jpg", "ann_b.jpg", "bob_a.png", "notes.txt"):
        (tmp_path / "portraits" / name).write_bytes(b"")
    (tmp_path / "speech" / "reader").mkdir(parents=True)
    (tmp_path / "speech" / "reader" / "one.wav").write_bytes(b"")
    known = open_assets(tmp_path)
    assert {name: len(pictures) for name, pictures in known.faces.items()} == {"ann": 2, "bob": 1}
    assert [path.name for path in known.readers["reader"]] == ["one.wav"]


def test_the_environment_names_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(assets.ENVIRONMENT, str(tmp_path / "nowhere"))
    with pytest.raises(AssetsInvalid, match="no such folder"):
        open_assets()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), "no such folder"),
        (("portraits/notes.txt",), "holds no pictures"),
        (("portraits/ann.jpg",), "whose picture is it"),
        (("portraits/ann_a.jpg", "speech/reader/notes.txt"), "holds no recordings"),
    ],
)
def test_a_folder_laid_out_otherwise_is_refused(tmp_path: Path, files: tuple[str, ...], said: str) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(AssetsInvalid, match=said) as caught:
        open_assets(tmp_path)
    assert " — " in str(caught.value)


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ann_a.jpg").write_bytes(b"not a picture")
    with pytest.raises(ScriptInvalid, match="give a JPEG or PNG"):
        cut(Picture(tmp_path / "ann_a.jpg"), 100)


def test_a_recording_is_played_where_the_line_is(tmp_path: Path) -> None:
    tone = (8000 * np.sin(np.arange(22050) * 2 * np.pi * 440 / 22050)).astype("<i2")
    with wave.open(str(tmp_path / "tone.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(tone.tobytes())
    episode = Episode(0, 4.0, lines=(Line(1.5, "ann", "A tone.", sound=tmp_path / "tone.wav"),))
    script = Script("tone", "UTC", 0, 5.0, 70, (Person("ann"),), (episode,))
    (said,) = soundtrack.voiced(script, episode)
    assert said.end_s == pytest.approx(2.5, abs=0.01)
    near = soundtrack.mixed(replace(episode, lines=(replace(said.line, far=False),)), (said,), (1,)).astype(float)
    assert near[:23000].std() < 10 and near[25000:39000].std() > 500 and near[42000:].std() < 10
    spectrum = np.abs(np.fft.rfft(near[24000:40000]))
    assert np.argmax(spectrum) == pytest.approx(440, abs=2)


def test_someone_out_of_view_is_quieter(tmp_path: Path) -> None:
    said = soundtrack.Sounding(Line(1.0, "ann", "Hm."), np.sin(np.arange(16000, dtype=np.float32)))
    levels = [
        soundtrack.mixed(Episode(0, 3.0), (replace(said, line=replace(said.line, far=far)),), (1,))[16000:32000].std()
        for far in (True, False)
    ]
    assert soundtrack.is_far(Episode(0, 3.0), said.line)
    assert levels[0] < 0.75 * levels[1]


def test_a_file_that_is_no_recording_is_refused() -> None:
    with pytest.raises(ScriptInvalid, match="cannot be heard"):
        speech.recorded(Path(__file__))
