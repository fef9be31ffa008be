"""What a turn asserts: its clauses, each weighed. Not asserted are questions, suppositions, wishes and guesses, what
somebody else says, mockery, songs and quotes, orders. Where it is unclear, it is not asserted.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.persons import persons
from robot_memory.memorization.speech.sentences import Piece, Sentence, pieces, sentences, without_openings
from robot_memory.memorization.speech.spelled import spelled_out
from robot_memory.memorization.speech.subjects import is_name, subject_at
from robot_memory.memorization.speech.tables import alternatives, listed, opening, pattern, phrases

QUOTED = re.compile(r'"[^"]*"')
NO_LONGER = re.compile(r"\b(?:no longer|not now|not today)\b|\bno more\b(?= \w+ing)", re.I)
ANY_MORE = re.compile(r",? \b(?:any ?more|any longer)\b", re.I)
NOT = re.compile(
    r"\b(?:do|does|did) (?:not|never)\b(?! only)|\b(?:(?<!can )(?<!could )not|not(?! "
    r"(?:stand|bear|abide|stomach|tolerate|endure|take|face|suffer|get enough|live "
    r"without|do without|be without|resist)\b)|never|hardly|scarcely|barely)\b(?! "
    r"only| just| long ago| far| least| to mention)",
    re.I,
)
EMPHATIC = re.compile(r"^(?:do|does)\s+(?=[a-z]+\b)", re.I)
USED_TO = re.compile(r"\b(?:did )?use[d]? to\b(?! (?:the|it|that|this|a|my|\w+ing)\b)", re.I)
ONCE = re.compile(
    r"^once\b|\bonce (?=was|were|lived|worked|had|loved|liked|hated|owned)|\b(?:back "
    r"then|in those days|years ago|at one time|in the past|formerly)\b|(?<=was )once\b|"
    r"(?<=were )once\b|\b(?:for|until|till) [^,.]*\b(?:years|months|last (?:year|month|"
    r"week|summer|spring))\b",
    re.I,
)
WAS = re.compile(r"^(?:was|were|lived|worked|loved|liked|hated|owned|adored|had been|enjoyed)\b", re.I)
INVERTED = re.compile(
    r"^(?:(?:what|who|whom|whose|which|when|where|why|how)\b[^,]*? )?(?:is|are|am|"
    r"was|were|do|does|did|has|have|had|can|"
    r"could|will|would|shall|should|may|might|must)(?: not)? (?:I|you|he|she|it|we|"
    r"they|there|this|that|the|my|your|his|her|our|their|"
    r"any|some|every|all|a|an|[A-Z][\w'-]+)\b|^(?:what|who|whose|which|when|where|"
    r"why|how)(?: \w+)? (?:is|are|was|were|does|do|did|has|can|will|would|likes|loves|"
    r"wants|knows)\b",
)
TAG = re.compile(
    r",? (?:(?:is|are|am|was|were|do|does|did|has|have|can|will|would)(?: not)? (?:I|"
    r"you|he|she|it|we|they|there)(?: not)?|right|eh|huh|you know|you see|okay|of "
    r"course|would you believe it|can you (?:imagine|believe it)|innit|no|yes|mind "
    r"you)$",
    re.I,
)
CLEFT = re.compile(
    r"^what (?:I|you|he|she|we|they|[A-Z][\w'-]+|(?:my|your|his|her|our|their) \w+)\b(?! going).* (?:is|are|was) ", re.I
)
UNSURE_END = re.compile(r"(?:^|,? )(?:I|we) (?:think|guess|believe|suppose|reckon|imagine|assume|hope|bet|suspect)$")
WRITTEN = re.compile(
    r"according to (?:me|(?:the|my|our|his|her) (?:\w+ )?(?:note|notes|calendar|letter|"
    r"diary|list|plan|schedule|email|card|sign|label))\b"
)
FRAME = re.compile(
    r"^(?:(?:the|my|one|another|his|her) (?:only )?(?:reason|trouble|problem|thing|"
    r"point|fact|truth|news|snag|catch|secret|beauty)\b[^,;]*? is"
    r"|(?:my|his|her) (?:passport|birth certificate|identity card|driving licence) says)(?: that)? "
)
GUESSED = re.compile(
    r"^you (?:would|will) (?:never|not) (?:think|guess|believe|know|have guessed)(?: (?:it|that))*,? "
    r"(?:but (?P<b>)|(?=.*\bbut (?:I|he|she|it|they) (?:am|is|are|do|does|has|have)$))(?P<c>.+?)"
    r"(?:,? but (?:I|he|she|it|they) (?:am|is|are|do|does|has|have))?$",
    re.I,
)
SUBORDINATE = frozenset(["if", "unless", "whenever", "until", "till", "before", "after", "when"])


def clauses(text: str) -> list[Clause]:
    """The clauses of a turn in order, those that are not asserted too."""
    plain = spelled_out(text)
    doubt = foreign(plain)
    found: list[Clause] = []
    for number, sentence in enumerate(sentences(unquoted(plain))):
        found += [replace(one, sentence=number) for one in weighed(sentence)]
    return [one.doubted(doubt) for one in found] if doubt else found


def unquoted(plain: str) -> str:
    """Without what is quoted; a single word in quotes stays."""
    return QUOTED.sub(lambda found: "" if " " in found[0].strip('" ') else found[0].strip('"'), plain)


def foreign(text: str) -> str:
    """Why nothing in this turn is the speaker's own serious word, "" where it is."""
    if pattern("grammar", "recited").search(text):
        return "recited"
    bare = text.replace(",", "")
    for sentence in sentences(bare):
        if opening("grammar", "mocking").match(sentence.text + " ") and not _plain_not(sentence.text):
            return "mocked"
        if pattern("grammar", "mocking_anywhere").search(sentence.text) and not _plain_not(sentence.text):
            return "mocked"
    return ""


