"""A scene in sentences. The first describer needs no model: it says who was in view, who was together, who said what.

Sentences carry entity tokens in place of names, so that a name learnt tomorrow is right for today.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Protocol

from robot_memory.memorization.introductions import introduced
from robot_memory.memorization.scene import Scene
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.streams.media import SECOND

TOGETHER_NS = SECOND  # faces that share less time than this merely passed each other
REJOIN_NS = 5 * SECOND  # a face lost and found again within this time was there all along


class Describer(Protocol):
    """Anything that can put a scene into sentences: rules here, a language model on robots that carry one."""

    def describe(self, scene: Scene) -> list[Sentence]: ...


class TranscriptDescriber:
    """Describes from tracks, turns and poses alone."""

    def describe(self, scene: Scene) -> list[Sentence]:
        sentences = [*_presence(scene), *_company(scene), *_speech(scene), *_names(scene)]
        return sorted(sentences, key=lambda s: (s.start_ns, s.end_ns, s.kind, s.text))


def _presence(scene: Scene) -> Iterator[Sentence]:
    for face, spans in _spans(scene).items():
        for start_ns, end_ns in spans:
            yield Sentence(
                "episodic",
                f"<face_{face}> was in view.",
                start_ns,
                end_ns,
                "seen",
                {f"face_{face}": 1.0},
                pose=pose_at(scene, start_ns),
            )


def _company(scene: Scene) -> Iterator[Sentence]:
    spans = sorted(_spans(scene).items())
    for n, (one, ones) in enumerate(spans):
        for other, others in spans[n + 1 :]:
            shared = [
                (max(a, c), min(b, d)) for a, b in ones for c, d in others if min(b, d) - max(a, c) >= TOGETHER_NS
            ]
            for start_ns, end_ns in shared:
                yield Sentence(
                    "episodic",
                    f"<face_{one}> and <face_{other}> were in view together.",
                    start_ns,
                    end_ns,
                    "seen",
                    {f"face_{one}": 1.0, f"face_{other}": 1.0},
                    pose=pose_at(scene, start_ns),
                )


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


def _spans(scene: Scene) -> dict[int, list[tuple[int, int]]]:
    """Face -> the spans of time it was in view, short absences bridged."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for appearance in sorted(scene.appearances, key=lambda a: a.track.start_ns):
        if appearance.face is None:
            continue
        mine = spans.setdefault(appearance.face, [])
        start_ns, end_ns = appearance.track.start_ns, appearance.track.end_ns
        if mine and start_ns - mine[-1][1] <= REJOIN_NS:
            mine[-1] = (mine[-1][0], max(mine[-1][1], end_ns))
        else:
            mine.append((start_ns, end_ns))
    return spans


def pose_at(scene: Scene, stamp_ns: int) -> str:
    """The nearest pose of the clip as JSON; empty if there is none."""
    nearest = min(
        scene.observation.poses, key=lambda pose: (abs(pose.stamp_ns - stamp_ns), pose.stamp_ns), default=None
    )
    return json.dumps(asdict(nearest)) if nearest else ""
