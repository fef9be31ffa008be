"""What was told in a clip, as sentences with frames: whose claim it is and whom it is about are kept apart.

Only what was heard well is believed: to learn a false fact from noise is worse than to miss a true one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robot_memory.memorization.scene import Scene, Utterance
from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.saying import sentence
from robot_memory.memorization.speech.told import HEARER, SPEAKER, Line, Told
from robot_memory.memory.days import DAY_NS
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.tokens import TOKEN, tokens_in
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import SpeechTurn

HEARING_NS = 60 * SECOND  # who spoke within a minute was spoken to
THINGS = ("place",)  # attributes whose subject is a thing, read with "the"


def told(scene: Scene) -> Iterator[Sentence]:
    """The claims of a clip's turns."""
    talk = list(scene.talk)
    for said in scene.utterances:
        line = line_of(said.turn, said.voice, scene.offset_s)
        if said.well_heard:
            claims = claims_in(line, talk)
            for claim in claims:
                yield from _sentences(claim, claims, line, talk, said, scene)
        if said.turn.text:
            talk.append(line)


def line_of(turn: SpeechTurn, voice: int | None, offset_s: int) -> Line:
    """A turn as a line of talk."""
    speaker = f"voice_{voice}" if voice is not None else ""
    return Line(turn.text, speaker, turn.start_ns, day_of(turn.start_ns, offset_s))


def day_of(stamp_ns: int, offset_s: int) -> int:
    """The local day of a moment: days since 1970."""
    return (stamp_ns + offset_s * SECOND) // DAY_NS


def _sentences(
    claim: Told, claims: Sequence[Told], line: Line, talk: Sequence[Line], said: Utterance, scene: Scene
) -> Iterator[Sentence]:
    """The sentence of a claim. What was so and is no longer is two: it was, a moment ago, and now it is not."""
    subject, value = _subject(claim, line, talk, scene), _value(claim, scene)
    if not subject:
        return
    if not claim.past:
        yield _sentence(claim, subject, value, claim.polarity, line.at_ns, said)
        return
    yield _sentence(claim, subject, value, claim.polarity, line.at_ns - 1, said)
    followed = any(
        (one.subject, one.of, one.attribute) == (claim.subject, claim.of, claim.attribute) and not one.past
        for one in claims
    )
    if not followed:
        yield _sentence(claim, subject, value, -claim.polarity, line.at_ns, said)


def _sentence(claim: Told, subject: str, value: str, polarity: int, at_ns: int, said: Utterance) -> Sentence:
    thing = claim.attribute in THINGS and not TOKEN.search(subject)
    text = sentence(f"the {subject}" if thing else subject, claim.attribute, value, polarity)
    about = dict.fromkeys(tokens_in(subject), 1.0)
    return Sentence(
        "semantic",
        f"{text[:1].upper()}{text[1:]}.",
        at_ns,
        max(at_ns, said.turn.end_ns),
        "inferred",
        about,
        Frame(subject, claim.attribute, value, polarity),
        said.row,
    )


def _subject(claim: Told, line: Line, talk: Sequence[Line], scene: Scene) -> str:
    """Whom or what a claim is about: a token in brackets, a name, a thing, or "<voice_3>'s brother"; empty where that
    is not known.
    """
    whose = claim.of or claim.subject
    owner = _token_of(whose, line, talk, scene)
    if not claim.of:
        return owner
    return f"{owner}'s {claim.subject}" if owner else ""


def _token_of(who: str, line: Line, talk: Sequence[Line], scene: Scene) -> str:
    if TOKEN.search(who):  # that was spoken: words are data
        return ""
    if who == SPEAKER:
        return f"<{line.speaker}>" if line.speaker else ""
    if who == HEARER:
        hearer = _hearer(line, talk)
        return f"<{hearer}>" if hearer else ""
    token = scene.named(who) if who[:1].isupper() else ""
    return f"<{token}>" if token else who


def _hearer(line: Line, talk: Sequence[Line]) -> str:
    """The one other who spoke within the last minute; empty where there are several or none."""
    others = {one.speaker for one in talk if one.at_ns >= line.at_ns - HEARING_NS} - {line.speaker}
    return next(iter(others)) if len(others) == 1 else ""


def _value(claim: Told, scene: Scene) -> str:
    """The value, with a token for a name that is known, where the value is a person: "sister <face_3>"."""
    if claim.attribute != "relation":
        return claim.value
    words = claim.value.split()
    for at, word in enumerate(words):
        if word[:1].isupper() and (token := scene.named(" ".join(words[at:]))):
            return " ".join([*words[:at], f"<{token}>"])
    return claim.value
