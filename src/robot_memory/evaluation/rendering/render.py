"""Renders a script to a bag: camera pictures, the sound of the room and odometry, as a robot would have recorded them.

Beside the bag lies truth.json: who was where in the picture and who said what. Deterministic: the same script gives
the same messages, bit for bit, with the same OpenCV and flite. A message's stamp is when the light or the first sample
came in; it is recorded a little later, as on a robot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from robot_memory.evaluation import truth
from robot_memory.evaluation.bags.bagwriter import BagWriter, Recorded
from robot_memory.evaluation.rendering.cutout import Cutout, cut
from robot_memory.evaluation.rendering.filming import AUDIO_TOPIC, IMAGE_TOPIC, ODOM_TOPIC, Take, film
from robot_memory.evaluation.rendering.known import known
from robot_memory.evaluation.rendering.room import HEIGHT
from robot_memory.evaluation.rendering.soundtrack import voiced
from robot_memory.evaluation.story.script import Placing, Script
from robot_memory.evaluation.truth import Fact, Truth
from robot_memory.streams.media import SECOND

__all__ = ["AUDIO_TOPIC", "IMAGE_TOPIC", "ODOM_TOPIC", "Rendered", "Rendering", "recording", "render"]

SEED_STEP = 1_000_003  # between the episodes of a script, so that no two have the same noise


@dataclass(frozen=True)
class Rendered:
    """What was written: the bag's folder, messages by topic, bytes of its files."""

    bag: Path
    counts: dict[str, int]
    size: int


def render(
    script: Script,
    out: Path,
    storage: str = "mcap",
    replace: bool = False,
    progress: Callable[[float], None] = lambda done: None,
    facts: tuple[Fact, ...] = (),
    strangers: tuple[str, ...] = (),
) -> Rendered:
    """Write the bag of a script and its truth to the folder `out`; `progress` hears the fraction done.

    `facts` and `strangers` (names that are only spoken of) go into the truth as they are.

    Raises BagNotWritten, SpeechToolMissing, or ScriptInvalid for a picture or a line that cannot be used.
    """
    one = Rendering(script)
    with BagWriter(out, storage, replace, packed=True) as bag:
        for message in one.messages(progress):
            bag.write(message)
    truth.write(one.truth(facts, strangers), out / truth.FILE)
    size = sum(path.stat().st_size for path in out.iterdir() if path.suffix in (".mcap", ".db3"))
    return Rendered(out, bag.counts, size)


def recording(script: Script) -> Iterator[Recorded]:
    """All messages of a script in the order in which a recorder gets them."""
    return Rendering(script).messages()


class Rendering:
    """One script at work: its people are cut out and its lines are spoken once, for the bag and for the truth."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.cutouts = _cutouts(script)
        self._takes: dict[int, Take] = {}

    def messages(self, progress: Callable[[float], None] = lambda done: None) -> Iterator[Recorded]:
        done_s, total_s = 0.0, self.script.duration_s
        for number, episode in enumerate(self.script.episodes):
            for message in film(self._take(number)):
                yield message
                passed_s = min((message.recorded_ns - episode.start_ns) / SECOND, episode.duration_s)
                progress((done_s + passed_s) / total_s)
            done_s += episode.duration_s
            self._takes[number] = self._take(number).silent()  # an hour of speech need not stay in memory

    def truth(self, facts: tuple[Fact, ...] = (), strangers: tuple[str, ...] = ()) -> Truth:
        return known([self._take(number) for number in range(len(self.script.episodes))], facts, strangers)

    def _take(self, number: int) -> Take:
        if number not in self._takes:
            episode = self.script.episodes[number]
            before_s = sum(earlier.duration_s for earlier in self.script.episodes[:number])
            seed = self.script.seed + number * SEED_STEP
            self._takes[number] = Take(self.script, episode, self.cutouts, voiced(self.script, episode), seed, before_s)
        return self._takes[number]


def _cutouts(script: Script) -> dict[tuple[str, int], Cutout]:
    """(name, number of the picture) -> the person cut out, at the largest size that the script shows."""
    tallest: dict[tuple[str, int], float] = {}
    for episode in script.episodes:
        for scene in episode.scenes:
            key = scene.who, scene.picture
            tallest[key] = max(tallest.get(key, 0.0), *(_picture_height(placing) for placing in scene.path))
    return {key: cut(script.person(key[0]).pictures[key[1]], size * HEIGHT) for key, size in tallest.items()}


def _picture_height(placing: Placing) -> float:
    """Of the picture, in heights of the view; a generous guess where only the size of the face is given."""
    return placing.size if placing.y is None else 4.0 * placing.size
