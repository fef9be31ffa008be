"""The same claim in other words is one claim; where anything differs that is not understood, it is two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_memory.memory.insertion.claim import normalise, subject_of
from robot_memory.memory.insertion.sentence import Frame

SAME = [
    ("likes", "coffee", "Likes", " COFFEE. "),
    ("likes", "mushrooms", "likes", "a mushroom"),
    ("likes", "coffee", "enjoys", "coffee"),
    ("likes", "swimming", "likes", "to swim"),
    ("likes", "baking bread", "likes", "to bake bread"),
    ("home", "Leeds", "lives in", "Leeds"),
    ("home", "Leeds", "lives_in", "in Leeds"),
    ("job", "nurse", "works as", "a nurse"),
    ("age", "34", "age", "thirty-four"),
    ("age", "34", "is aged", "34 years old"),
    ("age", "34", "age", "a thirty-four-year-old"),
    ("owns", "two cats", "owns", "2 cats"),
    ("owns", "a dozen eggs", "owns", "twelve eggs"),
    ("owns", "205 books", "owns", "two hundred and five books"),
    ("owns", "1,500 stamps", "owns", "one thousand five hundred stamps"),
    ("weight", "5 kg", "weighs", "five kilos"),
    ("weight", "1.5 kg", "weight", "1500 grams"),
    ("distance", "2 km", "distance", "2,000 metres"),
    ("price", "£5", "price", "five quid"),
    ("duration", "90 minutes", "duration", "1.5 hours"),
    ("duration", "an hour", "duration", "60 min"),
    ("temperature", "20 °C", "temperature", "68 degrees Fahrenheit"),
    ("takes pills", "twice a week", "takes pills", "two times per week"),
    ("appointment", "dentist on Tuesday at 8 am", "appointment", "Tue 08:00 the dentist"),
    ("appointment", "dentist at 08:00", "appointment", "dentist at eight in the morning"),
    ("appointment", "dentist at half past three", "appointment", "dentist at 3:30"),
    ("appointment", "dentist at quarter to nine", "appointment", "dentist at 8:45"),
    ("appointment", "dentist at 3 pm", "appointment", "dentist at 15:00"),
    ("routine", "goes swimming every Tuesday", "routine", "go swimming on Tuesdays"),
    ("promise", "fix the gate on Friday", "promised", "to fix the gate Friday"),
    ("plan", "take Anna to school on Monday", "plan", "on Monday take Anna to school"),
    ("promise", "fix the gate by Friday", "promise", "by Fri fix the gate"),
    ("birthday", "14 March", "birthday", "March 14th"),
    ("birthday", "the 14th of March 2001", "date of birth", "2001-03-14"),
    ("rank", "the twenty-first", "rank", "21st"),
    ("phone", "0161 496 0000", "phone number", "01614960000"),
    ("favourite colour", "grey", "favorite color", "gray"),
    ("diet", "café crème", "diet", "CAFE\u0301 CRE\u0300ME"),
]
DENIED = [
    ("diet", "vegetarian", "diet", "not vegetarian"),
    ("likes", "coffee", "does not like", "coffee"),
    ("likes", "coffee", "doesn't like", "coffee"),
    ("likes", "coffee", "likes", "not coffee"),
    ("likes", "coffee", "hates", "coffee"),
    ("home", "Rome", "no longer lives in", "Rome"),
    ("drinks", "milk", "never drinks", "milk"),
    ("siblings", "siblings", "siblings", "no siblings"),
    ("smoker", "yes", "smoker", "no"),
    ("opinion", "the bus is good", "opinion", "the bus isn't good"),
]
OTHER = [
    ("likes", "coffee", "likes", "tea"),
    ("likes", "coffee", "likes", "coffee without sugar"),
    ("likes", "tea", "likes", "not only tea"),
    ("likes", "tea but not coffee", "likes", "tea and coffee"),
    ("likes", "sense", "likes", "no-nonsense people"),
    ("likes", "Williams", "likes", "William"),
    ("likes", "news", "likes", "new"),
    ("likes", "glass", "likes", "glasses"),
    ("likes", "ice", "likes", "icing"),
    ("studies at", "the university", "studies at", "the universal"),
    ("owns", "a cat", "owns", "cats"),
    ("owns", "two cats", "owns", "three cats"),
    ("owns", "twenty-one books", "owns", "twenty books"),
    ("age", "34", "age", "43"),
    ("age", "6 months", "age", "6"),
    ("weight", "5 kg", "weight", "5 pounds"),
    ("price", "5 pounds", "price", "5 euros"),
    ("temperature", "-5 °C", "temperature", "5 °C"),
    ("temperature", "20 °C", "temperature", "20 °F"),
    ("appointment", "dentist on Tuesday", "appointment", "dentist on Thursday"),
    ("appointment", "dentist on Tuesday", "appointment", "dentist every Tuesday"),
    ("appointment", "dentist at 8 am", "appointment", "dentist at 8 pm"),
    ("appointment", "dentist at half past three", "appointment", "dentist at half past four"),
    ("appointment", "dentist at quarter to three", "appointment", "dentist at quarter past three"),
    ("open", "from Monday to Friday", "open", "from Friday to Monday"),
    ("open", "by Friday", "open", "on Friday"),
    ("open", "until 8 pm", "open", "from 8 pm"),
    ("shop hours", "08:00 to 10:00", "shop hours", "10:00 to 08:00"),
    ("flight", "between Monday and Friday", "flight", "on Monday and Friday"),
    ("birthday", "14 March", "birthday", "14 May"),
    ("rank", "first", "rank", "one"),
    ("takes", "vitamin A", "takes", "vitamin"),
    ("language", "C", "language", "C++"),
    ("code", "007", "code", "7"),
    ("paper", "A4", "paper", "4"),
    ("phone", "0161 496 0000", "phone", "161 496 0000"),
    ("place", "on the table", "place", "under the table"),
    ("used to live in", "Rome", "lives in", "Rome"),
    ("wants to live in", "Rome", "lives in", "Rome"),
    ("home", "Newcastle", "birthplace", "Newcastle"),
    ("relation", "sister of <face_1>", "relation", "sister of <face_12>"),
    ("name", "Hanna", "name", "Anna"),
    ("status", "🙂", "status", "🙁"),
    ("greeting", "नमस्ते", "greeting", "नमसत"),
    ("does not hate", "coffee", "likes", "coffee"),
    ("does not love", "coffee", "does not like", "coffee"),
]


def same_claim(one: Frame, other: Frame) -> bool:
    a, b = normalise(one), normalise(other)
    return (a.subject, a.attribute, a.norm, a.polarity) == (b.subject, b.attribute, b.norm, b.polarity)


def claims(four: tuple[str, str, str, str]) -> tuple[Frame, Frame]:
    return Frame("<voice_1>", *four[:2]), Frame("<voice_1>", *four[2:])


@pytest.mark.parametrize("four", SAME, ids=" / ".join)
def test_the_same(four: tuple[str, str, str, str]) -> None:
    assert same_claim(*claims(four))


@pytest.mark.parametrize("four", DENIED, ids=" / ".join)
def test_the_opposite(four: tuple[str, str, str, str]) -> None:
    one, other = (normalise(frame) for frame in claims(four))
    assert (one.attribute, one.norm) == (other.attribute, other.norm)
    assert (one.polarity, other.polarity) == (1, -1)


@pytest.mark.parametrize("four", OTHER, ids=" / ".join)
def test_another(four: tuple[str, str, str, str]) -> None:
    one, other = claims(four)
    assert not same_claim(one, other)
    opposed = Frame(other.subject, other.attribute, other.value, -1)
    assert not same_claim(one, opposed)


def test_denied_twice_is_so() -> None:
    assert normalise(Frame("x", "diet", "not vegetarian", -1)).polarity == 1
    assert normalise(Frame("x", "does not like", "tea", -1)).polarity == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("the car keys", "Car Keys"), ("voice_3", "<voice_3>"), ("room twelve", "Room 12"), ("Anna's bag", "anna's bag")],
)
def test_the_same_subject(one: str, other: str) -> None:
    assert subject_of(one) == subject_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("the key", "the keys"), ("<face_1>", "<face_12>"), ("<face_1>", "<voice_1>"), ("room 12", "room 21")],
)
def test_another_subject(one: str, other: str) -> None:
    assert subject_of(one) != subject_of(other)


words = st.text(alphabet=st.sampled_from("ab 1205.,:-'’–_@|<>%°£A\n\tnoé字"), max_size=14)


@given(subject=words, attribute=words, value=words, polarity=st.sampled_from([1, -1, 0]))
def test_whatever_is_said_comes_out_whole_and_stays_as_it_is(
    subject: str, attribute: str, value: str, polarity: int
) -> None:
    """What is stored (attribute, readable value, polarity) is normalised to itself: see renormalise."""
    claim = normalise(Frame(subject, attribute, value, polarity))
    again = normalise(Frame(claim.subject, claim.attribute, claim.value, claim.polarity))
    assert claim.polarity in (1, -1)
    assert bool(claim.norm) or not value.strip()
    assert again == claim


@given(st.integers(0, 999_999))
def test_numbers_in_words(number: int) -> None:
    assert same_claim(Frame("x", "owns", f"{number} books"), Frame("x", "owns", f"{in_words(number)} books"))


def in_words(number: int) -> str:
    """Written by other rules than those under test."""
    small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    ones = [*small.split(), "seventeen", "eighteen", "nineteen"]
    round_ones = "twenty thirty forty fifty sixty seventy eighty ninety"
    tens = ["", "", *round_ones.split()]
    if number < 20:
        return ones[number]
    if number < 100:
        return tens[number // 10] + (f"-{ones[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = f" and {in_words(number % 100)}" if number % 100 else ""
        return f"{ones[number // 100]} hundred{rest}"
    rest = number % 1000
    joined = " and " if 0 < rest < 100 else " "
    return f"{in_words(number // 1000)} thousand{joined + in_words(rest) if rest else ''}"
