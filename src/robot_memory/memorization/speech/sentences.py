"""Cuts talk into sentences, and sentences into clauses that each have a subject and a verb.

Recognised speech may lack stops and capitals: then a clause begins where a subject and a verb stand, whatever is
before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from robot_memory.memorization.speech.subjects import Subject, is_name, subject_at
from robot_memory.memorization.speech.tables import alternatives, listed, phrases

END = re.compile(r"(?P<mark>[.!?]+)(?P<close>[\"')]*)(?=\s+|$)")
JOINTS = (
    "and also|and|but|or|so that|so|because|since|although|though|while|whereas|when|"
    "where|who|which|yet|then|if|unless|whenever|until|till|before|after|as"
)
BORDER = re.compile(rf"(?P<comma>\s*[,;:]\s*|\s+-+\s+|\s*\.\.\.\s*)?(?:(?<![\w'])(?P<joint>{JOINTS})\s+(?=\w))?", re.I)
FLOWING = 25  # words of a sentence without any comma: recognised speech without stops


@dataclass(frozen=True)
class Sentence:
    """`text` as spelled out, without its mark; `mark`: "." "!" "?" or "" where none was heard."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Piece:
    """A stretch of a sentence that has its own verb. `joint`: the word that joins it, "" for none; `carried`: its
    subject stood before and is not said again.
    """

    text: str
    joint: str
    subject: Subject | None
    carried: bool = False
    mark: str = ""


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text that `spelled_out` gave."""
    found, start = [], 0
    for end in END.finditer(text):
        if not _ends(text, end):
            continue
        if body := text[start : end.start()].strip(' "'):
            mark = "?" if "?" in end["mark"] else end["mark"][0]
            found.append(Sentence(body, mark))
        start = end.end()
    if rest := text[start:].strip(' "'):
        found.append(Sentence(rest))
    return found


def _ends(text: str, end: re.Match[str]) -> bool:
    """Whether a stop ends a sentence: not in "Mr. Smith", "3.5", "p.m. on", nor "I... I live"."""
    if end["mark"] != ".":
        following = text[end.end() :].lstrip()
        return not (end["mark"].startswith("..") and following[:1].islower())
    before = re.search(r"[\w.]*$", text[: end.start()])
    word = (before[0] if before else "").lower()
    following = text[end.end() :].lstrip()
    if word in listed("grammar", "abbreviations") or (len(word) == 1 and word.isalpha() and word != "i"):
        return not following
    return not ("." in word and word[0].isalpha() and len(word) <= 4 and following[:1].islower())


def pieces(sentence: Sentence) -> list[Piece]:
    """The clauses of a sentence in order; what has no verb of its own stays with the clause before it."""
    text = sentence.text
    cuts: list[tuple[int, int, str, Subject | None, bool]] = [(0, 0, "", None, False)]
    for border in BORDER.finditer(text):
        if not border[0] or border.start() == 0:
            continue
        joint = (border["joint"] or "").lower()
        if border["comma"] is None and text[border.start() - 1 : border.start()] not in (" ", ""):
            continue
        begun = _begins(text[border.end() :], joint, border["comma"] is not None)
        if begun is not None and not (joint == "and" and _only_names(text[cuts[-1][1] : border.start()])):
            subject, carried = begun
            cuts.append((border.start(), border.end(), joint, subject, carried))
    return list(_between(text, cuts, sentence.mark))


def _only_names(text: str) -> bool:
    """ "Anna" in "Anna and Tom love sailing": no clause of its own."""
    words = text.split()
    return 0 < len(words) <= 2 and all(is_name(word) for word in words)


def _between(text: str, cuts: list[tuple[int, int, str, Subject | None, bool]], mark: str) -> Iterator[Piece]:
    ends = [cut[0] for cut in cuts[1:]] + [len(text)]
    for number, ((_, start, joint, subject, carried), end) in enumerate(zip(cuts, ends, strict=True)):
        body = text[start:end].strip(" ,;:-")
        last = number == len(cuts) - 1
        if body:
            yield Piece(body, joint, subject if number else subject_at(body), carried, mark if last else ",")


OPENER = re.compile(
    r"^(?:(?!well (?:worth|made|thought|designed|run|chosen|done))"
    rf"(?:{alternatives(phrases('grammar', 'empty_openings'))})(?!\w)[,:]?\s+)+",
    re.IGNORECASE,
)


def without_openings(text: str) -> str:
    """What is left when "oh, well, actually" is gone."""
    found = OPENER.match(text)
    return text[found.end() :] if found else text


def _begins(rest: str, joint: str, comma: bool) -> tuple[Subject | None, bool] | None:
    """Whether a clause begins here: its subject, and whether it is the subject of before."""
    if joint in ("if", "unless", "whenever", "until", "till", "when") and subject_at(rest) is not None:
        return subject_at(rest), False
    if joint in ("as", "before", "after", "since", "where", "so", "then") and not comma and subject_at(rest) is None:
        return None
    if joint in ("who", "which"):
        return (None, True) if comma and _is_finite(rest) else None
    subject = subject_at(without_openings(rest))
    if subject is not None:
        return (subject, False) if joint or comma else None
    if joint in ("and", "but", "or", "and also", "yet", "then") and _carries(rest):
        return None, True
    if comma and not joint and (_is_auxiliary(rest) or _first(rest) in listed("grammar", "carried")):
        return None, True
    return None


def _first(rest: str) -> str:
    found = re.match(r"[\w']+", rest)
    return found[0].lower() if found else ""


def _carries(rest: str) -> bool:
    words = re.findall(r"[\w']+", rest.lower())[:3]
    while words and words[0] in listed("grammar", "adverbs") and words[0] != "never":
        words = words[1:]
    return bool(words) and words[0] in listed("grammar", "carried")


def _is_finite(rest: str) -> bool:
    words = [word for word in re.findall(r"[\w']+", rest.lower())[:3] if word not in listed("grammar", "adverbs")]
    return bool(words) and words[0] in listed("grammar", "finite")


def _is_auxiliary(rest: str) -> bool:
    return _first(rest) in listed("grammar", "auxiliaries")
