"""What each channel brings: a line beside a match, a conversation, a person, a time, a sighting. All else being equal,
it decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from remembering import SECOND, add_clip, graph_at, sentence, unit

from robot_memory.memory.graph import Change, MemoryGraph
from robot_memory.memory.retrieval.query import Order, Query, Standing
from robot_memory.memory.retrieval.search import search

QUESTION = unit(1, 0)
DAY_S = 24 * 3600


@dataclass
class Told:
    """A memory that is told one thing after another, ten seconds apart unless it is said when."""

    graph: MemoryGraph
    now_s: float = 0.0
    clips: int = 0

    def say(self, text: str, near: float = 0.0, by: str = "", at_s: float | None = None, source: str = "heard") -> int:
        """A line; `near`: its cosine with the question."""
        self.now_s = self.now_s + 10 if at_s is None else at_s
        vector = unit(near, 1 - near) if near < 1 else unit(1)
        with self.graph.change() as change:
            clip = self._clip(change)
            about = {by: 1.0} if by else {}
            said = sentence(text, self.now_s, self.now_s + 2, about, source=source)
            return change.remember(clip, said, vector)[0]

    def face(self) -> str:
        with self.graph.change() as change:
            return f"face_{change.new_entity('face', self._clip(change))}"

    def _clip(self, change: Change) -> int:
        self.clips += 1
        return add_clip(change.db, self.clips, start_ns=int(self.now_s * SECOND))

    def found(self, k: int = 10, **query: object) -> list[int]:
        query.setdefault("vector", QUESTION)
        db = self.graph.store.reader()
        return [hit.memory for hit in search(db, self.graph.index, Query(**query), k)]  # type: ignore[arg-type]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    graph = graph_at(tmp_path / "memory.sqlite")
    yield Told(graph)
    graph.close()
    graph.store.close()


def test_the_answer_beside_a_question_that_matches(told: Told) -> None:
    told.say("Something else.", 0.2, at_s=0)
    told.say("How long have you had the dog?", 0.9, at_s=1000)
    answer = told.say("Since March.", 0.2)
    told.say("Nothing of the kind.", 0.2, at_s=9000)
    assert answer in told.found(2)


def test_lines_answer_each_other_within_a_minute_and_a_session(told: Told) -> None:
    told.say("How long have you had the dog?", 0.9, at_s=0)
    late = told.say("Since March.", 0.2, at_s=200)
    db = told.graph.store.reader()
    (hit,) = (one for one in search(db, told.graph.index, Query(vector=QUESTION), 5) if one.memory == late)
    assert "neighbour" not in hit.channels and "occasion" in hit.channels


def test_an_occasion_that_was_about_it(told: Told) -> None:
    for at_s in (0, 100, 200):
        told.say("About the dog.", 0.8, at_s=at_s)
    within = told.say("And then?", 0.3, at_s=300)
    without = told.say("And then?", 0.3, at_s=9000)
    found = told.found()
    assert found.index(within) < found.index(without)


def test_the_person_asked_about(told: Told) -> None:
    anna, ben = told.face(), told.face()
    hers = told.say("I like it.", 0.5, by=anna, at_s=0)
    his = told.say("I like it.", 0.55, by=ben, at_s=5000)
    number = int(anna.split("_")[1])
    assert told.found(1) == [his]
    assert told.found(1, asked=[[number]]) == [hers]


def test_a_question_proves_less_than_a_statement(told: Told) -> None:
    told.say("Anna likes tea?", 0.6, at_s=0)
    stated = told.say("Anna likes tea.", 0.6, at_s=5000)
    assert told.found(1) == [stated]


def test_what_tells_a_time_where_one_is_asked_for(told: Told) -> None:
    plain = told.say("I saw the doctor.", 0.6, at_s=0)
    dated = told.say("I saw the doctor last week.", 0.58, at_s=5000)
    assert told.found(1) == [plain] and told.found(1, asks_when=True) == [dated]


def test_the_time_that_is_named_and_what_is_told_of_it_later(told: Told) -> None:
    before = told.say("We had soup.", 0.55, at_s=0)
    then = told.say("We had soup.", 0.5, at_s=2 * DAY_S)
    later = told.say("We had soup.", 0.5, at_s=4 * DAY_S)
    day = (2 * DAY_S * SECOND, 3 * DAY_S * SECOND)
    assert told.found(1) == [before]
    assert told.found(1, during_ns=day) == [then]
    assert set(told.found(2, during_ns=day, told_later_ns=7 * DAY_S * SECOND)) == {then, later}


def test_what_was_seen_at_another_time_is_no_answer(told: Told) -> None:
    anna = told.face()
    seen = [told.say(f"<{anna}> was in view.", 0.1, by=anna, at_s=n * DAY_S, source="seen") for n in range(4)]
    heard = told.say("I came on the second day.", 0.4, at_s=3 * DAY_S + 50)
    day = (2 * DAY_S * SECOND, 3 * DAY_S * SECOND)
    found = told.found(10, during_ns=day, of_sight=True, asked=[[int(anna.split("_")[1])]])
    assert seen[2] in found and heard in found and not set(found) & {seen[0], seen[1], seen[3]}


def test_a_sighting_among_many_that_read_alike(told: Told) -> None:
    """Hundreds of "was in view" are equally near: the one asked for is found by whom and when."""
    anna, ben = told.face(), told.face()
    for n in range(150):
        told.say(f"<{ben}> was in view.", 0.1, by=ben, at_s=n * 60, source="seen")
    hers = told.say(f"<{anna}> was in view.", 0.1, by=anna, at_s=20_000, source="seen")
    for n in range(150):
        told.say(f"<{ben}> was in view.", 0.1, by=ben, at_s=30_000 + n * 60, source="seen")
    assert told.found(1, of_sight=True, asked=[[int(anna.split("_")[1])]]) == [hers]
    then = (19_000 * SECOND, 21_000 * SECOND)
    assert told.found(3, of_sight=True, during_ns=then) == [hers]


def test_the_newer_of_two_that_fit_alike_and_no_age_shut_out(told: Told) -> None:
    old = told.say("The key is in the bowl.", 0.8, at_s=0)
    new = told.say("The key is in the drawer.", 0.8, at_s=400 * DAY_S)
    now_ns = int(401 * DAY_S * SECOND)
    assert told.found(2, now_ns=now_ns) == [new, old]
    better = told.say("The key is on the hook.", 0.85, at_s=200 * DAY_S)
    assert told.found(1, now_ns=now_ns) == [better]


def test_first_and_last_of_what_fits(told: Told) -> None:
    times = [told.say("We ate fish.", near, at_s=at_s) for near, at_s in ((0.8, 0), (0.9, 5000), (0.82, 9000))]
    told.say("Nothing to do with it.", 0.1, at_s=20_000)
    assert told.found(3, order=Order.FIRST) == times
    assert told.found(1, order=Order.LAST) == [times[2]]


def test_what_holds_still_and_what_used_to(told: Told) -> None:
    was, holds = told.say("A teacher.", 0.8, at_s=0), told.say("A nurse.", 0.8, at_s=5000)
    with told.graph.store.write() as db:
        db.execute("UPDATE memories SET valid_until_ns = ? WHERE id = ?", (5000 * SECOND, was))
    now_ns = 9000 * SECOND
    assert told.found(2, now_ns=now_ns, standing=Standing.LATEST) == [holds]
    assert told.found(1, now_ns=now_ns, standing=Standing.EARLIER) == [was]
    assert set(told.found(2, now_ns=now_ns)) == {was, holds}


def test_words_that_stand_together(told: Told) -> None:
    named = told.say("The cup is in the living room.", 0.2, at_s=0)
    told.say("Living is dear, and so is a room.", 0.9, at_s=5000)
    assert told.found(phrase="living room") == [named]
    assert told.found(vector=None, phrase="living room") == [named]
