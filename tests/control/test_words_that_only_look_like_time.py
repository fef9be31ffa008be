"""Sentences with words of time that name no time: no range, no anchor, no error, and not a word lost."""

from __future__ import annotations

import pytest

from robot_memory.control.clock import Zone
from robot_memory.control.times import Span, span_in

NOW_NS = 1_773_844_200_000_000_000  # Wednesday 18 March 2026, 15:30 in Berlin
SENTENCES = """
May I ask who you are?
Who may come in?
What may help with a headache?
What did May say about the garden?
Did April or June call?
What did August paint?
Who told you to march to the kitchen?
How far can Anna march?
Did this may be a mistake?
Who drank the second cup?
Who came second?
On second thought, who is Ben?
Who lives on the third floor?
What is in the fourth drawer?
Who reads the Sunday Times?
Who made a Sunday roast?
Who is in the Monday meeting?
What day is it?
What day did Anna arrive?
Which month is best for roses?
What time is it?
How many times did Anna come?
How many days did Ben stay?
How many weeks are there?
How long did Anna stay?
How old is Ben?
Did Anna ask three times?
When did you first see Anna?
When was the last time Ben was here?
When was the first time you saw Clara?
What did Anna say last?
Who came first?
Who has been here before?
Who was named after the king?
Who looked after the dog?
What comes after all?
Do you remember when Anna came?
Tell me when Ben arrived.
I wonder when they met.
When Jon is planning to open his studio?
What did Anna start to do?
Who knows when the train leaves?
When did Ben say that he likes tea?
What is the last word?
What is next to the lamp?
Who sits next to Anna?
What is this?
Who is this person?
Who lives at 9 Elm Street?
Who sat at 4 tables?
Did Anna buy between 2 and 4 apples?
Did around 9 people come?
What happened to 7 of 9?
Is it about 20 metres to the door?
Who broke the spring of the clock?
Did the vase fall from the table?
Who had a fall?
Who likes spring rolls?
Who decorated the Christmas tree?
What is Anna's favourite Christmas song?
Who carries the day?
Is Anna a night owl?
Who likes the night shift?
What does a minute cost?
Wait a second, who is that?
Who is on duty for an hour?
Did Ben work for two hours?
What is a light year?
Who has the time?
What did Anna have for breakfast?
Who cooked dinner?
Where is the lunch box?
Is breakfast ready?
What is in room 2024?
Does Anna own 2000 books?
Who scored 3 to 2?
What is 4 and 5?
Whose birthday is it?
Is there an evening dress in the wardrobe?
Who said the words sooner or later?
What did Ben say one day?
Who wed whom?
Is the sun out?
Who sat by the window?
What is since?
What is between the two chairs?
Who stood before the judge?
Who is the man of the year?
Did the noon gun fire?
What does the weekend bag hold?
Who is the minister of the present?
Did Anna second that?
""".strip().splitlines()


def test_there_are_enough_of_them() -> None:
    assert len(set(SENTENCES)) >= 60


@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_time_is_found(sentence: str) -> None:
    assert span_in(sentence, NOW_NS, Zone("Europe/Berlin")) == (Span(), sentence)