def _plain_not(text: str) -> bool:
    """Whether a "not" is an ordinary one, no "I love it. Not!"."""
    return bool(re.search(r"^not \w|\w not\b|\bnot \w", text, re.I))


def weighed(sentence: Sentence) -> list[Clause]:
    """The clauses of one sentence."""
    said = sentence.text + sentence.mark
    text, factive = opened(sentence.text)
    mark = "." if factive and sentence.mark == "?" else sentence.mark
    parts = pieces(Sentence(text, mark))
    found: list[Clause] = []
    doubt = ""
    for number, part in enumerate(parts):
        one = _weigh(part, found[-1] if found else None)
        if doubt and one.asserts:
            one = one.doubted(doubt)
        found.append(one)
        following = parts[number + 1].joint if number + 1 < len(parts) else ""
        doubt = _spreads(one, number == len(parts) - 1 or following in ("but", "because", "so", "yet", "who", "which"))
    return [replace(one, said=said) for one in _by_the_end(found, mark)]


def weigh_text(text: str) -> Clause:
    """A clause that stands alone, weighed."""
    return _weigh(Piece(text, "", None), None)


def opened(text: str) -> tuple[str, bool]:
    """The text without what adds nothing to it; whether it was said to be true."""
    factive = False
    while True:
        bare = without_openings(text)
        cut = opening("grammar", "taking_for_true").match(bare)
        if cut and subject_at(bare[cut.end() :]) is not None:
            bare, factive = bare[cut.end() :], True
        if (frame := FRAME.match(bare)) and subject_at(bare[frame.end() :]) is not None:
            bare, factive = bare[frame.end() :], True
        if guess := GUESSED.match(bare):
            bare, factive = guess["c"], True
        polite = opening("grammar", "only_polite_if").match(bare)
        if polite and "," in bare and "one thing" not in polite[0] and "anything" not in polite[0]:
            bare = bare.partition(",")[2].strip()
        if bare == text:
            return text, factive
        text = bare


def _spreads(one: Clause, last: bool) -> str:
    """The doubt that goes on to the clauses behind: "if I were rich, I'd …", "Anna says that Ben …"."""
    if last or one.joint == "when" or polite(one):
        return ""
    if one.why == "supposed" and one.modal and one.joint not in SUBORDINATE:
        return ""  # "You could set your watch by me, I play on weekdays": doubt of one clause alone
    return one.why if one.why in ("supposed", "reported", "unsure") else ""


def polite(one: Clause) -> bool:
    """Whether a condition is on the saying, not on the matter: "if you need me"."""
    return opening("grammar", "only_polite_if").match(f"{one.joint} {one.text}".strip() + " ") is not None


def _by_the_end(found: list[Clause], mark: str) -> list[Clause]:
    """A question asks its last clause, and those that lean on it: "do you think he lives there?"."""
    if not found:
        return found
    if _closes(found[-1].text):
        found = [one.doubted("reported") for one in found]
    if found[-1].why == "reported" and found[-1].text.lower().split()[-1:] != [] and len(found[-1].text.split()) <= 4:
        found = [one.doubted("reported") for one in found]
    if UNSURE_END.search(found[-1].text) or (found[-1].why == "unsure" and len(found[-1].text.split()) <= 3):
        found = [one.doubted("unsure") for one in found]
    if mark == "?" and found[-1].asserts:
        found[-1] = found[-1].doubted("question")
    asked = any(one.why == "question" for one in found[:1])
    return [one.doubted("question") if asked and number else one for number, one in enumerate(found)]


def _closes(text: str) -> bool:
    return bool(_closings().search(text))


@cache
def _closings() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(phrases('grammar', 'reported_closings'))})\s*$", re.I)


