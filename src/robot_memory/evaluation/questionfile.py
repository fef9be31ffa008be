"""Questions with their truth in a file: written by a generator as JSON, or by hand as YAML for a bag of one's own.

Times are ISO 8601 with a zone, or seconds from the start of the recording. `?` marks what may be left out:

    version: 1
    questions:
      - text: "Who was in the kitchen?"
        at: 95.5                      # when it is asked; or 2026-03-02T09:31:35.5Z
        type: place                   # one of trial.TYPES
        expected:
          form: names                 # text, names, number, yesno, time, or none: nobody can know
          values: [Grace, Xiu]        # ? accepted wordings; for names: all of them
          span: [90, 120]             # ? for time: from and to, tolerance included
          traps: [Ann]                # ? an answer that asserts one of these is wrong
          earlier: [teacher]          # ? what was so before: may follow the right value, not stand alone
        evidence:                     # ? what should be found
          - {from: 61, to: 64.5, stream: seen}   # seen or heard
        id: q1                        # ? its number in the file
        sight: true                   # ? words alone cannot answer it (false)
        asker: Grace                  # ? who asks (unknown)
        swap: person                  # ? how a question that nobody can answer was made of one that can be
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from robot_memory.evaluation.story import yamlnodes
from robot_memory.evaluation.story.yamlnodes import Item, ScriptInvalid
from robot_memory.evaluation.trial import HEARD, SEEN, SWAPS, TYPES, Expected, Moment, Question
from robot_memory.streams.media import SECOND

FILE = "questions.json"
BY_HAND = "questions.yaml"
VERSION = 1
FORMS = ("text", "names", "number", "yesno", "time", "none")
ISO = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)")
SECONDS = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
LATEST_S = 100 * 366 * 86400.0
DOCS = "docs/stories.md"


def read(path: Path, start_ns: int) -> tuple[Question, ...]:
    """The questions of a file, in order of asking; `start_ns`: when its recording began. Raises ScriptInvalid."""
    return parse(yamlnodes.load(path, "a question file"), start_ns, path.name)


def beside(bag: Path) -> Path | None:
    """The question file that lies with a bag, made by hand or by a generator; None if there is none."""
    folder = bag if bag.is_dir() else bag.parent
    return next((path for name in (BY_HAND, FILE) if (path := folder / name).exists()), None)


def parse(text: str, start_ns: int, file: str = "questions") -> tuple[Question, ...]:
    """The questions of a file's text. Raises ScriptInvalid, which names the line, what to do, and where to read on."""
    try:
        return _parsed(yamlnodes.compose(text, file, "the question file", DOCS), start_ns)
    except ScriptInvalid as wrong:
        raise ScriptInvalid(f"{wrong} ({DOCS} shows a question file)") from wrong


def _parsed(root: Item, start_ns: int) -> tuple[Question, ...]:
    top = root.fields(("version", "questions"))
    if (version := top["version"].whole(0, 10**6)) != VERSION:
        raise top["version"].wrong(f"is {version}", f"this program reads version {VERSION}")
    items = top["questions"].items()
    reader = _Reader(start_ns)
    questions = [reader.question(item, number) for number, item in enumerate(items, 1)]
    seen: set[str] = set()
    for item, question in zip(items, questions, strict=True):
        if question.id in seen:
            raise item.wrong(f"has the id {question.id!r} of another question", "give each its own id")
        seen.add(question.id)
    return tuple(sorted(questions, key=lambda question: question.at_ns))


def write(questions: tuple[Question, ...], path: Path) -> None:
    """Write questions as JSON that `read` reads back the same."""
    top = {"version": VERSION, "questions": [_written(question) for question in questions]}
    path.write_text(json.dumps(top, indent=1, ensure_ascii=False) + "\n", "utf-8")


