"""A question is held up by what was said of the person, matter, time and place asked about, or it is not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.verification import wording
from robot_memory.control.verification.asked import Asked, Passage, Support, Term, Verdict
from robot_memory.control.verification.verify import verify

ANNA, BEN, CLARA = "person_1", "person_2", "person_3"
NAMES = {"Anna": ANNA, "Ben": BEN, "Clara": CLARA}
HOUR = 3_600_000_000_000

MORNING = (  # (speaker, words): each an hour after the one before
    (ANNA, "Good morning, Ben!"),
    (ANNA, "I paint sunsets over the lake, mostly in oil."),
    (BEN, "Your paintings of the lake are lovely, Anna."),
    (BEN, "I ride my bicycle to work."),
    (ANNA, "What do you eat for breakfast?"),
    (BEN, "Porridge with honey."),
    (BEN, "Clara plays the cello in an orchestra."),
    (ANNA, "I don't like olives."),
)


def passages(said: Sequence[tuple[str, str]] = MORNING) -> list[Passage]:
    others = {ANNA: BEN, BEN: ANNA}
    return [
        Passage(n, text, speaker, frozenset({others[speaker]}), start_ns=n * HOUR, end_ns=n * HOUR + 1)
        for n, (speaker, text) in enumerate(said, start=1)
    ]


def read(question: str, found: Sequence[Passage]) -> Asked:
    held = [wording.stems(one.text) for one in found]
    words = (Term(word, sum(wording.stem(word) in one for one in held)) for word in wording.content(question, NAMES))
    persons = frozenset(person for name, person in NAMES.items() if name in question)
    return Asked(tuple(words), len(found), persons, NAMES, denied=wording.denies(question))


def likeness(question: str, text: str) -> float:
    """A cosine without an embedder: of the words that carry content."""
    one, other = ({wording.stem(word) for word in wording.content(said, NAMES)} for said in (question, text))
    return len(one & other) / math.sqrt(max(len(one), 1) * max(len(other), 1))


def judge(question: str, found: Sequence[Passage] | None = None, **more: object) -> Verdict:
    found = [replace(one, cosine=likeness(question, one.text)) for one in (passages() if found is None else found)]
    return verify(replace(read(question, found), **more), found)  # type: ignore[arg-type]


def test_what_somebody_says_of_herself_is_about_her() -> None:
    verdict = judge("What does Anna paint?")
    assert verdict.supported > 0.8
    assert verdict.person.standing is Support.SUPPORTED and verdict.person.memory == 2
    assert verdict.attribute.standing is Support.SUPPORTED


def test_the_same_asked_of_another_is_not_supported_and_the_reason_names_the_memory() -> None:
    verdict = judge("What does Ben paint?")
    assert verdict.supported < 0.3
    assert verdict.person.standing is Support.UNSUPPORTED and verdict.person.memory == 2
    assert "memory 2 is about somebody else" in verdict.reasons


def test_praise_of_your_paintings_is_about_whoever_hears_it() -> None:
    praise = passages()[2:3]
    assert (
        judge("Whose are Anna's paintings?", praise).supported > judge("Whose are Ben's paintings?", praise).supported
    )
    assert judge("What are Ben's paintings of?", praise).person.standing is Support.UNSUPPORTED


def test_an_answer_without_a_pronoun_is_about_whoever_gives_it() -> None:
    talk = passages()[4:6]
    ben, anna = judge("What does Ben eat for breakfast?", talk), judge("What does Anna eat for breakfast?", talk)
    assert ben.person.standing is Support.SUPPORTED and ben.supported > 0.5
    assert anna.person.standing is Support.UNSUPPORTED and anna.supported < 0.5


def test_a_third_person_told_of_by_name_is_supported_by_it() -> None:
    told = judge("What does Clara play?")
    assert told.person.standing is Support.SUPPORTED and told.person.memory == 7
    assert judge("What does Ben play?").supported < told.supported


def test_calling_somebody_does_not_speak_of_him() -> None:
    called = passages([(ANNA, "Ben, I bought a kayak."), (BEN, "Nice!")])
    assert judge("What did Anna buy?", called).person.standing is Support.SUPPORTED
    assert judge("What did Ben buy?", called).person.standing is Support.UNSUPPORTED


def test_a_word_never_said_is_named_as_the_reason() -> None:
    verdict = judge("Where does Anna keep her submarine?")
    assert verdict.supported < 0.5
    assert verdict.attribute.standing is Support.UNSUPPORTED
    assert any("never said" in reason and "submarine" in reason for reason in verdict.reasons)


def test_another_time_does_not_support_it() -> None:
    then, later = (judge("What does Anna paint?", start_ns=n * HOUR, end_ns=n * HOUR + HOUR) for n in (2, 8))
    assert then.time.standing is Support.SUPPORTED and then.time.memory == 2
    assert later.time.standing is Support.UNSUPPORTED
    assert later.supported < then.supported - 0.3
    assert "nothing that fits was in the time asked for" in later.reasons


def test_without_a_time_or_a_place_nothing_is_said_of_them() -> None:
    verdict = judge("What does Anna paint?")
    assert verdict.time.standing is verdict.place.standing is Support.UNKNOWN


def test_another_place_does_not_support_it() -> None:
    seen = [
        Passage(1, "Anna was in the kitchen.", about=frozenset({ANNA}), place="kitchen"),
        Passage(2, "Ben was in the library.", about=frozenset({BEN}), place="library"),
    ]
    here = judge("Was Anna in the kitchen?", seen, place="kitchen")
    there = judge("Was Anna in the library?", seen, place="library")
    assert here.place.standing is Support.SUPPORTED and here.place.memory == 1
    assert there.place.standing is Support.UNSUPPORTED and there.supported < here.supported - 0.3


def test_a_place_that_was_never_mentioned_is_unsaid() -> None:
    verdict = judge("Did Anna paint in the greenhouse?", place="greenhouse")
    assert verdict.place.standing is Support.UNKNOWN  # no memory here knows where it was
    assert "never said: greenhouse" in verdict.reasons
    assert verdict.supported < judge("Did Anna paint in oil?").supported


def test_a_denial_supports_less_unless_it_is_asked_for() -> None:
    asked, denied = judge("Which olives does Anna like?"), judge("What does Anna not like, olives?")
    assert "what fits says that it is not so" in asked.reasons
    assert asked.supported < denied.supported


def test_a_question_that_names_nobody_is_judged_by_its_matter() -> None:
    said, unsaid = judge("Who rides a bicycle to work?"), judge("Who owns a submarine?")
    assert said.person.standing is unsaid.person.standing is Support.UNKNOWN
    assert said.supported > unsaid.supported


def test_nothing_found_supports_nothing() -> None:
    verdict = judge("What does Anna paint?", [], start_ns=0, end_ns=HOUR)
    assert verdict.supported < 0.1
    assert verdict.time.standing is Support.UNSUPPORTED and verdict.reasons