def _weigh(part: Piece, before: Clause | None) -> Clause:
    text, factive = opened(part.text)
    text, tagged = _untagged(text)
    mark = "." if (tagged or factive) and part.mark == "?" else part.mark
    subject = subject_at(text)
    name, predicate = (subject.text, text[subject.end :]) if subject else ("", text)
    if part.carried and before is not None:
        name, predicate = before.subject or (before.text if persons(before.text) else ""), text
    one = Clause(text, name, predicate, joint=part.joint, mark=mark)
    one = replace(one, **_bare(predicate, text))  # type: ignore[arg-type]
    why = _why_not(one, text, mark)
    return one.doubted(why) if why else one


def _untagged(text: str) -> tuple[str, bool]:
    """Without "isn't he" at the end, which asks for no more than a nod."""
    tag = TAG.search(text)
    return (text[: tag.start()].rstrip(" ,"), True) if tag and tag.start() > 0 else (text, False)


def _bare(predicate: str, text: str) -> dict[str, object]:
    """Polarity, past, modal and what is left of a predicate without the words that told them."""
    past, polarity, body = False, 1, predicate
    if NO_LONGER.search(body):
        past, body = True, NO_LONGER.sub("", body)
        body = re.sub(r"^do(?:es)? ", "", body.strip())
    elif ANY_MORE.search(body) and NOT.search(body):
        past, body = True, NOT.sub("", ANY_MORE.sub("", body), count=1)
    if USED_TO.search(body):
        past, body = True, USED_TO.sub("", body, count=1)
    if (ONCE.search(text) and WAS.match(_no_adverbs(body))) or WAS.match(_no_adverbs(body)):
        past = True
    cut = NOT.search(body)
    if cut:
        negated = re.match(r"^[\w ]{0,24}$", body[: cut.start()])
        if negated:
            polarity, body = -1, body[: cut.start()] + body[cut.end() :]
    modal = re.match(r"^\W*(will|would|could|can|might|may|should|must|shall|ought)\b", _no_adverbs(body), re.I)
    body = EMPHATIC.sub("", " ".join(body.split()).strip(" ,"))
    return {
        "polarity": polarity,
        "past": past,
        "modal": modal[1].lower() if modal else "",
        "predicate": _no_adverbs(body),
    }


def _no_adverbs(body: str) -> str:
    """Without the adverbs before and behind the first verb: "am really very fond of" is "am fond of"."""
    words = body.split()
    kept = 0
    while kept < min(2, len(words)):
        if kept and words[kept - 1].endswith(","):
            break
        word = words[kept].lower().strip(",")
        if word in listed("grammar", "adverbs") and word != "not" and len(words) > kept + 1:
            del words[kept]
        else:
            kept += 1
    return " ".join(words)


def _why_not(one: Clause, text: str, mark: str) -> str:
    lower = text.lower()
    if one.joint in ("if", "unless", "whenever", "until", "till", "when") or opening("grammar", "supposing").match(
        lower
    ):
        return "supposed"
    if opening("grammar", "reporting_openings").match(text):
        return "reported"
    if re.match(r"according to \w+", lower):
        return "" if WRITTEN.match(lower) else "reported"
    if opening("grammar", "unsure").match(text):
        return "unsure"
    asks = not one.subject or subject_at(text) is not None
    if (
        asks
        and INVERTED.match(text[:1].lower() + text[1:])
        and not CLEFT.match(text)
        and not re.match(r"(?:had|were|should) ", lower)
    ):
        return "question"
    if mark == "?" and (one.subject.lower() in ("you", "") or len(text.split()) > 1):
        return "question"
    if one.subject.lower() not in ("", "i", "we") and _reports(one):
        return "reported"
    if one.subject and re.match(
        r"(?:think|guess|suppose|believe|wonder|hope|wish|dream|doubt|imagine|fear|want|pretend|"
        r"suspect|assume|reckon|bet)\w*\b(?! (?:of|about)\b)",
        one.predicate,
        re.I,
    ):
        return "unsure"
    if one.modal in ("would", "could", "might", "may", "should", "must", "ought", "shall"):
        return "supposed"
    if re.search(
        r"\b(?:maybe|perhaps|probably|possibly|supposedly|apparently|allegedly|presumably|"
        r"I think|I guess|I suppose|I believe|I reckon)\b",
        text,
        re.I,
    ):
        return "reported" if "apparently" in lower else "unsure"
    if not one.subject and _orders(lower):
        return "order"
    return ""


def _reports(one: Clause) -> bool:
    """Whether the subject says or believes the rest: "Anna says that Ben …", but "Anna says a lot" as well."""
    words = one.predicate.lower().split()
    while words and words[0] in listed("grammar", "auxiliaries"):
        words = words[1:]
    return bool(words) and words[0].strip(",") in listed("grammar", "reporting_verbs")


def _orders(lower: str) -> bool:
    words = lower.split()
    return bool(words) and words[0] in listed("grammar", "orders")


def named(clause: Clause) -> str:
    """The name that is the clause's subject, "" where it is none."""
    words = clause.subject.split()
    return clause.subject if words and all(is_name(word) for word in words) else ""
