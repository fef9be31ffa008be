"""Question files that others published: read whole, refused with their place where wrong, counted as they are."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.public.bm25 import BM25, best
from robot_memory.evaluation.public.choices import chosen, split_options
from robot_memory.evaluation.public.commands import add_options, measure
from robot_memory.evaluation.public.questionsets import QuestionSet, QuestionsUnreadable, load
from robot_memory.evaluation.public.report import questions_json, questions_text
from robot_memory.evaluation.public.routing import UNKNOWN_TIME, names_in, reasoning_hits, route, routing

DATA = Path(os.environ.get("ROBOT_MEMORY_DATA") or Path(__file__).parents[3] / "shared" / "data")

GOOD: dict[str, Any] = {
    "kitchen_01": {
        "video_path": "data/videos/robot/kitchen_01.mp4",
        "mem_path": "data/memory_graphs/robot/kitchen_01.pkl",
        "qa_list": [
            {
                "question": "When did you last see Anna?",
                "answer": "At the table.",
                "question_id": "kitchen_01_Q01",
                "reasoning": "…",
                "timestamp": "01:05",
                "type": ["Person Understanding", "Multi-Hop Reasoning"],
                "before_clip": 1,
            },
            {"question": "Why is Ben angry last season?", "answer": 3, "timestamp": "00:59", "before_clip": 2},
        ],
    }
}


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "questions.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def published(name: str) -> QuestionSet:
    path = DATA / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"{path} is not there (set ROBOT_MEMORY_DATA)")
    return load(path)


def test_a_question_keeps_all_that_was_published(tmp_path: Path) -> None:
    questions = load(written(tmp_path, GOOD))
    first, second = questions.items
    assert (first.id, first.asked_s, first.before_clip) == ("kitchen_01_Q01", 65, 1)
    assert first.types == ("Person Understanding", "Multi-Hop Reasoning")
    assert (second.id, second.answer, second.reasoning, second.types) == ("kitchen_01_2", "3", "", ())


def test_a_clip_that_does_not_fit_its_timestamp_is_reported(tmp_path: Path) -> None:
    questions = load(written(tmp_path, GOOD))
    assert [item.clip_fits for item in questions.items] == [True, False]
    figures = questions_json(questions)
    assert figures["file"]["before_clip_contradicts"] == ["kitchen_01_2"]
    assert "1 of 2; not in kitchen_01_2" in questions_text(figures)


def spoilt(**fields: object) -> dict[str, Any]:
    first = {**GOOD["kitchen_01"]["qa_list"][0], **fields}
    return {"kitchen_01": {**GOOD["kitchen_01"], "qa_list": [{k: v for k, v in first.items() if v is not None}]}}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is no JSON"),
        ([], "the file is a list, not an object"),
        ({"v": []}, "video 'v' is a list, not an object"),
        ({"v": {}}, "video 'v': 'qa_list' is missing, not a list"),
        ({"v": {"qa_list": ["Who?"]}}, "video 'v', question 1 is text, not an object"),
        (spoilt(question=None), "question 1: 'question' is missing"),
        (spoilt(answer=None), "question 1: 'answer' is missing"),
        (spoilt(answer=["Tea"]), "'answer' is a list, not text"),
        (spoilt(type="Multi-Hop"), "'type' is text, not a list of words"),
        (spoilt(timestamp="soon"), "'timestamp' is 'soon', not MM:SS"),
        (spoilt(before_clip="1"), "'before_clip' is text, not a whole number"),
        (spoilt(before_clip=True), "'before_clip' is true or false"),
        ({"v": {"qa_list": [{"question": "?", "answer": "!", "question_id": "x"}] * 2}}, "'x' is there twice"),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(tmp_path: Path, content: object, told: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(QuestionsUnreadable, match=str(path)) as refused:
        load(path)
    assert told in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QuestionsUnreadable, match="cannot be read"):
        load(tmp_path / "none.json")


def test_options_are_split_at_sentence_ends() -> None:
    stem, options = split_options(
        "Who flew first? Options: A. John B. Smith. B. Anna C. Lee. C. Nobody. D. All of them."
    )
    assert stem == "Who flew first?"
    assert options == ("John B. Smith.", "Anna C. Lee.", "Nobody.", "All of them.")
    assert split_options("Which? Options: A. red B. blue") == ("Which?", ("red", "blue"))
    assert split_options("What options: are there?") == ("What options: are there?", ())


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("B", 1),
        ("(b) Trains", 1),
        ("The answer is trains.", 1),
        ("I think it was red trains.", 2),
        ("planes and trains", None),
        ("A robot told me.", None),
        ("D", None),
        ("I don't know.", None),
    ],
)
def test_a_reply_chooses_by_letter_or_by_words(reply: str, number: int | None) -> None:
    assert chosen(reply, ("Planes.", "Trains.", "Red trains.")) == number


def test_each_question_goes_to_one_kind() -> None:
    assert route("When did you last see Anna?") == route("When did you last see Anna?")
    seen = route("When did you last see Anna?")
    assert (seen.kind, seen.who) == ("WHEN_SEEN", "Anna")
    assert route("Who was here yesterday?").phrase == "yesterday"
    assert (route("Why did she leave last season?").kind, route("Why?").kind) == (UNKNOWN_TIME, "OTHER")


def test_counts_by_type_add_up(tmp_path: Path) -> None:
    rows = routing(load(written(tmp_path, GOOD)))
    assert rows["all"].questions == sum(rows["all"].kinds.values()) == 2
    assert rows["Multi-Hop Reasoning"].kinds == {"WHEN_SEEN": 1}
    assert rows["all"].unknown_times == {"last season": 1}


def test_names_are_words_capitalised_within_sentences() -> None:
    texts = ["Did Anna see Ben?", "Where was Anna in May?", "Ben left in May.", "What did Ben say?"]
    assert names_in(texts) == {"Anna", "Ben"}


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    index = BM25(["the red cup", "the blue cup", "the red cup and the saucer and the spoon", "a dog"])
    assert best(index.scores("Where is the red cup's place?")) == 0
    assert best(index.scores("spoon")) == 2
    assert best(index.scores("piano")) is None


def run(*words: str) -> int:
    verb = argparse.ArgumentParser()
    add_options(verb)
    verb.add_argument("--data", type=Path)
    verb.add_argument("--json", action="store_true")
    args = verb.parse_args([*words])
    args.what, args.subject = "m3bench", "memory"
    return measure(args, not_made, not_made)


def not_made(*_: object) -> NoReturn:
    raise AssertionError("questions alone need neither a memory nor a judge")


def test_the_command_line_counts_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, GOOD)
    assert run("--data", str(path), "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["understood"]["all"]["kinds"] == {"WHEN_SEEN": 1, UNKNOWN_TIME: 1}
    assert run("--data", str(path)) == 0
    assert "Multi-Hop Reasoning" in capsys.readouterr().out
    with pytest.raises(RobotMemoryError, match="no folder"):
        run("--data", str(path), "--videos", str(tmp_path / "none"))


def test_robot_questions_as_published(capsys: pytest.CaptureFixture[str]) -> None:
    questions = published("m3bench_robot")
    figures = questions_json(questions)
    assert (figures["file"]["videos"], figures["file"]["questions"]) == (100, 1276)
    assert figures["file"]["before_clip_fits_timestamp"] == 1276
    assert figures["reasoning_bm25"] is None, "they are Chinese"
    row = figures["understood"]["all"]
    assert sum(row["kinds"].values()) == 1276
    show(capsys, figures)


def test_web_questions_find_their_own_reasoning(capsys: pytest.CaptureFixture[str]) -> None:
    questions = published("m3bench_web")
    hits = reasoning_hits(questions)
    assert hits is not None
    assert (len(questions.films), hits.questions) == (920, 3214)
    assert hits.in_video == pytest.approx(0.93, abs=0.01) and hits.over_all == pytest.approx(0.83, abs=0.01)
    with capsys.disabled():
        print(f"\nm3bench_web: BM25 hit@1 {hits.in_video:.3f} in the video, {hits.over_all:.3f} over all", end="")


def test_videomme_questions_have_four_options_each(capsys: pytest.CaptureFixture[str]) -> None:
    figures = questions_json(published("videomme_long"))
    assert figures["file"]["options"] == {4: 900}
    assert figures["file"]["answer_among_options"] == 900
    show(capsys, figures)


def show(capsys: pytest.CaptureFixture[str], figures: dict[str, Any]) -> None:
    row = figures["understood"]["all"]
    with capsys.disabled():
        print(
            f"\n{figures['set']}: {row['questions']} questions, {row['declined']} declined, "
            f"{row['time_not_understood']} with a time not understood, "
            f"{row['person_found']} of {row['naming_somebody']} persons found",
            end="",
        )
