"""Each bad bag is bad in the way its name says, and in no other."""

from __future__ import annotations

import argparse
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from robot_memory import cli
from robot_memory.errors import BagUnreadable
from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagWriter, Recorded
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.bags.messages import AUDIO, COMPRESSED, ODOMETRY, RAW
from robot_memory.evaluation.hostile import commands
from robot_memory.evaluation.hostile.bags import HOUR_NS, KINDS, make, stamp_of

GRACE = Path(__file__).resolve().parents[1] / "bags" / "grace"
SECOND = 1_000_000_000
Made = Callable[[str], list[Recorded]]


@pytest.fixture(scope="module")
def good() -> list[Recorded]:
    return list(read_bag(GRACE))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory, good: list[Recorded]) -> Path:
    """The sample bag's first four seconds."""
    out = tmp_path_factory.mktemp("bags") / "short"
    with BagWriter(out) as bag:
        for message in good:
            if message.recorded_ns < good[0].recorded_ns + 4 * SECOND:
                bag.write(message)
    return out


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return lambda kind: list(read_bag(make(kind, GRACE, tmp_path / kind)))


def stamps(recorded: list[Recorded], msgtype: str) -> list[int]:
    return [stamp_of(message) for message in recorded if message.msgtype == msgtype]


def others(recorded: list[Recorded], msgtype: str) -> list[Recorded]:
    return [message for message in recorded if message.msgtype != msgtype]


def pictures(recorded: list[Recorded]) -> list[object]:
    return [messages.read(m.data, m.msgtype) for m in recorded if m.msgtype in (COMPRESSED, RAW)]


def test_empty_has_topics_and_no_messages(made: Made) -> None:
    assert made("empty") == []


def test_no_audio_and_no_images_lack_only_that(made: Made, good: list[Recorded]) -> None:
    assert made("no_audio") == others(good, AUDIO)
    assert made("no_images") == others(good, COMPRESSED)


def test_raw_images_of_each_kind(made: Made, good: list[Recorded]) -> None:
    for kind, encoding, shape in (
        ("raw_image", "bgr8", (120, 160)),
        ("unknown_encoding", "sepia11", (120, 160)),
        ("zero_size_image", "bgr8", (0, 0)),
    ):
        bad = made(kind)
        assert others(bad, RAW) == others(good, COMPRESSED)
        assert stamps(bad, RAW) == stamps(good, COMPRESSED)
        assert {m.topic for m in bad if m.msgtype == RAW} == {"/camera/image_raw"}
        assert {(m.encoding, (m.height, m.width)) for m in pictures(bad)} == {(encoding, shape)}  # type: ignore[attr-defined]
        assert all(len(m.data) == m.height * m.step for m in pictures(bad))  # type: ignore[attr-defined]


def test_jump_back_is_an_hour_and_halfway(made: Made, good: list[Recorded]) -> None:
    bad = made("jump_back")
    assert [m.recorded_ns for m in bad] == [m.recorded_ns for m in good]
    shifts = [stamp_of(a) - stamp_of(b) for a, b in zip(bad, good, strict=True)]
    assert Counter(shifts).keys() == {0, -HOUR_NS} and shifts == sorted(shifts, reverse=True)
    assert 0.45 < shifts.count(0) / len(shifts) < 0.55
    assert [m.data[12:] for m in bad] == [m.data[12:] for m in good]


def test_image_gap_is_eight_seconds_of_pictures_only(made: Made, good: list[Recorded]) -> None:
    bad = made("image_gap")
    assert others(bad, COMPRESSED) == others(good, COMPRESSED)
    longest = max(np.diff(stamps(bad, COMPRESSED)))
    assert 8 * SECOND <= longest <= 8.4 * SECOND


def test_audio_short_ends_twenty_seconds_early(made: Made, good: list[Recorded]) -> None:
    bad = made("audio_short")
    assert others(bad, AUDIO) == others(good, AUDIO)
    early = stamps(good, AUDIO)[-1] - stamps(bad, AUDIO)[-1]
    assert 19.8 * SECOND <= early <= 20.2 * SECOND


def test_garbage_jpeg_is_every_third_and_does_not_decode(made: Made, good: list[Recorded]) -> None:
    import cv2

    bad = made("garbage_jpeg")
    assert others(bad, COMPRESSED) == others(good, COMPRESSED)
    decoded = [cv2.imdecode(m.data, cv2.IMREAD_COLOR) is not None for m in pictures(bad)[:30]]  # type: ignore[attr-defined]
    assert decoded == [i % 3 != 0 for i in range(30)]


def test_zero_stamps_keep_the_times_of_recording(made: Made, good: list[Recorded]) -> None:
    bad = made("zero_stamps")
    assert {stamp_of(m) for m in bad} == {0}
    assert [(m.recorded_ns, m.data[12:]) for m in bad] == [(m.recorded_ns, m.data[12:]) for m in good]


