"""The floor of a world: rooms in two rows along a corridor, and where the robot stands in them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from robot_memory.evaluation.worlds.bank import Row
from robot_memory.evaluation.worlds.world import Room, Stand

DEPTH_M, WIDEST_M, NARROWEST_M, CORRIDOR_M = 4.0, 6.0, 3.5, 1.6


def floor(throw: random.Random, names: Sequence[Row], count: int) -> tuple[Room, ...]:
    """`count` rooms that do not overlap, called by some of the bank's `names`."""
    reach, rooms = [0.0, 0.0], []
    for n, name in enumerate(throw.sample(list(names), count)):
        row, width = n % 2, round(throw.uniform(NARROWEST_M, WIDEST_M), 1)
        y = DEPTH_M + CORRIDOR_M if row else 0.0
        rooms.append(Room(name.slots["room"], name.slots["room_in"], reach[row], y, width, DEPTH_M))
        reach[row] = round(reach[row] + width, 1)
    return tuple(rooms)


def stand_in(throw: random.Random, room: Room, at_s: float) -> Stand:
    """Somewhere in the room, at least 0.8 m from its walls, looking anywhere."""
    x = room.x_m + throw.uniform(0.8, room.width_m - 0.8)
    y = room.y_m + throw.uniform(0.8, room.depth_m - 0.8)
    return Stand(at_s, round(x, 2), round(y, 2), round(throw.uniform(-math.pi, math.pi), 2))


def within(room: Room, x_m: float, y_m: float) -> bool:
    return room.x_m <= x_m <= room.x_m + room.width_m and room.y_m <= y_m <= room.y_m + room.depth_m
