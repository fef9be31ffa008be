"""Ways to give a name, out of phrases.yaml: each a pattern before the name and one after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from robot_memory.memorization.naming.written import name_at

NAME = "{name}"
ENDS = {
    ".": r"(?= ?[.,;:!?)–—]|$| and (?:I|this|that|he|she|we|my|you|it)\b| from\b| by the way\b| too\b| then\b)",
    "!": r"(?=[.;!?]|$)",
}
SENTENCE = r"(?:(?<=^)|(?<=[.!?] ))"
BEGINS = (
    r"(?:(?<=^)|(?<=[.,!?;:–—] )|"
    r"\b(?:yes|yeah|hello|hi|hey|hiya|and|so|well|but|oh|robot|because|that|once more|again)[,!]? )"
)


@dataclass(frozen=True)
class Given:
    """A name as it stands in a text: from where the phrase begins to where the name ends."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Phrase:
    """A compiled phrase. `opens`: its name begins the clause. `sure`: the words leave no doubt that it is a name."""

    before: re.Pattern[str]
    after: re.Pattern[str]
    opens: bool
    sure: bool

    def find(self, text: str) -> Iterator[Given]:
        for found in self.before.finditer(text):
            first = found.end() == 0 or text[: found.end()].rstrip()[-1:] in (".", "!", "?")
            name = name_at(text, found.end(), self.sure, known=self.opens and first)
            if name and self.after.match(text, name.end):
                yield Given(name.text, found.start(), name.end)


@cache
def phrases(kind: str, sure: bool = True) -> tuple[Phrase, ...]:
    """Those of a kind in phrases.yaml."""
    return tuple(_phrase(one, sure) for one in _table()[kind].splitlines())


@cache
def pattern(key: str) -> re.Pattern[str]:
    """A pattern of phrases.yaml that may be broken over lines."""
    return re.compile(_joined(_table()[key]), re.IGNORECASE if key != "reported" else 0)


def find(kind: str, text: str, sure: bool = True) -> list[Given]:
    """What the phrases of a kind find, in order, unless it is denied, unreal, asked or somebody else's words."""
    found = {(one.name, one.end): one for phrase in phrases(kind, sure) for one in phrase.find(text)}
    return sorted((one for one in found.values() if stands(text, one)), key=lambda one: (one.end, one.name))


def stands(text: str, given: Given) -> bool:
    """Whether what is said around a name lets it stand."""
    start = max((text.rfind(mark, 0, given.start) for mark in ".!?"), default=-1) + 1
    begun = text[start : given.end].lstrip()
    stop = re.compile(r"[.!?]").search(text, given.end)
    sentence = text[start : stop.end() if stop else len(text)].strip()
    clause = re.split(r"[,;:–—]", text[start : given.start])[-1]
    asked = sentence.endswith("?") and pattern("asks").match(sentence)
    return not (
        asked or pattern("denied").search(clause) or pattern("unreal").search(sentence) or _told_on(begun, given.name)
    )


def _told_on(begun: str, name: str) -> bool:
    found = pattern("reported").search(begun)
    return bool(found) and found is not None and not found.group().startswith(name)


def _phrase(text: str, sure: bool) -> Phrase:
    before, after = text.split(NAME)
    opens = not before.lstrip("^")
    ends = ENDS.get(after[-1:], "")
    lead = SENTENCE if before.startswith("^^") else BEGINS if opens or before.startswith("^") else r"\b"
    return Phrase(
        re.compile(f"(?i:{lead}{_compiled(before.lstrip('^'))})"),
        re.compile(f"(?i:{_compiled(after[:-1] if ends else after)}){ends}"),
        opens,
        sure,
    )


def _compiled(text: str) -> str:
    """<a|b> stands for perhaps one of these, with the space after it."""
    return re.sub(r"<([^>]*)>( ?)", r"(?:(?:\1)\2)?", text).replace("KIN", _joined(_table()["kin"]))


def _joined(text: str) -> str:
    return re.sub(r"\|\s+", "|", " ".join(text.split()))


@cache
def _table() -> dict[str, str]:
    table: dict[str, str] = yaml.safe_load(files(__package__).joinpath("phrases.yaml").read_text("utf-8"))
    return table
