"""A scene in sentences, without any model: who was there and with whom, who said what, what they told, where that was.

Sentences carry entity tokens in place of names, so that a name learnt tomorrow is right for today.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from robot_memory.memorization.company import company
from robot_memory.memorization.naming.own import introduced
from robot_memory.memorization.places import places_named
from robot_memory.memorization.presence import presence
from robot_memory.memorization.scene import Scene, pose_at
from robot_memory.memorization.telling import told
from robot_memory.memorization.things_seen import things_seen
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.perception.objects import ObjectDetector


class Describer(Protocol):
    """Anything that can put a scene into sentences: rules here, a language model on robots that carry one."""

    def describe(self, scene: Scene) -> list[Sentence]: ...


class TranscriptDescriber:
    """Describes from tracks, turns and poses alone; with a detector also the things in a clip's pictures."""

    def __init__(self, objects: ObjectDetector | None = None) -> None:
        self._objects = objects

    def describe(self, scene: Scene) -> list[Sentence]:
        seen = [*presence(scene), *company(scene), *places_named(scene)]
        if self._objects is not None:
            seen += things_seen(scene, self._objects)
        sentences = [*seen, *_speech(scene), *_names(scene), *told(scene)]
        return sorted(sentences, key=lambda s: (s.start_ns, s.end_ns, s.kind, s.text))


def _speech(scene: Scene) -> Iterator[Sentence]:
    for said in scene.utterances:
        if not said.turn.text:
            continue
        speaker = f"<voice_{said.voice}>" if said.voice is not None else "someone"
        about = {f"voice_{said.voice}": 1.0} if said.voice is not None else {}
        yield Sentence(
            "episodic",
            f"{speaker} said: “{said.turn.text}”",
            said.turn.start_ns,
            said.turn.end_ns,
            "heard",
            about,
            turn=said.row,
            pose=pose_at(scene, said.turn.start_ns),
        )


def _names(scene: Scene) -> Iterator[Sentence]:
    for said in scene.utterances:
        if said.voice is None:
            continue
        for name in introduced(said.turn.text):
            yield Sentence(
                "semantic",
                f"<voice_{said.voice}> gave the name {name}.",
                said.turn.start_ns,
                said.turn.end_ns,
                "inferred",
                {f"voice_{said.voice}": 1.0},
                Frame(f"<voice_{said.voice}>", "name", name),
                said.row,
            )
