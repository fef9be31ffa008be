"""The product with other rules of who is who: the same recognised faces and voices, put together as M3-Agent does.

Only the persons differ (labels, links, names). What it answers, finds and claims is the product's own, so claims are
not told again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from robot_memory.evaluation.subject import Asked, Key, Labels, Reply
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.memory.people import parity
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn
from robot_memory.streams.sessions import Session

META_NS = 5 * SECOND  # the paper's longest meta-clip; it cuts at changes of the picture, a standing robot has few
Pair = tuple[int, int]  # face, voice


class LinkedSubject(MemorySubject):
    """A memory whose persons come from a rule over the pairs of one face and one voice that it has met."""

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder, name=name)
        self._pairs: list[Pair] = []

    def watch(self, observation: ClipObservation, session: Session) -> None:
        super().watch(observation, session)
        faces, voices = self._entities((observation.session, observation.sequence))
        self._pairs += self._met(observation, faces, voices)

    def ask(self, question: Asked) -> Reply:
        """The product's answer; the asker's label here would say nothing to it."""
        return super().ask(Asked(question.id, question.text, question.at_ns))

    def labels(self) -> Mapping[Key, Labels]:
        persons = self._persons()

        def of(entities: list[int | None], count: int) -> tuple[str | None, ...]:
            some = [entities[n] if n < len(entities) else None for n in range(count)]
            return tuple(None if entity is None else _label(persons, entity) for entity in some)

        return {
            key: Labels(*(of(some, count) for some, count in zip(self._entities(key), counts)))
            for key, counts in self._watched.items()
        }

    def names(self) -> Mapping[str, str]:
        """The name heard most often of a person's faces and voices, the first of equals."""
        persons, heard = self._persons(), defaultdict[str, Counter[str]](Counter)
        with self._store.snapshot() as db:
            for row in db.execute("SELECT entity, name FROM names ORDER BY id"):
                heard[_label(persons, row["entity"])][row["name"]] += 1
        return {label: names.most_common(1)[0][0] for label, names in heard.items()}

    def claims(self) -> None:  # type: ignore[override]
        """None: they are the product's."""

    def _met(self, seen: ClipObservation, faces: list[int | None], voices: list[int | None]) -> Iterator[Pair]:
        """The pairs of a clip that the rule goes by."""
        raise NotImplementedError

    def _persons(self) -> Mapping[int, int]:
        """Entity -> the one that stands for its person; whom the rule left alone stays away."""
        raise NotImplementedError


class Algorithm2Subject(LinkedSubject):
    """By the paper's Algorithm 2. Raises ModelMissing, StoreLocked or StoreUnreadable."""

    def __init__(self, folder: Path, share: float = parity.SHARE) -> None:
        super().__init__(folder, "memory+algorithm2")
        self._share = share

    def _met(self, seen: ClipObservation, faces: list[int | None], voices: list[int | None]) -> Iterator[Pair]:
        """Of each stretch of up to 5 s in which one face is seen and one voice heard. One that is not known counts as
        another.
        """
        for start_ns in range(seen.start_ns, seen.end_ns, META_NS):
            end_ns = min(start_ns + META_NS, seen.end_ns)
            yield from _alone(seen, faces, voices, start_ns, end_ns)

    def _persons(self) -> Mapping[int, int]:
        return parity.algorithm2(self._pairs, self._share)


class PublishedSubject(LinkedSubject):
    """By the published code, given an equivalence for every turn over a lone face. Raises like Algorithm2Subject."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "memory+published")

    def _met(self, seen: ClipObservation, faces: list[int | None], voices: list[int | None]) -> Iterator[Pair]:
        """A describer states what it sees; ours would see one face in view while a voice speaks."""
        for turn, voice in zip(seen.turns, voices):
            there = {face for track, face in zip(seen.tracks, faces) if _meets(track, turn.start_ns, turn.end_ns)}
            if voice is not None and len(there) == 1 and None not in there:
                yield from ((face, voice) for face in there if face is not None)

    def _persons(self) -> Mapping[int, int]:
        return {entity: min(person) for person in parity.published(self._pairs) for entity in person}


def _alone(
    seen: ClipObservation, faces: list[int | None], voices: list[int | None], start_ns: int, end_ns: int
) -> Iterator[Pair]:
    """The one face and the one voice of a stretch, if there is exactly one of each."""
    visible = {face for track, face in zip(seen.tracks, faces) if _meets(track, start_ns, end_ns)}
    audible = {voice for turn, voice in zip(seen.turns, voices) if _meets(turn, start_ns, end_ns)}
    if len(visible) == len(audible) == 1:
        (face,), (voice,) = visible, audible
        if face is not None and voice is not None:
            yield face, voice


def _meets(one: FaceTrack | SpeechTurn, start_ns: int, end_ns: int) -> bool:
    return one.start_ns < end_ns and one.end_ns > start_ns


def _label(persons: Mapping[int, int], entity: int) -> str:
    return f"person_of_{persons.get(entity, entity)}"
