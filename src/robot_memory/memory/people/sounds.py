"""Whether two spellings are one name to the ear: Siobhan and Shivawn, Caleb and Kaleb, Katherine and Kathryn.

A name is read aloud by the letter rules of English, for that is how a transcriber writes what it has heard; names
whose letters mislead an English reader are respelt first, from the table below. Consonants have to agree, and so have
the first and the last vowel and all long ones. Only a short vowel in a weak syllable may differ (Alison, Allyson). So
a doubtful pair stays two names: Anna is not Hannah, nor Ben Dan, nor Simon Simone.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Names whose letters mislead an English reader, and how someone would spell them who only heard them.
RESPELT = dict(
    pair.split()
    for pair in re.findall(
        r"\w+ \w+",
        """
    aaron airun, adrienne aidriann, aimee aymy, anthony antony, caroline carolighn, catelyn kaytlin, catelynn kaytlin,
    cecelia cecilia, cheryl sherril, chloe cloey, cloe cloey, deanna deeyanna, debra debora, diana dighana,
    diane dighann, dianne dighann, dwayne duayn, eileen ileen, eli eeligh, eliza elighza, ewan yooan, geoff jeff,
    geoffrey jeffry, gerard jerrard, gillian jillian, graeme graam, graham graam, guy gigh, hue hyoo, hugh hyoo,
    hugo hyoogo, huw hyoo, ian eean, isaac izack, isaak izack, isabel izabell, isabelle izabell, isobel izabell,
    jasmine jasmin, jesse jessy, joan jone, joseph jozef, kaitlyn kaytlin, katelyn kaytlin, katrina katreena,
    khloe cloey, lea leea, leah leea, leigh lee, leila layla, leo leeo, leonard lennard, lewis loois, lia leea,
    liza lighza, louis loois, matthew mathew, meagan megan, michael mykel, micheal mykel, mikael mykel, naomi nayomy,
    neve neev, nicholas nickolas, niel neel, noel noell, pheobe feeby, philippe filleep, phoebe feeby,
    rachael raychel, rory roary, ryan righan, stephan steffan, stephen steeven, steven steeven, susan soozan,
    theresa teresa, thomas tommas, tomas tommas, vaughan vawn, vaughn vawn, xavier zavier, zoe zoey,
    aoife eefa, caitlin kaytlin, caitriona katreena, catriona katreena, ciara keera, cillian killian, eoin owen,
    maeve mayv, niamh neev, rhys rees, roisin rosheen, saoirse seersha, sean shawn, shaun shawn, shavonne shivonne,
    sian sharn, sinead shinade, siobhan shivawn,
    antoine antwan, beau boe, genevieve jenevieve, jacques zhack, jaques zhack, margaux margo, margot margo,
    marie murree, renee renay, thierry tierry, yvonne ivonne,
    alejandra alehandra, alejandro alehandro, enrique enreekay, guillermo giyermo, jaime highmay, javier havier,
    joaquin wakeen, jorge horhay, jose hozay, juan wahn, juana wahna, juanita wahneeta, miguel migell,
    chiara keeara, giovanni jovanny, giuseppe juseppe,
    aisha aysha, ayesha aysha, bjorn byorn, dmitri dimitri, dmitry dimitri, fatemeh fatima, heidi highdy,
    krzysztof krishtof, mohammad mohamed, mohammed mohamed, muhammad mohamed, muhammed mohamed, nguyen win,
    wojciech voycheck, yevgeny evgeny
    """,
    )
)

# Letters as other languages read them: whole tables, since one name keeps to one of them.
FOREIGN = (
    ((r"sch", "sh"), (r"j", "y"), (r"w", "v"), (r"tz", "ts")),  # German, Nordic, Dutch, Slavic
    ((r"rz", "zh"), (r"sz", "sh"), (r"cz", "ch"), (r"ci(?=[aeou])", "ch"), (r"j", "y"), (r"w", "v")),  # Polish
)
PINYIN = (
    (r"^x|(?<=[aiou])x(?=i)", "sh"),
    (r"q(?!u[aeio])", "ch"),
    (r"zh", "j"),
    (r"(?<=sh|ch)i(?=[aou])|(?<=j)i(?=[aou])", ""),
)

# Sounds: capitals are consonants (X sh, C ch, J j, 0 th), a e i o u short vowels, @ one that is not heard clearly.
# Long or stressed: 1 as in Kate, 2 Lee, 3 Mike, 4 Joe, 6 Dawn, 7 Roy, 8 Giselle, 9 Joanne.
# Where a name ends its length is written; the first that fits is taken, the letters left are read by the next table.
ENDINGS = (
    (r"^([^aeiouy]+)y$", r"\g<1>3"),  # Ty
    (r"^([^aeiouy]+)ey$", r"\g<1>1"),  # Trey
    (r"^([^aeiouy]*)i(gh|[^aeiouy])e$", r"\g<1>3\2"),  # Mike
    (r"^([^aeiouy]*[aeiouy]+[^aeiouy]+)ine$", r"\g<1>2n"),  # Justine; the i of longer names is weak: Katherine
    (r"i[cs]e$", "2s"),  # Denise
    (r"(?<=[aeiouy])([^aeiouy]+)er(y|ie|i)$", r"\1r2"),  # Jeffery, Valerie
    (r"elle$", "8l"),
    (r"ette$", "8t"),
    (r"enne$", "8n"),
    (r"(?<=..)anne$", "9n"),
    (r"onne$", "6n"),
    (r"[iy]ah$", "3a"),
    (r"eah?$", "2a"),
    (r"ah$", "a"),
    (r"ai$", "3"),
    (r"(eigh|(?<=[aeiouy]nds)ay)$", "2"),  # Ashleigh, Lindsay
    (r"(ei|ay|ae)$", "1"),
    (r"^([^aeiouy]*)a([^aeiouyrwhx])(y|ey|ie)$", r"\g<1>1\g<2>2"),  # Amy, Casey; not Cassie
    (r"(ie|ee|ey|y|i)$", "2"),
    (r"(oe|oh|ow|owe|eau|o)$", "4"),
    (r"(ieu|ew|ue|oo|ou|u)$", "u"),
    (r"(?<![aeiou])a(ch|[^aeiouyrwhx])e$", r"1\1"),
    (r"(?<![aeiouy])y([^aeiouy])e$", r"3\1"),
    (r"(?<![aeiou])o([^aeiouywhx])e$", r"4\1"),
    (r"(?<![aeiou])e([^aeiouywhx])e$", r"2\1"),
    (r"(?<![aeiouy])are$", "1r"),  # Clare
    (r"(?<=[^aeiou])e$", ""),
)
LETTERS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"^(kn|gn)", "N"), (r"^wr|^rh", "R"), (r"^wh|^hu(?=a)", "W"), (r"^[xz]", "Z"), (r"^mc", "MaK"),
        (r"^tha", "Ta"), (r"^ch(?=[a-z]+[689])", "X"), (r"ch(?=8|arlot)", "X"),
        (r"augh|au|aw", "6"), (r"eigh", "1"), (r"igh", "3"), (r"ay|ai|ae", "1"), (r"ey(?![aeiou])", "1"),
        (r"(ee|i)y(?=[aeou])|ee|ea|ei|ie(?![ln])", "2"), (r"oy|oi", "7"), (r"oo|ou|ew|eu|ue", "u"),
        (r"oa|oe|ow(?![aeiou])", "4"), (r"[iy](?=[aeou])(?<=[^aeiou].)", "2"),
        (r"(?<=^.)y(?=[^aeiouy][aeiou1-9])", "3"), (r"y(?![aeiou])", "i"), (r"y", "Y"),
        (r"tch", "C"), (r"sch|sh", "X"), (r"ch(?=[rl])|(?<=a)ch$", "K"), (r"ch", "C"), (r"ph", "F"), (r"th", "0"),
        (r"kh", "K"), (r"zh", "J"), (r"gh(?![aeiou])", ""), (r"gh", "G"), (r"ck", "KK"), (r"cqu|cc(?![ei])", "K"),
        (r"qu", "KW"), (r"s?c(?=[eiy])", "S"), (r"[ckq]", "K"), (r"x", "KS"), (r"dg(?=[eiy])|g(?=[eiy])", "J"),
        (r"mb$", "M"), (r"[sz]", "S"), (r"h(?=[aeiouy1-9])", "H"), (r"w(?=[aeiouy1-9])", "W"), (r"[hw]", ""),
    )
)  # fmt: skip
PLAIN = str.maketrans("øłđðþıæœ", "olddtieo")
VOWELS = "aeiou12346789"
SHORT = "aeiou"
OPEN_A = re.compile(r"(?:(?<=^)|(?<=^[A-Z0])|(?<=^[A-Z0]{2}))a(?=[A-QS-Z0][aeiou1-9@])")
OPEN_I = re.compile(r"i(?=[A-Z0][aeiou1-9@])")
DOUBLED = re.compile(r"([A-Z0])\1+")


def same_sound(one: str, other: str) -> bool:
    """Whether two spellings would be heard as one name. Symmetric; not transitive by promise."""
    ours, theirs = words(one), words(other)
    return len(ours) == len(theirs) > 0 and all(map(_same_word, ours, theirs))


def words(name: str) -> list[str]:
    """A name's words in small letters, without accents, digits and signs: O'Brien is one word, Anne-Marie two."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(PLAIN)
    pieces = re.split(r"[\s\-‐‑–—_/]+", "".join(c for c in plain if not "\u0300" <= c <= "\u036f"))
    return [word for piece in pieces if (word := "".join(c for c in piece if unicodedata.category(c)[0] in "LM"))]


