"""Words for questions that the bank has none for: descriptions instead of names, and what only worlds ask."""

from __future__ import annotations

from robot_memory.evaluation.worlds.asking import ME, NAMED, Kind
from robot_memory.evaluation.worlds.bank import Bank

EXTRA = {  # kinds that the bank does not have
    "likes_all": (
        "Name everything {subject} likes.",
        "Which are all the things {subject} is known to be fond of?",
        "What are the things that {subject} likes? All of them, please.",
    ),
    "owns_all": (
        "Name everything {subject} owns.",
        "What are all the things {subject} has?",
        "List the things that belong to {subject}.",
    ),
    "who_was_first": (
        "Who was the first to come in {when}?",
        "Whom did you see first {when}?",
        "{when}, who was there before anybody else?",
        "Which person was the first in view {when}?",
    ),
    "with_whom_in": (
        "Who has been {room_in} together with {subject}?",
        "With whom did you see {subject} {room_in}?",
        "{subject} was {room_in}. Who else was there then?",
        "Whom have you seen {room_in} at the same time as {subject}?",
    ),
    "when_in_room": (
        "When was {subject} {room_in} {when}?",
        "At what time did you see {subject} {room_in} {when}?",
        "{when} {subject} was {room_in}. At what time?",
    ),
    "who_said_when": (
        "Who spoke of {topic} {when}?",
        "Who mentioned {topic} {when}?",
        "{when}, who was it that talked about {topic}?",
    ),
    "who_said_in": (
        "Who spoke of {topic} {room_in}?",
        "Who mentioned {topic} while you were {room_in}?",
        "You were {room_in} when somebody talked about {topic}. Who was that?",
    ),
    "where_said": (
        "In which room did {subject} mention {topic}?",
        "Where were you when {subject} spoke of {topic}?",
        "Where did {subject} talk about {topic}?",
    ),
    "who_while": (
        "Who else was in view when {subject} mentioned {topic}?",
        "Who was there to see while {subject} spoke of {topic}?",
        "When {subject} talked about {topic}, whom else did you see?",
        "In whose presence did {subject} bring up {topic}?",
    ),
    "how_many_while": (
        "How many others were in view when {subject} mentioned {topic}?",
        "Apart from {subject}, how many people did you see while {subject} spoke of {topic}?",
    ),
}
DESCRIBED = {  # the subject is a description, which takes no "his" and no "'s"
    "job": ("What does {subject} do for a living?", "What is the job of {subject}?"),
    "home": ("Where does {subject} live?", "Where is {subject} at home?"),
    "age": ("How old is {subject}?", "What is the age of {subject}?"),
    "likes": ("What does {subject} like?", "Name something that {subject} is fond of."),
    "owns": ("What does {subject} own?", "Name a thing that belongs to {subject}."),
    "plan": ("What is {subject} planning to do?", "What plans does {subject} have?"),
    "promise": ("What did {subject} promise?", "What has {subject} promised to do?"),
    "with_whom": ("Who was with {subject} {when}?", "{when}, whom did you see together with {subject}?"),
    "last_seen_where": ("Where did you last see {subject}?", "In which room was {subject} last?"),
    "last_seen_when": ("When did you last see {subject}?", "When was {subject} last here?"),
    "where_was": ("Where was {subject} {when}?", "In which room did you see {subject} {when}?"),
    "how_often_seen": ("How many times did you see {subject} {when}?", "How often was {subject} here {when}?"),
    "how_long": ("For how many minutes was {subject} here {when}?", "How many minutes did {subject} stay {when}?"),
    "was_here": ("Was {subject} here {when}?", "Did you see {subject} {when}?"),
}
MINE = {  # the subject is who asks
    "likes_all": ("Name everything I like.", "Which are all the things I have said I am fond of?"),
    "owns_all": ("Name everything I own.", "What are all the things I have?"),
    "dislikes": ("What do I dislike?", "What did I say I can't stand?", "Name something I don't like."),
    "promise_when": ("By when did I promise to {what}?", "When did I say I would {what}?"),
    "plan_when": ("When do I want to {what}?", "When did I say I was going to {what}?"),
    "related": ("How are {other} and I related?", "What is {other} to me?"),
    "with_whom": ("Who was with me {when}?", "{when}, whom did you see together with me?"),
    "with_whom_in": ("Who has been {room_in} together with me?", "With whom did you see me {room_in}?"),
    "last_seen_where": ("Where did you last see me?", "In which room was I when you last saw me?"),
    "last_seen_when": ("When did you last see me?", "When was I here last?"),
    "first_seen_when": ("When did you first see me?", "Since when have you known me?"),
    "where_was": ("Where was I {when}?", "In which room did you see me {when}?"),
    "when_in_room": ("When was I {room_in} {when}?", "At what time did you see me {room_in} {when}?"),
    "how_often_seen": ("How often was I here {when}?", "How many times did you see me {when}?"),
    "how_long": ("How many minutes was I here {when}?", "For how many minutes was I here {when}?"),
    "was_here": ("Was I here {when}?", "Did you see me {when}?"),
    "when_said": ("When did I mention {topic}?", "When was I talking about {topic}?"),
    "where_said": ("In which room did I mention {topic}?", "Where was I when I spoke of {topic}?"),
    "who_while": ("Who else was there when I mentioned {topic}?", "Who was in view while I talked about {topic}?"),
    "how_many_while": ("How many others were in view when I mentioned {topic}?",),
}


def phrasings(bank: Bank, kind: Kind, how: str) -> tuple[str, ...]:
    """The templates for a kind of question whose subject is referred to in a way; none where it cannot be asked so."""
    if how == ME:
        return tuple(bank.questions.get(f"own_{kind.key}", ())) + MINE.get(kind.key, ())
    if how == NAMED or "subject" not in kind.slots:
        return tuple(bank.questions.get(kind.key, ())) + EXTRA.get(kind.key, ())
    return DESCRIBED.get(kind.key, ())
