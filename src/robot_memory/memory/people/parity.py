"""Who is who by the published rules, in their own arithmetic, to stand beside ours in every table.

`algorithm2` is that of the M3-Agent paper (arXiv 2508.09736, appendix 11.2), `published` what its code does with the
equivalences that its model states. Neither knows time, negative evidence or two faces in one picture.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

NOISE = 1  # an edge of this weight or less is dropped
SHARE = 0.5  # the paper's p, whose value its text leaves open; at 0.5 the best edge outweighs all others together


def algorithm2(meta: Iterable[tuple[int, int]], share: float = SHARE) -> dict[int, int]:
    """Voice -> face. `meta` has a pair (face, voice) for each meta-clip: at most 5 s with exactly one face and exactly
    one voice. An edge weighs as many meta-clips as support it; of each face's edges only the heaviest stays, if it has
    at least `share` of their weight, then likewise of each voice's. Of equal ones the voice or face known longer wins.
    """
    edges = {pair: weight for pair, weight in Counter(meta).items() if weight > NOISE}
    of_faces = _heaviest({(face, voice): weight for (face, voice), weight in edges.items()}, share)
    of_voices = _heaviest({(voice, face): weight for (face, voice), weight in of_faces.items()}, share)
    return dict(sorted(of_voices))


def published(equivalences: Iterable[Collection[int]]) -> list[set[int]]:
    """The persons, each a set of at least two faces and voices, in order of their least member: whoever was ever said
    to be the same, joined for good.

    The code has a filter that keeps of a voice's equivalences only the one with the heaviest face. It is left out here
    because it does nothing: every face brings all its equivalences back in, the rejected ones too.
    """
    above: dict[int, int] = {}
    for stated in equivalences:
        members = sorted(set(stated))
        for one, other in zip(members, members[1:]):
            tops = _top(above, one), _top(above, other)
            above[max(tops)] = min(tops)
    persons: dict[int, set[int]] = defaultdict(set)
    for entity in above:
        persons[_top(above, entity)].add(entity)
    return [persons[least] for least in sorted(persons)]


def _heaviest(edges: Mapping[tuple[int, int], int], share: float) -> dict[tuple[int, int], int]:
    """Of each node on the left of `edges` the heaviest edge, where it has its share of the node's weight."""
    own: dict[int, dict[int, int]] = defaultdict(dict)
    for (left, right), weight in edges.items():
        own[left][right] = weight
    best = {left: min(rights, key=lambda right: (-rights[right], right)) for left, rights in own.items()}
    return {
        (left, right): own[left][right]
        for left, right in best.items()
        if own[left][right] >= share * sum(own[left].values())
    }


def _top(above: dict[int, int], entity: int) -> int:
    """The least entity known to be the same; alone it is its own."""
    above.setdefault(entity, entity)
    while above[entity] != entity:
        entity = above[entity]
    return entity
