"""What people say of the place where the robot stands is learnt; what they say of other places is not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from robot_memory.memorization.places import Placed, places_in, places_named
from robot_memory.memorization.scene import Appearance, Scene, Utterance
from robot_memory.memory.rooms import HERE, PLACE_NAME, known_rooms
from robot_memory.streams.media import SECOND, Pose
from robot_memory.streams.observation import ClipObservation, SpeechTurn
from told import Story, at, face_track

TOLD = {
    "This is the kitchen.": "kitchen",
    "Okay, this here is our living room, robot.": "living room",
    "Welcome to the workshop, robot.": "workshop",
    "Welcome to our lovely dining room!": "dining room",
    "You're in the pantry.": "pantry",
    "You are at reception.": "reception",
    "You are currently in Lab 3.": "lab 3",
    "So, robot, you've just entered the server room.": "server room",
    "And here we are in the meeting room.": "meeting room",
    "Here's the canteen.": "canteen",
    "This room is the print room, by the way.": "print room",
    "This place is called the orangery.": "orangery",
    "Where we are now is the conference room.": "conference room",
    "What you’re looking at is the lobby.": "lobby",
    "The terrace is where you are.": "terrace",
    "That's the library you're standing in.": "library",
    "It's the den, this.": "den",
    "Robot, this is room 12.": "room 12",
    "This is meeting room B.": "meeting room B",
    "This is Anna's office.": "Anna's office",
    "This is my office.": "office",
    "Come on in, this is the lounge, where we watch telly.": "lounge",
    "If anyone asks, you're in the waiting room.": "waiting room",
    "Now, this is the kitchen and through there is the pantry.": "kitchen",
    "Let me show you the garage. Here it is.": "garage",
    "Next room. The pantry.": "pantry",
    "And through this door, the pantry.": "pantry",
    "Last but not least, the attic.": "attic",
    "Remember this place as home base.": "home base",
    "Call this spot the charging dock.": "charging dock",
    "No, this is the study, not the library.": "study",
}
OURS = {
    "We're in the study now.": "study",
    "We've just come into the hallway.": "hallway",
    "We are now standing on the balcony.": "balcony",
    "We are back in the lab.": "lab",
}
NOT_TOLD = (
    "The keys are in the kitchen.",
    "I'm in the kitchen!",
    "He's in the workshop.",
    "Anna is in the kitchen, you know.",
    "Is this the kitchen?",
    "This is the kitchen, isn't it?",
    "Are we in the study",
    "This is the life.",
    "This is the best kitchen in town.",
    "This is the kitchen knife.",
    "This is the same room as yesterday.",
    "This is the office calling.",
    "That's the kitchen over there.",
    "This is the kitchen on your left.",
    "The kitchen is on the left.",
    "Through this door is the kitchen.",
    "Through here you get to the kitchen.",
    "We're in the kitchen every evening.",
    "We're in the kitchen tomorrow.",
    "We were in the study.",
    "We'll be in the study.",
    "You're in the office tomorrow.",
    "You're in the way.",
    "We are in a hurry.",
    "We're in the middle of dinner.",
    "If this is the kitchen, then I'm the queen.",
    "I think we're in the library.",
    "Imagine this is the kitchen.",
    "This could be the kitchen.",
    "This used to be the kitchen.",
    "Ben said this is the kitchen.",
    "Look at this picture: this is the kitchen.",
    "When we're in the garden we eat there.",
    "Meet me in the office.",
    "Let's go to the kitchen.",
    "Welcome to the club.",
    "Remember this as a warning.",
    "Keep this under your hat.",
    "Let me show you the garage. It is cold.",
)


@pytest.mark.parametrize("text", TOLD)
def test_a_place_is_told(text: str) -> None:
    assert places_in(text) == [Placed(TOLD[text])]


@pytest.mark.parametrize("text", OURS)
def test_where_the_speakers_are_is_told(text: str) -> None:
    assert places_in(text) == [Placed(OURS[text], ours=True)]


@pytest.mark.parametrize("text", NOT_TOLD)
def test_nothing_is_told_of_this_place(text: str) -> None:
    assert places_in(text) == []


def test_what_it_is_not_and_what_it_is_instead() -> None:
    assert places_in("This isn't the kitchen, it's the utility room.") == [
        Placed("kitchen", -1),
        Placed("utility room"),
    ]
    assert places_in("This is not the cellar any more.") == [Placed("cellar", -1)]
    assert places_in("This isn't the hall. This is the landing.") == [Placed("hall", -1), Placed("landing")]


def scene(text: str, confidence: float = 0.9, seen: bool = True) -> Scene:
    turn = SpeechTurn(5 * SECOND, 7 * SECOND, text, 0, None, confidence, 0.05)
    poses = tuple(Pose(n * SECOND, "map", (float(n), 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)) for n in (0, 7, 20))
    observation = ClipObservation("s", 0, 0, 30 * SECOND, (), (turn,), poses)
    track = replace(face_track("anna", 0, 1), stamps_ns=face_track("anna", 0, 1).stamps_ns * 0 + 6 * SECOND)
    return Scene(1, observation, (Appearance(track, 1),) if seen else (), (Utterance(turn, 9, 2),))


def test_a_place_is_a_claim_with_the_pose_it_was_told_at() -> None:
    (told,) = places_named(scene("This is the kitchen."))
    assert told.text == "This place is the kitchen."
    assert told.frame is not None and told.turn == 9
    assert (told.frame.subject, told.frame.attribute, told.frame.value) == (HERE, PLACE_NAME, "kitchen")
    assert json.loads(told.pose)["position"][0] == 7.0


def test_we_are_in_the_kitchen_may_be_called_from_elsewhere() -> None:
    assert [*places_named(scene("We're in the kitchen."))]
    assert not [*places_named(scene("We're in the kitchen.", seen=False))]
    assert [*places_named(scene("You're in the kitchen.", seen=False))]


def test_a_place_is_not_learnt_from_a_guess_of_the_transcriber() -> None:
    assert not [*places_named(scene("This is the kitchen.", confidence=0.2))]


def test_who_was_seen_in_the_morning_was_in_the_room_that_is_named_at_noon(story: Story) -> None:
    for start_s, said in ((0, []), (9000, [("anna", 9003, 9006, "This is the kitchen, robot.")])):
        story.skip_to(start_s)
        observation = replace(story.observe({"anna": (start_s + 1, start_s + 28)}, said), poses=(here(start_s),))
        story._memoriser.memorise(observation, story.session)
    with story.graph.store.snapshot() as db:
        rooms = known_rooms(db)
        poses = [row["pose"] for row in db.execute("SELECT pose FROM memories WHERE source = 'seen'")]
    assert [rooms.at(pose) for pose in poses] == ["kitchen", "kitchen"]


def here(at_s: float) -> Pose:
    return Pose(at(at_s), "map", (3.0, 4.0, 0.0), (0.0, 0.0, 0.0, 1.0), map_id="home")
