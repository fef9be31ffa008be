"""Bags of several files, compressed ones, and ones whose metadata.yaml is wrong: the files count; none is written."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from torn_bags import PAGE, START_NS, by_rosbags, read, recording

from robot_memory.errors import BagUnreadable
from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import Recorded
from robot_memory.evaluation.bags.messages import COMPRESSED
from robot_memory.evaluation.hostile.bags import make
from robot_memory.streams.bag import AUDIO_TYPES, IMAGE_TYPES, Bag

WHOLE = [(one.recorded_ns, one.data) for one in recording()]
READ_WHOLE = {
    "split": "",
    "packed_file": "",
    "no_metadata": "metadata.yaml is missing",
    "broken_metadata": "metadata.yaml cannot be understood",
    "wrong_counts": "read 240 messages (12 s); metadata.yaml is wrong, which counts 120",
    "wrong_files": "metadata.yaml names other files (passwd, gone_0.mcap)",
    "wrong_types": "metadata.yaml makes no sense in message_count, duration, topics_with_message_count",
    "unclosed_sqlite": "",
    "no_head_sqlite": "of 12 s): no_head_sqlite.db3 holds pages of nothing but zeros (1)",
}
READ_IN_PART = {
    "missing_file": (160, 160, "missing_file_1.mcap is missing"),
    "split_unfinished": (200, 235, "split_unfinished_2.mcap is read too, which metadata.yaml does not know"),
    "torn_packed_file": (120, 170, "torn_packed_file.mcap.zstd ends early"),
    "no_head": (235, 240, "bytes that are no records"),
    "zero_tail": (150, 170, "has no end"),
    "zero_tail_sqlite": (150, 170, "of 12 s): zero_tail_sqlite.db3 holds pages of nothing but zeros"),
    "bad_blocks": (230, 239, "damaged chunks"),
    "bad_blocks_sqlite": (225, 239, "broken messages"),
    "torn_bare": (130, 150, "metadata.yaml is missing"),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_rosbags(tmp_path_factory.mktemp("bags") / "good", recording(), "mcap").parent


@pytest.mark.parametrize("kind", READ_WHOLE)
def test_all_messages_are_read_where_all_are_there(source: Path, tmp_path: Path, kind: str) -> None:
    got, damage = read(make(kind, source, tmp_path / kind))
    assert got == WHOLE
    assert READ_WHOLE[kind] in damage
    assert bool(damage) == bool(READ_WHOLE[kind])


@pytest.mark.parametrize("kind", READ_IN_PART)
def test_what_is_left_is_read_and_the_loss_is_told(source: Path, tmp_path: Path, kind: str) -> None:
    bag = make(kind, source, tmp_path / kind)
    before = sorted((one.name, one.stat().st_mtime_ns) for one in bag.iterdir())
    got, damage = read(bag)
    least, most, words = READ_IN_PART[kind]
    assert least <= sum(one in WHOLE for one in got) <= most
    assert [stamp for stamp, _ in got] == sorted(stamp for stamp, _ in got)
    assert f"read {len(got)}" in damage
    assert words in damage
    assert sorted((one.name, one.stat().st_mtime_ns) for one in bag.iterdir()) == before


def test_a_log_beside_an_sqlite_file_is_what_sqlite_itself_would_read(source: Path, tmp_path: Path) -> None:
    bag = make("unclosed_sqlite", source, tmp_path / "unclosed")
    copy = shutil.copytree(bag, tmp_path / "copy")
    with sqlite3.connect(copy / "unclosed.db3") as db:
        rows = db.execute("SELECT timestamp, data FROM messages ORDER BY timestamp").fetchall()
    (copy / "unclosed.db3-wal").unlink(missing_ok=True)
    assert rows == WHOLE == read(bag)[0]
    (bag / "unclosed.db3-wal").unlink()
    got, damage = read(bag)
    assert got == WHOLE[:120]
    assert "read 120 of about 240" in damage


def test_messages_compressed_one_by_one_are_unpacked(source: Path, tmp_path: Path) -> None:
    got, _ = read(make("packed_messages", source, tmp_path / "packed"))
    assert len(got) == 240
    assert 200 <= sum(one in WHOLE for one in got) < 240, "the cut off ones stay what they are"


def test_a_named_file_is_read_alone(source: Path, tmp_path: Path) -> None:
    bag = make("split", source, tmp_path / "split")
    assert read(bag / "split_1.mcap")[0] == WHOLE[80:160]


def test_the_same_torn_bag_has_the_same_fingerprint(source: Path, tmp_path: Path) -> None:
    prints = []
    for kind, name in (("torn", "a"), ("torn", "b"), ("torn_anywhere", "c")):
        made = make(kind, source, tmp_path / name / "bag")
        with Bag(made) as bag:
            prints.append(bag.fingerprint())
    assert prints[0] == prints[1] != prints[2]


def test_a_topic_that_nobody_can_use_is_left_out_with_the_reason(source: Path, tmp_path: Path) -> None:
    bag = make("stereo_44100", source, tmp_path / "stereo")
    with Bag(bag, lambda type_name: not type_name.startswith("audio_common")) as opened:
        assert {topic.stream for topic in opened.topics} == {"image", "pose"}
        assert "topic /audio is left out: the package audio_common_msgs is not installed" in opened.missing()
    sound_only = make("no_images", bag, tmp_path / "sound_only")
    with pytest.raises(BagUnreadable, match="audio_common_msgs is not installed"):
        Bag(sound_only, lambda type_name: type_name not in AUDIO_TYPES)


@pytest.mark.parametrize("kind", ["empty", "empty_file", "only_odometry"])
def test_a_bag_with_nothing_in_it_is_refused_with_the_reason(source: Path, tmp_path: Path, kind: str) -> None:
    with pytest.raises(BagUnreadable, match=r"holds nothing to remember: .*A camera topic"):
        Bag(make(kind, source, tmp_path / kind))


def test_what_is_no_bag_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no bag")
    for path, said in ((tmp_path / "gone", "there is no bag"), (tmp_path, "cannot be read as a bag")):
        with pytest.raises(BagUnreadable, match=said):
            Bag(path)
    with pytest.raises(BagUnreadable, match="is no bag: name its folder"):
        Bag(tmp_path / "notes.txt")


def test_where_metadata_knows_more_than_a_damaged_file_gives_the_file_is_to_blame(source: Path, tmp_path: Path) -> None:
    """A few pages of rows are none any more: no page is missing, and no message is known to be broken."""
    bag = by_rosbags(tmp_path / "noise", recording(), "sqlite3")
    data = bytearray(bag.read_bytes())
    for at in [at for at in range(0, len(data), PAGE) if data[at] == 0x0D][-20:]:
        data[at] = 0xFF
    bag.write_bytes(data)
    got, damage = read(bag.parent)
    assert 0 < len(got) < 240
    assert f"read {len(got)} of about 240 messages" in damage and "metadata.yaml" not in damage


def test_zeros_at_the_end_of_a_row_are_no_damage(tmp_path: Path) -> None:
    """A black picture fills whole pages with zeros; the log makes sure that SQLite does not read the file itself."""
    black = Recorded("/camera/compressed", COMPRESSED, START_NS, messages.compressed_image(START_NS, bytes(9 * PAGE)))
    source = by_rosbags(tmp_path / "black", [black, *recording()], "sqlite3").parent
    got, damage = read(make("unclosed_sqlite", source, tmp_path / "unclosed"))
    assert len(got) == 241 and damage == ""


def test_types_that_metadata_has_wrong_are_told(source: Path, tmp_path: Path) -> None:
    bag = shutil.copytree(source, tmp_path / "bag")
    text = (bag / "metadata.yaml").read_text()
    (bag / "metadata.yaml").write_text(text.replace("nav_msgs/msg/Odometry", "nav_msgs/msg/Path"))
    got, damage = read(bag)
    assert got == WHOLE and damage == "metadata.yaml has another type for /odom: the files are believed"


def test_a_message_of_another_type_is_not_called_torn(source: Path, tmp_path: Path) -> None:
    with Bag(make("two_types", source, tmp_path / "two")) as bag:
        (camera,) = (topic for topic in bag.topics if topic.stream == "image")
        unreadable = [one.raw for one in bag.messages((camera,)) if not bag.readable(camera, one.raw)]
        assert {bag.fault(camera, raw) for raw in unreadable} == {f"{IMAGE_TYPES[1]}, not {IMAGE_TYPES[0]}"}
        assert bag.fault(camera, unreadable[0][:40]) == "torn or garbage"
