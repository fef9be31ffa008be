"""Votes: what each spoken turn says for and against "this voice and this face are one person".

A turn has one vote, shared by the known faces that were in view while it was spoken, and it counts against the faces
that were not. Within a conversation at most two votes of a kind count, so a long talk over a silent listener weighs no
more than two turns of it; and one more where somebody alone in view says who they are, for that is said to the robot's
face. What the votes come to is kept pair by pair (tables talks, tallies, heard), so that one more costs the same after
years; of the votes of a conversation, and of conversations, the order makes no difference.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

SATURATION = 2.0  # votes of a kind that count within a conversation
INTRODUCED = 1.0  # and so many more for the face alone in view when the speaker says who they are
SHARED = 1.0  # of these, at most so much from turns with several people in view
ALL = 0  # in place of a face: the whole conversation
AWAY = 0.5  # the weight of a turn with nobody known in view: the speaker may be out of the picture
CONVERSATION_GAP_NS = 60 * 1_000_000_000


@dataclass(frozen=True)
class Turn:
    """A turn as a vote: whose voice, the known faces in view, how many unknown ones were there as well, and whether
    the speaker says in it who they are.
    """

    voice: int
    faces: tuple[int, ...]
    unknown: int = 0
    introduces: bool = False

    @property
    def shares(self) -> dict[int | None, float]:
        """Face -> its share of the vote; None: nobody was in view."""
        seen = len(self.faces) + self.unknown
        return dict.fromkeys(self.faces, 1 / seen) if seen else {None: AWAY}


@dataclass(frozen=True)
class Tally:
    """What the votes of a voice about a face come to: for it, against it; of those for it, alone in view; and in how
    many conversations they met, one more where the speaker said who they are.
    """

    voice: int
    face: int
    plus: float
    minus: float
    alone: float
    met: float


def cast(
    db: sqlite3.Connection, turn: Turn, clip: int, at_ns: int, conversation: int | None = None, row: int | None = None
) -> None:
    """Record the vote of a turn (`row` in the store). `conversation`: as `conversation_at` says if None. A turn with
    unknown faces in view alone says nothing.
    """
    if not turn.shares:
        return
    if conversation is None:
        conversation = conversation_at(db, clip, at_ns)
    db.executemany(
        "INSERT INTO votes(voice, face, clip, turn, at_ns, conversation, share, introduces) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (turn.voice, face, clip, row, at_ns, conversation, share, turn.introduces)
            for face, share in turn.shares.items()
        ],
    )
    _count(db, turn, conversation)


def conversation_at(db: sqlite3.Connection, clip: int, at_ns: int) -> int:
    """The number of the conversation that goes on in the clip's session: a new one after a minute without a vote. Turns
    are expected as they were spoken.
    """
    last = db.execute(  # from the newest vote back: CROSS JOIN keeps the order
        "SELECT conversation, at_ns FROM votes CROSS JOIN clips ON clips.id = votes.clip WHERE session = "
        "(SELECT session FROM clips WHERE id = ?) ORDER BY votes.id DESC LIMIT 1",
        (clip,),
    ).fetchone()
    if last and abs(at_ns - last["at_ns"]) <= CONVERSATION_GAP_NS:
        return int(last["conversation"])
    return 1 + int(db.execute("SELECT coalesce(max(conversation), 0) FROM votes").fetchone()[0])


def tallies(db: sqlite3.Connection, voices: Collection[int]) -> list[Tally]:
    """All that is known of these voices."""
    return [
        Tally(voice, row["face"], row["plus"], row["votes"] - row["there"], row["alone"], row["met"])
        for voice in voices
        for row in db.execute(
            "SELECT tallies.*, heard.votes FROM tallies JOIN heard ON heard.voice = tallies.voice "
            "WHERE tallies.voice = ? ORDER BY face",
            (voice,),
        )
    ]


def heard(db: sqlite3.Connection, voices: Collection[int]) -> dict[int, float]:
    """Voice -> its votes in all, at most SATURATION of each conversation."""
    rows = (db.execute("SELECT voice, votes FROM heard WHERE voice = ?", (voice,)).fetchone() for voice in voices)
    return {row["voice"]: row["votes"] for row in rows if row}


def company(db: sqlite3.Connection, faces: Collection[int]) -> dict[int, tuple[float, float]]:
    """Face -> of all voices it was ever in view of: the votes it was alone in view for, and their votes in all."""
    found = {}
    for face in faces:
        row = db.execute(
            "SELECT total(alone) AS alone, total(heard.votes) AS votes FROM tallies "
            "JOIN heard ON heard.voice = tallies.voice WHERE face = ?",
            (face,),
        ).fetchone()
        found[face] = (row["alone"], row["votes"])
    return found


def uncounted(db: sqlite3.Connection) -> bool:
    """Is this a file from before there were tallies, or one that was put together anew?"""
    return bool(db.execute("SELECT EXISTS(SELECT 1 FROM votes) AND NOT EXISTS(SELECT 1 FROM heard)").fetchone()[0])


def recount(db: sqlite3.Connection) -> None:
    """Make the tallies anew from the votes: after votes were taken away, or where there are none yet."""
    for table in ("talks", "tallies", "heard"):
        db.execute(f"DELETE FROM {table}")
    turns: dict[tuple[int, int, int | None, int], list[sqlite3.Row]] = defaultdict(list)
    for row in db.execute("SELECT * FROM votes ORDER BY id"):  # rows of an older file name no turn, but a moment
        turns[row["voice"], row["conversation"], row["turn"], row["at_ns"]].append(row)
    for (voice, conversation, _, _), rows in turns.items():
        faces = tuple(row["face"] for row in rows if row["face"] is not None)
        unknown = round(1 / rows[0]["share"]) - len(faces) if faces else 0
        _count(db, Turn(voice, faces, unknown, bool(rows[0]["introduces"])), conversation)


@dataclass(frozen=True)
class _Talk:
    """What a conversation says of a voice and a face: the weight of the turns the face was in view in, its share of
    their votes, that of those it was alone in view in, and whether the speaker introduced themselves then.
    """

    votes: float = 0.0
    plus: float = 0.0
    alone: float = 0.0
    introduced: bool = False

    def counts(self, total: float) -> tuple[float, float, float, float]:
        """(plus, there, alone, met) as they enter the tallies, of a conversation that weighs `total`."""
        plus = min(self.alone + min(self.plus - self.alone, SHARED), SATURATION)
        there = min(total, SATURATION) - min(total - self.votes, SATURATION)
        more = INTRODUCED if self.introduced else 0.0
        return plus + more, there, min(self.alone, SATURATION), min(plus, 1.0) + more


def _count(db: sqlite3.Connection, turn: Turn, conversation: int) -> None:
    """Add a turn to its conversation, and what the conversation now says more to the tallies."""
    rows = db.execute("SELECT * FROM talks WHERE voice = ? AND conversation = ?", (turn.voice, conversation))
    talks = {row["face"]: _Talk(row["votes"], row["plus"], row["alone"], bool(row["introduced"])) for row in rows}
    weight = sum(turn.shares.values())
    before = talks.get(ALL, _Talk()).votes
    total = before + weight
    told = {ALL: _Talk(total)} | {face: _with(talks.get(face, _Talk()), turn, weight) for face in turn.faces}
    db.executemany(
        "INSERT OR REPLACE INTO talks(voice, conversation, face, votes, plus, alone, introduced) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(turn.voice, conversation, face, t.votes, t.plus, t.alone, t.introduced) for face, t in told.items()],
    )
    _raise(db, "heard", (turn.voice,), (min(total, SATURATION) - min(before, SATURATION),))
    for face in sorted((talks | told).keys() - {ALL}):
        now, then = told.get(face, talks.get(face)), talks.get(face)
        assert now is not None
        new, old = now.counts(total), then.counts(before) if then else (0.0,) * 4
        _raise(db, "tallies", (turn.voice, face), [a - b for a, b in zip(new, old, strict=True)])


def _with(talk: _Talk, turn: Turn, weight: float) -> _Talk:
    """What is said of a face after one more turn that it was in view in."""
    (share,) = set(turn.shares.values())
    lone = share == 1.0
    return _Talk(
        talk.votes + weight,
        talk.plus + share,
        talk.alone + lone * share,
        talk.introduced or (lone and turn.introduces),
    )


def _raise(db: sqlite3.Connection, table: str, key: Sequence[int], by: Sequence[float]) -> None:
    """Add to the figures of a row, made where there is none."""
    names = ("votes",) if table == "heard" else ("plus", "there", "alone", "met")
    keys = ("voice",) if table == "heard" else ("voice", "face")
    db.execute(
        f"INSERT INTO {table}({', '.join(keys + names)}) VALUES ({', '.join('?' * (len(key) + len(by)))}) "
        f"ON CONFLICT DO UPDATE SET {', '.join(f'{name} = {name} + excluded.{name}' for name in names)}",
        (*key, *by),
    )
