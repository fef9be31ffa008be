"""The phrase bank is wide, well formed and varied: every phrase fills into clean text, and no rule learns them all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random

import pytest

from robot_memory.evaluation.truth import ATTRIBUTES
from robot_memory.evaluation.worlds.bank import (
    KINDS_OF_NOT,
    VOICES,
    Bank,
    BankInvalid,
    SlotUnfilled,
    Value,
    fill,
    load,
    slots_of,
)
from robot_memory.evaluation.worlds.bank.filling import SLOT
from robot_memory.evaluation.worlds.bank.tables import phrases, rows
from robot_memory.evaluation.worlds.bank.values import NUMBER

LEAST = {"first": 30, "third": 30, "ended": 8}  # phrasings a voice; 10 for the others
COMMON = ("job", "home", "place", "likes", "who_was_here", "last_seen_where")
WRONG = re.compile(r"[{}]|  |\s[,.?!]|^[a-zéł]|[.!?] [a-z]|,,|\ba [aeioAEIO]|\ban [^aeiouhXAEIOU]|\.\.$")


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load()


def tables(bank: Bank) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every table of phrases with its name."""
    for attribute in ATTRIBUTES:
        for voice, found in bank.statements[attribute].items():
            yield f"{attribute}, {voice}", found
        for kind, found in bank.not_statements[attribute].items():
            yield f"{attribute}, not: {kind}", found
    for kind, found in bank.questions.items():
        yield f"question, {kind}", found
    for of, found in bank.introductions.items():
        yield f"introduction, {of}", found
    yield "rooms", bank.room_phrases
    for name in ("small_talk", "small_talk_replies", "acknowledgements", "greetings", "farewells"):
        yield name, getattr(bank, name)


def plain(text: str) -> str:
    """Without case, punctuation and the names of slots."""
    return bare(SLOT.sub(" 0 ", text))


def bare(text: str) -> str:
    """Without case and punctuation."""
    return " ".join(re.findall(r"[\w']+", text.lower()))


def given(bank: Bank, attribute: str, rng: Random) -> tuple[Value, dict[str, str]]:
    """A value of the attribute and every slot a caller gives to a statement about it."""
    values = bank.values[attribute]
    other, subject, speaker = rng.sample(bank.names, 3)
    more = dict.fromkeys(values.given, other.text)
    gender = {"gender": other.gender} if attribute == "relation" else None
    before = values.draw(rng, gender, "changed", **more)
    value = values.another(rng, before, gender, "changed")
    slots = {**before.as_old(), **value.slots, **subject.as_subject(), "speaker2": speaker.text}
    return value, {**slots, "when": "yesterday", "room_in": "in the hall"} if "when" not in slots else slots


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_there_are_many_ways_to_say_a_fact(bank: Bank, attribute: str) -> None:
    counts = {voice: len(bank.statements[attribute][voice]) for voice in VOICES}
    assert not {voice: count for voice, count in counts.items() if count < LEAST.get(voice, 10)}
    assert sum(len(bank.not_statements[attribute][kind]) for kind in KINDS_OF_NOT) >= 15


def test_the_other_tables_are_wide(bank: Bank) -> None:
    assert len(bank.names) >= 120 and len({name.text for name in bank.names}) == len(bank.names)
    assert len(bank.small_talk) >= 150 and len(bank.small_talk_replies) >= 40
    assert min(len(bank.introductions["self"]), len(bank.introductions["other"])) >= 30
    assert len(bank.rooms) >= 25 and len(bank.days) == 7
    few = {kind: len(found) for kind, found in bank.questions.items() if len(found) < (20 if kind in COMMON else 12)}
    assert not few
    sizes = {a: len(list(values.all(**dict.fromkeys(values.given, "Ben")))) for a, values in bank.values.items()}
    assert min(sizes.values()) >= 40, sizes


def test_names_that_sound_alike_share_a_group(bank: Bank) -> None:
    sounds = {name.text: name.sounds for name in bank.names}
    pairs = ("Ann Anne", "Kaleb Caleb", "Siobhan Shevaun", "Xiu Shu", "Joaquín Wakeen", "Stephen Steven")
    assert all(sounds[one] == sounds[two] != "" for one, two in map(str.split, pairs))
    alone = [sound for sound, count in Counter(sounds.values()).items() if sound and count < 2]
    assert set(alone) <= {"karl"}


