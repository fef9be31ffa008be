"""Persons: whom a memory takes its tracks and turns for, against who they were.

An item is a track or a turn that is somebody's. A label *is* the true person who has most of its items (ties by name),
so a memory may call people what it likes, as long as it calls each the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.evaluation.scoring.tally import Tally
from robot_memory.evaluation.scoring.wording import phrase

FACE, VOICE = "face", "voice"
SHARE = 0.1  # of a label's (a person's) items that are not of its main person (label): less are slips


@dataclass(frozen=True)
class Item:
    """One track or turn: its modality, who it was (empty: nobody), whom it was taken for (None: not said)."""

    at_ns: int
    modality: str
    who: str
    label: str | None


@dataclass(frozen=True)
class Taken:
    """Whom a label takes together: true name -> tracks and turns under it (empty name: nobody's); the name it is
    `called` by, `who` it is. `label` None: what has none. `fused` is that of `persons`, `linked` that of `links` (None:
    it has not both faces and voices).
    """

    label: str | None
    faces: Mapping[str, int]
    voices: Mapping[str, int]
    called: str
    who: str
    fused: bool
    linked: bool | None


def taken(items: tuple[Item, ...], called: Mapping[str, str]) -> tuple[Taken, ...]:
    """Every label, in order, and at last what has none; nothing for a memory that tells nobody apart."""
    found: dict[str | None, list[Item]] = defaultdict(list)
    for item in items:
        found[item.label].append(item)
    labels = sorted((label for label in found if label is not None), key=lambda label: (len(label), label))
    rest = [None] if labels and None in found else []
    return tuple(_taken(label, found[label], called) for label in (*labels, *rest))


def people_of(items: Iterable[Item]) -> dict[str, str]:
    """Label -> the true person it stands for; labels that are nobody's are left out."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        if item.label is not None and item.who:
            votes[item.label][item.who] += 1
    return {label: min(who, key=lambda name: (-who[name], name)) for label, who in sorted(votes.items())}


def label_of(items: Iterable[Item], who: str) -> str:
    """The label under which most of a person's items are; empty if there is none."""
    votes = Counter(item.label for item in items if item.who == who and item.label is not None)
    return min(votes, key=lambda label: (-votes[label], label), default="")


def persons(items: tuple[Item, ...]) -> dict[str, Tally]:
    """persons.true and .found: how many people there were, and how many labels; .exact: these are equal;
    .nobody: labels of which no item is anybody's (a photo on the wall); .fused: labels of which a SHARE of the items
    is not their main person's; .split: people of whose items of one modality a SHARE is not under their main label;
    .switches: times a person's label changed from one item to the next of the same modality; .unknown: share of items
    without a label; .mistaken: share of labelled items whose label stands for another person (or that are nobody's).
    """
    somebody = [item for item in items if item.who]
    true = {item.who for item in somebody}
    labelled = [item for item in items if item.label is not None]
    if not labelled:  # a memory that tells nobody apart is not asked how well it does so
        return {"persons.true": Tally(len(true), 1)}
    found = {item.label for item in labelled}
    stands_for = people_of(items)
    mistaken = sum(stands_for.get(item.label or "") != item.who for item in labelled)
    return {
        "persons.true": Tally(len(true), 1),
        "persons.found": Tally(len(found), 1),
        "persons.exact": Tally(len(found) == len(true), 1),
        "persons.nobody": Tally(len(found - set(stands_for)), 1),
        "persons.fused": Tally(sum(_many(item.who for item in own) for own in _by_label(somebody).values()), 1),
        "persons.split": Tally(_splits(somebody), 1),
        "persons.switches": Tally(_switches(somebody), 1),
        "persons.unknown": Tally(sum(item.label is None for item in somebody), len(somebody)),
        "persons.mistaken": Tally(mistaken, len(labelled)),
    }


def links(items: tuple[Item, ...]) -> dict[str, Tally]:
    """A link is a label that has both faces and voices. links.precision: links whose faces and whose voices are mostly
    one person's; links.recall: of the people both seen and heard, those whose commonest face label is their commonest
    voice label, and who are that label's person in both.
    """
    stands = {m: people_of(item for item in items if item.modality == m) for m in (FACE, VOICE)}
    linked = sorted(set(stands[FACE]) & set(stands[VOICE]))
    right = [label for label in linked if stands[FACE][label] == stands[VOICE][label]]
    both = {i.who for i in items if i.modality == FACE} & {i.who for i in items if i.modality == VOICE} - {""}
    if not any(item.label is not None for item in items):
        return {}
    joined = 0
    for who in sorted(both):
        face, voice = (label_of((i for i in items if i.modality == m), who) for m in (FACE, VOICE))
        joined += face == voice and face in right and stands[FACE][face] == who
    return {"links.precision": Tally(len(right), len(linked)), "links.recall": Tally(joined, len(both))}


def names(items: tuple[Item, ...], called: Mapping[str, str], told: frozenset[str] | None) -> dict[str, Tally]:
    """Of the people seen or heard: names.right, whose labels bear their name and no other; names.wrong, one of whose
    labels bears another; names.missing: of those whose name was `told` aloud, whose labels bear none. A first name
    is enough, a name that fits two people is not. Figures are counts; names.known is right / told. `told` None: the
    truth does not say whose was.
    """
    if not any(item.label is not None for item in items):
        return {}
    known, borne = sorted({item.who for item in items} - {""}), defaultdict[str, list[bool]](list)
    for label, who in people_of(items).items():
        if called.get(label):
            fitting = [one for one in known if same_name(called[label], one)]
            borne[who].append(called[label] == who or fitting == [who])
    right = {who for who, fits in borne.items() if all(fits)}
    counted = {"names.right": Tally(len(right), 1), "names.wrong": Tally(len(borne) - len(right), 1)}
    if told is None:
        return counted
    named = told & {item.who for item in items}
    return counted | {
        "names.missing": Tally(len(named - set(borne)), 1),
        "names.known": Tally(len(right & named), len(named)),
    }


def same_name(said: str, true: str) -> bool:
    """Is this the person's name, in full or a part of it?"""
    one, other = set(phrase(said, stemmed=False)), set(phrase(true, stemmed=False))
    return bool(one) and (one <= other or other <= one)


def _taken(label: str | None, own: Sequence[Item], called: Mapping[str, str]) -> Taken:
    faces, voices = (_counts(item.who for item in own if item.modality == m) for m in (FACE, VOICE))
    if label is None:
        return Taken(None, faces, voices, "", "", fused=False, linked=None)
    somebody = [item for item in own if item.who]
    face, voice = (people_of(i for i in somebody if i.modality == m).get(label) for m in (FACE, VOICE))
    return Taken(
        label,
        faces,
        voices,
        called.get(label, ""),
        people_of(own).get(label, ""),
        fused=bool(somebody) and _many(item.who for item in somebody),
        linked=face == voice if face and voice else None,
    )


def _counts(names: Iterable[str]) -> dict[str, int]:
    """The most frequent first."""
    return dict(sorted(Counter(names).items(), key=lambda one: (-one[1], one[0])))


def _by_label(items: Iterable[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if item.label is not None:
            found[item.label].append(item)
    return found


def _many(values: Iterable[str]) -> bool:
    """Is a SHARE of the values not the commonest one?"""
    counts = Counter(values)
    others = counts.total() - max(counts.values())
    return others > 0 and others >= SHARE * counts.total()


def _splits(items: list[Item]) -> int:
    own: dict[tuple[str, str], list[str]] = defaultdict(list)
    for item in items:
        if item.label is not None:
            own[item.who, item.modality].append(item.label)
    return sum(map(_many, own.values()))


def _switches(items: list[Item]) -> int:
    last: dict[tuple[str, str], str] = {}
    switches = 0
    for item in sorted(items, key=lambda one: (one.at_ns, one.modality, one.who)):
        if item.label is None:
            continue
        key = item.who, item.modality
        switches += last.get(key, item.label) != item.label
        last[key] = item.label
    return switches
