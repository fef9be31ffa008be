"""What a question asks for: who, when, where, how many …, whatever else stands around its question word.

A clause that begins with a question word asks for it, the first such clause before a later one; then one that begins
like a yes/no question; then a question word anywhere. "When Anna left, what did she say?" asks what: its first clause
has not the word order of a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.control.understanding.tables import listed
from robot_memory.control.understanding.words import Word, clauses

Numbered = list[tuple[int, Word]]

SUBORDINATE = ("when", "where", "how", "why")  # begin a clause that asks nothing as well
ORDERS = {  # what the beginning of an order asks for
    "list": "list", "name": "list", "enumerate": "list", "count": "how many", "describe": "what", "summarise": "what",
    "summarize": "what", "explain": "why", "find": "where", "fetch": "where", "locate": "where", "identify": "who",
}  # fmt: skip
GIVING = ("give", "show", "bring", "get")
LONGEST_COUNTED = 3  # words
NOUNS = (  # what "what" and "which" ask for with a noun of these tables
    ("when", "what_time"),
    ("where", "what_place"),
    ("who", "what_person"),
    ("why", "what_reason"),
    ("how much", "what_amount"),
)
NOT_A_TAG = 3  # words: "isn't it?" asks nothing new
HOW = {
    "many": "how many", "often": "how often", "frequently": "how often", "regularly": "how often", "long": "how long",
}  # fmt: skip


@dataclass(frozen=True)
class Asking:
    """`asks`, what is counted, and the numbers of the words that say so."""

    asks: str = ""
    counts: str = ""
    used: frozenset[int] = frozenset()


def asked(words: Sequence[Word], left_out: set[int], is_question: bool) -> Asking:
    """What these words ask for. `left_out`: the numbers of words that stand around the question (carriers, times)."""
    numbers = {id(word): n for n, word in enumerate(words)}
    parts: list[tuple[Numbered, bool]] = []
    for clause in clauses(list(words)):
        kept = [(numbers[id(word)], word) for word in clause if numbers[id(word)] not in left_out and not word.quoted]
        if kept:
            parts.append((kept, kept[0][1] is not clause[0] and numbers[id(clause[0])] in left_out))
    for read in (_fronted, _inverted, _ordered, _begun, _anywhere):
        for part, embedded in parts:
            found = read(part, embedded)
            if found and not (read is _fronted and found.asks == "which" and _relative(part, parts[0][0])):
                return found
    if not is_question or not parts:
        return Asking()
    return Asking("yes/no" if any(word.auxiliary or _finite(word) for part, _ in parts for _, word in part) else "what")


def _fronted(part: Numbered, embedded: bool) -> Asking | None:
    """ "Who …", "In which room …", "With whom …"; "if" and "whether" of a question in another."""
    at = 1 if len(part) > 1 and part[0][1].plain in listed("fronted_prepositions") else 0
    word = part[at][1]
    if embedded and word.plain in ("if", "whether"):
        return Asking("yes/no", used=frozenset({part[at][0]}))
    if word.plain not in listed("question_words"):
        return None
    if word.plain in SUBORDINATE and not (embedded or word.clitic or _asks(part[at + 1 :], word.plain)):
        return None
    return _of(part, at)


def _relative(part: Numbered, first: Numbered) -> bool:
    """Whether a later "which" only adds to what is asked already: "Is the book, which Anna read, good?"."""
    inverted = first[0][1].opens and first[0][1].positive in listed("inverting")
    return inverted and part is not first and not part[0][1].opens


def _asks(rest: Numbered, question_word: str) -> bool:
    """Whether what follows "when" has the word order of a question: an auxiliary, or nothing, or "how old"."""
    if len(rest) < 2 or rest[0][1].positive in listed("inverting"):
        return True
    if question_word == "how" and rest[1][1].positive in listed("inverting"):
        return True  # "how proficient is"
    return rest[0][1].plain in listed("amounts") | listed("after_a_question_word") | HOW.keys()


def _inverted(part: Numbered, embedded: bool) -> Asking | None:
    """ "Did …", "Is …"; "Do you know Anna's job?" asks what it is. Not a tag: "…, isn't it?" """
    first = part[0][1]
    if first.positive not in listed("inverting") and first.plain != "dose":
        return None
    if len(part) < NOT_A_TAG and not first.opens and part[-1][1].plain in listed("after_a_modal"):
        return None
    knows = len(part) > NOT_A_TAG and part[1][1].plain == "you" and part[2][1].plain in listed("knowing")
    if knows and _thing(part[3:]):
        return Asking("what", used=frozenset(n for n, _ in part[:3]))
    return Asking("yes/no", used=frozenset({part[0][0]}))


def _thing(rest: Numbered) -> bool:
    """Whether a thing of somebody's follows: "Anna's job", "my profession"; not "my sister"."""
    for (_, owner), (_, owned) in zip(rest, rest[1:]):
        if owner.clitic == "s" or owner.plain in ("my", "our", "his", "her", "their"):
            return owned.plain not in listed("kin")
    return False