def test_no_phrase_comes_twice(bank: Bank) -> None:
    for name, found in tables(bank):
        twice = [text for text, count in Counter(map(bare, found)).items() if count > 1]
        assert not twice, f"{name}: {twice}"


def test_no_phrase_means_two_things(bank: Bank) -> None:
    for attribute in ATTRIBUTES:
        every = [*bank.statements[attribute].values(), *bank.not_statements[attribute].values()]
        said = Counter(bare(template) for found in every for template in found)
        same = [text for text, count in said.items() if count > 1]
        assert not same, f"{attribute}: {same}"


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_every_statement_fills_into_clean_text(bank: Bank, attribute: str) -> None:
    rng = Random(attribute)
    every = [t for found in bank.statements[attribute].values() for t in found]
    every += [t for found in bank.not_statements[attribute].values() for t in found]
    for template in every:
        for _ in range(4):
            text = fill(template, given(bank, attribute, rng)[1])
            assert not WRONG.search(text) and text[-1] in '.?!"', f"{template!r} became {text!r}"


def test_every_question_fills_into_clean_text(bank: Bank) -> None:
    rng = Random(7)
    for kind, found in bank.questions.items():
        slots: dict[str, str] = {"topic": "the new bins", "when": "yesterday", "room_in": "in the kitchen"}
        for attribute in ATTRIBUTES:
            slots = {**given(bank, attribute, rng)[1], **slots}
        if kind.endswith("opinion"):
            slots |= bank.values["opinion"].draw(rng).slots
        if kind in ("place", "changed_place", "own_place"):
            slots |= bank.values["place"].draw(rng).slots
        for template in found:
            text = fill(template, slots)
            assert not WRONG.search(text) and text[-1] in ".?!", f"{kind}: {template!r} became {text!r}"
        asked = set(bank.question_slots[kind]) - {"relation", "relation_np"}  # one of the two will do
        assert all(asked <= slots_of(template) for template in found)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_a_statement_says_the_whole_fact(bank: Bank, attribute: str) -> None:
    """A listener can know the fact from the sentence: whom it is about, and every part of the value."""
    values = bank.values[attribute]
    for voice in ("first", "third", "changed", "reported", "corrected"):
        parts = set(values.parts) - (set(values.kept) if voice == "corrected" else set())
        for template in bank.statements[attribute][voice]:
            used = slots_of(template)
            untold = [part for part in parts if not used & (set(values.parts[part][0].slots) - set(NUMBER["s"]))]
            assert not untold, f"{attribute}, {voice}: {template!r} leaves out {untold}"
            assert "subject" in used or voice not in ("third", "reported"), template
            assert "speaker2" in used or voice != "reported", template
            assert set(values.given) <= used or voice == "corrected", template


def test_small_talk_states_no_fact(bank: Bank) -> None:
    talk = "\n".join(bank.small_talk + bank.small_talk_replies + bank.acknowledgements)
    for attribute in ATTRIBUTES:
        for voice, found in bank.statements[attribute].items():
            for template in found:
                if len(plain(template).replace("0", "").split()) < 3:
                    continue  # "Not {old}. {value}." states nothing without its words
                pattern = SLOT.sub("\0", template).rstrip(".!?")
                hit = re.search(re.escape(pattern).replace("\0", r"[^\n]+?"), talk, re.IGNORECASE)
                assert hit is None, f"{attribute}, {voice}: {template!r} is in small talk: {hit and hit[0]!r}"


def test_what_states_nothing_is_marked_as_what_it_is(bank: Bank) -> None:
    for attribute, kinds in bank.not_statements.items():
        assert tuple(kinds) == KINDS_OF_NOT and len(kinds["sarcasm"]) >= 4, attribute
        assert all(template.endswith("?") for template in kinds["question"]), attribute


def test_phrasings_of_a_kind_begin_differently(bank: Bank) -> None:
    alike = {}
    for name, found in tables(bank):
        start, count = Counter(" ".join(plain(one).split()[:2]) for one in found).most_common(1)[0]
        if count > max(2, 0.2 * len(found)):
            alike[name] = f"{count} of {len(found)} begin with {start!r}"
    assert not alike


