"""Appointments, promises, plans and habits are told apart, with whose they are and when."""

from __future__ import annotations

import pytest

from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.dated import corrected
from robot_memory.memorization.speech.told import Line, Told

WEDNESDAY = 20516  # 4 March 2026, in days since 1970
DATED = ("appointment", "promise", "plan", "routine")


def _told(text: str) -> list[Told]:
    return [one for one in claims_in(Line(text, "voice_1", 0, WEDNESDAY)) if one.attribute in DATED]


@pytest.mark.parametrize(
    ("said", "whose", "value"),
    [
        ("I'm seeing the dentist on Tuesday at nine.", "I", "dentist appointment on Tuesday at nine"),
        ("My driving test is on Thursday at half past ten.", "I", "driving test on Thursday at half past ten"),
        ("I've booked a haircut for Saturday at eleven.", "I", "haircut on Saturday at eleven"),
        ("There's a parents' evening on Wednesday at six, I have to go.", "I", "parents' evening on Wednesday at six"),
        ("Lena's got her eye test on Monday at quarter past four.", "Lena", "eye test on Monday at quarter past four"),
        ("The hospital called, my scan is on the 14th of May at 8 am.", "I", "scan on the 14th of May at 8 am"),
        ("I have to be at the vet's with the dog on Friday at five.", "I", "vet appointment on Friday at five"),
        ("My sister has a job interview on Thursday at two.", "sister/I", "job interview on Thursday at two"),
        (
            "They can fit me in at the hairdresser's on Friday at four.",
            "I",
            "hairdresser appointment on Friday at four",
        ),
        ("Tom's knee operation is on Monday.", "Tom", "knee operation on Monday"),
        (
            "Our meeting with the architect is on Wednesday at one.",
            "I",
            "meeting with the architect on Wednesday at one",
        ),
        ("I've an appointment with the bank on Friday at noon.", "I", "appointment with the bank on Friday at noon"),
        ("You've got a check-up on Wednesday at ten, don't forget.", "you", "check-up on Wednesday at ten"),
        ("My piano lesson is tomorrow at five.", "I", "piano lesson on Thursday 5 March at five"),
        ("At nine on Monday I've got a call with the tax office.", "I", "call with the tax office on Monday at nine"),
        ("Ben and I have a viewing on Thursday at six.", "I", "viewing on Thursday at six"),
        (
            "My appointment at the doctor's is next Tuesday at 8:15.",
            "I",
            "appointment at the doctor's next Tuesday (10 March) at 8:15",
        ),
        ("I've had to move my physio to Thursday at one.", "I", "physio on Thursday at one"),
        ("Grandma's hearing test has been moved to Monday at ten.", "Grandma", "hearing test on Monday at ten"),
    ],
)
def test_an_appointment_is_told(said: str, whose: str, value: str) -> None:
    (told,) = _told(said)
    assert (_whose(told), told.attribute, told.value) == (whose, "appointment", value)
    assert told.polarity > 0 and not told.past


@pytest.mark.parametrize(
    ("said", "whose", "value"),
    [
        ("I promise I'll water the plants tomorrow.", "I", "water the plants on Thursday 5 March"),
        ("I'll bring you the book on Monday.", "I", "bring you the book on Monday"),
        ("I give you my word that I'll return the drill by Sunday.", "I", "return the drill by Sunday"),
        ("Don't worry, I'll pick up the kids on Thursday.", "I", "pick up the kids on Thursday"),
        ("You can count on me to bake the cake.", "I", "bake the cake"),
        ("Lena promised to lend me her tent.", "Lena", "lend me her tent"),
        ("My brother has promised to repair the roof in April.", "brother/I", "repair the roof in April"),
        ("I swear I'll clean the garage this weekend.", "I", "clean the garage this weekend (7 March)"),
        ("I'll wash the car on Saturday, you have my word.", "I", "wash the car on Saturday"),
        ("Tom gave me his word that he'd sort out the boiler by Friday.", "Tom", "sort out the boiler by Friday"),
        (
            "I'll send you the recipe tonight, I promise.",
            "I",
            "send you the recipe on Wednesday 4 March in the evening",
        ),
        ("Leave it to me, I'll ring the landlord on Monday.", "I", "ring the landlord on Monday"),
        (
            "Fine, I'll do the washing-up tonight, promise.",
            "I",
            "do the washing-up on Wednesday 4 March in the evening",
        ),
        (
            "I will have the report finished by Thursday, you can rely on me.",
            "I",
            "have the report finished by Thursday",
        ),
        ("We'll fetch Grandma from the station on Sunday.", "I", "fetch Grandma from the station on Sunday"),
        ("Tom has agreed to feed the cat while we're away.", "Tom", "feed the cat"),
        ("I'm going to repair that tap on Saturday, I swear.", "I", "repair that tap on Saturday"),
        ("Lena offered to drive us to the airport on Friday.", "Lena", "drive us to the airport on Friday"),
        ("I did promise to take the kids to the zoo on Sunday.", "I", "take the kids to the zoo on Sunday"),
    ],
)
def test_a_promise_is_told(said: str, whose: str, value: str) -> None:
    (told,) = _told(said)
    assert (_whose(told), told.attribute, told.value) == (whose, "promise", value)
    assert told.polarity > 0 and not told.past


