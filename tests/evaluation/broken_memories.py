"""A perfect memory, and memories that are broken each in one way: a scorer must tell every one of them apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from robot_memory.errors import StoreUnreadable
from robot_memory.evaluation.subject import Asked, Claim, Found, Key, Labels, Reply
from robot_memory.evaluation.trial import HEARD, Question, Trial
from robot_memory.evaluation.truth import Fact
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session


class Perfect:
    """Knows the truth of what it watched, and nothing else. Its label of a person is the name in small letters."""

    def __init__(self, folder: Path, trial: Trial) -> None:
        self.trial, self.folder = trial, folder
        self.questions = {question.id: question for question in trial.questions}
        self.known = {clip.key: clip for clip in trial.clips()}
        self.watched: list[Key] = []
        self.asked: list[Asked] = []
        self.closed = False

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def models(self) -> Mapping[str, str]:
        return {"answers": "truth (stand-in)"}

    def watch(self, observation: ClipObservation, session: Session) -> None:
        self.watched.append((observation.session, observation.sequence))

    def ask(self, question: Asked) -> Reply:
        self.asked.append(question)
        asked = self.questions[question.id]
        return self.answer(asked) if asked.answerable else Reply("I don't know.", "ABSTAINED", 0.0)

    def answer(self, question: Question) -> Reply:
        return Reply(self.words(question), "ANSWERED", 1.0, self.recall(Asked(question.id, "", 0), 2), 0.001)

    def words(self, question: Question) -> str:
        expected = question.expected
        if expected.span_ns is None:
            return " and ".join(expected.values) + "."
        middle = datetime.fromtimestamp(sum(expected.span_ns) / 2 / SECOND, ZoneInfo(self.trial.truth.zone))
        return f"On {middle:%Y-%m-%d at %H:%M:%S}."

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        """The evidence, then every line there is."""
        wanted = [(m.start_ns, m.end_ns, m.stream) for m in self.questions[question.id].evidence]
        lines = [(line.start_ns, line.end_ns, HEARD) for line in self.trial.truth.lines]
        spans = list(dict.fromkeys(wanted + lines))[:k]
        return tuple(Found(*span, "found", 1 / rank) for rank, span in enumerate(spans, start=1))

    def labels(self) -> Mapping[Key, Labels]:
        return {
            key: Labels(
                tuple(self.face(who, number) for who in self.known[key].faces),
                tuple(self.voice(who, number) for who in self.known[key].voices),
            )
            for number, key in enumerate(self.watched)
        }

    def face(self, who: str, clip: int) -> str | None:
        return who.lower()

    def voice(self, who: str, clip: int) -> str | None:
        return who.lower()

    def names(self) -> Mapping[str, str]:
        return {who.lower(): who for who in self.trial.truth.people}

    def claims(self) -> tuple[Claim, ...]:
        truth = self.trial.truth
        return tuple(
            self.claim(fact)
            for fact in truth.facts
            if fact.told and (fact.valid_until_ns is None or fact.valid_until_ns > truth.end_ns)
        )

    def claim(self, fact: Fact) -> Claim:
        subject = fact.subject.lower() if fact.subject in self.trial.truth.people else fact.subject
        return Claim(subject, fact.attribute, fact.value, fact.polarity, fact.told[0])

    def bytes_used(self) -> int:
        return 50_000

    def close(self) -> None:
        self.closed = True


class DropsEachThirdSentence(Perfect):
    """Never heard it: neither finds it nor can answer from it."""

    def lost(self) -> set[int]:
        return {line.start_ns for line in self.trial.truth.lines[2::3]}

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        return tuple(one for one in super().recall(question, 100) if one.start_ns not in self.lost())[:k]

    def answer(self, question: Question) -> Reply:
        if any(moment.start_ns in self.lost() for moment in question.evidence):
            return Reply("I don't know.", "ABSTAINED", 0.0)
        return super().answer(question)


class SwapsTwoPeople(Perfect):
    """From the second minute on it takes Anna's face for Ben's and Ben's for Anna's, and it mixed up their names."""

    OTHER = {"Anna": "Ben", "Ben": "Anna"}  # noqa: RUF012 (a table)

    def face(self, who: str, clip: int) -> str | None:
        return super().face(self.OTHER.get(who, who) if clip >= 2 else who, clip)

    def names(self) -> Mapping[str, str]:
        return {label: self.OTHER.get(name, name) for label, name in super().names().items()}

    def words(self, question: Question) -> str:
        values = tuple(self.OTHER.get(value, value) for value in question.expected.values)
        return super().words(replace(question, expected=replace(question.expected, values=values)))


class FusesAllVoices(Perfect):
    """Faces are told apart; every voice is the first one's."""

    def voice(self, who: str, clip: int) -> str | None:
        return "anna"


