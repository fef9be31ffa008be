"""Claims in a real store, told by voices with names, and questions asked of the whole agent."""

from __future__ import annotations

from dataclasses import replace

from searched import DAY, SECOND, START, Told

from robot_memory.control.agent import Agent
from robot_memory.control.answer import Answer, Question
from robot_memory.control.policy import ReflexPolicy
from robot_memory.control.steps import State, Step
from robot_memory.control.wishes.wish import Wish
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.tokens import tokens_in
from robot_memory.streams.working import WorkingMemory

MINUTE = 60
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = range(5)  # START is a Monday, 09:30 UTC


class Wishing:
    """The policy, told what a question wants."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish

    def next(self, state: State) -> Step | Answer:
        return ReflexPolicy().next(replace(state, wish=self._wish))


class Talk(Told):
    """Voices by name, made when they are first named. Each thing told is a minute after the one before."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, *names: str) -> None:
        """`names`: those who were met, and are called so."""
        super().__init__(graph, embedder)
        self.voices = {name: self.person(name, "voice", "face")[0] for name in names}
        self.told_s = 0

    def tells(
        self, speaker: str, subject: str, attribute: str, value: str, polarity: int = 1, day: float = MONDAY
    ) -> int:
        """`speaker` says that of `subject` ("I", somebody known, a name, a thing); the memory."""
        whose = self._subject(speaker if subject == "I" else subject)
        clip, at_ns = self._next_clip(day)
        turn = self._turn(speaker, clip, at_ns, f"… {value} …")
        text = f"The {attribute} of {whose} is {value}."
        about = dict.fromkeys(tokens_in(whose), 1.0)
        frame = Frame(whose, attribute, value, polarity)
        sentence = Sentence("semantic", text, at_ns, at_ns + SECOND, "inferred", about, frame, turn)
        with self.graph.change() as change:
            return change.remember(clip, sentence, self.embedder.embed([text])[0])[0]

    def says(self, speaker: str, line: str, day: float = MONDAY) -> None:
        """A line that no claim was read out of."""
        clip, at_ns = self._next_clip(day)
        turn = self._turn(speaker, clip, at_ns, line)
        text = f"<{self.voices[speaker]}> said: “{line}”"
        about = {self.voices[speaker]: 1.0}
        sentence = Sentence("episodic", text, at_ns, at_ns + SECOND, "heard", about, None, turn)
        with self.graph.change() as change:
            change.remember(clip, sentence, self.embedder.embed([text])[0])

    def ask(
        self,
        text: str,
        asker: str = "",
        day: float = FRIDAY,
        as_of_day: float | None = None,
        wish: Wish | None = None,
    ) -> Answer:
        """The agent's answer on Friday at 09:30. `wish`: what is asked, where it is not to be read from the words."""
        agent = Agent(self.graph, self.embedder, Wishing(wish) if wish else ReflexPolicy(), WorkingMemory())
        as_of_ns = None if as_of_day is None else START + int(as_of_day * DAY * SECOND)
        question = Question("q", text, START + int(day * DAY * SECOND), as_of_ns, self.voices.get(asker, ""))
        return agent.answer(question, max_rounds=5, budget_s=10.0)

    def _subject(self, who: str) -> str:
        """As describers write it: "<voice_3>", "<voice_3>'s brother", a name or a thing as it is."""
        name, owned, rest = who.partition("'s ")
        return f"<{self.voices[name]}>{owned}{rest}" if name in self.voices else who

    def _next_clip(self, day: float) -> tuple[int, int]:
        self.told_s += MINUTE
        at_s = day * DAY + self.told_s
        return self.clip(at_s), START + int(at_s * SECOND)

    def _turn(self, speaker: str, clip: int, at_ns: int, text: str) -> int:
        entity = int(self.voices[speaker].split("_")[1])
        with self.graph.store.write() as db:
            row = db.execute(
                "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, ?, 0.9)",
                (clip, entity, at_ns, at_ns + SECOND, text),
            ).lastrowid
        assert row is not None
        return row