@pytest.mark.parametrize(
    ("said", "whose", "value"),
    [
        ("We're going to Norway in June.", "I", "go to Norway in June"),
        ("I'm planning to repaint the hall in spring.", "I", "repaint the hall in spring"),
        ("Lena is moving to Bristol next year.", "Lena", "move to Bristol next year (2027)"),
        ("I'm learning to sail this summer.", "I", "learn to sail this summer (2026)"),
        ("In August I'm cycling along the Danube with Tom.", "I", "cycle along the Danube with Tom in August"),
        ("Next weekend we're having a barbecue.", "I", "have a barbecue next weekend (14 March)"),
        ("I intend to write a cookbook.", "I", "write a cookbook"),
        ("Tom's going to retire in October.", "Tom", "retire in October"),
        ("I've decided to sell the boat in autumn.", "I", "sell the boat in autumn"),
        ("My daughter plans to study chemistry.", "daughter/I", "study chemistry"),
        ("I'm off to Scotland at the end of July.", "I", "go to Scotland at the end of July"),
        ("We are flying to Rome on the 3rd of April.", "I", "fly to Rome on the 3rd of April"),
        ("My plan is to walk the whole coast path in September.", "I", "walk the whole coast path in September"),
        ("This summer we'll be sailing round Corsica.", "I", "sail round Corsica this summer (2026)"),
        ("My wife's starting a new course in October.", "wife/I", "start a new course in October"),
        ("Come spring, I'm going to plant tomatoes.", "I", "plant tomatoes in spring"),
        ("Tom and Lena are getting married in July.", "Lena", "get married in July"),
        ("I'll be doing the night shift next week.", "I", "do the night shift next week (from 9 March)"),
    ],
)
def test_a_plan_is_told(said: str, whose: str, value: str) -> None:
    (told,) = _told(said)
    assert (_whose(told), told.attribute, told.value) == (whose, "plan", value)
    assert told.polarity > 0 and not told.past


@pytest.mark.parametrize(
    ("said", "whose", "value"),
    [
        ("I play chess every Thursday evening.", "I", "play chess every Thursday evening"),
        ("On Sundays we always have pancakes.", "I", "have pancakes on Sundays"),
        ("Tom goes running every morning before work.", "Tom", "go running every morning before work"),
        ("My mum plays bridge on Tuesdays.", "mum/I", "play bridge on Tuesdays"),
        ("I call my grandmother once a week.", "I", "call my grandmother once a week"),
        ("Every other Friday I clean the fish tank.", "I", "clean the fish tank every other Friday"),
        ("Lena has a yoga class every Monday at six.", "Lena", "have a yoga class every Monday at six"),
        ("We do the shopping on Saturdays.", "I", "do the shopping on Saturdays"),
        ("Most evenings I read in bed.", "I", "read in bed most evenings"),
        ("I've started going to the gym three times a week.", "I", "go to the gym three times a week"),
        ("Ben sings in a choir on Wednesdays.", "Ben", "sing in a choir on Wednesdays"),
        ("My brother visits us every second weekend.", "brother/I", "visit us every second weekend"),
        ("Every morning at six Tom takes the dog for a walk.", "Tom", "take the dog for a walk every morning at six"),
        ("I work from home on Wednesdays.", "I", "work from home on Wednesdays"),
        ("Twice a month we visit my aunt in Hull.", "I", "visit my aunt in Hull twice a month"),
        ("On weekdays I get up at half past five.", "I", "get up on weekdays at half past five"),
        ("Lena practises the violin every day after school.", "Lena", "practise the violin every day after school"),
        ("I bake bread at weekends.", "I", "bake bread at weekends"),
        ("I make a point of swimming every Tuesday.", "I", "swim every Tuesday"),
    ],
)
def test_a_routine_is_told(said: str, whose: str, value: str) -> None:
    (told,) = _told(said)
    assert (_whose(told), told.attribute, told.value) == (whose, "routine", value)
    assert told.polarity > 0 and not told.past


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I won't mow the lawn on Sunday.", "promise", "mow the lawn on Sunday"),
        ("I never eat meat on Fridays.", "routine", "eat meat on Fridays"),
        ("I don't watch the news every evening.", "routine", "watch the news every evening"),
    ],
)
def test_it_is_not_so(said: str, attribute: str, value: str) -> None:
    (told,) = _told(said)
    assert (told.attribute, told.value, told.polarity, told.past) == (attribute, value, -1, False)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I'm not going to run the marathon in May after all.", "plan", "run the marathon in May"),
        ("I used to swim every morning.", "routine", "swim every morning"),
        ("I don't work on Fridays any more.", "routine", "work on Fridays"),
        ("My massage on Friday is off.", "appointment", "massage on Friday"),
        ("I can't make dinner on Friday after all.", "promise", "make dinner on Friday"),
        ("We stopped going to the sauna on Thursdays.", "routine", "go to the sauna on Thursdays"),
    ],
)
def test_it_is_so_no_longer(said: str, attribute: str, value: str) -> None:
    (told,) = _told(said)
    assert (told.attribute, told.value, told.past) == (attribute, value, True)