def test_nan_odometry_is_every_other_pose(made: Made, good: list[Recorded]) -> None:
    bad = made("nan_odometry")
    assert others(bad, ODOMETRY) == others(good, ODOMETRY)
    xs = [messages.read(m.data, ODOMETRY).pose.pose.position.x for m in bad if m.msgtype == ODOMETRY]
    assert [bool(np.isnan(x)) for x in xs] == [i % 2 == 1 for i in range(len(xs))]


@pytest.mark.parametrize("kind", ["torn", "torn_sqlite"])
def test_torn_files_are_refused_by_an_ordinary_reader(kind: str, tmp_path: Path) -> None:
    bag = make(kind, GRACE, tmp_path / kind)
    assert (bag / "metadata.yaml").is_file()
    with pytest.raises(BagUnreadable, match="is no healthy bag"):
        list(read_bag(bag))
    with pytest.raises(BagUnreadable, match="is no healthy bag"):
        make("empty", bag, tmp_path / "other")


def test_a_torn_mcap_still_holds_its_first_part(tmp_path: Path, good: list[Recorded]) -> None:
    reader = pytest.importorskip("mcap.reader")
    bag = make("torn", GRACE, tmp_path / "torn")
    torn = pytest.importorskip("mcap.exceptions").EndOfFile
    rescued = []
    with (bag / "torn.mcap").open("rb") as file, suppress(torn):
        for _, channel, message in reader.NonSeekingReader(file).iter_messages(log_time_order=False):
            rescued.append((channel.topic, message.log_time, message.data))
    assert 0.3 * len(good) < len(rescued) < 0.7 * len(good)
    assert rescued == [(m.topic, m.recorded_ns, m.data) for m in good[: len(rescued)]]


def test_no_metadata_has_every_message_in_its_file(tmp_path: Path, good: list[Recorded]) -> None:
    bag = make("no_metadata", GRACE, tmp_path / "no_metadata")
    assert [path.name for path in bag.iterdir()] == ["no_metadata.mcap"]
    assert list(read_bag(bag / "no_metadata.mcap")) == good


def test_a_log_left_behind_is_one_that_sqlite_reads(tmp_path: Path, good: list[Recorded]) -> None:
    bag = make("unclosed_sqlite", GRACE, tmp_path / "bag")
    assert len(list(read_bag(bag))) == len(good) // 2, "which an ordinary reader of bags does not"
    with sqlite3.connect(bag / "bag.db3") as db:
        rows = db.execute("SELECT timestamp, data FROM messages ORDER BY id").fetchall()
    assert rows == [(m.recorded_ns, m.data) for m in good]


def test_hostile_is_a_command_that_lists_and_makes(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    parser = argparse.ArgumentParser()
    commands.register(parser.add_subparsers())
    for words in (["hostile", "all"], ["hostile", "torn", str(short), str(tmp_path / "torn"), "--seed", "3"]):
        args = parser.parse_args(words)
        assert args.func(args) == 0
    said = capsys.readouterr().out
    assert [line.split(":")[0] for line in said.splitlines()[:-1]] == list(KINDS)
    assert said.splitlines()[-1].endswith("torn: 1 bad bag, seed 3")
    assert (tmp_path / "torn" / "torn.mcap").is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_the_same_each_time(kind: str, short: Path, tmp_path: Path) -> None:
    first, second = (make(kind, short, tmp_path / name / "bag", seed=5) for name in ("a", "b"))
    contents = [{path.name: path.read_bytes() for path in bag.iterdir()} for bag in (first, second)]
    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["worse", "GOOD", "OUT"], "garbage_jpeg.*torn"),
        (["worse"], "garbage_jpeg.*torn"),
        (["torn", "GOOD"], "Give OUT as well"),
        (["torn", "GOOD/none", "OUT"], "is no healthy bag"),
        (["torn", "GOOD", "GOOD", "--force"], "is the good bag itself"),
        (["torn", "GOOD", "OUT", "--seed", "-1"], "is no seed"),
        (["torn", "GOOD", ""], "is empty: name a file"),
    ],
)
def test_what_cannot_be_spoilt_is_told(
    words: list[str], told: str, short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"GOOD": short, "OUT": tmp_path / "out", "GOOD/none": tmp_path / "none"}
    assert command(*(str(known.get(word, word)) for word in words)) != 0
    assert re.search(told, capsys.readouterr().err)


def test_a_bad_bag_is_replaced_only_by_force(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "empty", str(short), str(tmp_path / "bag")
    assert [command(*words), command(*words), command(*words, "--force")] == [0, 1, 0]
    assert "(--force)" in capsys.readouterr().err


def command(*words: str) -> int:
    try:
        return cli.main(["world", "hostile", *words])
    except SystemExit as exit:
        return int(str(exit.code))
