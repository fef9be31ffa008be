"""Turns planned episodes into what happens in them: who comes, what is said around the facts, who leaves."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from robot_memory.evaluation.worlds.dayplan import OPENING, Planned
from robot_memory.evaluation.worlds.facts import FactPlan, Intent
from robot_memory.evaluation.worlds.phrasing import Phrasing
from robot_memory.evaluation.worlds.rooms import stand_in
from robot_memory.evaluation.worlds.stage import Stage
from robot_memory.evaluation.worlds.world import Day, Episode, Person, Room, Stand, seconds_ns

LONGEST_S, SHORTEST_S = 270.0, 62.0
FACTS = 4  # told in one episode, at most; more where a speaker has no other chance
CHATS = (4, 9)  # rounds of small talk where people only pass the time
NOTHING_SAID = 0.12  # share of beats with a question or a joke that states nothing


@dataclass(frozen=True)
class Told:
    """A line that told an intent."""

    intent: int
    at_ns: int


@dataclass
class Script:
    """What has been written so far: episodes, what they told, and which names were given when."""

    episodes: list[Episode] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)
    rooms_named: dict[str, int] = field(default_factory=dict)


class Writer:
    """Writes the episodes of a world, one after the other."""

    def __init__(
        self,
        throw: random.Random,
        phrasing: Phrasing,
        plan: FactPlan,
        people: tuple[Person, ...],
        rooms: tuple[Room, ...],
        planned: list[Planned],
    ) -> None:
        self.throw, self.words, self.plan = throw, phrasing, plan
        self.heard = {person.name for person in people if person.heard}
        self.rooms = {room.name: room for room in rooms}
        self._open = dict(enumerate(plan.intents))
        self._chances = Counter(name for one in planned if one.kind != "silent" for name in one.cast)
        self.script = Script()

    def write(self, planned: Planned, day: Day, number: int) -> None:
        """Add one episode to the script: each of those planned in its turn."""
        if planned.kind != "silent":
            self._chances.subtract(planned.cast)
        start_ns = day.start_ns + seconds_ns(planned.start_s)
        self.words.hour = OPENING + planned.start_s / 3600
        scene = _Scene(self, planned, start_ns, number, Stage(self.throw))
        getattr(scene, planned.kind)()
        room = self.rooms[planned.room]
        stands = [stand_in(self.throw, room, 0.0)]
        if self.throw.random() < 0.4:
            stands.append(stand_in(self.throw, room, round(scene.stage.now_s * 0.4, 2)))
        duration = round(max(scene.stage.now_s, SHORTEST_S if planned.kind != "silent" else 30.0), 2)
        stands.append(Stand(duration, stands[-1].x_m, stands[-1].y_m, stands[-1].yaw))
        self.script.episodes.append(
            Episode(
                f"day {planned.day + 1}, {number + 1}",
                planned.day,
                planned.room,
                start_ns,
                duration,
                scene.stage.entries(),
                tuple(scene.stage.lines),
                tuple(stands),
            )
        )

    def due(self, planned: Planned, before_ns: int) -> list[tuple[int, Intent]]:
        """What those present may tell now: its day has come, and what it follows was told in an earlier episode."""
        told = {one.intent for one in self.script.told if one.at_ns < before_ns}
        found = [
            (n, intent)
            for n, intent in self._open.items()
            if intent.by in planned.cast and intent.day <= planned.day and told.issuperset(intent.after)
        ]
        self.throw.shuffle(found)
        return sorted(found, key=lambda pair: pair[1].day)

    def chances_left(self, who: str) -> int:
        """How many episodes are still to come in which somebody may speak."""
        return self._chances[who]

    def done(self, number: int, at_ns: int) -> None:
        del self._open[number]
        self.script.told.append(Told(number, at_ns))


class _Scene:
    """One episode being written."""

    def __init__(self, writer: Writer, planned: Planned, start_ns: int, number: int, stage: Stage) -> None:
        self._writer, self._planned, self._start_ns, self._first = writer, planned, start_ns, number == 0
        self.stage = stage
        self._throw, self._words, self._script = writer.throw, writer.words, writer.script
        self._passed = not planned.passer

    def morning(self) -> None:
        """Somebody comes in alone, talks to the robot or not at all, and goes."""
        (who,) = self._planned.cast
        self.stage.wait(4, 9)
        self.stage.come(who)
        if who not in self._script.named or self._throw.random() < 0.6:
            self._arrive(who)
            self._facts(limit=1)
        self.stage.wait(15, 30)
        self.stage.leave(who)
        self.stage.wait(6, 12)

    def introduce(self) -> None:
        """Somebody who never speaks is introduced by somebody who does, the two alone."""
        host, guest = self._planned.cast
        self.stage.wait(2, 5)
        self.stage.come(host)
        self._arrive(host)
        self._say(host, self._words.chat())
        self.stage.come(guest)
        self.stage.wait(0.5, 1.5)
        at_ns = self._say(host, self._words.introduction(guest, "other"))
        self._script.named.setdefault(guest, at_ns)
        self.stage.wait(3, 6)
        self._say(host, self._words.chat())
        self._facts(limit=2, cast=(host,))
        self.stage.wait(6, 12)
        self._depart([guest, host])

    def talk(self) -> None:
        """Two or three talk: the first is alone for a while, the others join, facts come between small talk."""
        self._gather()
        self._facts(limit=FACTS)
        if len(self._planned.cast) > 1 and self._throw.random() < 0.4:
            self.stage.swap(*self._throw.sample(self._planned.cast, 2))
            self.stage.wait(3.2, 5)
        self._idle()
        self._depart(list(self._planned.cast), stay=0.25)

    def chat(self) -> None:
        """Two or three pass the time with small talk, and tell one thing at most."""
        self._gather()
        for _ in range(self._throw.randint(*CHATS)):
            self._say(self._any(), self._words.chat())
            if self._throw.random() < 0.6:
                self._say(self._any(), self._words.reply())
        self._facts(limit=1)
        self._idle()
        self._depart(list(self._planned.cast), stay=0.25)

    def _gather(self) -> None:
        """They come one by one and greet each other."""
        first, *others = self._planned.cast
        if self._throw.random() < 0.3:
            self.stage.there_already(first)
            self.stage.wait(1.5, 3)
        else:
            self.stage.wait(2, 6)
            self.stage.come(first)
        self._arrive(first)
        self._say(first, self._words.chat())
        for other in others:
            self.stage.wait(1, 4)
            self.stage.come(other)
            self._arrive(other, first)
        self._say(self._any(), self._words.reply())

    def voice(self) -> None:
        """Somebody in view talks with somebody who is only heard."""
        seen, heard = self._planned.cast
        self.stage.wait(2, 5)
        self.stage.come(seen)
        self._arrive(seen)
        self._say(seen, self._words.chat())
        self._arrive(heard, seen)
        self._facts(limit=FACTS)
        self._say(heard, self._words.farewell(seen if seen in self._script.named else ""))
        self._idle()
        self.stage.leave(seen)
        self.stage.wait(4, 8)

    def silent(self) -> None:
        """People come in, stay a while and go, without a word."""
        self.stage.wait(5, 15)
        for who in self._planned.cast:
            self.stage.come(who)
            self.stage.wait(2, 6)
        self.stage.wait(15, 100)
        for who in self._throw.sample(self._planned.cast, len(self._planned.cast)):
            self.stage.leave(who)
            self.stage.wait(1, 5)
        self.stage.wait(4, 10)

    def empty(self) -> None:
        """Nobody is there, and it is quiet."""
        self.stage.wait(62, 110)

    def _arrive(self, who: str, to: str = "") -> None:
        """A greeting, and what a newcomer has to say: their name, the room's name."""
        self._say(who, self._words.greeting(to if to in self._script.named else ""))
        if who not in self._script.named:
            self._script.named[who] = self._say(who, self._words.introduction(who, "self"))
        room = self._planned.room
        if room not in self._script.rooms_named:
            place = self._writer.rooms[room]
            self._script.rooms_named[room] = self._say(who, self._words.room(place.name, place.where))

    def _facts(self, limit: int, cast: tuple[str, ...] = ()) -> None:
        told: dict[str, int] = {}
        for number, intent in self._writer.due(self._planned, self._start_ns):
            last = self._writer.chances_left(intent.by) == 0
            if self.stage.now_s > LONGEST_S - 40 or (sum(told.values()) >= limit and not last):
                continue
            if intent.by in (cast or self._planned.cast) and (told.get(intent.by, 0) < 3 or last):
                self._chatter()
                self._tell(number, intent)
                told[intent.by] = told.get(intent.by, 0) + 1
                self._pass(during_talk=True)

    def _tell(self, number: int, intent: Intent) -> None:
        draft = self._writer.plan.drafts[intent.draft]
        known = [name for name in self._writer.heard if name not in (intent.by, draft.subject)]
        hearsay = self._throw.choice(sorted(known)) if known else intent.by
        at_ns = self._say(intent.by, self._words.statement(intent, draft, hearsay))
        self._writer.done(number, at_ns)
        others = [name for name in self._speakers() if name != intent.by]
        if others and self._throw.random() < 0.6:
            if self._throw.random() < 0.15:
                self.stage.interject(self._throw.choice(others), self._words.nod())
            else:
                self._say(self._throw.choice(others), self._words.nod())

    def _chatter(self) -> None:
        """Small talk, a reply, or something that sounds like a fact and is none."""
        chance = self._throw.random()
        if chance < 0.35:
            self._say(self._any(), self._words.chat())
            if self._throw.random() < 0.5:
                self._say(self._any(), self._words.reply())
        elif chance < 0.35 + NOTHING_SAID:
            attribute = self._throw.choice(
                ("job", "home", "likes", "owns", "plan", "appointment", "opinion", "routine")
            )
            self._say(self._any(), self._words.no_statement(attribute))

    def _pass(self, during_talk: bool) -> None:
        """Whoever is to walk through does so once, while somebody speaks."""
        if not self._passed and during_talk and self.stage.lines:
            self._passed = True
            now_s, last = self.stage.now_s, self.stage.lines[-1]
            self.stage.now_s = max(0.0, last.at_s - 1.0)
            self.stage.pass_through(self._planned.passer, self._throw.uniform(7, 11))
            self.stage.now_s = max(now_s, last.at_s + 11)

    def _idle(self) -> None:
        """A silence, so that the episode is not too short."""
        self.stage.wait(4, 12)
        if self.stage.now_s < SHORTEST_S:
            self.stage.now_s = self._throw.uniform(SHORTEST_S, SHORTEST_S + 20)

    def _depart(self, who: list[str], stay: float = 0.0) -> None:
        """They leave one by one; some say goodbye, one from outside; with chance `stay` the last is still there."""
        for n, name in enumerate(who):
            last = n == len(who) - 1
            if last and self._throw.random() < stay:
                self.stage.wait(5, 10)
                return
            if name in self._writer.heard and not last and self._throw.random() < 0.6:
                self._say(name, self._words.farewell(who[-1] if who[-1] in self._script.named else ""))
            self.stage.leave(name)
            if name in self._writer.heard and not last and self._throw.random() < 0.25:
                self.stage.wait(0.5, 1.5)
                self._say(name, self._words.chat())  # from outside
            self.stage.wait(2, 6)
        self.stage.wait(3, 8)

    def _say(self, who: str, text: str) -> int:
        return self._start_ns + seconds_ns(self.stage.say(who, text))

    def _speakers(self) -> list[str]:
        return [name for name in self._planned.cast if name in self._writer.heard]

    def _any(self) -> str:
        return self._throw.choice(self._speakers())
