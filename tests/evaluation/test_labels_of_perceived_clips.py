"""Perceived tracks and turns are labelled with who they really were, however perception cut them."""

from __future__ import annotations

import numpy as np
import pytest

from robot_memory.evaluation import cells
from robot_memory.evaluation.labelling import labelled
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.truth import Appearance, Box, Said, Truth
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn
from robot_memory.streams.sessions import Session


def crossing(who: str, first_x: float, last_x: float) -> Appearance:
    return Appearance(who, (Box(0, first_x, 100, 80, 100), Box(10 * SECOND, last_x, 100, 80, 100)))


def truth(*appearances: Appearance, lines: tuple[Said, ...] = ()) -> Truth:
    return Truth("t", "UTC", 0, 30 * SECOND, ("Ann", "Ben"), appearances, lines)


def track(first_s: float, last_s: float, first_x: float, last_x: float) -> FaceTrack:
    stamps = (np.linspace(first_s, last_s, 11) * SECOND).astype(np.int64)
    boxes = np.stack([np.array([x, 105, 76, 92], np.float32) for x in np.linspace(first_x, last_x, 11)])
    return FaceTrack(stamps, boxes, np.eye(1, 8, dtype=np.float32), b"", 1.0)


def turn(start_s: float, end_s: float, voice: int = 0) -> SpeechTurn:
    return SpeechTurn(
        int(start_s * SECOND), int(end_s * SECOND), "heard", voice, np.eye(1, 8, dtype=np.float32)[0], 0.9, 0.0
    )


def clip(tracks: tuple[FaceTrack, ...] = (), turns: tuple[SpeechTurn, ...] = ()) -> Clip:
    return Clip(ClipObservation("s", 0, 0, 30 * SECOND, tracks, turns), Session("s"))


def test_two_people_who_cross_keep_their_names() -> None:
    known = truth(crossing("Ann", 0, 500), crossing("Ben", 500, 0))
    found = labelled(clip((track(0, 10, 2, 502), track(0, 10, 502, 2))), known)
    assert found.faces == ("Ann", "Ben")


def test_a_face_where_nobody_is_has_no_name() -> None:
    known = truth(crossing("Ann", 0, 100))
    assert labelled(clip((track(0, 10, 400, 500), track(15, 20, 50, 60))), known).faces == ("", "")


def test_a_line_cut_in_two_is_dealt_out_word_by_word() -> None:
    known = truth(lines=(Said("Ann", 0, 6 * SECOND, "one two three four five six"),))
    found = labelled(clip(turns=(turn(0, 2.9), turn(3.1, 6.2))), known)
    assert found.words == ("one two three", "four five six")
    assert found.voices == ("Ann", "Ann")


def test_two_speakers_in_one_turn_give_it_to_the_one_with_more_words() -> None:
    known = truth(lines=(Said("Ann", 0, SECOND, "hello"), Said("Ben", SECOND, 4 * SECOND, "oh hello there")))
    found = labelled(clip(turns=(turn(0, 4),)), known)
    assert (found.words, found.voices) == (("hello oh hello there",), ("Ben",))


def test_a_sound_that_nobody_made_has_no_speaker() -> None:
    known = truth(lines=(Said("Ann", 0, SECOND, "hello"),))
    found = labelled(clip(turns=(turn(10, 12),)), known)
    assert (found.words, found.voices) == (("",), ("",))


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("words", [False, True])
def test_each_cell_puts_right_what_it_says(words: bool, people: bool) -> None:
    known = truth(crossing("Ann", 0, 500), lines=(Said("Ben", 0, 2 * SECOND, "really said"),))
    before = labelled(clip((track(0, 10, 2, 502),), (turn(0, 2),)), known)
    after = cells.cell(words, people)(before).observation
    assert (after.turns[0].text == "really said") is words
    face, voice = after.tracks[0].embeddings[0], after.turns[0].embedding
    assert voice is not None
    assert np.allclose(face, cells.direction("Ann", "face", 8)) is people
    assert np.allclose(voice, cells.direction("Ben", "voice", 8)) is people
