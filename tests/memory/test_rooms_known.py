"""Where a pose is, by the names that people gave to places: also before they gave them, and never on another map."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from remembering import SECOND, add_clip, graph_at, unit

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.rooms import HERE, PLACE_NAME, known_rooms, phrase
from robot_memory.streams.media import Pose


def pose(
    x_m: float,
    y_m: float = 0.0,
    at_s: float = 0.0,
    frame: str = "map",
    map_id: str = "home",
    z_m: float = 0.0,
    unsure_m: float = 0.0,
) -> str:
    covariance = (unsure_m**2, *(0.0,) * 35)
    stamp_ns = int(at_s * SECOND)
    return json.dumps(asdict(Pose(stamp_ns, frame, (x_m, y_m, z_m), (0.0, 0.0, 0.0, 1.0), covariance, map_id)))


class House:
    """A store in which places are named; clips are 30 s, those of another session are named by it."""

    def __init__(self, graph: MemoryGraph) -> None:
        self.graph = graph

    def clip(self, sequence: int, session: str = "s") -> int:
        with self.graph.change() as change:
            return add_clip(change.db, sequence, session)

    def named(self, clip: int, at_s: float, name: str, where: str, polarity: int = 1) -> None:
        """Somebody says what the place is called: the words are remembered with their pose, and the claim with it."""
        at_ns = int(at_s * SECOND)
        with self.graph.change() as change:
            turn = change.db.execute(
                "INSERT INTO turns(clip, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, 'This is it.', 0.9)",
                (clip, at_ns, at_ns),
            ).lastrowid
            frame = Frame(HERE, PLACE_NAME, name, polarity)
            for sentence in (
                Sentence("episodic", "someone said: “This is it.”", at_ns, at_ns, "heard", turn=turn, pose=where),
                Sentence("semantic", f"This is {name}.", at_ns, at_ns, "inferred", frame=frame, turn=turn, pose=where),
            ):
                change.remember(clip, sentence, unit(1))

    def at(self, where: str, as_of_s: float | None = None) -> str:
        with self.graph.store.snapshot() as db:
            return known_rooms(db, None if as_of_s is None else int(as_of_s * SECOND)).at(where)

    def names(self) -> tuple[str, ...]:
        with self.graph.store.snapshot() as db:
            return known_rooms(db).names()


@pytest.fixture
def house(tmp_path) -> House:  # type: ignore[no-untyped-def]
    return House(graph_at(tmp_path / "memory.sqlite"))


def test_where_nobody_has_named_anything_it_is_nowhere(house: House) -> None:
    assert house.at(pose(0)) == "" and house.names() == ()


def test_near_where_it_was_said_is_that_room_and_far_from_it_is_none(house: House) -> None:
    house.named(house.clip(0), 5, "kitchen", pose(0))
    assert house.at(pose(1.5, 1.5)) == "kitchen"
    assert house.at(pose(6)) == ""
    assert house.at("") == ""


def test_a_room_named_at_noon_was_that_room_in_the_morning(house: House) -> None:
    house.clip(0)
    house.named(house.clip(100), 3000, "kitchen", pose(0, at_s=3000))
    assert house.at(pose(1, at_s=10)) == "kitchen"
    assert house.at(pose(1, at_s=10), as_of_s=2000) == ""


def test_of_two_rooms_the_nearer_one_and_between_them_neither(house: House) -> None:
    clip = house.clip(0)
    house.named(clip, 5, "kitchen", pose(0))
    house.named(clip, 20, "study", pose(4))
    assert house.at(pose(1)) == "kitchen" and house.at(pose(3)) == "study"
    assert house.at(pose(2)) == ""
    assert house.names() == ("kitchen", "study")


def test_each_saying_makes_a_room_larger(house: House) -> None:
    house.named(house.clip(0), 5, "kitchen", pose(0))
    assert house.at(pose(5)) == ""
    house.named(house.clip(1), 35, "kitchen", pose(4))
    assert house.at(pose(0)) == house.at(pose(5)) == "kitchen"
    assert house.names() == ("kitchen",)


def test_a_correction_on_the_spot_takes_the_place_of_the_name_before(house: House) -> None:
    clip = house.clip(0)
    house.named(clip, 5, "kitchen", pose(0))
    house.named(clip, 9, "study", pose(0.1))
    assert house.at(pose(0)) == "study"
    assert house.at(pose(0), as_of_s=7) == "kitchen"


def test_a_denial_takes_a_name_away_there_and_not_elsewhere(house: House) -> None:
    clip = house.clip(0)
    house.named(clip, 5, "kitchen", pose(0))
    house.named(clip, 7, "kitchen", pose(20))
    house.named(clip, 9, "kitchen", pose(0), polarity=-1)
    assert house.at(pose(0)) == "" and house.at(pose(20)) == "kitchen"


def test_poses_of_another_map_or_frame_or_floor_are_elsewhere(house: House) -> None:
    house.named(house.clip(0), 5, "kitchen", pose(0))
    assert house.at(pose(0, map_id="office")) == ""
    assert house.at(pose(0, frame="odom")) == ""
    assert house.at(pose(0, z_m=3)) == ""


def test_odometry_is_compared_within_its_session_alone(house: House) -> None:
    def odometry(x_m: float, at_s: float) -> str:
        return pose(x_m, at_s=at_s, frame="odom", map_id="")

    house.named(house.clip(0, "monday"), 5, "kitchen", odometry(0, 5))
    house.clip(10, "tuesday")
    assert house.at(odometry(1, 25)) == "kitchen"
    assert house.at(odometry(1, 305)) == "", "on Tuesday odometry began somewhere else"


def test_odometry_of_a_moment_that_two_sessions_have_is_of_neither(house: House) -> None:
    """Simulations begin at zero each time."""
    where = pose(0, at_s=5, frame="odom", map_id="")
    house.named(house.clip(0, "first run"), 5, "kitchen", where)
    house.clip(0, "second run")
    assert house.at(where) == ""


def test_the_map_stays_where_it_is_from_session_to_session(house: House) -> None:
    house.named(house.clip(0, "monday"), 5, "kitchen", pose(0, at_s=5, map_id=""))
    house.clip(10, "tuesday")
    assert house.at(pose(1, at_s=305, map_id="")) == "kitchen"


def test_a_robot_that_is_lost_is_nowhere(house: House) -> None:
    house.named(house.clip(0), 5, "kitchen", pose(0))
    assert house.at(pose(0, unsure_m=0.3)) == "kitchen"
    assert house.at(pose(0, unsure_m=3)) == ""


def test_a_place_named_without_a_pose_is_known_by_name_alone(house: House) -> None:
    house.named(house.clip(0), 5, "kitchen", "")
    assert house.names() == ("kitchen",) and house.at(pose(0)) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kitchen", "in the kitchen"),
        ("living room", "in the living room"),
        ("balcony", "on the balcony"),
        ("landing", "on the landing"),
        ("reception", "at reception"),
        ("charging dock", "at the charging dock"),
        ("room 12", "in room 12"),
        ("Anna's office", "in Anna's office"),
    ],
)
def test_how_a_place_is_spoken_of(name: str, words: str) -> None:
    assert phrase(name) == words
