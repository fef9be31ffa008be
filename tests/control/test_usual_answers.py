"""What is usual is answered from rules, with their counts: when somebody is where, who comes, what has ended."""

from __future__ import annotations

import json

import pytest
from claimed import Talk
from searched import DAY, SECOND, START

from robot_memory.control.answer import Answer, Outcome
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.consolidation.consolidate import consolidate
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.rooms import HERE, PLACE_NAME

ROOMS = {"kitchen": 0.0, "study": 10.0}
BEN_STOPS, LIVED = 13, 19  # days, from a Monday on


class House(Talk):
    """Anna comes into the kitchen on weekday mornings, Ben into the study on each afternoon until he no longer does."""

    def live(self, days: range, ben_until: int) -> None:
        for room in ROOMS if 0 in days else ():
            self.look(0, -3.0, room, frame=Frame(HERE, PLACE_NAME, room))
        for day in days:
            self.look(day, -1.25, "kitchen", "Anna" if day % 7 < 5 and day != 3 else "")
            self.look(day, 5.5, "study", "Ben" if day < ben_until else "")

    def look(self, day: int, hours: float, room: str, who: str = "", frame: Frame | None = None) -> None:
        """Hours after half past nine."""
        at_s = day * DAY + hours * 3600
        clip, at_ns = self.clip(at_s), START + int(at_s * SECOND)
        pose = json.dumps({"stamp_ns": at_ns, "frame_id": "map", "position": [ROOMS[room], 0, 0], "map_id": "home"})
        about = {self._face(who): 1.0} if who else {}
        with self.graph.change() as change:
            change.db.execute(
                "INSERT INTO snapshots(clip, stamp_ns, pose, jpeg) VALUES (?, ?, ?, x'00')", (clip, at_ns, pose)
            )
            text = f"This place is the {room}." if frame else f"<{self._face(who)}> was in view." if who else ""
            if text:
                kind, source = ("semantic", "inferred") if frame else ("episodic", "seen")
                said = Sentence(kind, text, at_ns, at_ns + SECOND, source, about, frame, pose=pose)
                change.remember(clip, said, self.embedder.embed([text])[0])

    def _face(self, who: str) -> str:
        voice = int(self.voices[who].split("_")[1])
        row = self.graph.store.reader().execute(
            "SELECT id FROM entities WHERE kind = 'face' AND person = (SELECT person FROM entities WHERE id = ?)",
            (voice,),
        )
        return f"face_{row.fetchone()[0]}"

    def asked(self, text: str) -> Answer:
        return self.ask(text, day=LIVED)


@pytest.fixture
def house(graph: MemoryGraph, embedder: TextEmbedder) -> House:
    house = House(graph, embedder, "Anna", "Ben")
    for days in (range(BEN_STOPS), range(BEN_STOPS, LIVED)):
        house.live(days, BEN_STOPS)
        consolidate(graph, embedder)
    return house


ANNA = (
    "Anna is usually in the kitchen in the morning on weekdays "
    "(14 of the 15 weekday mornings on which I looked there or saw them, at 8:15)."
)


@pytest.mark.parametrize(
    "text",
    [
        "When is Anna usually in the kitchen?",
        "What does Anna do in the mornings?",
        "What does Anna usually do in the morning?",
        "Where is Anna usually in the morning?",
        "Who is usually in the kitchen in the morning?",
        "Who usually comes into the kitchen after 8 am?",
        "When does Anna usually come to the kitchen?",
    ],
)
def test_what_is_usual_is_told_with_its_count_and_its_memory(house: House, text: str) -> None:
    answer = house.asked(text)
    assert answer.text == ANNA
    (rule,) = answer.evidence
    assert (rule.source, rule.count) == ("derived", 14)


def test_yes_where_it_is_so_and_no_where_the_rule_is_of_other_days(house: House) -> None:
    assert house.asked("Is Anna usually in the kitchen in the morning?").text == f"Yes: {ANNA}"
    assert house.asked("Is Anna usually in the kitchen on Sundays?").text == f"No, not as a rule: {ANNA}"


def test_what_has_ended_is_no_longer_usual_but_was(house: House) -> None:
    now = house.asked("When is Ben usually in the study?")
    assert "is usually" not in now.text
    before = house.asked("When did Ben use to be in the study?")
    assert before.text.startswith("Ben used to be in the study in the afternoon every day (13 of the 13 afternoons")


def test_where_there_is_no_rule_the_other_pages_answer(house: House) -> None:
    answer = house.asked("When is Anna usually in the study?")
    assert "is usually" not in answer.text


def test_what_somebody_says_of_their_habits_is_told_as_ever(house: House) -> None:
    house.tells("Anna", "I", "routine", "go swimming on Tuesdays")
    answer = house.asked("When does Anna usually go swimming?")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.text == "Anna usually goes swimming on Tuesdays."
