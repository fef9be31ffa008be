"""What is worth remembering when it is said or seen, and why: names, requests, promises, first times, what is rare."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import replace

from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memorization.saliency.weigh import weigh
from robot_memory.memorization.saliency.why import why
from robot_memory.streams.media import Pose
from told import Story

DAY_S = 86_400


def said(story: Story, *lines: str) -> list[int]:
    """Anna says these in the next clip; returns the memories of her words, in order."""
    at = story._sequence * 30
    story.clip({"anna": (at, at + 29)}, [("anna", at + n * 5, at + n * 5 + 4, line) for n, line in enumerate(lines)])
    rows = story.graph.store.reader().execute(
        "SELECT id FROM memories WHERE source = 'heard' AND clip = (SELECT max(id) FROM clips) ORDER BY start_ns"
    )
    return [row["id"] for row in rows]


def saliency(story: Story, memory: int) -> float:
    row = story.graph.store.reader().execute("SELECT saliency FROM memories WHERE id = ?", (memory,)).fetchone()
    return float(row["saliency"])


def reasons(story: Story, memory: int) -> dict[str, float]:
    return dict(why(story.graph.store.reader(), memory))


def known(story: Story) -> None:
    """Anna is nobody new, and what follows is not the first of all."""
    said(story, "Hello there.", "Nice weather.", "It may rain.")


def test_what_one_is_asked_to_remember_outweighs_small_talk(story: Story) -> None:
    known(story)
    talk, request, polite = said(
        story, "Nice weather again.", "Don't forget to lock the door.", "Please remember to lock the door."
    )
    assert saliency(story, talk) < 0.4 < saliency(story, request) < saliency(story, polite)
    assert {"request"} <= reasons(story, request).keys() and {"request", "please"} <= reasons(story, polite).keys()


def test_reminiscing_is_no_request(story: Story) -> None:
    known(story)
    lines = ("I remember when we were young.", "Do you remember me?", "I forgot my umbrella.", "He reminds me of Ben.")
    for memory in said(story, *lines):
        assert "request" not in reasons(story, memory)


def test_a_name_counts_in_the_words_it_was_given_in_as_well(story: Story) -> None:
    known(story)
    (words,) = said(story, "By the way, my name is Anna.")
    claim = story.graph.store.reader().execute("SELECT id FROM memories WHERE attribute = 'name'").fetchone()["id"]
    assert "name" in reasons(story, words) and "name" in reasons(story, claim)
    assert saliency(story, words) > 0.6


def test_promises_and_plans_count(story: Story) -> None:
    known(story)
    plan, dentist = said(story, "I promise to fix the gate tomorrow.", "I have a dentist appointment on Friday.")
    assert "promise" in reasons(story, plan) and "promise" in reasons(story, dentist)


def test_a_question_is_worth_less_than_a_statement(story: Story) -> None:
    known(story)
    asked, told = said(story, "Is it going to rain?", "It is going to rain.")
    assert reasons(story, asked)["question"] < 0 and "question" not in reasons(story, told)


def test_a_person_is_met_for_the_first_time_once(story: Story) -> None:
    first, *_ = said(story, "Hello there.", "Nice weather.", "It may rain.")
    again, *_ = said(story, "Me again.", "Still dry.")
    assert "first meeting" in reasons(story, first) and "first meeting" not in reasons(story, again)


def test_a_place_is_new_once(story: Story) -> None:
    firsts = []
    for x_m in (1.0, 1.5, 20.0):
        seen = story.observe({"anna": (story._sequence * 30 + 1, story._sequence * 30 + 20)}, [])
        here = Pose(seen.start_ns, "map", (x_m, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (), "home")
        Memoriser(story.graph, story.embedder, TranscriptDescriber(), 3.0).memorise(
            replace(seen, poses=(here,)), story.session
        )
        story._sequence += 1
        newest = story.graph.store.reader().execute("SELECT max(id) FROM memories").fetchone()[0]
        firsts.append("first place" in reasons(story, newest))
    assert firsts == [True, False, True]


def test_routine_stops_being_surprising_and_another_hour_is_again(story: Story) -> None:
    def came(at_s: float) -> float:
        story.skip_to(at_s)
        begun = at_s // 30 * 30
        story.clip({"anna": (begun + 1, begun + 25)})
        newest = story.graph.store.reader().execute("SELECT surprise FROM memories ORDER BY id DESC LIMIT 1")
        return float(newest.fetchone()["surprise"])

    mornings = [came(day * DAY_S + 3600) for day in range(12)]
    assert mornings[-1] < 0.7 < mornings[1] - 0.7
    assert came(12 * DAY_S + 17 * 3600) > mornings[-1] + 2  # at half past two at night


def test_the_reasons_make_up_the_saliency(story: Story) -> None:
    said(story, "My name is Anna.", "Please remember that I like tea.", "Do you hear me?")
    said(story, "I work as a nurse.", "Nice weather.")
    rows = story.graph.store.reader().execute("SELECT id, saliency FROM memories").fetchall()
    assert len(rows) > 7
    for row in rows:
        whole = sum(amount for _, amount in why(story.graph.store.reader(), row["id"]))
        assert math.isclose(row["saliency"], 1 / (1 + math.exp(-whole)))


def test_what_was_stored_before_saliency_has_no_reasons(story: Story) -> None:
    known(story)
    with story.graph.store.write() as db:
        db.execute("UPDATE memories SET surprise = NULL")
    assert why(story.graph.store.reader(), 1) == [] and why(story.graph.store.reader(), 99_999) == []


def test_what_is_said_twice_is_counted_and_weighed_once(story: Story) -> None:
    said(story, "I like tea.", "Nice weather.")
    claim = story.graph.store.reader().execute("SELECT id FROM memories WHERE attribute = 'likes'").fetchone()["id"]
    before = saliency(story, claim), counted(story.graph.store.reader(), "kind claim likes")
    said(story, "I like tea.", "Nice weather.")
    assert (saliency(story, claim), counted(story.graph.store.reader(), "kind claim likes")) == (before[0], 2)
    assert before[1] == 1


def test_the_work_does_not_grow_with_what_was_lived(story: Story) -> None:
    def steps() -> int:
        ran = 0

        def count() -> int:
            nonlocal ran
            ran += 1
            return 0

        with story.graph.store.write() as db:
            newest = dict.fromkeys((row[0] for row in db.execute("SELECT max(id) FROM memories")), True)
            db.set_progress_handler(count, 1)
            weigh(db, db.execute("SELECT max(id) FROM clips").fetchone()[0], newest)
            db.set_progress_handler(None, 0)
        return ran

    said(story, "Hello there.", "Nice weather.")
    said(story, "Hello there.", "Nice weather.")
    few = steps()
    for hour in range(25):
        story.skip_to(3600 * (hour + 1))
        begun = 3600 * (hour + 1)
        story.clip({"anna": (begun, begun + 29)}, [("anna", begun + 1, begun + 4, f"Line {hour}.")])
    assert steps() < 1.3 * few


def counted(db: sqlite3.Connection, key: str) -> int:
    row = db.execute("SELECT n FROM counts WHERE key = ?", (key,)).fetchone()
    return int(row["n"]) if row else 0
