"""Who came into view, stayed and left, in sentences: one for each stretch in view, as long as the face was seen.

The spans of these sentences are whole and exact, so that stays can be put together from them across clips. What
happened at their ends is told in the same sentence. Only who left in the last seconds of a clip, which the next one
tells, has a sentence of its own, of no length, at the moment of the last sight. No room is named: its name may be
learnt later, and the pose tells where it was. "Silently": nobody at all spoke meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from robot_memory.memorization.scene import REJOIN_NS, Scene, Stay, pose_at
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.streams.media import SECOND

MINUTE = 60  # seconds


def presence(scene: Scene) -> Iterator[Sentence]:
    """A sentence for each stretch of a face in view, and for those who had left when the clip began."""
    spans = scene.spans()
    for face, its_spans in spans.items():
        yield from _in_view(scene, face, its_spans)
    for face, stay in (scene.before or {}).items():
        if not _goes_on(stay, spans.get(face, [])):
            text = f"<face_{face}> left after {_lasting(stay.last_ns - stay.since_ns)}."
            yield _seen(scene, face, text, stay.last_ns, stay.last_ns)


def _in_view(scene: Scene, face: int, spans: list[tuple[int, int]]) -> Iterator[Sentence]:
    stay = (scene.before or {}).get(face)
    if stay and not _goes_on(stay, spans):
        stay = None
    for n, (start_ns, end_ns) in enumerate(spans):
        goes_on = stay if n == 0 else None
        came = n > 0 or (goes_on is None and _came(scene, start_ns))
        left = end_ns < scene.observation.end_ns - REJOIN_NS
        since_ns = goes_on.since_ns if goes_on else start_ns
        silently = " silently" if _silent(scene, start_ns, end_ns) else ""
        how = _how(came, again=n > 0, still=goes_on is not None, silently=silently)
        end = f" and left after {_lasting(end_ns - since_ns)}" if left else " and stayed" if came else ""
        yield _seen(scene, face, f"<face_{face}> {how}{end}.", start_ns, end_ns)


def _how(came: bool, again: bool, still: bool, silently: str) -> str:
    if came:
        return f"came{' back' if again else ''} into view{silently}"
    return f"was{' still' if still else ''}{silently} in view"


def _goes_on(stay: Stay, spans: list[tuple[int, int]]) -> bool:
    """Was a face from before the clip seen again so soon that it was there all along?"""
    return bool(spans) and spans[0][0] - stay.last_ns <= REJOIN_NS


def _came(scene: Scene, start_ns: int) -> bool:
    """Did a face that is new in this clip come while the robot was looking? Who is there when it begins to look, or
    soon after, may have been there before.
    """
    return scene.before is not None or start_ns > scene.observation.start_ns + REJOIN_NS


def _silent(scene: Scene, start_ns: int, end_ns: int) -> bool:
    """Did nobody speak while the robot listened? A deaf robot cannot say so."""
    turns = scene.observation.turns
    return scene.observation.audio_s > 0 and not any(t.start_ns < end_ns and t.end_ns > start_ns for t in turns)


def _lasting(length_ns: int) -> str:
    """ "1 second", "40 seconds", "4 minutes"."""
    seconds = max(1, round(length_ns / SECOND))
    count, unit = (seconds, "second") if seconds < MINUTE else (round(seconds / MINUTE), "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _seen(scene: Scene, face: int, text: str, start_ns: int, end_ns: int) -> Sentence:
    pose = pose_at(scene, start_ns)
    return Sentence("episodic", text, start_ns, end_ns, "seen", {f"face_{face}": 1.0}, pose=pose)
