"""What answers have taught, taken up when the robot is idle: the weights first, then every memory's saliency."""

from __future__ import annotations

from collections.abc import Callable

from robot_memory.memorization.saliency.learning import learn
from robot_memory.memorization.saliency.weigh import weigh_anew
from robot_memory.memorization.saliency.weights import weights
from robot_memory.memory.storage.store import Store


def teach(store: Store, step: Callable[[], None] = lambda: None) -> bool:
    """Learn, and where that changed the weights, weigh all memories anew, 2000 in a transaction. `step` is called
    between two: give way there, or raise Cancelled; memories not reached then stay weighed as they were until the
    weights change again. Says whether anything changed. Raises DiskTrouble, sqlite3.Error.
    """
    with store.write() as db:
        before = weights(db)
        if learn(db) == before:
            return False
    after, more = 0, True
    while more:
        step()
        with store.write() as db:
            after = weigh_anew(db, after)
        more = after > 0
    return True
