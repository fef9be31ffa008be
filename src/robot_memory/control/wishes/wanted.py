"""What a question as read wants: by the frame that it fits."""

from __future__ import annotations

from robot_memory.control.understanding.reading import Reading
from robot_memory.control.wishes.clauses import readings
from robot_memory.control.wishes.frames import Found, found_in
from robot_memory.control.wishes.tokens import plain
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder


def wish_of(reading: Reading, embedder: TextEmbedder | None = None) -> Wish:
    found = next(found_in(list(readings(plain(reading).tokens, False))), None)
    if not found:
        return Wish(Kind.OTHER, sure=0.0)
    w = dict(found.wants); w.pop("now", None)
    kind = Kind[w.pop("kind")]
    given = {k: cut(reading, found, v) for k, v in found.given.items()}
    value = given.get("value") or given.get("jobvalue") or given.get("homeplace") or given.get("age") or given.get("other") or given.get("appointment") or ""
    return Wish(kind, value=value, subject=given.get("subject", ""), relation=given.get("relation",""), **w)

def cut(reading, found, span):
    t = found.clause.tokens[span[0]:span[1]]
    return reading.words[min(x.start for x in t):max(x.end for x in t)]
