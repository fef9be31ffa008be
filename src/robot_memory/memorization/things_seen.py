"""What things were in view, from the pictures that are kept of a clip: "Two cups were in view." Needs a detector.

A thing seen in several pictures of a clip is one sentence, from the first of them to the last. People are not told of:
their faces are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from robot_memory.memorization.scene import Scene, pose_at
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.perception import pictures
from robot_memory.perception.objects import ObjectDetector

NUMBERS = ("", "", "Two", "Three", "Four", "Five", "Six")
PLURALS = {"knife": "knives", "mouse": "mice", "sheep": "sheep"}
PAIRS = ("scissors", "skis")
UNTOLD = ("person",)


def things_seen(scene: Scene, detector: ObjectDetector) -> Iterator[Sentence]:
    """A sentence for each kind of thing; pictures that cannot be decoded show nothing."""
    seen: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for key in scene.observation.keyframes:
        picture = pictures.decode(key.jpeg)
        found = detector.detect(picture) if picture is not None else []
        for label, count in Counter(thing.label for thing in found).items():
            if label not in UNTOLD:
                seen[label].append((key.stamp_ns, count))
    for label, times in sorted(seen.items()):
        start_ns, end_ns, most = min(times)[0], max(times)[0], max(count for _, count in times)
        yield Sentence("episodic", told(label, most), start_ns, end_ns, "seen", pose=pose_at(scene, start_ns))


def told(label: str, count: int) -> str:
    """ "A cup was in view.", "Two knives were in view."."""
    if count > 1:
        number = NUMBERS[count] if count < len(NUMBERS) else "Several"
        return f"{number} {_plural(label)} were in view."
    if label in PAIRS:
        return f"A pair of {label} was in view."
    return f"{'An' if label[0] in 'aeiou' else 'A'} {label} was in view."


def _plural(label: str) -> str:
    if label in PAIRS:
        return f"pairs of {label}"
    first, _, last = label.rpartition(" ")
    ends = "es" if last.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{first} {PLURALS.get(last, last + ends)}".strip()
