"""The ways in which a question of several clauses may be read as one.

"Somebody has a drill. Who?" is "who have a drill"; "The car keys, where are they?" is "where be the car keys"; "Did
Anna promise anything? What?" is "what P promise". Word order is that of a statement, "do" is left out: "does Anna live
in Leeds", "Anna lives in Leeds, doesn't she?" and "whether Anna lives in Leeds" are all "P live in leeds".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from robot_memory.control.wishes.clause import Clause
from robot_memory.control.wishes.frames import PERSON_PHRASE
from robot_memory.control.wishes.tables import table
from robot_memory.control.wishes.token import Token, position, spelled
from robot_memory.control.wishes.tokens import as_tokens

WH = ("who", "what", "where", "when", "which", "whose", "how", "why")
BEINGS = ("P", "I", "H", "R", "it", "there", "somebody", "something")
BEGINNINGS = (  # of whom or what a question is about
    *("not", "the", "a", "an", "any", "that", "this", "one", "people", "anybody", "anyone", "anything"),
    *("somebody", "someone", "something", "everyone", "everybody"),
)
AUXILIARIES = ("be", "have", "will", "can", "should", "must")
PREPOSITIONS = "to from with for about in on at by of through since until as into"
TAG = re.compile(r"(?:, )(?:be|do|have|will|can|should) (?:not )?(?:H|I|it|P|there|R) (?:not )?$")
CLEFT = re.compile(
    r"(?<!of )\b(who|what|where|when|which(?: (?!of )\w+)?|how) (?:be it|it be|it will be|"
    r"will it be) (?:that |who |when |where )?"
)
STUB = re.compile(
    r"(?P<before>(?:to|from|with|for|about|in|on|at|by|of|through|since|until|as) )?"
    r"(?P<wh>who|what|where|when|which(?: (?:one|ones|of it|person|people|day|date|time|room|place|town|city|"
    r"street|thing|things|name))?|how|whose|"
    r"how many(?: \w+)?|how old|how long|how often|what(?: \w+)?|who else) "
    r"(?:(?:be|will|can) (?:it|that|this|H|there)(?: be)? |(?:it|that|this|H) (?:will |can )?be |be that |"
    r"H say |would that be )?"
    r"(?P<after>(?:to|from|with|for|about|in|on|at|by|of|through) )?"
)
SAID = re.compile(
    r"((?:who|what|where|when|which|how)(?: old| often| many| long)? (?:\w+ )?)[PIHR] (?:have )?(?:say|tell R|"
    r"tell I|think|mention|claim|reckon) "
    r"(?:that )?(?=[PIH] (?!'s KIN will |will |be go |say ))"
)
DAYS_AND_ROOMS = ("day", "room", "time", "date", "place", "town", "street", "city", "part")
NOUN = re.compile(r"((?:the|a|an|P 's|I 's|H 's) (?:[^\s,.]+ )+)$")
THING = re.compile(
    r"\b(?:the|a|an|P 's|I 's|H 's|R 's|this|that) (?:(?!(?:P|I|H|R|it|be|have|will|can|and|to|"
    r"for|in|on|at|who|that) )[^\s,.]+ )+"
)


def readings(tokens: Sequence[Token]) -> Iterator[Clause]:
    """The ways to read a question, the likeliest first, each once."""
    seen = set[str]()
    for clause in _all(tokens):
        if clause.tokens and clause.text not in seen:
            seen.add(clause.text)
            yield clause


def _all(tokens: Sequence[Token]) -> Iterator[Clause]:
    sentences = [_whole(sentence) for sentence in _split(tokens, ".")]
    sentences = [sentence for sentence in sentences if sentence]
    for at in range(len(sentences) - 1, 0, -1):
        yield from _joined(sentences[at - 1], sentences[at])
    if len(sentences) > 1:
        whole: list[Token] = []
        for sentence in sentences:
            whole += [*([Token(".", sentence[0].start, sentence[0].start)] if whole else []), *_straight(sentence)]
        yield Clause(tuple(whole), _past(tokens))
    for sentence in reversed(sentences):
        parts = _split(sentence, ",")
        if len(parts) > 1:
            yield from _joined([token for part in parts[:-1] for token in part], parts[-1])
        for read in (sentence, *(parts if len(parts) > 1 else ())):
            straight = _straight(read)
            if (unsaid := _unsaid(straight)) != straight:
                yield Clause(tuple(unsaid), _past(unsaid))
            yield Clause(tuple(straight), _past(read))


def _past(tokens: Sequence[Token]) -> bool:
    return any(token.past for token in tokens)


def _split(tokens: Sequence[Token], mark: str) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _whole(sentence: Sequence[Token]) -> list[Token]:
    """A sentence without the words that only carry it ("I wonder", "am I right that") at its beginning and end."""
    text = spelled(sentence)
    tokens = list(sentence)
    for key, at_end in (("leading", False), ("trailing", True)):
        for pattern in _carriers(key):
            match = pattern.search(text) if at_end else pattern.match(text)
            if match and match.end() > match.start():
                count = len(match[0].split())
                tokens = tokens[:-count] if at_end else tokens[count:]
                text = spelled(tokens)
    while tokens and tokens[0].text == ",":
        tokens = tokens[1:]
    return tokens


def _carriers(key: str) -> list[re.Pattern[str]]:
    found = [f"(?:{one})" for one in table("carriers")[key]]
    return [re.compile(f"{one}$" if key == "trailing" else one) for one in found]


def _straight(tokens: Sequence[Token]) -> list[Token]:
    """Tokens in the order of a statement without tag, cleft and "do"."""
    made = list(tokens)
    text = spelled(made)
    tag = TAG.search(text)
    if tag:
        made = made[: len(text[: tag.start()].split())]
    made = _uncleft(made)
    made = _undone(made)
    return _uninverted(made)


def _uncleft(tokens: list[Token]) -> list[Token]:
    text = spelled(tokens)
    if match := CLEFT.search(text):
        first, kept = len(text[: match.start()].split()), len(match[1].split())
        count = len(match[0].split())
        rest = tokens[first + count :]
        if rest and rest[0].text not in ",.":
            return tokens[: first + kept] + rest
    return tokens


def _unsaid(tokens: list[Token]) -> list[Token]:
    """Without who said so: "where I say I live" asks where I live; "when I say I will come" asks for what I said."""
    text = spelled(tokens)
    match = SAID.match(text)
    return tokens if match is None else tokens[: len(match[1].split())] + tokens[len(match[0].split()) :]


def _undone(tokens: list[Token]) -> list[Token]:
    """Without the "do" of questions and denials."""
    kept: list[Token] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        opens = at == 0 or tokens[at - 1].text in (*WH, ",") or not tokens[at - 1].text.isalpha() or at < 5
        begins = after in (*BEINGS, *BEGINNINGS)
        if token.text == "do" and begins and opens and not (kept and kept[-1].text in ("P", "I", "H", "R", "KIN")):
            continue
        kept.append(token)
    return kept


def _uninverted(tokens: list[Token]) -> list[Token]:
    """ "be P at home" becomes "P be at home": an auxiliary before its subject moves behind it."""
    made = list(tokens)
    at = 0
    while at < len(made) - 1:
        near = made[max(0, at - 5) : at]
        starts = at == 0 or made[at - 1].text in (",", ".") or any(token.text in WH for token in near)
        if made[at].text in AUXILIARIES and starts:
            first = at + 2 if made[at + 1].text == "not" else at + 1
            if length := _subject(made, first):
                made[at : first + length] = [*made[first : first + length], *made[at:first]]
                at += length
        at += 1
    return made


def _subject(tokens: Sequence[Token], at: int) -> int:
    """How many tokens the person or pronoun has that begins here; 0 where there is none, or something of theirs."""
    text = spelled(tokens[at:])
    match = re.match(rf"(?:{PERSON_PHRASE}|somebody |someone |anybody |anyone |it |R )", text)
    if not match:
        return 0
    rest = text[match.end() :]
    return 0 if rest.startswith(("'s ", "and P")) else len(match[0].split())


def _joined(before: Sequence[Token], last: Sequence[Token]) -> Iterator[Clause]:
    """What stands before and what is asked about it, as one."""
    text = spelled(last)
    stub = STUB.fullmatch(text)
    first = _straight(before)
    if stub:
        words = [Token(word, last[0].start, last[0].start) for word in stub["wh"].split()]
        leading = (stub["before"] or stub["after"] or "").split()
        preposition = [Token(word, last[0].start, last[0].start) for word in leading]
        if words[-1].text in DAYS_AND_ROOMS:
            words, preposition = preposition + words, []
        elif words[0].text in ("who", "which", "whose"):
            words = [Token("who" if words[0].text == "which" else words[0].text, last[0].start, last[0].start)]
        for key in ("somebody", "something"):
            for phrase in as_tokens(key):
                if (at := position(first, phrase)) >= 0:
                    yield from _filled(first, at, len(phrase), words, preposition, key)
        yield Clause((*words, *first, *preposition), _past(before))
        return
    straight = _straight(last)
    for at, token in enumerate(straight):
        if token.text in ("it", "that", "there", "this") and (thing := _thing(first)):
            yield Clause((*straight[:at], *thing, *straight[at + 1 :]), _past(last))
            break


def _filled(
    first: list[Token], at: int, length: int, words: list[Token], preposition: list[Token], key: str
) -> Iterator[Clause]:
    """The question word where "somebody" or "something" stood; at the front where that is no subject."""
    rest = [*first[:at], *first[at + length :]]
    if key == "somebody" and at == 0:
        yield Clause((*words, *rest), _past(first))
        return
    if len(rest) > 1 and spelled(rest[:2]) in ("there be ", "be there "):
        rest = rest[2:]
        yield Clause((*words, *rest), _past(first))
    yield Clause((*words, *rest, *preposition), _past(first))


def _thing(tokens: Sequence[Token]) -> list[Token]:
    """The last thing that these words name."""
    text = spelled(tokens)
    found = list(THING.finditer(text))
    if not found:
        return []
    start = len(text[: found[-1].start()].split())
    return list(tokens[start : start + len(found[-1][0].split())])
