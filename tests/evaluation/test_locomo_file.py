"""LoCoMo files: what is wrong is told with its place, what is merely odd in the published file is borne."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robot_memory.evaluation.public.locomofile import LocomoUnreadable, load

Talk = dict[str, Any]


def talk() -> Talk:
    return {
        "id": "conv-1",
        "speakers": ["Ada", "Bo"],
        "sessions": [
            {
                "date": "1:56 pm on 8 May, 2023",
                "turns": [
                    {"id": "D1:1", "speaker": "Ada", "text": "I adopted a dog."},
                    {"id": "D1:2", "speaker": "Bo", "text": "Look!", "image": "a photo of a red kite"},
                ],
            },
            {"date": "12:48 am on 1 June, 2023", "turns": [{"id": "D2:11", "speaker": "Bo", "text": "I moved."}]},
        ],
        "qa": [
            {"question": "What did Ada adopt?", "answer": "a dog", "evidence": ["D1:1"], "category": 4},
            {"question": "When did Bo move?", "answer": 2023, "evidence": ["D2:11"], "category": 2},
        ],
    }


def written(content: Any, folder: Path) -> Path:
    path = folder / "locomo.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_conversation_is_read(tmp_path: Path) -> None:
    (one,) = load(written([talk()], tmp_path))
    assert [turn.id for turn in one.turns] == ["D1:1", "D1:2", "D2:11"]
    assert one.turns[1].image == "a photo of a red kite"
    assert one.sittings[0].date.isoformat() == "2023-05-08T13:56:00+00:00"
    assert one.sittings[1].date.isoformat() == "2023-06-01T00:48:00+00:00"
    assert [asking.answer for asking in one.askings] == ["a dog", "2023"]


def test_the_file_as_published_gives_the_same(tmp_path: Path) -> None:
    plain = talk()
    published = {"sample_id": "conv-1", "qa": plain["qa"], "conversation": {"speaker_a": "Ada", "speaker_b": "Bo"}}
    for number, session in enumerate(plain["sessions"], start=1):
        published["conversation"][f"session_{number}_date_time"] = session["date"]
        published["conversation"][f"session_{number}"] = [
            {"dia_id": t["id"], "speaker": t["speaker"], "text": t["text"], "blip_caption": t.get("image")}
            for t in session["turns"]
        ]
    published["conversation"]["session_3_date_time"] = "1:00 pm on 1 July, 2023"  # no such session
    assert load(written([published], tmp_path)) == load(written([plain], tmp_path))


@pytest.mark.parametrize(
    ("evidence", "found", "lost"),
    [
        (["D1:1; D2:11"], ("D1:1", "D2:11"), 0),
        (["D:2:11", "D2:011"], ("D2:11",), 0),
        (["D", "D1:1"], ("D1:1",), 1),
        (["D9:9"], (), 1),
        ([], (), 0),
    ],
)
def test_malformed_evidence_is_mended_or_counted(
    evidence: list[str], found: tuple[str, ...], lost: int, tmp_path: Path
) -> None:
    own = talk()
    own["qa"][0]["evidence"] = evidence
    asking = load(written([own], tmp_path))[0].askings[0]
    assert (asking.evidence, asking.lost) == (found, lost)


def changed(change: Callable[[Talk], Any]) -> Talk:
    own = talk()
    change(own)
    return own


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{ no json", "is no JSON"),
        ([], "holds no list of conversations"),
        ({"a": 1}, "holds no list of conversations"),
        ([3], "conversation 1 is a number, not an object"),
        ([talk(), talk()], "conversation 'conv-1' is there twice"),
        ([changed(lambda t: t.update(id="../etc"))], "is not 1 to 40 letters"),
        ([changed(lambda t: t.pop("id"))], "conversation 1: 'sample_id' is missing"),
        ([changed(lambda t: t.pop("sessions"))], "conv-1: conversation is missing, not an object"),
        ([changed(lambda t: t.update(sessions=[]))], "conv-1: nobody says anything"),
        ([changed(lambda t: t.pop("qa"))], "conv-1: qa is missing, not a list"),
        ([changed(lambda t: t["sessions"][1].update(date="last May"))], "conv-1, session 2: 'date' is 'last May'"),
        ([changed(lambda t: t["sessions"][0]["turns"][1].pop("text"))], "conv-1, session 1, turn 2: 'text' is missing"),
        ([changed(lambda t: t["sessions"][0]["turns"][1].update(id="D1:1"))], "conv-1: turn 'D1:1' is there twice"),
        ([changed(lambda t: t["sessions"][0]["turns"][0].update(speaker=" "))], "'speaker' is empty"),
        ([changed(lambda t: t["qa"][1].update(category="two"))], "conv-1, question 2: 'category' is 'two'"),
        ([changed(lambda t: t["qa"][1].update(category=6))], "'category' is 6"),
        ([changed(lambda t: t["qa"][0].pop("answer"))], "conv-1, question 1: 'answer' is missing"),
        ([changed(lambda t: t["qa"][0].update(answer=["a"]))], "'answer' is a list, not text"),
        ([changed(lambda t: t["qa"][0].update(evidence="D1:1"))], "evidence is text, not a list"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(content: Any, told: str, tmp_path: Path) -> None:
    path = written(content, tmp_path)
    with pytest.raises(LocomoUnreadable) as error:
        load(path)
    assert told in str(error.value)
    assert str(path) in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LocomoUnreadable, match="--data"):
        load(tmp_path / "nowhere.json")