@pytest.mark.parametrize(
    "said",
    [
        "Shall I make us a cup of tea?",
        "I'll have the soup, please.",
        "I'm going to bed.",
        "I'm going to the kitchen for a minute.",
        "If it rains on Sunday, I'll paint the fence.",
        "It'll rain on Friday.",
        "It's going to be sunny at the weekend.",
        "I went to the dentist on Monday.",
        "We had a meeting on Tuesday at three.",
        "Could you fix the gate on Friday?",
        "I might go to Spain in May.",
        "Maybe I'll visit her next week.",
        "Ben told me he'd mow the lawn on Saturday.",
        "I wish I could go swimming every day.",
        "Would you like to go to the cinema on Friday?",
        "I'd love a coffee at three.",
        "Let's meet on Friday at three.",
        "The shop opens at nine on Saturdays.",
        "The train leaves on Friday at ten.",
        "I'll be back at five.",
        "See you on Monday at nine.",
        "I'll see what I can do on Friday.",
        "He used to say that every day.",
        "I think about her every day.",
        "I'm reading a book about the war.",
        "I swear, every day it's the same.",
        "The sun rises in the east.",
        "We'll see what happens on Friday.",
        "I'll be sixty in May.",
        "It's raining every day.",
        "There's a storm coming on Friday at three.",
        "The film starts at eight.",
        "I've worked there every summer since 2010.",
        "I was planning to go to Spain in May.",
        "Why don't we go swimming on Sunday?",
        "You should go to the doctor on Monday.",
        "I'm thinking about going to Rome in May.",
        "Do you want to come to the party on Saturday?",
        "I'd rather go on Friday.",
        "I promise you it was delicious.",
        "I promised my mother to write, but that was years ago.",
        "My back hurts every morning.",
        "Every time I see her she smiles.",
        "Happy birthday on Friday!",
        "The garage wants the car on Tuesday at eight for its service.",
        "We want to build a treehouse this summer.",
        "My parents are coming to visit at Easter.",
        "We're thinking about it.",
        "I usually take the dog out at seven in the morning.",
        "The choir rehearsal is on Wednesday at eight this week.",
        "I'll make it up to you.",
        "We've booked a week in Crete in May.",
        "Our neighbours are going to convert the loft next year.",
        "I hope to visit Japan in two years.",
        "In November I start my new job.",
        "Once a year the whole family meets at the lake.",
    ],
)
def test_nothing_is_told(said: str) -> None:
    assert not _told(said)


def test_an_appointment_is_put_right() -> None:
    told = _told("My haircut is on Friday at three. No, sorry, Thursday at two, not Friday.")
    assert [one.value for one in told] == ["haircut on Thursday at two"]


def test_only_the_day_is_put_right() -> None:
    before = Told("I", "appointment", "haircut on Friday at three")
    right = corrected("No, on Saturday, I meant.", before, Line("", day=WEDNESDAY))
    assert right is not None and right.value == "haircut on Saturday at three"


def test_what_corrects_nothing_leaves_a_claim_as_it_is() -> None:
    before = Told("I", "appointment", "haircut on Friday at three")
    assert corrected("No, I like tea.", before, Line("", day=WEDNESDAY)) is None


def _whose(told: Told) -> str:
    return f"{told.subject}/{told.of}" if told.of else told.subject
