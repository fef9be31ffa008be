"""To say that one does not know, in words: "I did not see Orla this afternoon", "Nobody told me", "no idea".

Such an answer claims nothing about the world, whatever outcome its memory gives it. Every part of it must be of that
kind: "I don't know, perhaps the kitchen" is an answer, and so is anything quoted.
"""

from __future__ import annotations

import re

from robot_memory.evaluation.scoring.wording import plain

_NO = r"(?:not|never|nobody|nothing|no|none|neither|cannot)"
_SENSED = r"(?:see|saw|seen|seeing|hear|heard|hearing|meet|met|notice|noticed|find|found|watch|watched)"
_KNOWN = r"(?:know|known|remember|recall|recollect|tell|told|say|sure|certain|aware|learnt|learned|understand)"
_UTTERED = r"(?:said|say|says|told|tell|mention|mentioned|mentions|spoke|speak|talked|talk|named|name|brought)"
_TRACE = r"(?:record|memory|memories|recollection|idea|clue|information|trace|mention|evidence|note|knowledge|sign)"
_PEOPLE = r"(?:\w+ ){1,3}?"
_UNKNOWING = re.compile(
    # I did not see …; I saw nobody …; I have no record of …; Ben never said …; unknown
    rf"(?:i|we|that i|that we)?\s?(?:\w+ )?{_NO} (?:\w+ ){{0,2}}?(?:{_SENSED}|{_KNOWN})\b.*"
    rf"|(?:i|we) (?:have |had )?(?:{_SENSED}|{_KNOWN}) (?:of )?(?:nobody|nothing|none|no)\b.*"
    rf"|(?:i have |there (?:is|was) |i (?:can|could|do) not (?:have|find) )?(?:no|any) (?:\w+ )?{_TRACE}\b.*"
    rf"|(?:nobody|{_PEOPLE}(?:never|(?:has|have|did) not)(?: ever)?)(?: ever| has)? {_UTTERED}\b.*"
    r"|(?:that is |it is )?(?:unknown|not known|unclear)(?: to me)?|not that i (?:know of|remember|recall)"
)
_ABSENT = re.compile(rf"{_PEOPLE}(?:was|were|has|have) (?:not|never)(?: been)? (?:here|there|around|in view)\b.*")
_FILLER = re.compile(
    r"(?:i am )?(?:very )?(?:sorry|afraid)(?: that)?|no|well|unfortunately|honestly"
    r"|as far as i (?:know|can (?:tell|see|say))|"
)
_TURN = re.compile(
    r"\b(?:but|except|besides|although|though|however|unless|only|until|other than|apart from|because)\b"
)


_NOT_WHOLE = re.compile(
    r"\b(?:some(?:body|one)|(?:the )?others?|\w+ (?:people|persons|others))(?: else)?(?: whom?)? i (?:do not|can ?not) "
    r"(?:know by name|recognise|recognize|know the names? of|name)"
    r"|\ball (?:that )?i (?:was told|have been told|have heard|know)\b"
)


def leaves_out(answer: str) -> bool:
    """Does the answer say itself that it may not be whole: there was somebody whom it cannot name, or all it was told
    is this? To leave out what it says may be missing is not to be wrong.
    """
    return bool(_NOT_WHOLE.search(plain(answer)))


def abstains(answer: str, absence: bool) -> bool:
    """Does the answer say that one does not know, did not see, was not told, and nothing else? `absence`: so does
    "she was not here", where that is so.
    """
    if re.search(r"[\"“”«»]", answer) or _TURN.search(text := plain(answer)):
        return False
    parts = [re.sub(r"^i am (?:sorry|afraid)(?: that)? ", "", part.strip()) for part in re.split(r"[.,;:!?\n]+", text)]
    told = [part for part in parts if not _FILLER.fullmatch(part)]
    return bool(told) and all(_UNKNOWING.fullmatch(one) or (absence and _ABSENT.fullmatch(one)) for one in told)
