"""What is remembered: a sentence, and the claim it makes, if it makes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Frame:
    """What a semantic sentence claims: `subject` is an entity token or a thing; `polarity` is +1 or -1."""

    subject: str
    attribute: str
    value: str
    polarity: int = 1


@dataclass(frozen=True)
class Sentence:
    """Something to remember: `about` maps entity tokens to how strongly it is about them; `turn` is the row it was
    heard in; `pose` is where the robot was, as JSON, or empty.
    """

    kind: str
    text: str
    start_ns: int
    end_ns: int
    source: str
    about: Mapping[str, float] = field(default_factory=dict)
    frame: Frame | None = None
    turn: int | None = None
    pose: str = ""