def test_phrasings_of_a_kind_share_few_words(bank: Bank) -> None:
    """On average under 0.3, and hardly a pair is nearly the same."""
    alike = {}
    for name, found in tables(bank):
        pairs = [(shared(one, two), one, two) for one, two in combinations(found, 2)]
        near = [pair for pair in pairs if pair[0] > 0.8]
        if sum(pair[0] for pair in pairs) / len(pairs) > 0.3 or len(near) > max(1, 0.02 * len(pairs)):
            alike[name] = near
    assert not alike


def shared(one: str, two: str) -> float:
    """Jaccard overlap of the words of two templates, their slots left out."""
    a, b = (set(plain(template).split()) - {"0"} for template in (one, two))
    return len(a & b) / max(1, len(a | b))


def test_questions_do_not_all_begin_with_a_question_word(bank: Bank) -> None:
    wh = re.compile(r"(who|what|when|where|which|how|whose|whom)\b", re.IGNORECASE)
    for kind, found in bank.questions.items():
        other = [template for template in found if not wh.match(template)]
        assert len(other) >= 0.3 * len(found), kind


def test_the_same_seed_draws_the_same_values(bank: Bank) -> None:
    for attribute, values in bank.values.items():
        more = dict.fromkeys(values.given, "Ben")
        one, two = (values.draw(Random(3), **more) for _ in range(2))
        assert one == two, attribute
        rng = Random(4)
        for _ in range(50):
            value = values.draw(rng, **more)
            other = values.another(rng, value)
            assert other.text != value.text
            assert all(other.rows[part] is value.rows[part] for part in values.kept)


def test_a_value_is_drawn_by_its_tags(bank: Bank) -> None:
    rng = Random(5)
    assert {bank.values["likes"].draw(rng, {"kind": "food"}).tags["kind"] for _ in range(30)} == {"food"}
    changed = [bank.values["relation"].draw(rng, {"gender": "f"}, "changed", other="Ann").tags for _ in range(40)]
    assert {tags["bond"] for tags in changed} == {"made"} and {tags["gender"] for tags in changed} <= {"f", "*"}
    opinions = bank.values["opinion"]
    value = opinions.draw(rng, {"tone": "good"})
    assert opinions.another(rng, value).tags["tone"] == "bad"
    big = [bank.values["place"].draw(rng) for _ in range(300)]
    assert not [one.text for one in big if {row.tags["size"] for row in one.rows.values()} == {"big", "small"}]
    with pytest.raises(BankInvalid, match="no owned has"):
        bank.values["owns"].draw(rng, {"kind": "cloud"})


def test_what_a_value_becomes_fits_the_same_person(bank: Bank) -> None:
    rng = Random(6)
    for gender in "fm":
        relation = bank.values["relation"].draw(rng, {"gender": gender}, other="Ann")
        for _ in range(40):
            assert bank.values["relation"].another(rng, relation).tags["gender"] in {relation.tags["gender"], "*"}
    nickname = bank.values["name"].draw(rng, {"of": "Margaret"})
    for _ in range(40):
        nickname = bank.values["name"].another(rng, nickname)
        assert nickname.tags["of"] in ("Margaret", "*")


def test_an_unknown_slot_is_refused_by_name() -> None:
    table: Mapping[str, str] = {"first": "I am {value}.\nI am {valeu}."}
    with pytest.raises(BankInvalid, match=r"job\.yaml, first: 'I am \{valeu\}\.' uses valeu"):
        phrases(table, "first", "job.yaml", ("value",))
    with pytest.raises(BankInvalid, match="stray brace"):
        phrases({"first": "I am {value."}, "first", "job.yaml", ("value",))
    with pytest.raises(BankInvalid, match="has no block 'third'"):
        phrases(table, "third", "job.yaml")
    with pytest.raises(BankInvalid, match="2 cells"):
        rows("nurse | a nurse", ("value", "value_np", "value_at"), "job.yaml")


def test_a_slot_left_open_is_an_error() -> None:
    said = fill("{subject}? {he}'s {value_np}.", subject="Ben", value_np="a nurse", he="he")
    assert said == "Ben? He's a nurse."
    with pytest.raises(SlotUnfilled, match="subject"):
        fill("{subject} is {value_np}.", value_np="a nurse")
