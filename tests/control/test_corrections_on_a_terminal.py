"""`robot-memory name, merge, split, undo, changes, why`: an operator corrects who is who, where no robot runs."""

from __future__ import annotations

import getpass
import re
from pathlib import Path

import pytest

from robot_memory import cli
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store
from told import Story

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def memory(story: Story) -> Path:
    """Anna is seen alone twice while she says her name; Ben and a stranger come and go. Nobody has it open."""
    said = [("anna", 2.0, 8.0, "My name is Anna."), ("anna", 12.0, 18.0, "I am Anna, I said.")]
    story.clip({"anna": (0, 20)}, said)
    story.clip({"ben": (31, 50)}, [("ben", 33.0, 38.0, "My name is Ben.")])
    story.clip({"carl": (61, 80)}, [])
    story.graph.store.close()
    return story.graph.store.path


def run(*words: str | Path) -> int:
    return cli.main([*map(str, words)])


def people(memory: Path) -> People:
    with Store(memory, readonly=True) as store, store.snapshot() as db:
        return People(db)


def the_person_with(memory: Path, kind: str, nth: int = 0) -> str:
    """The token of the nth person who has a face, or a voice."""
    return [one.token for one in people(memory).all() if (one.faces if kind == "face" else one.voices)][nth]


def made(capsys: Capture) -> str:
    """The number of the change that was just reported."""
    found = re.match(r"change (\d+): ", capsys.readouterr().out)
    assert found
    return found[1]


def test_a_person_is_named_and_asked_about_by_that_name(memory: Path, capsys: Capture) -> None:
    stranger = the_person_with(memory, "face", -1)
    assert run("name", stranger, "Carl  Maria", "--store", memory, "--actor", "olga", "--reason", "he told me") == 0
    assert f"olga named {stranger} Carl Maria" in capsys.readouterr().out
    assert people(memory).get(int(stranger.split("_")[1])).name == "Carl Maria"  # type: ignore[union-attr]
    assert run("name", "carl maria", "", "--store", memory) == 0, "a name will do where it is one person's"
    assert people(memory).get(int(stranger.split("_")[1])).name == ""  # type: ignore[union-attr]


def test_each_change_is_listed_with_who_and_why_and_can_be_undone(memory: Path, capsys: Capture) -> None:
    stranger = the_person_with(memory, "face", -1)
    run("name", stranger, "Carl", "--store", memory, "--reason", "his badge")
    change = made(capsys)
    assert run("undo", change, "--store", memory) == 0
    undone = made(capsys)
    assert run("changes", stranger, "--store", memory) == 0
    newest, before = capsys.readouterr().out.splitlines()[:2]
    assert newest.split()[0] == undone and f"took change {change} back" in newest
    assert before.split()[0] == change and f"(his badge), taken back by change {undone}" in before
    assert getpass.getuser() in before


def test_the_list_is_as_long_as_wanted_and_says_that_there_is_more(memory: Path, capsys: Capture) -> None:
    stranger = the_person_with(memory, "face", -1)
    for name in ("Carl", "Karl", "Charles"):
        run("name", stranger, name, "--store", memory)
    capsys.readouterr()
    assert run("changes", "--limit", "2", "--store", memory) == 0
    *listed, more = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in listed] == ["Charles", "Karl"]
    assert more == "… and older ones: --limit 4"
    assert run("changes", "--limit", "0", "--store", memory) == 1


def test_two_are_merged_and_parted_again(memory: Path, capsys: Capture) -> None:
    one, other = the_person_with(memory, "face"), the_person_with(memory, "face", -1)
    assert run("merge", one, other, "--store", memory) == 0
    merged = people(memory).get(int(one.split("_")[1]))
    assert merged is not None and int(other.split("_")[1]) in merged.aliases and len(merged.faces) == 2
    capsys.readouterr()
    assert run("split", one, f"face_{merged.faces[1]}", "--store", memory) == 0
    new = capsys.readouterr().out.rpartition("new: ")[2].strip()
    assert people(memory).get(int(new.split("_")[1])).faces == (merged.faces[1],)  # type: ignore[union-attr]


def test_why_says_what_was_heard_and_voted(memory: Path, capsys: Capture) -> None:
    voice = people(memory).called("Anna")[0].voices[0]
    assert run("why", f"voice_{voice}", "--store", memory) == 0
    assert "Anna" in capsys.readouterr().out.splitlines()[0]
    assert run("why", "anna", "--store", memory) == 0


def test_a_name_of_several_is_asked_back(memory: Path, capsys: Capture) -> None:
    one, other = the_person_with(memory, "face"), the_person_with(memory, "face", -1)
    for person in (one, other):
        run("name", person, "Robin", "--store", memory)
    assert run("name", "Robin", "Rob", "--store", memory) == 1
    words = capsys.readouterr().err
    assert "2 people go by 'Robin'" in words and f"{one} (" in words and f"{other} (" in words


def test_what_merely_sounds_like_a_name_is_offered_not_taken(memory: Path, capsys: Capture) -> None:
    assert run("name", "Hanna", "Hannah", "--store", memory) == 1
    assert "nobody goes by 'Hanna'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("name", "person_99", "X"), "nobody is known as person_99"),
        (("name", "person_x", "X"), "nobody goes by 'person_x'"),
        (("name", "person_99999999999999999999999", "X"), "nobody goes by"),
        (("name", "person_1", "A\nB"), "line breaks"),
        (("name", "person_1", "A" * 200), "at most 80"),
        (("name", "person_1", "person_2"), "is an id, no name"),
        (("name", "person_1", "A", "--reason", "r" * 2000), "at most 1000"),
        (("name", "person_1", "A", "--actor", "\x1b[31m"), "control characters"),
        (("name", "person_1", "\udcff"), "control characters"),
        (("merge", "person_1", "person_1"), "one person already"),
        (("split", "person_1", "person_1"), "is no id: write face_3 or voice_7"),
        (("split", "person_1", "face_99"), "is not of person_1"),
        (("undo", "99"), "there is no change 99"),
        (("undo", "x"), "there is no change 'x'"),
        (("undo", "9" * 40), "there is no change '9999"),
        (("changes", "face_99"), "nothing is known as face_99"),
        (("changes", "nobody"), "nobody goes by 'nobody'"),
        (("why", "face_99"), "nobody is known as"),
        (("why", ""), "nobody goes by ''"),
    ],
)
def test_mistakes_are_told_in_a_line_and_change_nothing(
    memory: Path, capsys: Capture, words: tuple[str, ...], said: str
) -> None:
    before = memory.read_bytes()
    assert run(*words, "--store", memory) == 1
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1, told
    assert memory.read_bytes() == before


@pytest.mark.parametrize("verb", [("name", "person_1", "A"), ("undo", "1"), ("changes",), ("why", "person_1")])
def test_where_there_is_no_memory_none_is_made(tmp_path: Path, capsys: Capture, verb: tuple[str, ...]) -> None:
    assert run(*verb, "--store", tmp_path / "none.sqlite") == 1
    assert "there is no memory at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
