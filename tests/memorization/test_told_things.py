"""Where things are is learnt from what people say about it, and from nothing that only sounds like it."""

from __future__ import annotations

import pytest

from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.told import Line, Told

WEDNESDAY = 20516  # 4 March 2026, in days since 1970


def _told(text: str) -> list[Told]:
    return [one for one in claims_in(Line(text, "voice_1", 0, WEDNESDAY)) if one.attribute == "place"]


@pytest.mark.parametrize(
    ("said", "thing", "place"),
    [
        ("The spare key is under the flowerpot by the gate.", "spare key", "under the flowerpot by the gate"),
        ("I've hung your coat on the hook behind the door.", "coat", "on the hook behind the door"),
        (
            "My reading glasses are on the windowsill in the bathroom.",
            "reading glasses",
            "on the windowsill in the bathroom",
        ),
        ("We store the Christmas decorations up in the attic.", "Christmas decorations", "up in the attic"),
        ("Mum put the scissors back in the sewing box.", "scissors", "in the sewing box"),
        ("The remote is between the sofa cushions again.", "remote", "between the sofa cushions"),
        ("Your phone's on the kitchen table, next to the bread.", "phone", "on the kitchen table"),
        ("If you need the stapler, it's in the top drawer of my desk.", "stapler", "in the top drawer of my desk"),
        ("I found the missing glove behind the radiator.", "missing glove", "behind the radiator"),
        (
            "The first-aid kit lives in the cupboard under the stairs.",
            "first-aid kit",
            "in the cupboard under the stairs",
        ),
        ("I left my umbrella in the car.", "umbrella", "in the car"),
        ("The bikes are in the shed these days.", "bikes", "in the shed"),
        ("Dad's parked the wheelbarrow behind the garage.", "wheelbarrow", "behind the garage"),
        ("I moved the printer to the study.", "printer", "in the study"),
        ("I've put the batteries away in the bottom drawer.", "batteries", "in the bottom drawer"),
        ("The hammer's in the toolbox, where it belongs.", "hammer", "in the toolbox"),
        ("You can find the sugar on the shelf above the sink.", "sugar", "on the shelf above the sink"),
        ("Oh, the tape? I dropped it in the basket by the door.", "tape", "in the basket by the door"),
        ("I'm keeping the passports in the safe from now on.", "passports", "in the safe"),
        ("Lena hid the presents on top of the wardrobe.", "presents", "on top of the wardrobe"),
        ("The ladder has been moved to the garage.", "ladder", "in the garage"),
        ("The charger ended up in Ben's backpack.", "charger", "in Ben's backpack"),
        ("We've got the tent in the loft.", "tent", "in the loft"),
        ("There's a torch in the glove compartment.", "torch", "in the glove compartment"),
        ("Somebody left the milk out on the counter.", "milk", "out on the counter"),
        ("I swapped the lamps round, so the green lamp is in the bedroom now.", "green lamp", "in the bedroom"),
        ("The watering can stands next to the greenhouse.", "watering can", "next to the greenhouse"),
        ("My wallet turned up under the car seat.", "wallet", "under the car seat"),
        ("Just to let you know, the vacuum cleaner's in the hall cupboard.", "vacuum cleaner", "in the hall cupboard"),
        ("The car keys are hanging by the front door.", "car keys", "by the front door"),
        ("I've just tucked the receipt into your wallet.", "receipt", "in your wallet"),
        ("Careful, the paint is on the floor behind you.", "paint", "on the floor"),
        ("I always leave my bike in the hall.", "bike", "in the hall"),
        ("It's in the kitchen, the corkscrew.", "corkscrew", "in the kitchen"),
        ("I stuck the shopping list on the fridge.", "shopping list", "on the fridge"),
        ("You left your hat at Lena's house.", "hat", "at Lena's house"),
    ],
)
def test_a_place_is_told(said: str, thing: str, place: str) -> None:
    assert [(one.subject, one.value, one.polarity, one.past) for one in _told(said)] == [(thing, place, 1, False)]


def test_a_thing_that_moved_was_in_one_place_and_is_in_another() -> None:
    told = _told("The scissors aren't on the desk any more, they're in the kitchen.")
    assert [(one.subject, one.value, one.past) for one in told] == [
        ("scissors", "on the desk", True),
        ("scissors", "in the kitchen", False),
    ]


def test_from_one_place_to_another() -> None:
    told = _told("We moved the piano from the lounge into the dining room.")
    assert {(one.value, one.past) for one in told} == {("in the lounge", True), ("in the dining room", False)}


def test_what_is_not_there_is_kept_as_not_so() -> None:
    (told,) = _told("The stapler isn't on my desk.")
    assert (told.subject, told.value, told.polarity) == ("stapler", "on my desk", -1)


def test_what_is_there_no_longer() -> None:
    (told,) = _told("The rake's not in the shed any more, I lent it to Tom.")
    assert (told.subject, told.value, told.past) == ("rake", "in the shed", True)


@pytest.mark.parametrize(
    "said",
    [
        "Where did I put the keys?",
        "Have you seen the torch in the kitchen?",
        "The ball is in your court.",
        "I put my foot in it yesterday.",
        "She put her hands in her pockets and walked away.",
        "He had left the lamp on the table and gone to bed.",
        "Anna says the keys are in the drawer.",
        "Put the milk in the fridge, please.",
        "We should keep the paint in the shed.",
        "The truth is in the middle.",
        "The children are in the garden.",
        "I was in the kitchen with the dog.",
        "Dinner is on the table.",
        "My heart is in the highlands.",
        "On Monday he went down to the harbour and put the letter in the box.",
        "I bought the lamp in a shop in Leeds.",
        "I put the kettle on, tea in a minute.",
        "He keeps his cards close to his chest.",
        "They put all their eggs in one basket.",
        "I'm in the kitchen.",
        "The meeting was moved to the large room.",
        "He's left his wife in the lurch.",
        "I used to keep my diary under the pillow as a child.",
        "I need the scissors in the kitchen.",
        "The keys were in the drawer yesterday.",
        "I'll take the one in the window.",
        "He shut the door in my face.",
        "The writing is on the wall.",
        "The cat is on the sofa.",
        "I'm sitting on the sofa with my laptop on my knees.",
        "The doctor said on Friday that my heart is in the right place.",
        "The spare bulbs? Top shelf in the pantry.",
        "The bread knife is missing from the drawer.",
        "Tom says the drill is in the van.",
        "The book you lent me is on my bedside table.",
    ],
)
def test_no_place_is_told(said: str) -> None:
    assert not _told(said)


def test_a_place_is_put_right() -> None:
    told = _told("The torch is in the shed. No, sorry, in the garage.")
    assert [one.value for one in told if one.polarity > 0 and not one.past] == ["in the garage"]
