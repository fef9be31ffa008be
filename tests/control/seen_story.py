"""A remembered day in a house of two rooms, told in observations with poses: real store, describer and embedder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from robot_memory.control.agent import Agent
from robot_memory.control.answer import Answer, Question
from robot_memory.control.policy import ReflexPolicy
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, Pose
from robot_memory.streams.working import WorkingMemory
from told import Said, Seen, Story, at

KITCHEN, STUDY = (0.0, 0.0), (8.0, 0.0)  # metres in the map
EVENING_S = 8 * 3600  # 17:30
NIGHT_S = 10 * 3600
DAY_S = 24 * 3600


class House(Story):
    """Tells clips like a Story, each with the place where the robot stands."""

    place = KITCHEN

    def observe(self, seen: Seen, said: Said) -> ClipObservation:
        told = super().observe(seen, said)
        x, y = self.place
        poses = (Pose(told.start_ns + n * 5 * SECOND, "map", (x, y, 0.0), (0.0, 0.0, 0.0, 1.0), map_id="house") for n in range(6))
        return replace(told, poses=tuple(poses))

    def skip_to(self, seconds: float, place: tuple[float, float] | None = None) -> None:
        super().skip_to(seconds)
        self.place = place or self.place


def told_day(house: House) -> None:
    """Yesterday: Anna and Ben in the kitchen at 9:30, Ben in the study at 10:30, Anna again at 11:30. Today at 9:30 Anna
    in the kitchen, where a visitor comes without a word; at 17:30 Ben alone in the study.
    """
    house.clip(
        {"anna": (1, 29), "ben": (2, 28)},
        [("anna", 2, 5, "Hello, my name is Anna."), ("ben", 7, 10, "My name is Ben, good morning.")],
    )
    house.clip(
        {"anna": (30, 59), "ben": (30, 50)},
        [
            ("anna", 31, 34, "I'm Anna, by the way. And this is the kitchen."),
            ("ben", 36, 40, "I am Ben, as I said. The boat trip was wonderful."),
        ],
    )
    house.skip_to(3600, STUDY)
    house.clip({"ben": (3601, 3629)}, [("ben", 3603, 3608, "This is the study, where I work.")])
    house.skip_to(7200, KITCHEN)
    house.clip({"anna": (7201, 7225)}, [("anna", 7203, 7208, "I never want to see those cycle lanes again.")])
    house.skip_to(DAY_S)
    house.clip(
        {"anna": (DAY_S + 1, DAY_S + 29), "clara": (DAY_S + 3, DAY_S + 29)},
        [("anna", DAY_S + 4, DAY_S + 8, "We are out of coffee.")],
    )
    house.clip({"anna": (DAY_S + 30, DAY_S + 59)})
    house.skip_to(DAY_S + EVENING_S, STUDY)
    house.clip({"ben": (DAY_S + EVENING_S, DAY_S + EVENING_S + 29)})


def ask(house: Story, text: str, now_s: float = DAY_S + NIGHT_S, **more: Any) -> Answer:
    working = more.pop("working", None) or WorkingMemory()
    agent = Agent(house.graph, house.embedder, ReflexPolicy(), working)
    return agent.answer(Question("q", text, at(now_s), **more), max_rounds=5, budget_s=10.0)
