"""Word forms: plurals and the first verb of a clause. Rules and short tables, no stemmer: those make one word of
"university" and "universal", of "new" and "news".
"""

from __future__ import annotations

from robot_memory.memory.insertion.wording.tables import listed, table

SIBILANTS = ("ches", "shes", "xes", "sses", "zes")
VOWELS = "aeiou"


def singular(word: str) -> str:
    """The singular of a plural in small letters; what is none stays as it is."""
    irregular = table("words")["plurals"]
    if word in irregular:
        return str(irregular[word])
    if len(word) < 4 or not word.isalpha() or word in listed("words", "no_plurals"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(SIBILANTS):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        return word[:-1]
    return word


def plain_verb(word: str) -> str:
    """ "go" for goes and going. What is no verb in one of these forms stays as it is."""
    irregular = table("words")["verbs"]
    if word in irregular:
        return str(irregular[word])
    if word.endswith("ing") and len(word) > 5:
        return _without_ing(word[:-3])
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(SIBILANTS):
        return word[:-2]
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def gerund(verb: str) -> str:
    """ "swimming" for swim, "baking" for bake."""
    known = {plain: ing for ing, plain in table("words")["verbs"].items() if ing.endswith("ing")}
    if verb in known:
        return str(known[verb])
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    doubled = len(verb) == 3 and verb[-1] not in "aeiouwxy" and verb[-2] in VOWELS and verb[-3] not in VOWELS
    return verb + verb[-1] * doubled + "ing"


def _without_ing(stem: str) -> str:
    """The verb of a stem, with the e that -ing took (mak, bak, writ), without the letter it doubled (stopp)."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeioulsz":
        return stem[:-1]
    lost_e = len(stem) > 2 and stem[-1] in "kvcgtdz" and stem[-2] in VOWELS and stem[-3] not in VOWELS
    return stem + "e" if lost_e or stem.endswith(("v", "c", "uat", "urs")) else stem
