"""Tracks and turns of a clip meet the galleries: known, new, or too little to tell.

Two tracks of one picture are two people, so the surest match takes an entity first and the others must look elsewhere.
A voice is judged on all its turns of the clip together. Who was met beside whom is noted, and who looks like whom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.entities import pairs
from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.rule import Match
from robot_memory.memory.graph import Change
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn, Vector

MIN_SIGHTINGS = 3  # a face seen in fewer frames is not enrolled: it may be none
UNLIKE = 0.1  # speakers of one clip this far below acceptance are two; the nearer ones may be one, heard apart


@dataclass(frozen=True)
class Verdict:
    """Whom a track or speaker was taken for. `sure`: so surely that it may tell him from others: learnt from."""

    entity: int | None
    sure: bool = False


@dataclass(frozen=True)
class Speaker:
    """One voice of a clip: its turns that can be told, the longest first, and what their embeddings come to."""

    turns: tuple[SpeechTurn, ...]
    pooled: Vector

    @property
    def embeddings(self) -> NDArray[np.float32]:
        """[turns, d]."""
        return np.stack([turn.embedding for turn in self.turns if turn.embedding is not None])

    @property
    def seconds(self) -> float:
        return sum(turn.duration_s for turn in self.turns)

    def owns(self, turn: SpeechTurn) -> bool:
        """Is the turn this speaker's? One too short to be told goes with the others of its number."""
        return turn.embedding is None or any(turn is one for one in self.turns)


def faces(change: Change, clip: int, tracks: tuple[FaceTrack, ...]) -> list[int | None]:
    """The face entity of each track; new faces are enrolled."""
    gallery = change.graph.galleries["face"]
    seen, tracks = tracks, tuple(_believed(gallery, track) for track in tracks)
    pooled = [gallery.pooled(track.embeddings) for track in tracks]
    beside = [{m for m in range(len(tracks)) if m != n and _share_a_picture(tracks, n, m)} for n in range(len(tracks))]

    def match(n: int, found: dict[int, Verdict]) -> Match:
        taken = {found[m].entity for m in beside[n] & found.keys()} - {None}
        return _match_face(change, pooled[n], {entity for entity in taken if entity is not None})

    def settle(n: int, matched: Match) -> Verdict:
        return _settle_face(change, clip, tracks[n], matched, len(seen[n].embeddings))

    found = _surest_first(change, len(tracks), match, settle, lambda n, m: m in beside[n])
    _note_apart(change, clip, found, lambda n, m: m in beside[n])
    return [found[n].entity for n in range(len(tracks))]


def voices(change: Change, clip: int, observation: ClipObservation, min_enrol_s: float) -> list[int | None]:
    """The voice entity of each turn; a new voice with enough speech is enrolled. A turn that sounds like somebody else
    than its speaker is nobody's.
    """
    gallery = change.graph.galleries["voice"]
    heard = dict.fromkeys(turn.voice for turn in observation.turns if turn.embedding is not None)
    speakers = [_speaker(change, [turn for turn in observation.turns if turn.voice == voice]) for voice in heard]

    def match(n: int, found: dict[int, Verdict]) -> Match:
        taken = {one.entity for one in found.values() if one.entity is not None}
        return change.match("voice", speakers[n].pooled, speakers[n].seconds, taken)

    def settle(n: int, matched: Match) -> Verdict:
        if matched.entity is not None:
            speakers[n] = _without_others(change, speakers[n], matched.entity)
        return _settle(change, "voice", clip, speakers[n].embeddings, matched, speakers[n].seconds >= min_enrol_s)

    def clearly_two(n: int, m: int) -> bool:
        least = min(speakers[n].seconds, speakers[m].seconds)
        return float(speakers[n].pooled @ speakers[m].pooled) < gallery.rule.accept.at(least) - UNLIKE

    found = _surest_first(change, len(speakers), match, settle, lambda n, m: True)
    _note_apart(change, clip, found, clearly_two)
    at = {voice: n for n, voice in enumerate(heard)}
    return [
        found[at[turn.voice]].entity if turn.voice in at and speakers[at[turn.voice]].owns(turn) else None
        for turn in observation.turns
    ]


def _surest_first(
    change: Change,
    count: int,
    match: Callable[[int, dict[int, Verdict]], Match],
    settle: Callable[[int, Match], Verdict],
    beside: Callable[[int, int], bool],
) -> dict[int, Verdict]:
    """Settle all, each time the one whose match is surest given those before; the unmatched come last. `beside`: two
    that cannot be one.
    """
    found: dict[int, Verdict] = {}
    open_ = {n: match(n, found) for n in range(count)}
    while open_:
        best = max(open_, key=lambda n: (open_[n].entity is not None, open_[n].score, -n))
        found[best] = settle(best, open_.pop(best))
        for n, matched in open_.items():
            if _is_stale(change, matched, found[best], beside(n, best)):
                open_[n] = match(n, found)
    return found


