"""The committed bag is the one its script describes, and small enough to be committed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.hostile.bags import stamp_of
from robot_memory.evaluation.story.scriptfile import load

BAG = Path(__file__).resolve().parents[1] / "bags" / "grace"


def test_the_bag_is_what_its_script_says() -> None:
    script = load(BAG / "script.yaml")
    recorded = list(read_bag(BAG))
    assert Counter(m.msgtype for m in recorded) == {
        messages.COMPRESSED: 310,
        messages.AUDIO: 620,
        messages.ODOMETRY: 310,
    }
    assert min(stamp_of(m) for m in recorded) == script.start_ns
    last = max(stamp_of(m) for m in recorded)
    assert 61.8 <= (last - script.start_ns) / 1e9 < script.duration_s


def test_it_is_loud_where_someone_speaks_and_quiet_where_nobody_does() -> None:
    (script,) = load(BAG / "script.yaml").episodes
    chunks = [messages.read(m.data, m.msgtype) for m in read_bag(BAG) if m.msgtype == messages.AUDIO]
    loud = [float(chunk.data.astype(float).std()) for chunk in chunks]
    for line in script.lines:
        assert max(loud[int(line.at_s * 10) : int(line.at_s * 10) + 15]) > 300, line
    for stretch in script.empty:
        assert max(loud[int(stretch.start_s * 10) : int(stretch.end_s * 10)]) < 20, stretch


def test_the_folder_stays_small() -> None:
    assert sum(path.stat().st_size for path in BAG.iterdir()) < 4_000_000
