"""Mishaps of perception: seeded, at the rates that are stated, and the truth stays beside what is left."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pytest

from robot_memory import cli
from robot_memory.errors import SettingsInvalid
from robot_memory.evaluation.scoring.sources import sources
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.mishaps.blur import FACE_COSINE, FACE_PX, noise_for
from robot_memory.evaluation.worlds.mishaps.rates import Mishaps, names, parsed
from robot_memory.evaluation.worlds.mishaps.spoil import apply
from robot_memory.evaluation.worlds.oracle import oracle
from robot_memory.streams.media import SECOND


@lru_cache(maxsize=1)
def perfect() -> tuple[Clip, ...]:
    return tuple(oracle(make(7, days=2, people=5, rooms=3)))


@lru_cache(maxsize=32)
def spoiled(words: str) -> tuple[Clip, ...]:
    return tuple(apply(perfect(), parsed(words.split())))


def tracks(clips: Sequence[Clip]) -> int:
    return sum(len(clip.observation.tracks) for clip in clips)


def turns(clips: Sequence[Clip]) -> int:
    return sum(len(clip.observation.turns) for clip in clips)


def moments(clips: Sequence[Clip]) -> int:
    return sum(len(track.stamps_ns) for clip in clips for track in clip.observation.tracks)


def told(clips: Sequence[Clip]) -> int:
    return sum(len(turn.text.split()) for clip in clips for turn in clip.observation.turns)


def test_the_same_seed_errs_the_same_and_another_otherwise() -> None:
    again = tuple(apply(perfect(), Mishaps()))
    first, second, third = (json.dumps([_plain(clip) for clip in of]) for of in (spoiled(""), again, spoiled("seed=1")))
    assert first == second != third


def test_leaving_out_an_episode_moves_no_other() -> None:
    episodes = [n for n, clip in enumerate(perfect()) if n and clip.key[1] != perfect()[n - 1].key[1] + 1]
    rest = tuple(apply(perfect()[episodes[0] :], Mishaps()))
    assert [_plain(clip) for clip in rest] == [_plain(clip) for clip in spoiled("")[episodes[0] :]]


def test_without_mishaps_the_stream_is_the_oracles() -> None:
    assert all(one is other for one, other in zip(spoiled("none"), perfect(), strict=True))


def test_whatever_happens_the_truth_fits() -> None:
    everything = " ".join(f"{name}=0.5" for name in names())
    for before, clip in zip(perfect(), spoiled(everything), strict=True):
        seen = clip.observation
        assert clip.key == before.key
        assert len(seen.tracks) == len(clip.faces) and len(seen.turns) == len(clip.voices) == len(clip.words)
        assert [track.start_ns for track in seen.tracks] == sorted(track.start_ns for track in seen.tracks)
        assert [turn.start_ns for turn in seen.turns] == sorted(turn.start_ns for turn in seen.turns)
        for track in seen.tracks:
            assert len(track.stamps_ns) == len(track.boxes) > 0 and (np.diff(track.stamps_ns) > 0).all()
            assert len(track.embeddings) > 0 and np.allclose(np.linalg.norm(track.embeddings, axis=1), 1, atol=1e-3)
            assert seen.start_ns <= track.start_ns and track.end_ns < seen.end_ns
        assert all(t.embedding is None or abs(np.linalg.norm(t.embedding) - 1) < 1e-3 for t in seen.turns)


def test_faces_are_missed_at_their_rate() -> None:
    assert tracks(spoiled("none face_missed=1")) == 0
    assert 0.6 < tracks(spoiled("none face_missed=0.3")) / tracks(perfect()) < 0.8


def test_tracks_are_shortened() -> None:
    assert 0.3 < moments(spoiled("none face_shortened=1")) / moments(perfect()) < 0.5
    assert tracks(spoiled("none face_shortened=1")) == tracks(perfect())


def test_a_broken_track_is_two_of_one_person() -> None:
    broken = spoiled("none track_broken=1")
    assert tracks(broken) > 1.5 * tracks(perfect())
    for before, clip in zip(perfect(), broken, strict=True):
        assert set(clip.faces) == set(before.faces)
        for who in Counter(before.faces):
            if before.faces.count(who) == 1 and clip.faces.count(who) == 2:
                one, other = (t for t, w in zip(clip.observation.tracks, clip.faces, strict=True) if w == who)
                assert other.start_ns - one.end_ns >= 1.5 * SECOND


def test_swapped_tracks_hold_views_of_two_people_and_are_whose_is_more() -> None:
    mixed = 0
    for before, clip in zip(perfect(), spoiled("none tracks_swapped=1"), strict=True):
        own = {who: track.embeddings for track, who in zip(before.observation.tracks, before.faces, strict=True)}
        if len(own) != len(before.faces):
            continue
        for track, who in zip(clip.observation.tracks, clip.faces, strict=True):
            whose = {name for view in track.embeddings for name, views in own.items() if (views @ view).max() > 0.999}
            assert who in whose
            mixed += len(whose) == 2
    assert mixed >= 4


def test_off_screen_leaves_a_voice_over_a_lone_listener() -> None:
    lone = 0
    for before, clip in zip(perfect(), spoiled("none off_screen=1"), strict=True):
        gone = set(before.faces) - set(clip.faces)
        if set(before.voices) & set(before.faces) and len(set(before.faces)) == 2:
            assert len(gone) == 1 and gone <= set(clip.voices)
            lone += 1
        else:
            assert not gone
    assert lone >= 3


def test_a_poster_hangs_there_for_the_whole_episode_and_is_nobody() -> None:
    for before, clip in zip(perfect(), spoiled("none poster=1"), strict=True):
        assert Counter(clip.faces) == Counter([*before.faces, ""])
        (poster,) = (t for t, who in zip(clip.observation.tracks, clip.faces, strict=True) if not who)
        assert poster.end_ns - poster.start_ns > 29 * SECOND and (poster.boxes == poster.boxes[0]).all()


def test_phantoms_never_come_again() -> None:
    views = [
        track.embeddings[0]
        for clip in spoiled("none phantom=1")
        for track, who in zip(clip.observation.tracks, clip.faces, strict=True)
        if not who
    ]
    cosines = np.stack(views) @ np.stack(views).T - np.eye(len(views))
    assert len(views) == len(perfect()) and cosines.max() < 0.5


def test_the_television_talks_into_pauses_only() -> None:
    said = 0
    for clip in spoiled("none television=1"):
        people = [t for t, who in zip(clip.observation.turns, clip.voices, strict=True) if who]
        for turn in (t for t, who in zip(clip.observation.turns, clip.voices, strict=True) if not who):
            said += 1
            assert all(turn.end_ns <= one.start_ns or turn.start_ns >= one.end_ns for one in people)
    assert said > 20 and "" in {who for clip in spoiled("none television=1") for who in clip.faces}


def test_voices_are_unembedded_and_are_then_nobodys_turn() -> None:
    for clip in spoiled("none voice_unembedded=1"):
        assert all(turn.embedding is None for turn in clip.observation.turns)
        assert len({turn.voice for turn in clip.observation.turns}) == len(clip.observation.turns)


def test_speakers_are_confused_where_there_are_two() -> None:
    wrong = both = 0
    for clip, calm in zip(spoiled("none speaker_confused=1"), spoiled("none words_lost=0.01"), strict=True):
        turns = zip(clip.observation.turns, calm.observation.turns, strict=True)
        pairs = [(one, other) for one, other in turns if other.embedding is not None]
        if len({turn.voice for _, turn in pairs}) > 1:
            both += len(pairs)
            wrong += sum(one.voice != other.voice for one, other in pairs)
    assert wrong == both > 10


def test_glued_turns_are_a_mixture() -> None:
    glued = spoiled("none turns_glued=1")
    assert turns(glued) < turns(perfect())
    assert told(glued) == told(perfect())
    for before, clip in zip(perfect(), glued, strict=True):
        assert " ".join(clip.words).split() == " ".join(before.words).split()


def test_words_are_lost_at_their_rate() -> None:
    lost = spoiled("none words_lost=0.2")
    assert 0.77 < told(lost) / told(perfect()) < 0.83
    assert [clip.words for clip in lost] == [clip.words for clip in perfect()]


def test_a_changed_voice_is_unlike_itself_on_another_day() -> None:
    def alike(words: str) -> float:
        own: dict[str, list[np.ndarray]] = {}
        for clip in spoiled(words):
            for turn, who in zip(clip.observation.turns, clip.voices, strict=True):
                if turn.embedding is not None and turn.duration_s > 2:
                    own.setdefault(who, []).append(turn.embedding)
        days = [np.stack(vectors) for vectors in own.values()]
        return float(np.mean([np.percentile(vectors @ vectors.T, 5) for vectors in days]))

    assert alike("none blur=1") > 0.68 > 0.66 > alike("none blur=1 voice_changed=1")


def test_blur_scatters_as_the_real_models_do() -> None:
    """Cosines measured with SFace and GE2E: others' faces 0.07, others' voices 0.51 at 2 s, 0.52 at 3 s."""
    faces, voices = [], []
    for clip in spoiled("none blur=1"):
        faces += [(who, t.embeddings[0]) for t, who in zip(clip.observation.tracks, clip.faces, strict=True)]
        voices += [
            (who, t.embedding)
            for t, who in zip(clip.observation.turns, clip.voices, strict=True)
            if t.embedding is not None and 2 <= t.duration_s <= 3.5
        ]
    same, other = _cosines(faces)
    assert 0.70 < same < 0.88 and 0.03 < other < 0.14
    same, other = _cosines(voices)
    assert 0.74 < same < 0.87 and 0.42 < other < 0.58
    for size, cosine in zip(FACE_PX, FACE_COSINE, strict=True):
        assert (1 + noise_for(size, FACE_PX, FACE_COSINE) ** 2) ** -0.5 == pytest.approx(cosine, abs=0.02)


@pytest.mark.parametrize("word", ["blur", "blur=x", "blur=9", "face_missed=1.5", "poster=-1", "seed=1.5", "nonsense=1"])
def test_what_is_no_rate_is_refused(word: str) -> None:
    with pytest.raises(SettingsInvalid):
        parsed([word])


def test_rates_are_written_in_place_of_the_default() -> None:
    assert parsed([]) == Mishaps()
    assert parsed(["blur=0.5", "seed=3"]) == Mishaps(seed=3, blur=0.5)
    assert str(parsed(["none", "poster=0.25"])) == str(parsed(["poster=0.25", "none"])) == "seed 0, poster 0.25"
    assert parsed(["none"]).nothing and not Mishaps().nothing


def test_the_table_states_the_rates(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", "3", "--subject", "bm25", "--mishaps", "none", "poster=0.25", "seed=4"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("3 with mishaps") and "mishaps seed 4, poster 0.25" in said


def test_mishaps_befall_worlds_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert sources("3", mishaps=Mishaps())[0].open().models["mishaps"] == str(Mishaps())
    assert cli.main(["evaluate", "locomo", "--mishaps"]) == 1
    assert "--mishaps is for seeds of worlds and a world's folder" in capsys.readouterr().err


def _plain(clip: Clip) -> object:
    seen = clip.observation
    return (
        [[t.start_ns, t.end_ns, len(t.stamps_ns), t.embeddings.tolist()] for t in seen.tracks],
        [[t.start_ns, t.voice, t.text, None if t.embedding is None else t.embedding.tolist()] for t in seen.turns],
        [clip.faces, clip.voices, clip.words],
    )


def _cosines(views: Sequence[tuple[str, np.ndarray]]) -> tuple[float, float]:
    """The mean cosine of two views of one person, and of two people's."""
    who, vectors = np.array([one for one, _ in views]), np.stack([view for _, view in views])
    upper = np.triu_indices(len(views), 1)
    cosines, alike = (vectors @ vectors.T)[upper], (who[:, None] == who)[upper]
    return float(cosines[alike].mean()), float(cosines[~alike].mean())
