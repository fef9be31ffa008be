"""Who a perceived track or turn really was: by the face's place in the picture, by the time of the words.

Perception cuts life otherwise than the truth does: a line becomes two turns, two lines one. So words are dealt out one
by one, each to the turn it falls into.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.truth import Appearance, Said, Truth
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import FaceTrack, SpeechTurn

NEAR_NS = 7 * SECOND // 10  # a word this far outside a turn still belongs to it: turns begin and end with the voice
ON_IT = 0.75  # of a face's width or height: what lies farther from its middle is another's
SHARE = 0.5  # of a track's views that must lie on the person's face


@dataclass(frozen=True)
class _Word:
    at_ns: int
    text: str
    who: str


def labelled(clip: Clip, truth: Truth) -> Clip:
    """The clip with its true names and words."""
    seen = clip.observation
    there = [a for a in truth.appearances if a.start_ns < seen.end_ns and a.end_ns >= seen.start_ns]
    heard = [said for said in truth.lines if said.start_ns < seen.end_ns and said.end_ns >= seen.start_ns]
    faces = tuple(whose_face(track, there) for track in seen.tracks)
    dealt = _deal(seen.turns, [word for said in heard for word in _words(said)])
    voices = tuple(_speaker(turn, mine, heard) for turn, mine in zip(seen.turns, dealt, strict=True))
    words = tuple(" ".join(word.text for word in mine) for mine in dealt)
    return replace(clip, faces=faces, voices=voices, words=words)


def whose_face(track: FaceTrack, there: Iterable[Appearance]) -> str:
    """The person whose face most views of the track lie on; empty if it is nobody's."""
    views: Counter[str] = Counter()
    offs = [(_offs(one, track), one.who) for one in there]
    for view in range(len(track.stamps_ns)):
        close = [(float(off[view]), who) for off, who in offs if np.isfinite(off[view])]
        if close:
            views[min(close)[1]] += 1
    who, count = max(views.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return who if count >= SHARE * len(track.stamps_ns) else ""


def _offs(appearance: Appearance, track: FaceTrack) -> NDArray[np.float64]:
    """[views] how far each view's middle lies from the middle of the true face, in face sizes; infinite where it is
    not on it.
    """
    true, stamps = appearance.boxes(track.stamps_ns), track.stamps_ns
    middles = track.boxes[:, :2] + track.boxes[:, 2:] / 2
    apart = np.abs(middles - true[:, :2] - true[:, 2:] / 2) / true[:, 2:]
    there = (stamps >= appearance.start_ns) & (stamps <= appearance.end_ns) & (apart.max(axis=1) <= ON_IT)
    return np.where(there, np.hypot(apart[:, 0], apart[:, 1]), np.inf)


def _words(said: Said) -> Iterable[_Word]:
    """The words of a line, spread evenly over its time."""
    texts = said.text.split()
    for n, text in enumerate(texts):
        at_ns = said.start_ns + int((n + 0.5) / len(texts) * (said.end_ns - said.start_ns))
        yield _Word(at_ns, text, said.who)


def _deal(turns: Sequence[SpeechTurn], words: Iterable[_Word]) -> list[list[_Word]]:
    """The words of each turn, in order."""
    dealt: list[list[_Word]] = [[] for _ in turns]
    for word in sorted(words, key=lambda word: word.at_ns):
        off, n = min(((_outside(turn, word.at_ns), n) for n, turn in enumerate(turns)), default=(NEAR_NS + 1, 0))
        if off <= NEAR_NS:
            dealt[n].append(word)
    return dealt


def _outside(turn: SpeechTurn, at_ns: int) -> int:
    return max(0, turn.start_ns - at_ns, at_ns - turn.end_ns)


def _speaker(turn: SpeechTurn, words: Sequence[_Word], heard: Iterable[Said]) -> str:
    """Who said most of the words; where none fell into the turn, whose line overlaps it longest."""
    if words:
        return max(sorted(counts := Counter(word.who for word in words)), key=counts.__getitem__)
    shared: dict[str, int] = defaultdict(int)
    for said in heard:
        shared[said.who] += max(0, min(said.end_ns, turn.end_ns) - max(said.start_ns, turn.start_ns))
    who = max(sorted(shared), key=shared.__getitem__, default="")
    return who if shared.get(who) else ""
