"""What a claim's value is: where it ends, and whether it can be a value of that attribute at all.

Each reader gives the values in a stretch of words, none where they are no such thing: "a nurse, as it happens" is the
job "nurse", "a bit tired" is none.
"""

from __future__ import annotations

import re

from robot_memory.memorization.speech.subjects import is_name
from robot_memory.memorization.speech.tables import alternatives, any_of, listed, phrases, table
from robot_memory.memory.insertion.wording.inflection import gerund

ARTICLE = re.compile(r"^(?:a|an|some|the)\s+(?=\S)", re.I)
INDEFINITE = re.compile(r"^(?:a|an|some)\s+(?=\S)", re.I)
DEICTIC = re.compile(r"\b(?:this|that|these|those|here|there|it|them)\b", re.I)
PROPER = re.compile(
    r"(?:(?:the|a|an|old|new|north|south|east|west|central|upper|lower) ){0,2}[A-ZÀ-Þ0-9][\w'’-]*(?: "
    r"(?:(?:of|on|upon|the|de|la|le|du|sur|by|under|in|am|an der|and) ){0,2}[A-ZÀ-Þ][\w'’-]*)*"
)
BUILDING = re.compile(
    r"^in (?:an?|the|my|our) (?:[\w-]+ ){0,3}?(?:flat|house|apartment|room|cottage|"
    r"place|bungalow|studio|bedsit|loft|maisonette) "
    r"(?=(?:in|on|at|near|by|above|over|off|down|up)\b)"
)
PORTION = re.compile(
    r"^(?:(?:nice|good|hot|cold|little|big|strong|nice hot|nice cup) )*(?:cup|mug|"
    r"glass|bit|piece|slice|bowl|plate|drop|spot|pint|bite|bar|round|game) of (?:good "
    r"|hot |fresh )?(?=\S)",
    re.I,
)
COMMA = re.compile(r"\s*[,;:.!?]\s*|\s+-+\s+")


def cut_off(text: str) -> str:
    """The words before whatever adds nothing to a value: "when it rains", "as it happens", "very much"."""
    body = any_of_before("values", "ends").split(text, maxsplit=1)[0].split(" - ")[0]
    trailing = any_of_after("values", "trailing")
    while (shorter := trailing.sub("", body)) != body:
        body = shorter
    return body.strip(" ,.;:!?-\"'")


def any_of_before(name: str, key: str) -> re.Pattern[str]:
    found = _BEFORE.get((name, key))
    if found is None:
        found = re.compile(rf",?\s+(?:{alternatives(phrases(name, key))})(?!\w)", re.I)
        _BEFORE[name, key] = found
    return found


def any_of_after(name: str, key: str) -> re.Pattern[str]:
    found = _AFTER.get((name, key))
    if found is None:
        found = re.compile(rf"(?:,?\s+(?:{alternatives(phrases(name, key))}))+\s*$", re.I)
        _AFTER[name, key] = found
    return found


_BEFORE: dict[tuple[str, str], re.Pattern[str]] = {}
_AFTER: dict[tuple[str, str], re.Pattern[str]] = {}


def liking(text: str) -> list[str]:
    """Things, kinds of things and doings that can be liked; "olives, cheese and bread" are three."""
    body = cut_off(text)
    parts = listed_things(body)
    doings = [part.split()[0].lower().endswith("ing") for part in parts]
    if len(parts) > 1 and (
        (any(len(p.split()) > 3 for p in parts) and not all(doings)) or (doings[0] and not all(doings))
    ):
        parts = [body]  # "going on trips with friends and family" is one
    found = [_liked(part) for part in parts]
    return found if all(found) else []


