"""Questions of worlds are fair: their evidence lies in the stream, and what nobody can know nobody said or showed.

The check reads the bare words of a question and the stream alone, not the code that made the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from robot_memory.evaluation.trial import SEEN, TYPES, Clip, Expected, Question
from robot_memory.evaluation.truth import Fact
from robot_memory.evaluation.worlds.bank import load
from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.oracle import oracle
from robot_memory.evaluation.worlds.questions import questions, questions_at
from robot_memory.evaluation.worlds.rooms import within
from robot_memory.evaluation.worlds.world import Wording, World
from robot_memory.streams.media import SECOND

SEEDS = range(10)
SMALL = {"days": 2, "people": 6, "rooms": 3}
Asked = tuple[World, list[Clip], tuple[Question, ...]]


@cache
def made(seed: int) -> Asked:
    world = make(seed, **SMALL)
    return world, list(oracle(world)), questions(world)


@pytest.fixture(params=SEEDS, ids=lambda seed: f"seed{seed}")
def asked(request: pytest.FixtureRequest) -> Asked:
    return made(request.param)


def test_shares(asked: Asked) -> None:
    _, _, found = asked
    assert 60 <= len(found) <= 100
    impossible = [one for one in found if not one.answerable]
    assert len(impossible) >= 0.4 * len(found)
    assert sum(one.sight for one in found) >= len(found) / 3
    for group in (impossible, [one for one in found if one.answerable]):
        assert sum(one.sight for one in group) >= len(group) / 3, "sight must not tell whether there is an answer"
    assert {one.type for one in found} == set(TYPES)
    assert {one.swap for one in impossible} == {"person", "time", "place", "never"}
    assert {one.expected.form for one in found} == {"text", "names", "number", "yesno", "time", "none"}


def test_questions_are_in_order_apart_and_well_formed(asked: Asked) -> None:
    world, _, found = asked
    people = {person.name for person in world.people}
    assert len({one.id for one in found}) == len(found)
    assert [one.at_ns for one in found] == sorted(one.at_ns for one in found)
    assert len({(one.text, one.at_ns, one.asker) for one in found}) == len(found)
    ends = [day.end_ns for day in world.days]
    assert sum(any(0 <= one.at_ns - end < 600e9 for end in ends) for one in found) > len(found) / 2
    for one in found:
        expected = one.expected
        assert "{" not in one.text and one.text[0] == one.text[0].upper()
        assert (one.type == "first-person") == bool(one.asker) and (not one.asker or one.asker in people)
        assert bool(one.swap) == (expected.form == "none") == (not one.evidence)
        assert not set(expected.traps) & set(expected.values)
        if expected.form == "names" and one.sight:
            assert set(expected.values) <= people
        if expected.form == "time":
            assert expected.span_ns is not None and expected.span_ns[0] < expected.span_ns[1] <= one.at_ns + 400e9


def test_evidence_lies_in_the_stream_before_the_question(asked: Asked) -> None:
    _, clips, found = asked
    tracks = [(t.start_ns, t.end_ns) for clip in clips for t in clip.observation.tracks]
    turns = {(t.start_ns, t.end_ns) for clip in clips for t in clip.observation.turns}
    for one in found:
        assert one.answerable == bool(one.evidence)
        assert (
            not one.sight
            or not one.answerable
            or any(m.stream == SEEN for m in one.evidence)
            or one.type
            in (
                "cross-modal",
                "first-person",
            )
        ), one
        for moment in one.evidence:
            assert moment.end_ns < one.at_ns
            if moment.stream == SEEN:
                assert any(start <= moment.end_ns and end >= moment.start_ns for start, end in tracks)
            else:
                assert (moment.start_ns, moment.end_ns) in turns


@dataclass(frozen=True)
class Glimpse:
    """Something of the stream: a track of somebody, or a turn with its words; `room`: where the robot stood."""

    who: str
    at_ns: int
    room: str
    text: str = ""


def pairwise(them: list[Glimpse]) -> Iterator[tuple[Glimpse, Glimpse]]:
    return zip(them, them[1:], strict=False)


class Stream:
    """What was seen and heard, and what the words of a question point at in it."""

    def __init__(self, world: World, clips: list[Clip]) -> None:
        self.world = world
        self.people = [person.name for person in world.people]
        self.wordings = [*world.wordings, *(wording for _, wording in world.spare)]
        self.keys = sorted({key for wording in self.wordings for key in wording.keys})
        self.seen: list[Glimpse] = []
        self.heard: list[Glimpse] = []
        for clip in clips:
            for track, who in zip(clip.observation.tracks, clip.faces, strict=True):
                middle = int(track.stamps_ns[len(track.stamps_ns) // 2])
                self.seen.append(Glimpse(who, middle, self._room(clip, middle)))
            for turn, who in zip(clip.observation.turns, clip.voices, strict=True):
                room = self._room(clip, turn.start_ns)
                self.heard.append(Glimpse(who, turn.start_ns, room, turn.text.casefold()))

    def _room(self, clip: Clip, at_ns: int) -> str:
        nearest = min(clip.observation.poses, key=lambda pose: abs(pose.stamp_ns - at_ns))
        return next((room.name for room in self.world.rooms if within(room, *nearest.position[:2])), "")

    def subjects(self, question: Question) -> list[str]:
        named = called(question.text, self.people + list(self.world.strangers))
        return named or ([question.asker] if question.asker else [])

    def rooms(self, question: Question) -> list[str]:
        return called(question.text, [room.name for room in self.world.rooms])

    def key(self, question: Question) -> str:
        """The longest value that the words name; empty if they name none."""
        return max(called(question.text, self.keys), key=len, default="")

    def saying(self, key: str) -> list[Glimpse]:
        """The turns that speak of a value in any of its forms."""
        forms = {other for wording in self.wordings if key in wording.keys for other in wording.keys}
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(forms)))})\b")
        return [line for line in self.heard if pattern.search(line.text)]

    def fitting(
        self, among: list[Glimpse], question: Question, subjects: list[str], timed: bool = True
    ) -> list[Glimpse]:
        """Those of the people, rooms and time that the question names, where it names any."""
        rooms, when = self.rooms(question), self.stretch(question) if timed else None
        return [
            one
            for one in among
            if (not subjects or one.who in subjects) and (not rooms or one.room in rooms) and self.inside(one, when)
        ]

    def stretch(self, question: Question) -> tuple[int, str] | None:
        """The day and part of the day that the words speak of."""
        text, days = question.text.casefold(), self.world.days
        today = max(day.number for day in days if day.start_ns <= question.at_ns)
        names = [day.number for day in days if f"on {self.world.local(day.start_ns):%A}".casefold() in text]
        if re.search(r"\btoday\b|\bthis (morning|afternoon)\b", text):
            names = [today]
        elif "yesterday" in text:
            names = [today - 1]
        part = re.search(r"\b(morning|afternoon)\b", text)
        return (names[0], part[1] if part else "") if names else None

    def inside(self, one: Glimpse, when: tuple[int, str] | None) -> bool:
        if when is None:
            return True
        day, part = self.world.days[when[0]], when[1]
        morning = self.world.local(one.at_ns).hour < 12
        return day.start_ns <= one.at_ns <= day.end_ns and (not part or morning == (part == "morning"))

    def told(self, **wanted: object) -> list[tuple[Fact, Wording]]:
        """The facts that some line states and whose fields are as wanted."""
        pairs = zip(self.world.facts, self.world.wordings, strict=True)
        return [(f, w) for f, w in pairs if f.told and all(getattr(f, field) == wanted[field] for field in wanted)]


def called(text: str, names: list[str]) -> list[str]:
    return [name for name in names if re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE)]


def unknowable(stream: Stream, one: Question) -> str:
    """Why nobody can know; empty if the stream or a told fact does hold an answer."""
    subjects, key = stream.subjects(one), stream.key(one)
    if "the person who" in one.text:
        subjects = list(dict.fromkeys(fact.subject for fact, wording in stream.told() if key in wording.keys))
        if not subjects:
            return "" if stream.saying(key) else "nobody fits the description"
        key = ""
    elif "the person you saw first" in one.text:
        first = min(stream.fitting(stream.seen, one, []), key=lambda glimpse: glimpse.at_ns)
        subjects = [first.who]
    if one.expected.traps:
        return fact_untold(stream, one, subjects, key)
    if key and not re.search("^(Is|Am|Does|Has|Would|Did|Can|Could)", one.text) and not about_persons(stream, key, one):
        return "" if stream.fitting(stream.saying(key), one, subjects) else "never mentioned"
    if one.sight:
        return "" if stream.fitting(stream.seen, one, subjects) else "never seen so"
    return fact_untold(stream, one, subjects, key)


def about_persons(stream: Stream, key: str, one: Question) -> bool:
    """Whether the question asks whose value it is, or if it is theirs, not who spoke of it."""
    return one.type == "person" and not one.sight


def fact_untold(stream: Stream, one: Question, subjects: list[str], key: str) -> str:
    """Nothing was told of the subjects on what the question is about: its value, or else the attribute of its traps."""
    if key and not one.expected.traps:
        holders = [
            fact
            for fact, wording in stream.told()
            if key in wording.keys and fact.subject in (subjects or [fact.subject])
        ]
        return "" if holders else "never stated of them"
    whom = set(subjects)
    for fact, wording in stream.told(attribute="relation"):
        if (
            fact.subject in subjects
            and wording.slots["relation"] in one.text
            and wording.slots["other"] not in one.text
        ):
            whom = {wording.slots["other"]} if one.type == "multi-hop" else whom
    attributes = {
        fact.attribute
        for fact, wording in zip(stream.world.facts, stream.world.wordings, strict=True)
        if fact.attribute != "name" and trapped(wording) & set(one.expected.traps)
    }
    facts = [(f, w) for f, w in stream.told() if f.attribute in attributes and (f.subject in whom or not whom)]
    facts = [(f, w) for f, w in facts if not key or key in w.keys]
    if attributes == {"relation"} and one.type != "multi-hop":
        facts = [(f, w) for f, w in facts if w.slots["relation"] in one.text or w.slots["other"] in one.text]
    if one.type == "changed":
        facts = [(f, w) for f, w in facts if f.valid_from_ns is not None or f.valid_until_ns is not None]
    if attributes == {"owns"}:
        facts = [(f, w) for f, w in facts if f.polarity > 0]
    if attributes == {"likes"}:
        kinds = {fact.polarity for fact, _ in facts}
        return "" if len(kinds) == 2 else "only the opposite was told" if kinds else "never told"
    return "" if facts else "never told"


def trapped(wording: Wording) -> set[str]:
    """What may stand for a value in traps."""
    slots = wording.slots
    made = {f"{slots['day']} at {slots['time']}"} if {"day", "time"} <= slots.keys() else set()
    return made | set(slots.values())


def test_nobody_ever_said_or_showed_the_answer_to_what_nobody_can_know(asked: Asked) -> None:
    world, clips, found = asked
    stream = Stream(world, clips)
    why = {one: unknowable(stream, one) for one in found if not one.answerable}
    assert all(why.values()), [one for one, reason in why.items() if not reason]
    assert len(set(why.values())) >= 3


def test_the_check_finds_what_can_be_known() -> None:
    """Of the questions that have an answer it finds nearly all answerable: it is not blind."""
    blind = total = 0
    for seed in range(3):
        world, clips, found = made(seed)
        stream = Stream(world, clips)
        known = [one for one in found if one.answerable and one.expected.form in ("time", "names", "text")]
        blind += sum(
            bool(unknowable(stream, replace(one, expected=Expected("none", traps=_traps(one))))) for one in known
        )
        total += len(known)
    assert blind <= 0.1 * total


def _traps(one: Question) -> tuple[str, ...]:
    """An unanswerable question has its traps from facts only."""
    return () if one.sight or one.expected.form in ("names", "time") else one.expected.traps


def test_nobody_who_was_heard_is_said_to_have_been_nowhere(asked: Asked) -> None:
    """A voice out of view: where was she, when was she last here? Two answers could be defended, so it is not asked."""
    world, clips, found = asked
    unseen = {person.name for person in world.people if person.kind == "unseen"}
    spoke = {
        who: min(t.start_ns for clip in clips for w, t in zip(clip.voices, clip.observation.turns) if w == who)
        for who in unseen
    }
    where = re.compile(r"\bwhere|\blast\b|which room|what room|what part", re.IGNORECASE)
    for one in found:
        if one.sight and where.search(one.text) and not re.search(r"mention|spoke|talk", one.text):
            said = [who for who in unseen if re.search(rf"\b{who}\b", one.text) and spoke[who] < one.at_ns]
            assert not said, one.text


def test_nobody_says_good_night_in_the_morning() -> None:
    for seed in SEEDS:
        world, clips, _ = made(seed)
        for clip in clips:
            for turn, text in zip(clip.observation.turns, clip.words):
                hour = (turn.start_ns // SECOND + world.offset_s) // 3600 % 24
                part = re.match(r"(?:good )?(morning|afternoon|evening|night)\b[,.!]", text, re.IGNORECASE)
                fits = {"morning": hour < 13, "afternoon": 11 < hour < 19}
                assert not part or fits.get(part[1].lower(), hour > 14), text


def test_the_first_words_do_not_tell_whether_there_is_an_answer() -> None:
    """A guess by them is little better than a guess by nothing."""
    openings: dict[str, Counter[bool]] = {}
    for seed in SEEDS:
        for one in made(seed)[2]:
            openings.setdefault(" ".join(one.text.split()[:2]), Counter())[one.answerable] += 1
    often = [count for count in openings.values() if sum(count.values()) >= 8]
    guessed = sum(max(count.values()) for count in often) / sum(sum(count.values()) for count in often)
    assert guessed < 0.75


def asks(kind: str, text: str) -> bool:
    """Whether these are the bank's words for a kind of question."""
    stretches = r"(?:today|yesterday|this \w+|on \w+day)(?: morning| afternoon)?"
    patterns = [
        re.escape(template).replace(r"\{when\}", stretches).replace(r"\{subject\}", r"\w+").replace(r"\{he\}", "s?he")
        for template in load().questions[kind]
    ]
    patterns = [pattern.replace(r"\{him\}", "(?:him|her)").replace(r"\{his\}", "(?:his|her)") for pattern in patterns]
    return any(re.fullmatch(pattern, text, re.IGNORECASE) for pattern in patterns)


