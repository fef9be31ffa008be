"""Films are watched clip by clip and asked about in time; answers are kept, whatever stops the run.

The film has pictures from second 27 on and a face (Grace Hopper's portrait) from second 31 on, in its second clip.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from filming import sounds, tones

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelMissing
from robot_memory.evaluation.perceived import observe
from robot_memory.evaluation.public.convert import convert
from robot_memory.evaluation.public.films import expected_of, find_video, trial_of
from robot_memory.evaluation.public.questionsets import QuestionSet, load
from robot_memory.evaluation.public.video import Video
from robot_memory.evaluation.public.watched import Judge, ResultsUnusable, Watched, ask_in_time, summary, watch_all
from robot_memory.evaluation.public.watching import watch
from robot_memory.evaluation.subject import Subject
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.trial import Trial
from robot_memory.perception.senses import Senses, open_senses

HOPPER = Path(__file__).parents[1] / "media" / "grace_hopper.jpg"
PUBLISHED = {
    "id",
    "mem_path",
    "question",
    "answer",
    "before_clip",
    "conversations",
    "finish",
    "currenr_clips",
    "response",
}


@pytest.fixture(scope="module")
def senses() -> Senses:
    try:
        return open_senses(PerceptionSettings())
    except ModelMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    portrait = cv2.resize(cv2.imread(str(HOPPER)), (320, 400))
    empty = np.full_like(portrait, 90)
    times = [27 + n / 5 for n in range(10)] + [31 + n / 5 for n in range(12)]
    with av.open(str(folder / "office_01.mp4"), "w") as container:
        video = container.add_stream("libx264", rate=5, options={"preset": "ultrafast", "crf": "12"})
        video.height, video.width = portrait.shape[:2]
        video.pix_fmt = "yuv420p"
        video.codec_context.time_base = tick = Fraction(1, 1000)
        audio = container.add_stream("aac", rate=44_100, layout="mono")
        for frame in sounds(tones(34) * 0.001, [(0, 34)]):
            container.mux(audio.encode(frame))
        for time in times:
            frame = av.VideoFrame.from_ndarray(portrait if time > 30 else empty, "bgr24")
            frame.pts, frame.time_base = round(time * 1000), tick
            container.mux(video.encode(frame))
        container.mux(audio.encode(None))
        container.mux(video.encode(None))
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> QuestionSet:
    asked = [
        ("late", "Who was here?", "Grace.", 1),
        ("early", "Who was here?", "Nobody.", 0),
        ("hard", "Why is she smiling?", "She is proud.", 1),
        ("at once", "Who was here?", "Nobody.", -1),
    ]
    rows = [
        {"question_id": name, "question": text, "answer": answer, "before_clip": clip, "type": ["Person Understanding"]}
        for name, text, answer, clip in asked
    ]
    film = {"video_path": "data/videos/robot/office_01.mp4", "mem_path": "office_01.pkl", "qa_list": rows}
    path = tmp_path / "robot.json"
    path.write_text(json.dumps({"office_01": film, "office_02": {"qa_list": rows[:0]}}))
    return load(path)


Run = Callable[..., Watched]


@pytest.fixture
def run(questions: QuestionSet, videos: Path, tmp_path: Path, senses: Senses) -> Run:
    def make(folder: Path, trial: Trial) -> Subject:
        return MemorySubject(folder)

    judge = Judge("outcome", lambda question, reply, truth: reply.answered)

    def go(memory: str = "memory", out: Path | None = None, films: QuestionSet = questions) -> Watched:
        return watch_all(films, videos, out or tmp_path / "results.jsonl", lambda: senses, memory, make, judge)

    return go


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_nothing_is_known_before_its_clip(run: Run, tmp_path: Path) -> None:
    watched = run()
    rows = {row["id"]: row for row in lines(tmp_path / "results.jsonl")}
    assert watched.rows == list(rows.values())
    assert rows["late"]["outcome"] == "ANSWERED" and rows["late"]["currenr_clips"] == [1]
    assert rows["late"]["response"] != rows["early"]["response"]
    assert rows["early"]["currenr_clips"] == rows["at once"]["currenr_clips"] == []
    assert rows["hard"]["outcome"] == "ABSTAINED" and rows["hard"]["gpt_eval"] is False
    assert summary(watched.rows)["all"]["abstained"] >= 1 and watched.missing == ["office_02"]


def test_answers_have_the_published_form(run: Run, tmp_path: Path) -> None:
    run()
    for row in lines(tmp_path / "results.jsonl"):
        assert set(row) >= PUBLISHED | {"gpt_eval"}
        assert row["finish"] is True and isinstance(row["gpt_eval"], bool)
        assert [one["role"] for one in row["conversations"]] == ["user", "assistant"]
        assert row["conversations"][1]["content"] == f"Action: [Answer]\nContent: {row['response']}"


def test_a_run_goes_on_where_it_stopped(run: Run, tmp_path: Path, senses: Senses) -> None:
    out = tmp_path / "results.jsonl"
    run()
    whole = lines(out)
    kept = out.read_text("utf-8").splitlines(keepends=True)
    out.write_text("".join(kept[:2]) + kept[2][:40], "utf-8")  # killed while the third was being written
    again = run()
    timeless = [{**row, "latency_s": 0} for row in lines(out)]
    assert timeless == [{**row, "latency_s": 0} for row in whole]
    assert len(again.rows) == len(whole)
    before = out.read_bytes()
    run()
    assert out.read_bytes() == before, "all done: nothing is asked again"


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '{"id": "late"}\n', "[]\nand so on"])
def test_a_file_of_something_else_is_left_alone(run: Run, tmp_path: Path, content: str) -> None:
    out = tmp_path / "notes.txt"
    out.write_text(content)
    with pytest.raises(ResultsUnusable, match="--out"):
        run(out=out)
    assert out.read_text() == content


def test_answers_of_another_memory_are_not_mixed_in(run: Run) -> None:
    run()
    with pytest.raises(ResultsUnusable, match="holds answers of memory"):
        run(memory="bm25")


def test_a_video_that_cannot_be_read_does_not_stop_the_others(
    run: Run, questions: QuestionSet, videos: Path, tmp_path: Path
) -> None:
    broken = replace(questions.films[0], name="broken", video_path="broken.mp4")
    (videos / "broken.mp4").write_bytes(b"no video")
    try:
        watched = run(films=QuestionSet("robot", (broken, questions.films[0])))
    finally:
        (videos / "broken.mp4").unlink()
    assert list(watched.unreadable) == ["broken"] and len(watched.rows) == 4


def test_questions_wait_for_their_clip(questions: QuestionSet, videos: Path, senses: Senses, tmp_path: Path) -> None:
    """In order of time, and a clip that ends later than a question has not been watched by then."""
    trial = trial_of(questions.films[0], Video(videos / "office_01.mp4"), senses)
    clips = list(trial.clips())
    subject = MemorySubject(tmp_path)
    log: list[tuple[str, int]] = []

    def told() -> Iterator[Any]:
        for clip in clips:
            yield clip
            log.append(("watched", clip.observation.end_ns))

    for question, _ in ask_in_time(replace(trial, clips=told), subject, set()):
        log.append(("asked", question.at_ns))
    subject.close()
    start = trial.truth.start_ns
    asked = [(at - start) // 1_000_000_000 for what, at in log if what == "asked"]
    assert asked == [0, 30, 60, 60]
    for n, (what, at) in enumerate(log):
        if what == "asked":
            assert all(end <= at for kind, end in log[:n] if kind == "watched")


def test_watching_a_video_is_watching_its_bag(videos: Path, senses: Senses, tmp_path: Path) -> None:
    video = Video(videos / "office_01.mp4")
    convert(video, tmp_path / "bag")
    direct = [clip.observation for clip in watch(video, senses)]
    by_bag = [clip.observation for clip in observe(tmp_path / "bag", senses=senses)]
    assert [(one.sequence, one.start_ns, one.end_ns, one.frames, one.audio_s) for one in direct] == [
        (one.sequence, one.start_ns, one.end_ns, one.frames, one.audio_s) for one in by_bag
    ]
    assert [len(one.tracks) for one in direct] == [0, 1]
    for a, b in zip(direct, by_bag, strict=True):
        assert [track.crop for track in a.tracks] == [track.crop for track in b.tracks]
        assert a.turns == b.turns and a.keyframes == b.keyframes


def test_what_counts_as_right_follows_the_published_answer(questions: QuestionSet) -> None:
    item = questions.items[0]
    forms = {answer: expected_of(replace(item, answer=answer)) for answer in ("Yes.", "no", "12.", "Coffee.")}
    assert [(one.form, one.values) for one in forms.values()] == [
        ("yesno", ("yes",)),
        ("yesno", ("no",)),
        ("number", ("12",)),
        ("text", ("Coffee",)),
    ]
    choice = expected_of(replace(item, options=("Tea.", "Coffee."), answer="B. Coffee."))
    assert (choice.values, choice.traps) == (("Coffee.",), ("Tea.",))


def test_videos_are_found_by_published_name_or_by_film(questions: QuestionSet, tmp_path: Path) -> None:
    film = questions.films[0]
    assert find_video(film, tmp_path) is None
    (tmp_path / "office_01.webm").touch()
    assert find_video(film, tmp_path) == tmp_path / "office_01.webm"
    (tmp_path / "office_01.mp4").touch()
    assert find_video(film, tmp_path) == tmp_path / "office_01.mp4"
