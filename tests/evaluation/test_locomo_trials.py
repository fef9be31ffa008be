"""A LoCoMo conversation as a trial: each turn is heard once, at its time; questions know their evidence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from locomo_data import locomo_dev
from test_locomo_file import talk, written

from robot_memory.evaluation.public import locomo
from robot_memory.evaluation.public.locomofile import load
from robot_memory.evaluation.trial import Trial
from robot_memory.streams.media import SECOND


@pytest.fixture
def small(tmp_path: Path) -> Trial:
    own = talk()
    own["qa"].append(
        {"question": "What did Bo adopt?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": "a dog"}
    )
    (source,) = locomo.sources(written([own], tmp_path))
    return source.open()


def test_turns_are_heard_in_order_each_in_the_clip_where_it_begins(small: Trial) -> None:
    clips = list(small.clips())
    assert [len(clip.observation.turns) for clip in clips] == [2, 1]
    assert len({clip.session.id for clip in clips}) == 2
    turns = [turn for clip in clips for turn in clip.observation.turns]
    assert all(a.end_ns < b.start_ns for a, b in zip(turns, turns[1:]))
    for clip in clips:
        assert all(
            clip.observation.start_ns <= turn.start_ns < clip.observation.end_ns for turn in clip.observation.turns
        )
        assert len(clip.voices) == len(clip.words) == len(clip.observation.turns)
        assert not clip.session.live
    assert turns[0].start_ns == 1683554160 * SECOND  # 2023-05-08 13:56 UTC


def test_a_shared_picture_is_heard_as_its_caption_or_not_at_all(small: Trial, tmp_path: Path) -> None:
    assert next(small.clips()).words[1] == "Look! [shares a picture: a photo of a red kite]"
    (plain,) = locomo.trials(written([talk()], tmp_path), captions=False)
    assert next(plain.clips()).words[1] == "Look!"


def test_questions_come_when_all_is_heard_with_type_answer_and_evidence(small: Trial) -> None:
    lines = {line.text: line for line in small.truth.lines}
    first, moved, trap = small.questions
    assert [question.type for question in small.questions] == ["multi-detail", "time", "multi-detail"]
    assert first.expected.values == ("a dog",)
    assert moved.expected.values == ("2023",)
    (moment,) = first.evidence
    assert (moment.start_ns, moment.end_ns) == (lines["I adopted a dog."].start_ns, lines["I adopted a dog."].end_ns)
    assert not trap.answerable
    assert trap.expected.traps == ("a dog",)
    assert all(question.at_ns >= clip.observation.end_ns for question in small.questions for clip in small.clips())


def test_voices_tell_the_speakers_apart(small: Trial) -> None:
    voices = [
        (who, turn.embedding)
        for clip in small.clips()
        for who, turn in zip(clip.voices, clip.observation.turns, strict=True)
    ]
    (_, ada), (_, bo), (_, bo_again) = voices
    assert ada is not None and bo is not None and bo_again is not None
    assert ada.shape == (256,)
    assert np.linalg.norm(bo) == pytest.approx(1, abs=1e-5)
    assert float(bo @ bo_again) > 0.9 > 0.3 > float(ada @ bo)


def test_sittings_that_would_overlap_follow_each_other(tmp_path: Path) -> None:
    own = talk()
    own["sessions"][1]["date"] = own["sessions"][0]["date"]
    (trial,) = locomo.trials(written([own], tmp_path))
    spans = [(clip.observation.start_ns, clip.observation.end_ns) for clip in trial.clips()]
    assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:]))


def test_the_development_half_is_whole() -> None:
    trials = locomo.trials(locomo_dev())
    assert sum(len(clip.observation.turns) for trial in trials for clip in trial.clips()) == 2760
    questions = [question for trial in trials for question in trial.questions]
    assert (len(questions), sum(not question.answerable for question in questions)) == (999, 237)
    assert sum(question.answerable and bool(question.evidence) for question in questions) == 760
    assert sum(asking.lost for talk_ in load(locomo_dev()) for asking in talk_.askings) == 2
