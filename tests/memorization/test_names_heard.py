"""Names told by others reach the one who is meant, and nobody where it could be two."""

from __future__ import annotations

from robot_memory.memory.people.people import People, Person
from told import Said, Story

HELLO = "Good morning, what a lovely day it is."


def names(story: Story) -> dict[str, str]:
    """Every name that somebody has, and its state."""
    with story.graph.store.snapshot() as db:
        return {one.name: one.state for one in People(db).all() if one.name}


def person(story: Story, name: str) -> Person:
    with story.graph.store.snapshot() as db:
        (one,) = (one for one in People(db).all() if one.name == name)
    return one


def meet(story: Story, who: str, name: str, start: int = 0) -> None:
    """Somebody alone in view says their name, and so face and voice are joined."""
    said: Said = [(who, start + 3, start + 7, f"Hello, my name is {name}."), (who, start + 9, start + 13, HELLO)]
    story.clip({who: (start + 1, start + 28)}, said)


def sources(story: Story) -> list[tuple[str, str]]:
    rows = story.graph.store.reader().execute("SELECT name, source FROM names ORDER BY id")
    return [(row["name"], row["source"]) for row in rows]


def test_the_other_one_in_view_is_introduced(story: Story) -> None:
    meet(story, "anna", "Anna")
    story.clip({"anna": (31, 59), "clara": (31, 59)}, [("anna", 34, 38, "And this is my sister Clara.")])
    clara = person(story, "Clara")
    assert clara.faces and not clara.voices and clara.state == "heard"
    assert names(story)["Anna"]


def test_who_of_two_is_introduced_is_not_guessed(story: Story) -> None:
    meet(story, "anna", "Anna")
    seen = {"anna": (31, 59), "clara": (31, 59), "dora": (31, 59)}
    story.clip(seen, [("anna", 34, 38, "And this is my sister Clara.")])
    assert "Clara" not in names(story)


def test_the_speakers_own_face_is_never_given_the_name(story: Story) -> None:
    meet(story, "anna", "Anna")
    story.clip({"anna": (31, 59)}, [("anna", 34, 38, "And this is my sister Clara.")])
    assert "Clara" not in names(story)


def test_somebody_asked_about_is_not_who_answers(story: Story) -> None:
    meet(story, "anna", "Anna")
    said: Said = [("anna", 34, 38, "Have you met Clara?"), ("ben", 39, 43, "No, I have not met her yet.")]
    story.clip({"anna": (31, 59), "ben": (31, 59)}, said)
    assert "Clara" not in names(story)


def test_who_gave_another_name_is_not_renamed(story: Story) -> None:
    meet(story, "ben", "Ben")
    meet(story, "anna", "Anna", start=30)
    story.clip({"anna": (61, 89), "ben": (61, 89)}, [("anna", 64, 68, "And this is my sister Clara.")])
    assert "Clara" not in names(story)


def test_the_other_one_of_two_is_spoken_to(story: Story) -> None:
    said: Said = [("ben", 3, 7, "Could you pass me that, Anna?"), ("anna", 8, 12, "Here it is, the big one.")]
    story.clip({"anna": (1, 29), "ben": (1, 29)}, said)
    anna = person(story, "Anna")
    assert anna.voices and anna.state == "heard"


def test_who_of_three_is_spoken_to_is_not_guessed(story: Story) -> None:
    said: Said = [
        ("clara", 1, 5, HELLO),
        ("ben", 6, 10, "Could you pass me that, Anna?"),
        ("anna", 11, 15, "Here it is, the big one."),
    ]
    story.clip({"anna": (1, 29), "ben": (1, 29), "clara": (1, 29)}, said)
    assert names(story) == {}


def test_the_answer_may_come_in_the_next_clip(story: Story) -> None:
    story.clip({"anna": (1, 30), "ben": (1, 30)}, [("ben", 25, 29, "Could you pass me that, Anna?")])
    assert names(story) == {}
    story.clip({"anna": (30, 59), "ben": (30, 59)}, [("anna", 31, 35, "Here it is, the big one.")])
    assert person(story, "Anna").voices


def test_to_be_spoken_to_confirms_a_name_that_was_given(story: Story) -> None:
    meet(story, "anna", "Anna")
    assert names(story)["Anna"] == "heard"
    story.clip(
        {"anna": (31, 59), "ben": (31, 59)}, [("ben", 34, 38, "Thanks, Anna."), ("anna", 39, 43, "You are welcome.")]
    )
    assert names(story) == {"Anna": "confirmed"}


def test_to_be_spoken_to_confirms_no_name_within_one_occasion(story: Story) -> None:
    for start in (0, 30):
        said: Said = [
            ("ben", start + 3, start + 7, "Could you pass me that, Anna?"),
            ("anna", start + 8, start + 12, "Here it is, the big one."),
        ]
        story.clip({"anna": (start + 1, start + 29), "ben": (start + 1, start + 29)}, said)
    assert names(story) == {"Anna": "heard"}


def test_nobody_present_gets_the_name_of_somebody_known(story: Story) -> None:
    meet(story, "anna", "Anna")
    story.skip_to(600)
    said: Said = [("ben", 603, 607, "Could you pass me that, Anna?"), ("clara", 608, 612, "She is not here, you know.")]
    story.clip({"ben": (601, 629), "clara": (601, 629)}, said)
    assert [source for name, source in sources(story) if name == "Anna"] == ["introduction"]


def test_nice_to_meet_you_is_said_to_who_has_just_given_the_name(story: Story) -> None:
    said: Said = [("anna", 3, 7, "Hello, my name is Anna."), ("ben", 8, 12, "Anna, nice to meet you.")]
    story.clip({"anna": (1, 29), "ben": (1, 29)}, said)
    assert [one.name for one in _voices(story)] == ["Anna", ""]


def test_a_short_name_and_the_full_one_are_one_name(story: Story) -> None:
    meet(story, "kate", "Catherine")
    story.clip({"kate": (31, 59)}, [("kate", 34, 38, "People call me Kate, all of them.")])
    with story.graph.store.snapshot() as db:
        (one,) = People(db).all()
        assert {one.name, *one.others} == {"Catherine", "Kate"} and one.sure
        assert People(db).of_entity(one.voices[0]).id == one.id


def test_a_name_is_spelt_in_the_next_breath(story: Story) -> None:
    said: Said = [("walkin", 3, 7, "My name is Joaquim."), ("walkin", 9, 13, "That's J-O-A-Q-U-I-N.")]
    story.clip({"walkin": (1, 29)}, said)
    assert names(story) == {"Joaquin": "confirmed"}


def _voices(story: Story) -> list[Person]:
    with story.graph.store.snapshot() as db:
        people = People(db)
        return [people.of_entity(n) for n in sorted(n for one in people.all() for n in one.voices)]