def _liked(part: str) -> str:
    words = part.split()
    if not words or len(words) > 7:
        return ""
    if words[0].lower() == "to" and len(words) > 1:
        verb = words[1].lower()
        if verb in listed("values", "no_doing"):
            return ""
        return " ".join([gerund(verb), *words[2:]])
    if words[0].lower() in listed("likes", "no_value") or {word.lower() for word in words} & listed(
        "values", "no_noun_words"
    ):
        return ""
    if words[0].lower() in ("my", "your", "his", "her", "our", "their"):
        return ""
    if DEICTIC.search(part) or words[0].lower() in listed("grammar", "interjections"):
        return ""
    return PORTION.sub("", INDEFINITE.sub("", part))


def listed_things(body: str) -> list[str]:
    """The members of a list, "fish and chips" being one thing."""
    kept = any_of(phrases("values", "one_thing")).sub(lambda found: found[0].replace(" and ", " & "), body)
    parts = re.split(r"\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s+as well as\s+", kept)
    return [part.strip().replace(" & ", " and ") for part in parts if part.strip()]


def trade(text: str, sure: bool = False) -> list[str]:
    """A job: by its head, or if `sure` whatever follows "works as"."""
    body = COMMA.split(cut_off(text))[0]
    body = re.split(
        r"\s+(?:at|in|for|with|on|by|near|over|down|up|from|about|around|like|now|here|"
        r"there|who|which|that|to|too|myself|but|and)\b",
        body,
    )[0]
    has_article = bool(ARTICLE.match(body))
    bare = ARTICLE.sub("", body).strip()
    words = bare.split()
    while words and words[0].lower() in listed("values", "job_modifiers"):
        words = words[1:]
    if (
        not words
        or len(words) > 5
        or any(w.lower() in listed("values", "no_noun_words") or not w[0].isalpha() for w in words)
    ):
        return []
    bare = " ".join(words)
    if sure:
        return [bare] if words[0].lower() not in listed("values", "no_job_start") else []
    if not (has_article or re.match(r"head of \w", bare)):
        return []
    return [bare] if is_job(bare) else []


def is_job(bare: str) -> bool:
    """Whether a noun phrase without its article stands for a job."""
    if re.match(r"(?:head|director|professor|manager|teacher|member of staff|captain) of \w", bare):
        return True
    words = re.split(r"\s+of\s+", bare)[0].lower().split()
    head = words[-1]
    if words[0] in listed("job", "judging") or (len(words) > 1 and words[-2] in listed("job", "judging")):
        return False
    if head in listed("job", "only_with_word") or head in listed("job", "no_heads"):
        return len(words) > 1
    if head in listed("job", "heads") or "-".join(words[-2:]) in listed("job", "heads"):
        return True
    return head.endswith(tuple(listed("values", "job_endings"))) and len(head) > 6


def dwelling(text: str) -> list[str]:
    """A place to live: "in Leeds" is "Leeds", "in the old mill" stays."""
    body = cut_off(text)
    body = re.split(
        r"\s+(?:with|for|since|because|and|but|until|till|as|from|where|these|now|so|to|again|while|like)\b", body
    )[0]
    parts = [part for part in re.split(r"\s*,\s*", body) if part]
    if not parts:
        return []
    body = BUILDING.sub("", parts[0])
    lead = re.match(rf"(?P<lead>{alternatives(phrases('home', 'prepositions'))})\s+(?P<place>\S.*)", body, re.I)
    place = lead["place"] if lead else body
    words = [word.lower() for word in place.split()]
    if not words or len(words) > 6 or words[-1] in listed("home", "no_home") or words[0] in listed("home", "no_home"):
        return []
    capital = any(is_name(word) for word in ARTICLE.sub("", place).split()[:3])
    if capital and (proper := PROPER.match(place)):
        place = proper[0]
    if lead is None:
        return [place] if capital and PROPER.match(place) else []
    if lead["lead"].lower() == "on" and not capital and not set(words) & listed("home", "on_ground"):
        return []
    if (
        not capital
        and not ARTICLE.match(place)
        and words[0] not in listed("values", "bare_places")
        and lead["lead"].lower() in ("in", "at")
    ):
        return []
    return [place if lead["lead"].lower() == "in" and capital else f"{lead['lead'].lower()} {place}"]