@dataclass(frozen=True)
class _Reader:
    start_ns: int

    def question(self, item: Item, number: int) -> Question:
        required = ("text", "at", "type", "expected")
        found = item.fields(required, ("id", "evidence", "sight", "asker", "swap"))
        expected = self._expected(found["expected"])
        swap = _one_of(found["swap"], SWAPS) if "swap" in found else ""
        if swap and expected.form != "none":
            raise found["swap"].wrong("is given for a question with an answer", "leave it out, or let form be none")
        evidence = found["evidence"].items() if "evidence" in found else ()
        return Question(
            found["id"].text() if "id" in found else str(number),
            found["text"].text(),
            self._moment(found["at"]),
            _one_of(found["type"], TYPES),
            expected,
            tuple(self._evidence(one) for one in evidence),
            "sight" in found and _one_of(found["sight"], ("true", "false")) == "true",
            found["asker"].text() if "asker" in found else "",
            swap,
        )

    def _expected(self, item: Item) -> Expected:
        found = item.fields(("form",), ("values", "span", "traps", "earlier"))
        form = _one_of(found["form"], FORMS)
        lists = {key: _texts(found[key]) if key in found else () for key in ("values", "traps", "earlier")}
        if bool(lists["values"]) != (form in ("text", "names", "number", "yesno")):
            raise item.wrong(f"has form {form} and {len(lists['values'])} values", _REMEDIES[form])
        if ("span" in found) != (form == "time"):
            raise item.wrong(f"has form {form} {'with' if 'span' in found else 'without'} a span", _REMEDIES[form])
        span = self._span(found["span"]) if "span" in found else None
        return Expected(form, lists["values"], span, lists["traps"], lists["earlier"])

    def _span(self, item: Item) -> tuple[int, int]:
        ends = item.items()
        if len(ends) != 2:
            raise item.wrong(f"has {len(ends)} times", "write [from, to]")
        span = self._moment(ends[0]), self._moment(ends[1])
        if span[1] < span[0]:
            raise item.wrong("ends before it begins", "let the second time be later than the first")
        return span

    def _evidence(self, item: Item) -> Moment:
        found = item.fields(("from", "to", "stream"))
        start_ns, end_ns = self._moment(found["from"]), self._moment(found["to"])
        if end_ns < start_ns:
            raise item.wrong("ends before it begins", "let 'to' be later than 'from'")
        return Moment(start_ns, end_ns, _one_of(found["stream"], (SEEN, HEARD)))

    def _moment(self, item: Item) -> int:
        """Nanoseconds since the epoch, of a date or of seconds from the start."""
        written = item.text()
        if match := ISO.fullmatch(written):
            day, time, fraction, zone = match.groups()
            try:
                since = datetime.fromisoformat(f"{day}T{time}{zone.replace('Z', '+00:00')}") - _EPOCH
            except ValueError as error:
                raise item.wrong(f"is {written!r}, which is no date ({error})", "mend it") from None
            return since // timedelta(seconds=1) * SECOND + int((fraction or "0").ljust(9, "0"))
        if not SECONDS.fullmatch(written):
            raise item.wrong(f"is {written!r}", "write seconds from the start, or 2026-03-02T09:31:35.5Z with its zone")
        if not 0 <= (seconds := float(written)) <= LATEST_S:
            raise item.wrong(f"is {seconds:g}", f"seconds from the start lie between 0 and {LATEST_S:g}")
        return self.start_ns + round(seconds * SECOND)


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_REMEDIES = {
    "text": "give one accepted wording or more under values, and no span",
    "names": "give all the names under values, and no span",
    "number": 'give the number under values, ["3"], and no span',
    "yesno": 'give ["yes"] or ["no"] as values, and no span',
    "time": "give span: [from, to], and no values",
    "none": "nobody can know: give neither values nor a span",
}


def _one_of(item: Item, known: tuple[str, ...]) -> str:
    text = item.text()
    if text not in known:
        raise item.wrong(f"is {text!r}", f"choose one of {', '.join(known)}")
    return text


def _texts(item: Item) -> tuple[str, ...]:
    return tuple(one.text() for one in item.items())


def _written(question: Question) -> dict[str, Any]:
    expected = question.expected
    answer: dict[str, Any] = {"form": expected.form}
    answer |= {key: list(getattr(expected, key)) for key in ("values", "traps", "earlier") if getattr(expected, key)}
    if expected.span_ns is not None:
        answer["span"] = [iso(at_ns) for at_ns in expected.span_ns]
    written: dict[str, Any] = {
        "id": question.id,
        "text": question.text,
        "at": iso(question.at_ns),
        "type": question.type,
        "expected": answer,
    }
    if question.evidence:
        written["evidence"] = [
            {"from": iso(one.start_ns), "to": iso(one.end_ns), "stream": one.stream} for one in question.evidence
        ]
    if question.sight:
        written["sight"] = True
    return written | {key: getattr(question, key) for key in ("asker", "swap") if getattr(question, key)}


def iso(at_ns: int) -> str:
    """A moment as ISO 8601 in UTC, to the nanosecond where needed."""
    whole, rest = divmod(at_ns, SECOND)
    fraction = f".{rest:09d}".rstrip("0").rstrip(".")
    return f"{(_EPOCH + timedelta(seconds=whole)):%Y-%m-%dT%H:%M:%S}{fraction}Z"
