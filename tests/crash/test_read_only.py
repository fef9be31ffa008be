"""A file or folder that may not be written: the server says which, loses nothing, and goes on when it may."""

from __future__ import annotations

import os

import pytest
from inspection import Undisturbed
from troubles import Place, Starter, is_whole
from writing_server import STORE

BEFORE, ALL = 4, 12


@pytest.fixture
def filled(place: Place, starts: Starter) -> Place:
    """With a store of the first clips and the others in the spool, as a server leaves them that was killed."""
    (first,) = starts(place.folder, starts=1, clips=BEFORE)
    assert first.stored == BEFORE
    place.give()
    return place


def forbid(place: Place, what: str) -> None:
    """Somebody has copied the memory as root, or mounted it read-only."""
    if what == "file":
        if place.user:
            os.chown(place.folder / STORE, 0, 0)
        (place.folder / STORE).chmod(0o444)
    elif what == "folder":
        for path in (place.folder, *place.folder.rglob("*")):
            if place.user:
                os.chown(path, 0, 0)
            path.chmod(0o555 if path.is_dir() else 0o444)
    else:
        (place.folder / "memory.spool").rename(place.folder / "elsewhere")
        place.folder.chmod(0o555)


@pytest.mark.parametrize("what", ["file", "folder", "no spool can be made"])
def test_it_says_so_and_goes_on_later(filled: Place, life: Undisturbed, what: str, starts: Starter) -> None:
    forbid(filled, what)
    for fate in starts(filled.folder, starts=3, clips=ALL, user=filled.user):
        said = " ".join([fate.error, *fate.problems.values()])
        assert fate.plain, said
        assert STORE in said or str(filled.folder) in said or (fate.stored == ALL and not filled.user), said
    filled.give()
    assert is_whole(filled.folder, life, BEFORE) >= BEFORE
    filled.give()
    (fate,) = starts(filled.folder, starts=1, clips=ALL, user=filled.user)
    assert (fate.error, fate.problems, fate.stored, fate.waiting) == ("", {}, ALL, 0)
    assert is_whole(filled.folder, life, ALL) == ALL


def test_clips_that_cannot_be_taken_out_of_the_spool(filled: Place, life: Undisturbed, starts: Starter) -> None:
    """They are in the store; that the spool fills up is said."""
    session = next(path for path in (filled.folder / "memory.spool").iterdir() if path.is_dir())
    if not filled.user and os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    for fate in starts(filled.folder, starts=3, clips=ALL, user=filled.user, closed=str(session)):
        filled.give()
        assert not fate.error
        assert fate.waiting == 0 or any("spool" in text for text in fate.problems.values()), fate