def years(text: str) -> list[str]:
    """An age in figures."""
    body = cut_off(text).lower().strip()
    body = re.sub(
        r"(?:,? (?:and not a day older|exactly|years old|years|years of age|and a half|going on \S+))+$", "", body
    )
    number = number_of(body)
    return [str(number)] if number is not None and 1 <= number <= 115 else []


def number_of(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    ones: list[str] = table("values")["ones"].split()
    tens: list[str] = table("values")["tens"].split()
    words = text.replace("-", " ").split()
    if len(words) == 1 and words[0] in ones:
        return ones.index(words[0])
    if words and words[0] in tens:
        rest = words[1:]
        if not rest:
            return 20 + 10 * tens.index(words[0])
        if len(rest) == 1 and rest[0] in ones[1:10]:
            return 20 + 10 * tens.index(words[0]) + ones.index(rest[0])
    return 100 if text in ("a hundred", "one hundred") else None


def thing(text: str, sure: bool = False) -> list[str]:
    """Something that is owned; if not `sure`, only what is known to be a thing one owns."""
    body = cut_off(text)
    found = [value for part in listed_things(body) if (value := _owned(part, sure))]
    return found if len(found) == len(listed_things(body)) else found[:1]


def known_thing(text: str) -> list[str]:
    """Only what is known to be a thing one owns, article or not: "no car"."""
    body = cut_off(text)
    return [body] if is_thing(body) else []


def _owned(part: str, sure: bool) -> str:
    part = re.split(
        r"\s+(?:at|in|for|with|on|by|near|from|about|who|which|that|to|called|named|instead|now|and|outside|here)\b",
        part,
    )[0]
    had_article = bool(re.match(r"(?:an?|some|my|his|her|our|two|three|four|five|six|\d+|several|many)\s", part, re.I))
    bare = re.sub(r"^(?:an?|some|the|my|his|her|our)\s+(?:new |own |very own )?(?=\S)", "", part, flags=re.I).strip()
    words = bare.lower().split() if ":" not in bare else []
    if (
        not words
        or len(words) > 5
        or words[0] in listed("owns", "no_value")
        or words[-1] in listed("owns", "no_things")
    ):
        return ""
    if any(word in listed("values", "no_noun_words") for word in words):
        return ""
    if sure or (had_article and is_thing(bare)):
        return bare
    return ""


def is_thing(bare: str) -> bool:
    """Whether the head of a noun phrase is something one owns."""
    words = re.split(r"\s+of\s+", bare)[0].lower().split()
    if not words:
        return False
    head = words[-1]
    pair = "-".join(words[-2:])
    heads = listed("owns", "heads")
    return head in heads or pair in heads or (head.endswith("s") and head[:-1] in heads)


def called(text: str) -> list[str]:
    """A name people are called by."""
    body = COMMA.split(text.strip(" ,.!?\"'"))[0].strip("\"' ")
    body = re.sub(
        r"\s+(?:now|from now on|for short|instead|please|too|as well|these days|at school|"
        r"at home|at work|of course|since .+|because .+|to .+|by .+|in .+)$",
        "",
        body,
    )
    words = body.split()
    if words and words[0].lower() in listed("grammar", "interjections"):
        return []
    if 1 <= len(words) <= 3 and all(
        is_name(word) or word in ("de", "van", "von", "da", "the", "la", "le", "of") for word in words
    ):
        return [body] if is_name(words[0]) else []
    return []


def small_at_start(text: str) -> str:
    """With a small letter where the capital is only that of a sentence's first word: "Olives", "Blue cheese"."""
    first, _, rest = text.partition(" ")
    common = first.endswith(("s", "ing")) or (rest[:1].islower() and rest.split()[0] not in ("of", "the", "and", "de"))
    return text[:1].lower() + text[1:] if common and not first.isupper() else text
