"""A film of a question set as a trial: its clips as perceived, its questions each at the moment it may be asked.

`before_clip` k means: asked when clip k has ended, with nothing later seen. A question without it is asked at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from robot_memory.evaluation.public.choices import chosen
from robot_memory.evaluation.public.questionsets import CLIP_S, Film, Item
from robot_memory.evaluation.public.routing import answer_number
from robot_memory.evaluation.public.video import Video
from robot_memory.evaluation.public.watching import perceived_by, watch
from robot_memory.evaluation.subject import Reply
from robot_memory.evaluation.trial import Clip, Expected, Question, Trial
from robot_memory.evaluation.truth import Truth
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import SECOND

SUFFIXES = (".mp4", ".mkv", ".webm", ".mov", ".m4v", ".avi")
TYPES = {
    "Multi-Detail Reasoning": "multi-detail",
    "Multi-Evidence Reasoning": "multi-detail",
    "Multi-Hop Reasoning": "multi-hop",
    "Cross-Modal Reasoning": "cross-modal",
    "Person Understanding": "person",
    "General Knowledge Extraction": "general",
}
YES_NO = re.compile(r"(yes|no)\W*", re.IGNORECASE)
NUMBER = re.compile(r"(\d+)\W*")


def find_video(film: Film, folder: Path) -> Path | None:
    """The film's file in a folder of videos: by its published file name, else by the film's name."""
    published = Path(film.video_path).name
    names = [published, *(f"{stem}{suffix}" for stem in (Path(published).stem, film.name) for suffix in SUFFIXES)]
    return next((folder / name for name in names if name and (folder / name).is_file()), None)


def trial_of(film: Film, video: Video, senses: Senses) -> Trial:
    """The film to be watched and asked about. Nothing is known of it but the answers."""

    def clips() -> Iterator[Clip]:
        return watch(video, senses)

    end_ns = video.start_ns + round((video.seconds + 1) * SECOND)  # sound may end a little after the pictures
    known = Truth(film.name, "", video.start_ns, end_ns, (), (), ())
    questions = sorted((question_of(item, video.start_ns, end_ns) for item in film.items), key=lambda q: q.at_ns)
    return Trial(film.name, known, tuple(questions), clips, perceived_by())


def question_of(item: Item, start_ns: int, end_ns: int) -> Question:
    """The question as published, options included."""
    at_ns = end_ns if item.before_clip is None else start_ns + (item.before_clip + 1) * CLIP_S * SECOND
    kind = next((TYPES[one] for one in item.types if one in TYPES), "general")
    return Question(item.id, item.text, at_ns, kind, expected_of(item))


def expected_of(item: Item) -> Expected:
    """What counts as right, as far as the published answer says it."""
    number = answer_number(item)
    if number is not None:
        others = item.options[:number] + item.options[number + 1 :]
        return Expected("text", (item.options[number],), traps=others)
    if match := YES_NO.fullmatch(item.answer.strip()):
        return Expected("yesno", (match.group(1).lower(),))
    if match := NUMBER.fullmatch(item.answer.strip()):
        return Expected("number", (match.group(1),))
    return Expected("text", (item.answer.strip().rstrip("."),))


def right_choice(item: Item, reply: Reply) -> bool | None:
    """Whether the reply names the right option; None where there are no options."""
    number = answer_number(item)
    return None if number is None else reply.answered and chosen(reply.text, item.options) == number
