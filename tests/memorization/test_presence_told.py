"""Who came, stayed and left is told in sentences whose spans put together are exactly what was seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robot_memory.memorization.presence import presence
from robot_memory.memorization.scene import Appearance, Scene, Stay
from robot_memory.memorization.stays import stays_before
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn
from told import Story, at


def scene(
    *seen: tuple[int, float, float],
    before: dict[int, Stay] | None = None,
    spoken: tuple[float, float] | None = None,
    audio_s: float = 0.0,
) -> Scene:
    """A clip from 30 to 60 s; `seen`: (face, from, to) in seconds."""
    tracks = [(face, track(start_s, end_s)) for face, start_s, end_s in seen]
    turns = (SpeechTurn(ns(spoken[0]), ns(spoken[1]), "Hello.", 0, None, 0.9, 0.0),) if spoken else ()
    observation = ClipObservation("s", 1, ns(30), ns(60), tuple(one for _, one in tracks), turns, audio_s=audio_s)
    return Scene(2, observation, tuple(Appearance(one, face) for face, one in tracks), (), before=before)


def track(start_s: float, end_s: float) -> FaceTrack:
    stamps = np.array([ns(start_s), ns(end_s)], np.int64)
    return FaceTrack(stamps, np.zeros((2, 4), np.float32), np.zeros((1, 4), np.float32), b"", 0.9)


def ns(seconds: float) -> int:
    return int(seconds * SECOND)


def texts(told: Scene) -> list[str]:
    return [sentence.text for sentence in presence(told)]


def test_who_is_there_when_the_robot_begins_to_look_is_not_said_to_come() -> None:
    assert texts(scene((3, 30, 60))) == ["<face_3> was in view."]


def test_who_appears_while_the_robot_looks_came() -> None:
    assert texts(scene((3, 30.2, 60), before={})) == ["<face_3> came into view and stayed."]
    assert texts(scene((3, 45, 60))) == ["<face_3> came into view and stayed."]


def test_who_was_there_before_the_clip_is_still_there() -> None:
    assert texts(scene((3, 30, 60), before={3: Stay(ns(12), ns(29.8))})) == ["<face_3> was still in view."]


def test_who_leaves_left_after_the_whole_stay() -> None:
    assert texts(scene((3, 40, 52), before={})) == ["<face_3> came into view and left after 12 seconds."]
    stay = {3: Stay(ns(-200), ns(29.8))}
    assert texts(scene((3, 30, 40), before=stay)) == ["<face_3> was still in view and left after 4 minutes."]


def test_who_left_in_the_last_seconds_is_told_of_by_the_next_clip_without_a_span() -> None:
    (told,) = presence(scene(before={3: Stay(ns(10), ns(28))}))
    assert told.text == "<face_3> left after 18 seconds."
    assert told.start_ns == told.end_ns == ns(28)


def test_leaving_at_the_end_of_a_clip_is_told_once() -> None:
    """Within five seconds of its end the clip does not know, and the next one does; before that it is the other way."""
    for end_s in (50.0, 54.9, 55.0, 55.1, 59.0):
        seen = [*presence(scene((3, 40, end_s), before={}))]
        lost = ns(end_s) >= ns(55)
        after = [*presence(replace(scene(before={3: Stay(ns(40), ns(end_s))} if lost else {}), clip=3))]
        assert sum(" left " in one.text for one in [*seen, *after]) == 1, end_s


def test_who_goes_and_comes_back_has_two_spans() -> None:
    told = [*presence(scene((3, 31, 38), (3, 46, 60), before={}))]
    assert [one.text for one in told] == [
        "<face_3> came into view and left after 7 seconds.",
        "<face_3> came back into view and stayed.",
    ]
    assert [(one.start_ns, one.end_ns) for one in told] == [(ns(31), ns(38)), (ns(46), ns(60))]


def test_a_short_absence_is_none() -> None:
    (told,) = presence(scene((3, 30, 40), (3, 44, 60)))
    assert (told.start_ns, told.end_ns) == (ns(30), ns(60))


def test_silence_is_told_only_by_who_listened() -> None:
    assert texts(scene((3, 30, 60), audio_s=30.0)) == ["<face_3> was silently in view."]
    assert texts(scene((3, 30, 60), audio_s=0.0)) == ["<face_3> was in view."]
    assert texts(scene((3, 30, 60), audio_s=30.0, spoken=(40, 42))) == ["<face_3> was in view."]
    assert texts(scene((3, 50, 60), before={}, audio_s=30.0, spoken=(40, 42))) == [
        "<face_3> came into view silently and stayed."
    ]


def test_each_sentence_is_about_the_face_and_was_seen() -> None:
    told = [*presence(scene((3, 30, 45), (4, 50, 60), before={5: Stay(ns(1), ns(29))}))]
    assert all(_is_of(sentence, face) for sentence, face in zip(told, (3, 4, 5), strict=True))


def _is_of(sentence: Sentence, face: int) -> bool:
    return dict(sentence.about) == {f"face_{face}": 1.0} and sentence.source == "seen" and sentence.kind == "episodic"


def looked(story: Story, seen: dict[str, tuple[float, float]], frames: int = 150, **changes: str) -> dict[int, Stay]:
    """Memorises a clip that was looked at and says who was there before it."""
    observation = replace(story.observe(seen, []), frames=frames, **changes)
    stored = story._memoriser.memorise(observation, story.session)
    story._sequence += 1
    return stays_before(story.graph.store.reader(), stored.clip, observation)


def test_a_stay_goes_back_to_when_it_began(story: Story) -> None:
    assert looked(story, {"anna": (10, 30), "ben": (1, 20)}) is None, "nobody knows what was before the first clip"
    assert looked(story, {"anna": (31, 60)}) == {1: Stay(at(10), at(30))}
    assert looked(story, {"anna": (61, 70)}) == {1: Stay(at(10), at(60))}
    assert looked(story, {}) == {}


def test_a_stay_that_was_broken_begins_after_the_break(story: Story) -> None:
    looked(story, {"anna": (1, 10)})
    looked(story, {"anna": (50, 60)})
    assert looked(story, {}) == {1: Stay(at(50), at(60))}


def test_after_a_gap_or_a_clip_that_saw_nothing_it_is_not_known_who_was_there(story: Story) -> None:
    looked(story, {"anna": (1, 30)})
    story.skip_to(90)
    assert looked(story, {"anna": (91, 120)}) is None
    looked(story, {}, frames=0)
    assert looked(story, {}) is None
    looked(story, {}, skipped="perception fell behind")
    assert looked(story, {}) is None
