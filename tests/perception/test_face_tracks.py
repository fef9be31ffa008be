"""One appearance of a face is one track, and two faces in one frame are two."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.perception.faces import FaceSighting
from robot_memory.perception.pictures import encode_jpeg
from robot_memory.perception.tracking import Tracker, iou
from robot_memory.streams.media import SECOND, Frame

STEP = SECOND // 5  # five frames a second
ANNA, BEN = np.eye(8, dtype=np.float32)[:2]


def between(a: np.ndarray, b: np.ndarray, cosine: float) -> np.ndarray:
    """A unit vector of this cosine to a, towards b (which is orthogonal to a)."""
    return (a * cosine + b * np.sqrt(1 - cosine**2)).astype(np.float32)


def face(x: float, who: np.ndarray | None = ANNA, quality: float = 0.5, size: float = 80) -> FaceSighting:
    return FaceSighting((x, 100.0, size, size), np.zeros((5, 2), np.float32), 0.9, quality, who, b"crop %d" % x)


def tracker(**settings) -> Tracker:
    return Tracker(PerceptionSettings(**settings), same=0.5)


def tracks(frames: list[list[FaceSighting]], **settings):
    follower = tracker(**settings)
    for number, sightings in enumerate(frames):
        follower.add(number * STEP, tuple(sightings))
    return follower.finish()


def test_a_face_that_moves_is_one_track():
    (track,) = tracks([[face(10 * i)] for i in range(40)])
    assert track.stamps_ns.tolist() == [i * STEP for i in range(40)]
    assert track.stamps_ns.dtype == np.int64
    assert track.boxes.shape == (40, 4)
    assert track.boxes.dtype == np.float32
    assert track.boxes[3, 0] == 30


def test_two_faces_are_two_tracks_even_if_alike():
    """Twins, or one person and their picture on the wall."""
    found = tracks([[face(10), face(300)] for _ in range(10)])
    assert [t.boxes[0, 0] for t in found] == [10, 300]
    assert all(len(t.stamps_ns) == 10 for t in found)


def test_two_people_who_cross_keep_their_tracks():
    frames = [[face(20 * i), face(400 - 20 * i, BEN)] for i in range(21)]
    first, second = tracks([f if i % 2 else f[::-1] for i, f in enumerate(frames)])
    by_start = {int(t.boxes[0, 0]): t for t in (first, second)}
    assert by_start[0].embeddings[0] @ ANNA > 0.99
    assert by_start[0].boxes[-1, 0] == 400
    assert by_start[400].embeddings[0] @ BEN > 0.99
    assert by_start[400].boxes[-1, 0] == 0


@pytest.mark.parametrize(("missing", "expected"), [(1, 1), (6, 1), (7, 2), (30, 2)])
def test_a_face_away_for_the_gap_starts_a_new_track(missing, expected):
    """track_gap_s is 1.5: at five frames a second, seven frames missed are 1.6 s."""
    assert len(tracks([[face(10)]] * 3 + [[]] * missing + [[face(10)]] * 3)) == expected


def test_back_elsewhere_within_the_gap_is_the_same_person():
    (track,) = tracks([[face(10)], [], [], [face(400)]])
    assert track.boxes[:, 0].tolist() == [10, 400]


def test_a_stranger_on_the_same_spot_after_a_cut_is_a_new_track():
    first, second = tracks([[face(10)]] * 5 + [[face(10, between(BEN, ANNA, 0.97))]] * 5)
    assert first.end_ns == 4 * STEP
    assert second.start_ns == 5 * STEP


def test_a_turned_head_stays_in_its_track():
    """Less alike than the threshold, but where the face just was."""
    (track,) = tracks([[face(10)], [face(14, between(ANNA, BEN, 0.35))], [face(16)]])
    assert len(track.stamps_ns) == 3


def test_a_face_too_small_to_embed_extends_a_track_but_makes_none():
    (track,) = tracks([[face(10)], [face(12, None)], [face(14)], [face(300, None)]])
    assert len(track.stamps_ns) == 3
    assert tracks([[face(10, None)]] * 5) == ()


def test_the_best_views_are_kept_best_first_and_no_two_alike():
    rng = np.random.default_rng(0)
    looks = [(between(ANNA, BEN, c), q) for c, q in ((1.0, 0.9), (0.999, 0.8), (0.8, 0.7), (0.5, 0.6), (0.2, 0.1))]
    order = rng.permutation(5)
    frames = [[face(10, looks[i][0], looks[i][1])] for i in order]
    (track,) = tracks(frames, embeddings_per_track=3)
    assert np.allclose(track.embeddings @ ANNA, [1.0, 0.8, 0.5])
    assert track.quality == 0.9
    assert track.embeddings.dtype == np.float32


def test_live_is_the_same_tracking_and_draining_keeps_it_small():
    frames = [[face(10 * i, ANNA if i < 30 else BEN)] if i % 20 < 12 else [] for i in range(100)]
    whole = tracks(frames)
    follower, drained = tracker(), []
    for number, sightings in enumerate(frames):
        now = number * STEP
        follower.add(now, tuple(sightings))
        drained += follower.drain(now)
        assert len(follower._open) <= 2
        assert not follower._closed
        live = follower.live(now)
        assert [t.last_ns for t in live][-1:] == [now] or not sightings
    drained += follower.finish()
    assert follower.finish() == ()
    assert len(drained) == len(whole) > 3
    for one, other in zip(drained, whole, strict=True):
        assert np.array_equal(one.stamps_ns, other.stamps_ns)
        assert np.array_equal(one.embeddings, other.embeddings)


def test_live_tracks_keep_their_number_and_end_with_the_gap():
    follower = tracker()
    follower.add(0, (face(10), face(300, BEN)))
    follower.add(STEP, (face(300, BEN),))
    anna, ben = follower.live(STEP)
    assert (anna.number, ben.number) == (0, 1)
    assert ben.start_ns == 0
    assert np.allclose(ben.embedding, BEN)
    assert [t.number for t in follower.live(round(1.5 * SECOND))] == [1]
    assert follower.live(10 * SECOND) == ()


def test_frames_that_go_back_in_time_are_left_out_and_counted():
    follower = tracker()
    for stamp in (5, 3, 5, 6):
        follower.add(stamp, (face(10),))
    (track,) = follower.finish()
    assert track.stamps_ns.tolist() == [5, 6]
    assert follower.late == 2


def test_real_faces_walking_past_each_other(senses, hopper, astronaut):
    """Two portraits pasted on a wall; they pass each other, and a lamp post hides one for half a second."""
    one, two = (cv2.imdecode(np.frombuffer(e, np.uint8), cv2.IMREAD_COLOR) for e in (hopper, astronaut))
    one, two = cv2.resize(one[40:360, 110:430], (200, 200)), cv2.resize(two[0:260, 90:350], (200, 200))
    follower = Tracker(senses.eyes.settings, senses.same_face)
    for i in range(25):
        room = np.full((480, 800, 3), 120, np.uint8)
        room[20:220, 20 * i : 20 * i + 200] = one
        room[250:450, 580 - 20 * i : 780 - 20 * i] = two
        if 8 <= i < 11:
            room[:230] = 60
        frame = Frame(i * STEP, encode_jpeg(room))
        follower.add(frame.stamp_ns, senses.eyes.look(frame))
    first, second = follower.finish()
    assert {len(first.stamps_ns), len(second.stamps_ns)} == {22, 25}
    assert float(first.embeddings[0] @ second.embeddings[0]) < senses.same_face
    for track in (first, second):
        crop = Frame(0, track.crop)
        (seen,) = senses.eyes.look(crop)
        assert float(seen.embedding @ track.embeddings[0]) > 0.9


def test_iou():
    assert iou((0, 0, 10, 10), (0, 0, 10, 10)) == 1
    assert iou((0, 0, 10, 10), (5, 0, 10, 10)) == pytest.approx(1 / 3)
    assert iou((0, 0, 10, 10), (10, 0, 10, 10)) == iou((0, 0, 0, 0), (0, 0, 0, 0)) == 0
