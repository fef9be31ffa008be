"""The server that is crashed: the product's own memory service, fed through its spool with a made-up world's clips.

What it promises it tells at once, a line each: `spooled 7` (the clip is in the spool), `stored 7` (it is in the store),
`answered q3` (so is this question). A crash may come at any time; what was told must hold.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control import service as serving
from robot_memory.control.answer import Question
from robot_memory.control.service import MemoryService
from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.worlds.trials import trial
from robot_memory.lanes import Traffic
from robot_memory.language.embedder import TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.memorization.memorise import Stored
from robot_memory.memory.graph import Change
from robot_memory.models.manifest import load_profile
from robot_memory.streams.sessions import Session

STORE = "memory.sqlite"
AGAIN = 2  # clips that a new life spools once more although they are stored: a replay begins anew, too
A_DAY = 20  # clips that a day in a world has at least
PATIENCE_S = 60.0

Tell = Callable[[str], None]
Key = tuple[str, int]  # session, sequence


@dataclass(frozen=True)
class Habits:
    """What the server does beside writing, and how it cheats: a laboratory that does not notice tests nothing."""

    asking: bool = False
    memories: int = 0  # budget: beyond it memories go to the archive, and beyond as many there for good; 0: no limit
    stored_when_spooled: bool = False  # says that a clip is stored before it is
    clips_in_pieces: bool = False  # commits after every sentence
    unsynced_store: bool = False  # PRAGMA synchronous=OFF
    unsynced_spool: bool = False


def warm_up() -> TextEmbedder:
    """Load the embedding model once for every server that this process and its children start."""
    loaded = open_text_embedder(load_profile(PerceptionSettings().profile).model("text_embedding"))
    setattr(serving, "open_text_embedder", lambda model: loaded)  # noqa: B010 - the type checker would object
    return loaded


@lru_cache(maxsize=4)
def story(seed: int, most: int) -> tuple[Clip, ...]:
    """The first clips of the seed's world, perfectly perceived."""
    world = trial(seed, days=3 if most > A_DAY else 1, people=5, rooms=3, count=1)
    return tuple(islice(world.clips(), most))


def start(
    folder: Path, on_stored: Callable[[Session, Stored], None] = lambda session, stored: None, memories: int = 0
) -> MemoryService:
    """The memory service as the server node makes it."""
    store = replace(stored_within(memories), path=str(folder / STORE))
    return MemoryService(store, StreamSettings(), PerceptionSettings(), AnswerSettings(), Traffic(), on_stored)


def stored_within(memories: int) -> StoreSettings:
    """The settings of a store with a small budget, or with the usual one."""
    return StoreSettings(memories=memories, archive=memories) if memories else StoreSettings()


def live(folder: Path, clips: Sequence[Clip], first: int, tell: Tell, habits: Habits) -> None:
    """One life of the server, from its start to its orderly stop: the clips from `first` on are spooled and stored."""
    numbers = {clip.key: number for number, clip in enumerate(clips)}
    done = threading.Event()

    def on_stored(session: Session, stored: Stored) -> None:
        row = server.store.reader().execute("SELECT session, sequence FROM clips WHERE id = ?", (stored.clip,))
        number = numbers[tuple(row.fetchone())]
        tell(f"skipped {number} {stored.skipped}" if stored.skipped else f"stored {number}")
        if number == len(clips) - 1:
            done.set()

    server = start(folder, on_stored, habits.memories)
    _cheat(server, habits)
    tell("open")
    server.intake.scan()
    asking = threading.Thread(target=_ask, args=(server, clips[first:], done, tell), daemon=True)
    if habits.asking:
        asking.start()
    for number, clip in enumerate(clips[max(0, first - AGAIN) :], start=max(0, first - AGAIN)):
        server.spool.open_session(clip.session)
        place = server.spool.add(clip.observation)
        tell(f"spooled {number}")
        if habits.stored_when_spooled:
            tell(f"stored {number}")
        server.intake.clip_ready(place)
    if not done.wait(PATIENCE_S):
        tell(f"stuck {server.intake.problems}")
    if habits.asking:
        asking.join()
    server.close()
    tell("closed")


def _ask(server: MemoryService, clips: Sequence[Clip], done: threading.Event, tell: Tell) -> None:
    """Question after question while clips are taken in."""
    for number, clip in enumerate(clips):
        if done.is_set():
            return
        at_ns = clip.observation.end_ns
        question = Question(f"q{os.getpid()}-{number}", "Who said something about coffee?", at_ns, at_ns, "")
        server.ask(question).result()
        tell(f"answered {question.id}")


def _cheat(server: MemoryService, habits: Habits) -> None:
    if habits.unsynced_store:
        server.store._writer.execute("PRAGMA synchronous=OFF")
    if habits.unsynced_spool:
        os.fsync = lambda handle: None  # type: ignore[assignment]
    if habits.clips_in_pieces:
        remember = Change.remember

        def piecewise(change: Change, *rest: object) -> object:
            result = remember(change, *rest)  # type: ignore[arg-type]
            change.db.execute("COMMIT")
            change.db.execute("BEGIN IMMEDIATE")
            return result

        Change.remember = piecewise  # type: ignore[assignment,method-assign]


def drained(folder: Path) -> dict[str, str]:
    """Start the server on what a crash left and let it take in what lies in the spool; returns its problems."""
    try:
        server = start(folder)
    except (RobotMemoryError, OSError) as error:
        return {"start": str(error)}
    with suppress(TimeoutError):
        server.intake.scan()
        server.intake._lane.submit(lambda: None).result(PATIENCE_S)
    problems = dict(server.intake.problems)
    server.close()
    return problems
