"""A remembered day in a house of two rooms, told in observations with poses: real store, describer and embedder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from robot_memory.config import PerceptionSettings
from robot_memory.control.agent import Agent
from robot_memory.control.answer import Answer, Question
from robot_memory.control.policy import ReflexPolicy
from robot_memory.control.service import models_of
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, Pose
from robot_memory.streams.working import WorkingMemory
from told import Said, Seen, Story, at

KITCHEN, STUDY = (0.0, 0.0), (8.0, 0.0)  # metres in the map
HOUR_S, DAY_S = 3600, 24 * 3600
EVENING_S, NIGHT_S = 8 * HOUR_S, 10 * HOUR_S  # 17:30 and 19:30


class House(Story):
    """Tells clips like a Story, each with the place where the robot stands."""

    place = KITCHEN

    def observe(self, seen: Seen, said: Said) -> ClipObservation:
        told = super().observe(seen, said)
        x, y = self.place
        ahead = (0.0, 0.0, 0.0, 1.0)
        stamps = (told.start_ns + n * 5 * SECOND for n in range(6))
        return replace(told, poses=tuple(Pose(one, "map", (x, y, 0.0), ahead, map_id="house") for one in stamps))

    def skip_to(self, seconds: float, place: tuple[float, float] | None = None) -> None:
        super().skip_to(seconds)
        self.place = place or self.place


@contextmanager
def house_at(path: Path, embedder: TextEmbedder) -> Iterator[House]:
    """The day remembered in a file of its own, for tests that share it because they only ask."""
    with Store(path) as store:
        house = House(MemoryGraph(store, models_of(load_profile(PerceptionSettings().profile))), embedder)
        told_day(house)
        yield house


def told_day(house: House) -> None:
    """Yesterday: Anna at 9:30 in the kitchen, Ben at 10:30 in the study, both at 11:30 in the kitchen. Today: Anna at
    9:30 in the kitchen, with a stranger who says no word; Ben at 17:30 in the study, as silent.
    """
    house.clip(
        {"anna": (1, 29)}, [("anna", 2, 5, "Hello, my name is Anna."), ("anna", 20, 24, "And this is the kitchen.")]
    )
    house.clip({"anna": (30, 59)}, [("anna", 31, 34, "As I said, I'm Anna.")])
    house.skip_to(HOUR_S, STUDY)
    house.clip(
        {"ben": (HOUR_S + 1, HOUR_S + 29)},
        [("ben", HOUR_S + 3, HOUR_S + 6, "My name is Ben."), ("ben", HOUR_S + 9, HOUR_S + 13, "This is the study.")],
    )
    house.clip({"ben": (HOUR_S + 30, HOUR_S + 50)}, [("ben", HOUR_S + 31, HOUR_S + 35, "I'm Ben, by the way.")])
    house.skip_to(2 * HOUR_S, KITCHEN)
    noon = 2 * HOUR_S
    house.clip(
        {"anna": (noon + 1, noon + 29), "ben": (noon + 5, noon + 28)},
        [
            ("anna", noon + 6, noon + 10, "I never want to see those cycle lanes again."),
            ("ben", noon + 12, noon + 16, "The boat trip was wonderful."),
        ],
    )
    house.skip_to(DAY_S)
    house.clip(
        {"anna": (DAY_S + 1, DAY_S + 29), "stranger": (DAY_S + 3, DAY_S + 29)},
        [("anna", DAY_S + 4, DAY_S + 8, "We are out of coffee.")],
    )
    house.clip({"anna": (DAY_S + 30, DAY_S + 59)})
    house.skip_to(DAY_S + EVENING_S, STUDY)
    house.clip({"ben": (DAY_S + EVENING_S, DAY_S + EVENING_S + 29)})


def ask(house: Story, text: str, now_s: float = DAY_S + NIGHT_S, **more: Any) -> Answer:
    working = more.pop("working", None) or WorkingMemory()
    agent = Agent(house.graph, house.embedder, ReflexPolicy(), working)
    return agent.answer(Question("q", text, at(now_s), **more), max_rounds=5, budget_s=10.0)