def _is_stale(change: Change, matched: Match, settled: Verdict, beside: bool) -> bool:
    """Must a match be looked for anew, now that another one is settled? Those beside it cannot be that person; for the
    others that entity may have learnt.
    """
    if settled.entity is None:
        return False
    if not beside:
        return settled.sure
    person = pairs.person_of(change.db, settled.entity)
    wanted = {matched.entity, matched.maybe, *(entity for entity, _ in matched.alike)} - {None}
    return matched.doubtful or any(pairs.person_of(change.db, one) == person for one in wanted if one is not None)


def _believed(gallery: Gallery, track: FaceTrack) -> FaceTrack:
    """The track without views that are not of its face; if the best one is not, its crop must not become anybody's."""
    believed = gallery.typical(track.embeddings)
    quality = track.quality if 0 in believed else 0.0
    return replace(track, embeddings=track.embeddings[believed], quality=quality)


def _match_face(change: Change, pooled: Vector, taken: set[int]) -> Match:
    """Two faces of one person in one picture cannot be. So where a face of the person is `taken`, the others are his
    no more; unless this is so surely one of them that it is the person who is two, wrongly joined.
    """
    kin = {other for entity in taken for other in pairs.kin(change.db, entity)} - taken
    if kin:
        plain = change.graph.galleries["face"].match(pooled)
        if plain.learn and plain.entity in kin:
            return plain
    return change.match("face", pooled, forbidden=taken | kin)


def _settle_face(change: Change, clip: int, track: FaceTrack, matched: Match, views: int) -> Verdict:
    """`views`: how many the track had, before those were left out that are not of its face."""
    enough = len(track.stamps_ns) >= MIN_SIGHTINGS and len(track.embeddings) > views / 2
    verdict = _settle(change, "face", clip, track.embeddings, matched, enough)
    if verdict.sure:
        change.db.execute(
            "UPDATE entities SET crop = ?, crop_quality = ? WHERE id = ? AND crop_quality < ?",
            (track.crop, track.quality, verdict.entity, track.quality),
        )
    return verdict


def _settle(
    change: Change, kind: str, clip: int, embeddings: NDArray[np.float32], matched: Match, enough: bool
) -> Verdict:
    """The entity that matched, a new one, or none where there is too little to tell or it cannot be told who it is."""
    entity, sure, alike = matched.entity, matched.learn, matched.alike
    if entity is None:
        if matched.doubtful or not enough:
            return Verdict(None)
        entity, sure = change.new_entity(kind, clip), True
        alike = () if matched.maybe is None else ((matched.maybe, matched.score),)
    for other, score in alike:
        pairs.note_alike(change.db, entity, other, score, clip)
    if sure:
        change.learn(kind, entity, embeddings, clip)
    return Verdict(entity, sure)


def _note_apart(change: Change, clip: int, found: dict[int, Verdict], two: Callable[[int, int], bool]) -> None:
    """What is noted is for good, so only those count who were recognised surely."""
    sure = [(n, verdict.entity) for n, verdict in sorted(found.items()) if verdict.sure and verdict.entity is not None]
    for (n, one), (m, other) in combinations(sure, 2):
        if one != other and two(n, m):
            pairs.note_apart(change.db, one, other, clip)


def _share_a_picture(tracks: tuple[FaceTrack, ...], n: int, m: int) -> bool:
    return bool(np.isin(tracks[n].stamps_ns, tracks[m].stamps_ns).any())


def _speaker(change: Change, turns: list[SpeechTurn]) -> Speaker:
    """The speaker of these turns, without those that sound unlike the rest: a change of speaker may go unheard. Of two
    that are unlike each other the longer one is the speaker's.
    """
    known = sorted((turn for turn in turns if turn.embedding is not None), key=lambda turn: -turn.duration_s)
    accept = change.graph.galleries["voice"].rule.accept

    def fits(turn: SpeechTurn) -> bool:
        rest = [other for other in known if other is not turn]
        assert turn.embedding is not None
        return not rest or float(turn.embedding @ _pooled(change, rest).pooled) >= accept.at(turn.duration_s) - UNLIKE

    return _pooled(change, [turn for turn in known if fits(turn)] or known[:1])


def _without_others(change: Change, speaker: Speaker, entity: int) -> Speaker:
    """The speaker without the turns that sound more like another person than like the one they were taken for."""
    gallery, person = change.graph.galleries["voice"], pairs.person_of(change.db, entity)

    def own(turn: SpeechTurn) -> bool:
        assert turn.embedding is not None
        entities, scores = gallery.scores(turn.embedding)
        return pairs.person_of(change.db, int(entities[np.argmax(scores)])) == person

    kept = [turn for turn in speaker.turns if own(turn)]
    return _pooled(change, kept) if kept else speaker


def _pooled(change: Change, turns: list[SpeechTurn]) -> Speaker:
    embeddings = np.stack([turn.embedding for turn in turns if turn.embedding is not None])
    seconds = np.array([turn.duration_s for turn in turns], np.float32)
    return Speaker(tuple(turns), change.graph.galleries["voice"].pooled(embeddings, seconds))
