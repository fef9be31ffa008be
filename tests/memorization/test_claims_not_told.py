"""What is no claim: questions, suppositions, wishes, hearsay, guesses, mockery, songs and films, and words that only
look like a fact ("I'm tired", "I live in hope"). Nothing must come of them.
"""

from __future__ import annotations

import pytest

from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.told import Line

READ_HERE = ("likes", "job", "home", "age", "owns", "relation", "opinion", "name")
NOTHING = """
I'm happy. | I'm sorry about that. | I'm off to work. | I'm a mess today. | I'm a vegetarian. | I'm a bad cook.
I am in Leeds today. | I'm on holiday in Spain. | I live in hope. | She lives on rice and beans. | I'm two minutes late.
I'm one of the lucky ones. | He's six foot tall. | I have a cold. | I have a question. | I've got an idea.
I'd like a cup of tea. | I would love to live in Paris. | I wish I were a doctor. | If I were a doctor, I'd earn more.
Imagine living in Paris. | When I was ten I wanted to be a pilot. | I nearly became a nurse. | I might buy a car.
Are you a nurse? | Is Ben a nurse? | Does your brother live in Leeds? | Who likes olives? | You like olives?
So Ben is a nurse? | Anna says Ben is a nurse. | I heard that Ben is a nurse. | They say Ben is a nurse.
Apparently Ben lives in Leeds. | Ben told me he loves olives. | According to Anna, Ben hates olives.
Ben is a nurse, I think. | Ben might be a nurse. | Maybe Ben is a nurse. | Ben is a nurse, Anna says.
Yeah right, I love Mondays. | Oh sure, and I'm the Queen of England. | As if I liked olives.
I love olives. Just kidding!
"I am a lonely soldier," he sang. | In the film I'm a detective. | As the song goes, I live in Leeds.
Then he said "I live in Paris". | I like to think I'm fair. | I love it when it rains. | I like how you did that.
I feel like pizza. | It looks like rain. | Sounds like fun! | Ben looks like a doctor. | I hate to say it, but it's so.
I love you. | I know a nurse. | I need a plumber. | Call me a taxi. | Call me later. | Call me tomorrow.
I have no big events coming up. | I think it will rain. | I think the shop is closed.
I think Ben is at home. | I find it hard to believe.
I loved the concert last night. | The film was great. | Nobody lives in that house. | I've got to go.
I'm going to live in Paris one day. | What if I moved to York? | Let's say I'm forty. | He was forty minutes late.
I have forty books. | Thanks, Anna, my dear. | Anna, my phone is ringing. | You are a star.
I was pretending to be a doctor. | My mother wanted me to be a doctor. | I'd never live in Leeds.
I don't know where Ben lives. | I wonder whether Ben likes olives. | I hope Anna likes olives. | Who says I like olives?
I asked whether Anna is a nurse. | Anna asked if I live in Leeds. | It's like I'm a ghost. | Let me know if you like it!
"""


@pytest.mark.parametrize(
    "text", [text.strip() for line in NOTHING.split("\n") for text in line.split("|") if text.strip()]
)
def test_nothing_is_told(text: str) -> None:
    assert [one for one in claims_in(Line(text, "voice_1", day=20_000)) if one.attribute in READ_HERE] == []