def test_who_was_here_how_often_and_where_last_can_be_recounted_from_the_stream() -> None:
    recounted: Counter[str] = Counter()
    for seed in SEEDS:
        world, clips, found = made(seed)
        stream = Stream(world, clips)
        for one in (one for one in found if one.answerable and not one.asker and "the person" not in one.text):
            before = [glimpse for glimpse in stream.seen if glimpse.at_ns < one.at_ns]
            subjects = called(one.text, stream.people)
            fitting = stream.fitting(before, one, subjects)
            if asks("who_was_here", one.text) and not subjects:
                assert set(one.expected.values) == {glimpse.who for glimpse in fitting}, one
                recounted["who"] += 1
            elif asks("how_often_seen", one.text):
                gaps = sum(b.at_ns - a.at_ns > 120 * SECOND for a, b in pairwise(fitting))
                assert one.expected.values == (str(gaps + 1),), one
                recounted["how often"] += 1
            elif asks("last_seen_where", one.text):
                assert one.expected.values == (fitting[-1].room,), one
                recounted["where"] += 1
    assert min(recounted["who"], recounted["how often"], recounted["where"]) >= 5, recounted


def test_questions_about_a_part_of_a_world_are_about_that_part() -> None:
    world = make(3, **SMALL)
    end_ns = world.episodes[5].end_ns + 120 * SECOND
    found = questions_at(world, end_ns, 40)
    assert len(found) == 40
    assert all(one.at_ns == end_ns and all(moment.end_ns < end_ns for moment in one.evidence) for one in found)