def _same_word(one: str, other: str) -> bool:
    """A foreign reading counts on one side only: the other is what an English ear has made of it."""
    if one == other:
        return True
    ours, theirs = readings(one), readings(other)
    return ours[0] in theirs or theirs[0] in ours


@lru_cache(maxsize=10_000)
def readings(word: str) -> tuple[str, ...]:
    """How a word may be read aloud, the English way first. A script other than Latin is left as written."""
    if word in RESPELT:
        return (DOUBLED.sub(r"\1", _spoken(RESPELT[word])),)
    foreign = [_rewritten(word, PINYIN)]
    if len(word) > 3:
        foreign += [_rewritten(word, table) for table in FOREIGN]
    spoken = [_spoken(other) for other in (word, *foreign)]
    # a vowel that ends its syllable may be long: Haley, Tina
    spoken += [OPEN_A.sub("1", sound) for sound in spoken]
    spoken += [OPEN_I.sub("2", sound) for sound in spoken]
    return tuple(dict.fromkeys(DOUBLED.sub(r"\1", sound) for sound in spoken))


def _rewritten(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for pattern, letters in table:
        word = re.sub(pattern, letters, word)
    return word


@lru_cache(maxsize=10_000)
def _spoken(word: str) -> str:
    """The sounds of a word, with @ for a short vowel that is not heard clearly."""
    for pattern, letters in ENDINGS:
        if re.search(pattern, word):
            word = re.sub(pattern, letters, word)
            break
    sounds, at = "", 0
    while at < len(word):
        found, sound = next(
            ((match, sound) for pattern, sound in LETTERS if (match := pattern.match(word, at))), (None, word[at])
        )
        sounds += sound if found or sound in SHORT else sound.upper()
        at = found.end() if found else at + 1
    return _weakened(sounds)


def _weakened(sounds: str) -> str:
    """Sounds with the unstressed short vowels levelled: what English blurs, its spellers confuse."""
    places = [at for at, sound in enumerate(sounds) if sound in VOWELS]
    if len(places) < 2 or places[-1] == len(sounds) - 1:
        return sounds
    letters = list(sounds)
    for at in places[1:] if len(places) > 2 else places[-1:]:
        if letters[at] in SHORT:
            letters[at] = "@"
    if letters[places[-1]] != "@" and len(places) == 2 and letters[places[0]] == "e":
        letters[places[0]] = "i"  # the stress is on the end: Chevonne, Denise
    return re.sub(r"(?<=[PBTDKGFV0S])@(?=R@)", "", "".join(letters))
