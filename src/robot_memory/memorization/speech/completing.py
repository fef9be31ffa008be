"""Makes statements of bare answers: "My job? Nurse.", and to a line before, "Do you like olives?" "Yes, very much."."""

from __future__ import annotations

import re
from functools import cache

from robot_memory.memorization.speech.patterns import spelled
from robot_memory.memorization.speech.sentences import Sentence, sentences, without_openings
from robot_memory.memorization.speech.spelled import spelled_out
from robot_memory.memorization.speech.subjects import is_name, subject_at
from robot_memory.memorization.speech.tables import listed, opening, table

TURNED = {
    "you": "I",
    "your": "my",
    "yours": "mine",
    "i": "you",
    "my": "your",
    "me": "you",
    "am": "are",
    "yourself": "myself",
}
YES_NO = re.compile(
    r"^(?:and |so |but )?(?P<do>do|does|did|is|are|am|has|have) (?:not )?(?P<who>I|"
    r"you|he|she|they|we|(?:my|your|his|her) \w+|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?P<rest>.+)$"
)
HEARER = re.compile(r"\b(?:you|your)\b", re.I)  # asked in the same turn, it is for somebody else to answer
LONGEST = 12  # words of a bare answer


def completed(said: list[Sentence], before: str = "") -> list[Sentence]:
    """The sentences, bare answers made whole. `before`: the line before, by somebody else."""
    found: list[Sentence] = []
    question = _last_question(before)
    for sentence in said:
        own = question is not None and bool(found)
        whole = None if question is None or (own and HEARER.search(question.text)) else _answered(question, sentence)
        found.append(whole or sentence)
        question = sentence if sentence.mark == "?" or _heading(sentence) else None
    return found


def _heading(sentence: Sentence) -> bool:
    return len(sentence.text.split()) <= 4 and subject_at(sentence.text) is None


def _last_question(before: str) -> Sentence | None:
    """The question a line ends with, turned round: "you" is who answers."""
    if "?" not in before:
        return None
    last = next(reversed(sentences(spelled_out(before))), None)
    if last is None or last.mark != "?":
        return None
    turned = re.sub(r"[\w']+", lambda word: TURNED.get(word[0].lower(), word[0]), last.text)
    turned = re.sub(r"\bare I\b", "am I", turned, flags=re.I)
    return Sentence(turned, "?")


def _answered(question: Sentence, answer: Sentence) -> Sentence | None:
    if answer.mark == "?":
        return None
    asked = _small(without_openings(question.text))
    if (yes_no := YES_NO.match(asked)) and (short := _yes_or_no(answer.text)):
        return Sentence(_stated(yes_no, short), ".")
    bare = without_openings(answer.text)
    bare = re.split(r",? (?:says?|said) |, that is |, as it ", bare)[0]
    if (
        not bare
        or bare.lower().split()[0] in listed("grammar", "interjections")
        or subject_at(bare) is not None
        or len(bare.split()) > LONGEST
        or re.match(r"(?:that|it|he|she|i|they|who|if|what|no|not)\b", bare, re.I)
    ):
        return None
    for pattern, frame in _frames():
        if fit := pattern.fullmatch(asked):
            groups = {name: text for name, text in fit.groupdict().items() if text}
            groups["who_of"] = {"my": "I", "your": "you"}.get(
                groups.get("whose", ""), groups.get("whose", "").removesuffix("'s")
            )
            return Sentence(_agreeing(frame.format_map(groups | {"a": _placed(bare, frame)})), ".")
    return None


def _placed(bare: str, frame: str) -> str:
    if frame.endswith("live {a}") and is_name(bare.split()[0]):
        return f"in {bare}"
    return bare[:1].lower() + bare[1:] if not is_name(bare.split()[0]) else bare


@cache
def _frames() -> tuple[tuple[re.Pattern[str], str], ...]:
    lines = (line.split(" => ") for line in table("asked")["answers"].splitlines() if line.strip())
    return tuple(
        (re.compile(spelled(question.strip().replace("{who_by_trade}", "{who}"))), frame.strip())
        for question, frame in lines
    )


def _yes_or_no(text: str) -> str:
    for short, key in (("no", "refusing"), ("yes", "agreeing")):
        left = text
        while (cut := opening("asked", key).match(left)) and cut.end():
            left = left[cut.end() :]
        if not left.strip(" ,"):
            return short
    return ""


def _stated(asked: re.Match[str], short: str) -> str:
    do, who, rest = asked["do"], asked["who"], asked["rest"]
    if do in ("do", "does", "did"):
        verb = do if short == "no" or do == "did" else ""
        return " ".join(
            f"{who} {verb} {'not' if short == 'no' else ''} {_third(rest, do) if not verb else rest}".split()
        )
    return " ".join(f"{who} {do} {'not' if short == 'no' else ''} {rest}".split())


def _third(rest: str, do: str) -> str:
    verb, _, after = rest.partition(" ")
    return f"{'has' if verb == 'have' else verb + 's'} {after}" if do == "does" else rest


def _agreeing(text: str) -> str:
    """ "Ben lives", "Ben is": the frames are written for "I"."""
    fit = re.match(r"(?P<who>.+?) (?P<verb>work|live|am|like|hate|own|find) (?P<rest>.+)", text)
    if fit is None or fit["who"] in ("I", "you", "we", "they"):
        return text
    verb = "is" if fit["verb"] == "am" else fit["verb"] + "s"
    return f"{fit['who']} {verb} {fit['rest']}"


def _small(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text if not text or first == "I" or is_name(first) else text[:1].lower() + text[1:]