def _ordered(part: Numbered, embedded: bool) -> Asking | None:
    """ "List …", "Give me the names …", "Fetch …"."""
    number, first = part[0]
    if not (first.opens or embedded):
        return None
    if first.plain in GIVING and len(part) > 1:
        said = {number} | {n for n, word in part[1:5] if word.plain in listed("listing")}
        return Asking("list" if len(said) > 1 else "what", used=frozenset(said))
    if any(one.plain == "list" and other.plain == "of" for (_, one), (_, other) in zip(part, part[1:])):
        return Asking("list", used=frozenset(n for n, word in part if word.plain == "list"))
    if first.plain == "name" and len(part) > 1 and part[1][1].plain in listed("one_of_many"):
        return Asking("what", used=frozenset({number}))
    if first.plain in ORDERS and len(part) > 1 and not part[1][1].auxiliary and not first.clitic:
        return Asking(ORDERS[first.plain], used=frozenset({number}))
    return Asking("what") if embedded else None


def _begun(part: Numbered, embedded: bool) -> Asking | None:
    """ "When Jon is planning to leave?": begins like a question and has no other that asks."""
    return _of(part, 0) if part[0][1].plain in SUBORDINATE and part[0][1].opens else None


def _anywhere(part: Numbered, embedded: bool) -> Asking | None:
    """The last question word of a clause, wherever it stands: "Anna lives where?"; no relative "which", "who"."""
    for at in range(len(part) - 1, -1, -1):
        word = part[at][1]
        last = at == len(part) - 1
        if word.plain in ("which", "what", "whose", "whom", "how") or (word.plain in listed("question_words") and last):
            if word.plain == "how" and not last and part[at + 1][1].plain not in HOW:
                continue
            return _of(part, at)
    return None


def _of(part: Numbered, at: int) -> Asking:
    """What the question word at a place asks for, by the words after it."""
    word = part[at][1]
    one = part[at + 1] if at + 1 < len(part) and not word.clitic else None
    next_plain = one[1].plain if one else ""
    used = {part[at][0]} | ({part[0][0]} if at == 1 and part[0][1].plain in listed("fronted_prepositions") else set())
    kind = word.plain
    if kind == "how" and one:
        return _how(part, at, used)
    if kind in ("what", "which") and one:
        for asks, table in NOUNS:
            if next_plain in listed(table):
                return Asking(asks, "", frozenset(used | {one[0]}))
    if kind in ("what", "which") and (next_plain == "number" or _number_of(part[at + 1 :])):
        return Asking("how many", "", frozenset(used))
    if kind == "what" and part[-1][1].plain == "for" and next_plain in ("did", "do", "does"):
        kind = "why"
    return Asking({"whom": "who", "whoever": "who", "whereabouts": "where"}.get(kind, kind), "", frozenset(used))


def _how(part: Numbered, at: int, used: set[int]) -> Asking:
    """ "How many olives", "how often", "how long ago", "how old", "how come"."""
    number, following = part[at + 1]
    plain = following.plain
    third = part[at + 2] if at + 2 < len(part) else None
    if plain == "many" and third and third[1].plain in ("times", "occasions"):
        return Asking("how often", third[1].plain, frozenset(used | {number, third[0]}))
    if plain == "many":
        counts = _counted(part[at + 2 :])
        used |= {third[0]} if third and counts in listed("counted_units") else set()
        kind = "how long" if counts in listed("durations") else "how many"
        return Asking(kind, counts, frozenset(used | {number}))
    if plain == "long" and third and third[1].plain == "ago":
        return Asking("when", "", frozenset(used | {number, third[0]}))
    if plain in ("recently", "soon"):
        return Asking("when", "", frozenset(used | {number}))
    if plain in HOW:
        return Asking(HOW[plain], "", frozenset(used | {number}))
    if plain == "come":
        return Asking("why", "", frozenset(used | {number}))
    return Asking("how much" if plain in listed("amounts") else "how", "", frozenset(used))


def _counted(rest: Numbered) -> str:
    """What is counted after "how many": up to the first plural, "valid goals"; else the first word, "sheep"."""
    words = [word.plain for _, word in rest[:LONGEST_COUNTED]]
    for length, word in enumerate(words, start=1):
        if word.endswith("s") or word in listed("persons_counted"):
            return " ".join(words[:length])
        if word in listed("empty"):
            break
    return words[0] if words else ""


def _number_of(rest: Numbered) -> bool:
    """ "(what is) the number of …"."""
    plain = [word.plain for _, word in rest[:5]]
    return any(pair in (("number", "of"), ("count", "of")) for pair in zip(plain, plain[1:]))


def _finite(word: Word) -> bool:
    """A verb by its ending, as far as an ending tells."""
    return word.plain.endswith(("ed", "es")) or word.plain in listed("speaking") | listed("seeing")