class SplitsPeople(Perfect):
    """Everybody is someone new in each clip."""

    def face(self, who: str, clip: int) -> str | None:
        return f"{who} {clip}"

    voice = face


class AnswersAlways(Perfect):
    """Never says that it does not know, and is a little less sure when it makes something up."""

    def ask(self, question: Asked) -> Reply:
        asked = self.questions[question.id]
        return self.answer(asked) if asked.answerable else Reply("In the drawer, yes, Anna.", "ANSWERED", 0.9)


class AbstainsAlways(Perfect):
    def ask(self, question: Asked) -> Reply:
        return Reply("I don't know.", "ABSTAINED", 0.0)


class SaysItDoesNotKnow(Perfect):
    """As if it were an answer."""

    def ask(self, question: Asked) -> Reply:
        return Reply("Sorry, I did not hear anybody say so.", "ANSWERED", 0.9)


class SureBeyondReason(Perfect):
    def answer(self, question: Question) -> Reply:
        return replace(super().answer(question), confidence=float("nan"))


class Overconfident(Perfect):
    """Sure of everything, wrong each second time."""

    def answer(self, question: Question) -> Reply:
        right = super().answer(question)
        return replace(right, text="Purple elephants.") if int(question.id[1:]) % 2 else right


class InventsFacts(Perfect):
    """Holds three things that nobody said."""

    def claims(self) -> tuple[Claim, ...]:
        false = [("anna", "home", "Paris"), ("ben", "job", "pilot"), ("keys", "place", "in the red bowl")]
        return (*super().claims(), *(Claim(*one, 1, 0) for one in false))


class TurnsFactsRound(Perfect):
    """Hears no "not"; and still holds what is over."""

    def claims(self) -> tuple[Claim, ...]:
        return (*(replace(one, polarity=1) for one in super().claims()), Claim("anna", "job", "teacher", 1, 0))


class SaysEverything(Perfect):
    """The right answer is somewhere in it."""

    def ask(self, question: Asked) -> Reply:
        everything = " ".join(f"{line.who} said: {line.text}" for line in self.trial.truth.lines)
        return Reply(f"{everything} Lemon. At 09:32:02. No. 3.", "ANSWERED", 0.9)

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        truth = self.trial.truth
        return (Found(truth.start_ns, truth.end_ns, "inferred", "all of it", 1.0),)


class RaisesNowAndThen(Perfect):
    """Fails at each fourth question, at one clip, and at telling what it is called."""

    def watch(self, observation: ClipObservation, session: Session) -> None:
        super().watch(observation, session)
        if observation.sequence == 1:
            raise KeyError("no such face")

    def ask(self, question: Asked) -> Reply:
        if int(question.id[1:]) % 4 == 0:
            raise ValueError(f"cannot parse {question.text!r}")
        return super().ask(question)

    def names(self) -> Mapping[str, str]:
        raise RuntimeError("no names today")


class FillsTheDisk(Perfect):
    """Its second clip cannot be written."""

    def watch(self, observation: ClipObservation, session: Session) -> None:
        super().watch(observation, session)
        if len(self.watched) == 2:
            raise OSError(28, "No space left on device")


class CannotReadItsStore(Perfect):
    """Its database fails when it shall tell something, which it puts into words of its own."""

    def names(self) -> Mapping[str, str]:
        try:
            raise sqlite3.OperationalError("database or disk is full")
        except sqlite3.Error as error:
            raise StoreUnreadable("the memory cannot be read") from error


class SaysHarmfulThings(Perfect):
    """Remembered words that would like to be markup."""

    def answer(self, question: Question) -> Reply:
        harm = '</li><script>alert("1")</script>&<img src=x onerror=alert(2)>'
        return Reply(harm, "ANSWERED", 1.0, (Found(0, 1, HEARD, harm, 1.0),))


class NotesWhen(Perfect):
    """Not broken: notes how much it had watched at each question."""

    def ask(self, question: Asked) -> Reply:
        self.clips_by_then = {**getattr(self, "clips_by_then", {}), question.id: len(self.watched)}
        return super().ask(question)


class CannotBeMade(Perfect):
    def __init__(self, folder: Path, trial: Trial) -> None:
        raise RuntimeError("no such model")
