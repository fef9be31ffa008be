"""Words around a question that ask nothing themselves: "tell me", "do you know", "I wonder", "according to the video".

They are found at the beginning of a clause, one after the other, and left out of what the question is about.
"""

from __future__ import annotations

import re

QUESTION = (
    r"(?:(?:at|in|on|by|for|from|with|to|since|of)\s+)?"
    r"(?:who|whom|whose|when|where|whereabouts|what|which|why|how|if|whether)\b"
)
KNOW = (
    r"know|remember|recall|notice|see|hear|say|tell|think|believe|understand|guess|find out|work out|look up|check|"
    r"figure out|catch"
)
ADVERBS = (
    r"(?:(?:please|kindly|maybe|possibly|perhaps|happen to|still|even|ever|also|by any chance|just|again|really)\s+)*"
)
ME = r"(?:me|us)"
ANYBODY = r"(?:i|we|you|he|she|they|anyone|anybody|someone|somebody)"

# Each stands at the beginning of a clause. Those in EMBEDDING carry a question only where one follows.
LEADING = (
    r"(?:please|so|well|say|hey|hi|hello|ok|okay|and|but|um|uh|oh|robot|also|then|actually|now|excuse me|sorry)\b(?=.)",
    rf"(?:can|could|would|will|might)(?:n't)? you {ADVERBS}"
    rf"(?:(?:tell|remind|show|give|inform) {ME}|let {ME} know)(?: again)?(?: (?:about|of))?\b",
    rf"{ADVERBS}(?:(?:tell|remind|inform) {ME}|let {ME} know)(?: again)?(?: (?:about|of))?\b",
    r"(?:have you |do you have |you have |got |is there )?(?:any|no) (?:idea|clue)(?: of| about)?\b",
    rf"(?:(?:can|could|would|will) you (?:please )?)?help {ME}(?: to)?\b",
    r"what about\b",
    r"(?:according to|based on|as (?:shown|seen|described|mentioned|stated) in|in) (?:the|this) (?:[\w-]+ )?"
    r"(?:video|film|movie|clip)(?:'s \w+)?\b",
)
EMBEDDING = (
    rf"(?:do|did|would|might|could|can|don't|didn't|can't|wouldn't) you {ADVERBS}(?:{KNOW})\b",
    rf"you (?:wouldn't|don't|didn't|might|may|must|would) {ADVERBS}(?:{KNOW})\b",
    rf"i\b\s*(?:wonder|was wondering|am wondering|'m wondering|forgot|forget|(?:have|'ve) forgotten|(?:am|'m) not sure|"
    rf"(?:want|need|wanted|have|'ve got) to {ADVERBS}(?:{KNOW})|(?:would|'d) (?:like|love) to {ADVERBS}(?:{KNOW})|"
    rf"(?:can't|cannot|can not|don't|do not|didn't|couldn't) {ADVERBS}(?:{KNOW})|"
    r"bet you don't know|(?:am|'m) trying to remember)\b",
    r"(?:can|could|may|might) i (?:please )?(?:ask|know)(?: you)?\b",
    rf"(?:if|whether) you {ADVERBS}(?:{KNOW})\b",
    rf"(?:have|has|did) {ANYBODY} {ADVERBS}(?:say|said|mention|mentioned|tell|told)(?: {ME})?\b",
    rf"let's see if you (?:{KNOW})\b",
)
BETWEEN = r"[\s,:–—-]*"
CARRIER = re.compile(
    rf"(?:{'|'.join(LEADING)}){BETWEEN}|(?:{'|'.join(EMBEDDING)}){BETWEEN}(?={QUESTION})", re.IGNORECASE
)
STARTS = re.compile(r"(?:^|(?<=[,;:.?!—–\n])|(?<=\band(?= )))\s*", re.IGNORECASE)


def carried(text: str) -> list[tuple[int, int]]:
    """Where such words stand in a text whose apostrophes are straight: [start, end) of each, in order."""
    found: list[tuple[int, int]] = []
    for start in [match.end() for match in STARTS.finditer(text)]:
        at = start
        while (match := CARRIER.match(text, at)) and match.end() > at:
            found.append(match.span())
            at = match.end()
    return found
