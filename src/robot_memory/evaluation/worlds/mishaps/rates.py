"""How often perception errs, and how: one rate a mishap, each with where its number comes from.

A rate is a share of the chances, 0 to 1, thrown anew for each of them from the seed. Numbers without a measurement are
assumptions and say so: they were set before any memory was measured on them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.config import Group, setting
from robot_memory.errors import SettingsInvalid
from robot_memory.evaluation.options import MOST_SEED

NONE = "none"


def rate(default: float, doc: str) -> float:
    """A field for a rate."""
    of: float = setting(default, doc, 0.0, 1.0)
    return of


@dataclass(frozen=True)
class Mishaps(Group):
    """The rates of all mishaps. Raises SettingsInvalid for one outside its range."""

    seed: int = setting(0, "throws all the dice; the same seed and rates give the same errors", 0, MOST_SEED)
    blur: float = setting(
        1.0,
        "how far views scatter around a person's own face or voice: 0 as the world has them, 1 as measured with SFace "
        "by the face's size and with GE2E by the seconds of speech (blur.py has the tables)",
        0.0,
        3.0,
    )
    face_afar: float = rate(
        0.15, "tracks that blur scatters as faces of half their size; assumption: somebody stands back"
    )
    face_missed: float = rate(0.05, "tracks that are not there; assumption: heads turned away, back light")
    face_shortened: float = rate(0.10, "tracks of which a fifth to three fifths is left; assumption, as above")
    track_broken: float = rate(
        0.10, "tracks broken in two by a gap of 1.5 to 3 s; assumption: a hand, a turn of the head, somebody in between"
    )
    tracks_swapped: float = rate(
        0.02,
        "pairs of tracks in one picture that go on as each other's from some moment; assumption: the tracker joins "
        "by place at half the cosine of a match, so it takes poor views of two people who cross",
    )
    off_screen: float = rate(
        0.10,
        "clips of two people in which one who speaks is out of the picture all the time and the listener is not; "
        "assumption: a camera sees 60 degrees, and a robot looks at one person",
    )
    phantom: float = rate(
        0.02, "clips with a face that is none, for 3 to 8 pictures; assumption: a pattern over YuNet's score of 0.8"
    )
    poster: float = rate(
        0.08, "episodes in which one of two pictures on a wall shows a face all the time; assumption: homes have photos"
    )
    television: float = rate(
        0.05, "episodes with a television on: faces that come and go, voices that fill the pauses; assumption"
    )
    voice_changed: float = rate(
        0.10,
        "people and days on which a voice sounds as another's (cosine 0.8 to its own centre before the blur); "
        "assumption: a cold, a room away, whispering",
    )
    voice_unembedded: float = rate(
        0.05, "turns without an embedding, besides those under 1 s; assumption: noise over it"
    )
    speaker_confused: float = rate(
        0.02,
        "turns counted as another speaker's of the clip, besides what grouping the blurred voices confuses; "
        "assumption: two people who talk at once",
    )
    turns_glued: float = rate(
        0.30,
        "changes of speaker within 1 s heard as one turn; perception hears no pause under 0.6 s, people leave some "
        "0.2 s (Stivers et al. 2009), worlds 0.5 to 1.8 s",
    )
    words_lost: float = rate(
        0.15,
        "words of a turn; Whisper tiny.en errs in 6 % of LibriVox's words, 19 % of the telephone's, 26 % of flite's",
    )

    @property
    def nothing(self) -> bool:
        """No mishap happens at all."""
        return not any(getattr(self, name) for name in names())

    def __str__(self) -> str:
        """All that differs from nothing: "seed 0, blur 1, face_missed 0.05"."""
        rates = (f"{name} {getattr(self, name):g}" for name in names() if getattr(self, name))
        return ", ".join([f"seed {self.seed}", *rates])


def names() -> list[str]:
    """The names of all rates."""
    return [field.name for field in dataclasses.fields(Mishaps) if field.name != "seed"]


def parsed(words: Sequence[str]) -> Mishaps:
    """The rates as written: NAME=RATE in place of a default, `none` for no others. Raises SettingsInvalid."""
    chosen: dict[str, float] = {}
    for word in words:
        if word == NONE:
            chosen = dict.fromkeys(names(), 0.0) | chosen
            continue
        name, _, written = word.partition("=")
        if name not in (*names(), "seed"):
            known = ", ".join(["seed", *names()])
            raise SettingsInvalid(f"--mishaps {word[:40]!r}: write NAME=RATE or {NONE}; there are: {known}")
        try:
            chosen[name] = int(written) if name == "seed" else float(written)
        except ValueError:
            raise SettingsInvalid(f"--mishaps {word[:40]!r}: {written[:20]!r} is no number") from None
    return Mishaps(**chosen)  # type: ignore[arg-type]
