"""Votes: what each spoken turn says for and against "this voice and this face are one person".

A turn has one vote, shared by the known faces that were in view while it was spoken, and it counts against the faces
that were not. Within a conversation at most two votes of a kind count, so a long talk over a silent listener weighs no
more than two turns of it; and one more where somebody alone in view says who they are, for that is said to the robot's
face. What the votes come to is kept pair by pair (tables tallies, heard), so that one more costs
the same after years; it does not depend on the order in which they came.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

SATURATION = 2.0  # votes of a kind that count within a conversation
INTRODUCED = 1.0  # and so many more for the face alone in view when the speaker says who they are
SHARED = 1.0  # of these, at most so much from turns with several people in view
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
    """What the votes of a voice about a face come to: for it, against it, and, of those for it, alone in view."""

    voice: int
    face: int
    plus: float
    minus: float
    alone: float


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
    before = _in_conversation(db, turn.voice, conversation)
    db.executemany(
        "INSERT INTO votes(voice, face, clip, turn, at_ns, conversation, share, introduces) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (turn.voice, face, clip, row, at_ns, conversation, share, turn.introduces)
            for face, share in turn.shares.items()
        ],
    )
    _add(db, turn.voice, before, _in_conversation(db, turn.voice, conversation))


def conversation_at(db: sqlite3.Connection, clip: int, at_ns: int) -> int:
    """The number of the conversation that goes on in the clip's session: a new one after a minute without a vote."""
    last = db.execute(
        "SELECT conversation, at_ns FROM votes WHERE clip IN (SELECT id FROM clips WHERE session = "
        "(SELECT session FROM clips WHERE id = ?)) ORDER BY id DESC LIMIT 1",
        (clip,),
    ).fetchone()
    if last and abs(at_ns - last["at_ns"]) <= CONVERSATION_GAP_NS:
        return int(last["conversation"])
    return 1 + int(db.execute("SELECT coalesce(max(conversation), 0) FROM votes").fetchone()[0])


def tallies(db: sqlite3.Connection, voices: Collection[int]) -> list[Tally]:
    """All that is known of these voices."""
    return [
        Tally(row["voice"], row["face"], row["plus"], row["minus"], row["alone"])
        for voice in voices
        for row in db.execute("SELECT * FROM tallies WHERE voice = ? ORDER BY face", (voice,))
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


def recount(db: sqlite3.Connection) -> None:
    """Make the tallies anew from the votes: after votes were taken away, or for a file older than they are."""
    db.execute("DELETE FROM tallies")
    db.execute("DELETE FROM heard")
    for voice, conversation in db.execute("SELECT DISTINCT voice, conversation FROM votes ORDER BY id").fetchall():
        _add(db, voice, _Tallied({}, {}, {}, frozenset(), 0.0), _in_conversation(db, voice, conversation))


def uncounted(db: sqlite3.Connection) -> bool:
    """Is this a file from before there were tallies?"""
    return bool(
        db.execute("SELECT EXISTS(SELECT 1 FROM votes) AND NOT EXISTS(SELECT 1 FROM heard)").fetchone()[0]
    )


@dataclass(frozen=True)
class _Tallied:
    """What one conversation says of a voice: face -> its shares, those alone in view, the weight of the turns it was
    there in; the faces that the speaker introduced themselves with; the weight of all turns.
    """

    plus: dict[int, float]
    alone: dict[int, float]
    there: dict[int, float]
    introduced: frozenset[int]
    total: float

    def counts(self, face: int) -> tuple[float, float, float]:
        """(plus, minus, alone) of a face in this conversation, saturated."""
        alone = self.alone.get(face, 0.0)
        plus = min(alone + min(self.plus.get(face, 0.0) - alone, SHARED), SATURATION)
        plus += INTRODUCED if face in self.introduced else 0.0
        minus = min(self.total - self.there.get(face, 0.0), SATURATION)
        return plus, minus, min(alone, SATURATION)


def _in_conversation(db: sqlite3.Connection, voice: int, conversation: int) -> _Tallied:
    plus, alone, there = (defaultdict[int, float](float) for _ in range(3))
    introduced, total = set[int](), 0.0
    rows = db.execute(
        "SELECT turn, at_ns, face, share, introduces FROM votes WHERE voice = ? AND conversation = ? ORDER BY id",
        (voice, conversation),
    )
    for turn in _turns(rows):
        weight = sum(row["share"] for row in turn)
        total += weight
        for row in turn:
            face, share = row["face"], row["share"]
            if face is not None:
                plus[face] += share
                there[face] += weight
                if share == 1.0:
                    alone[face] += share
                    introduced |= {face} if row["introduces"] else set()
    return _Tallied(plus, alone, there, frozenset(introduced), total)


def _turns(rows: Iterable[sqlite3.Row]) -> list[list[sqlite3.Row]]:
    """The rows turn by turn; rows of an older file that name none are told apart by their time."""
    turns: dict[tuple[int | None, int], list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        turns[row["turn"], row["at_ns"]].append(row)
    return list(turns.values())


def _add(db: sqlite3.Connection, voice: int, before: _Tallied, after: _Tallied) -> None:
    """Put the difference that a conversation now makes onto the voice's tallies."""
    row = db.execute("SELECT votes FROM heard WHERE voice = ?", (voice,)).fetchone()
    elsewhere = (row["votes"] if row else 0.0) - min(before.total, SATURATION)
    db.execute("INSERT OR REPLACE INTO heard VALUES (?, ?)", (voice, elsewhere + min(after.total, SATURATION)))
    known = {row["face"] for row in db.execute("SELECT face FROM tallies WHERE voice = ?", (voice,))}
    for face in sorted(after.plus.keys() - known):  # it was nowhere in the voice's other conversations
        db.execute("INSERT INTO tallies VALUES (?, ?, 0, ?, 0)", (voice, face, elsewhere + before.counts(face)[1]))
    for face in sorted(known | after.plus.keys()):
        more = [new - old for new, old in zip(after.counts(face), before.counts(face), strict=True)]
        db.execute(
            "UPDATE tallies SET plus = plus + ?, minus = minus + ?, alone = alone + ? WHERE voice = ? AND face = ?",
            (*more, voice, face),
        )
