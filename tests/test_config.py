"""Every setting has a type, a range and a sentence; a wrong one is named with what is allowed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from robot_memory import config
from robot_memory.config import AnswerSettings, Group, PerceptionSettings, StoreSettings, StreamSettings, home, setting
from robot_memory.errors import SettingsInvalid

GROUPS = [
    group
    for group in vars(config).values()
    if isinstance(group, type) and issubclass(group, Group) and group is not Group
]
FIELDS = [(group, field) for group in GROUPS for field in dataclasses.fields(group)]


def test_the_groups_are_found() -> None:
    assert {StreamSettings, PerceptionSettings, StoreSettings, AnswerSettings} <= set(GROUPS)


@pytest.mark.parametrize(("group", "field"), FIELDS, ids=[f"{g.__name__}.{f.name}" for g, f in FIELDS])
class TestEachSetting:
    def test_says_what_it_is(self, group: type[Group], field: dataclasses.Field[Any]) -> None:
        assert len(field.metadata["doc"]) > 5
        assert field.name.isidentifier() and field.type in ("float", "int", "str", "bool")
        if field.type in ("float", "int"):
            assert field.metadata["low"] is not None, "numbers have a range"

    def test_has_a_default_that_is_allowed(self, group: type[Group], field: dataclasses.Field[Any]) -> None:
        assert getattr(group(), field.name) == field.default

    def test_takes_its_limits_and_nothing_beyond(self, group: type[Group], field: dataclasses.Field[Any]) -> None:
        for side, beyond in (("low", -1), ("high", 1)):
            limit = field.metadata[side]
            if limit is None:
                continue
            limit = type(field.default)(limit)
            assert getattr(group(**{field.name: limit}), field.name) == limit
            with pytest.raises(
                SettingsInvalid, match=f"^{field.name} must (lie between|be at least).*{beyond + limit}"
            ):
                group(**{field.name: limit + beyond})

    def test_refuses_other_types(self, group: type[Group], field: dataclasses.Field[Any]) -> None:
        wrong: list[object] = [None, [], b"x"]
        wrong += [] if field.type == "str" else ["1"]
        wrong += [1] if field.type in ("str", "bool") else [True]
        wrong += [2.5] if field.type != "float" else [float("nan"), float("inf"), -float("inf")]
        for value in wrong:
            with pytest.raises(SettingsInvalid, match=field.name):
                group(**{field.name: value})


def test_a_whole_number_does_for_a_float_and_becomes_one() -> None:
    made = StreamSettings(clip_s=30)  # as a YAML file or a command line gives it
    assert made.clip_s == 30.0 and type(made.clip_s) is float


def test_a_choice_is_one_of_those_named() -> None:
    @dataclasses.dataclass(frozen=True)
    class Colours(Group):
        """For this test."""

        colour: str = setting("red", "the colour of it", choices=("red", "blue"))

    assert Colours("blue").colour == "blue"
    with pytest.raises(SettingsInvalid, match="colour must be one of red, blue, not 'green'"):
        Colours("green")


def test_a_range_without_an_upper_end_is_not_called_none() -> None:
    with pytest.raises(SettingsInvalid, match="spool_bytes must be at least 1,000,000, not 5"):
        StreamSettings(spool_bytes=5)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        StreamSettings().clip_s = 1.0  # type: ignore[misc]


def test_where_memory_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    for name in ("ROBOT_MEMORY_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert home() == tmp_path / "me" / ".local/share/robot_memory"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert home() == tmp_path / "data" / "robot_memory"
    monkeypatch.setenv("XDG_DATA_HOME", "")
    assert home() == tmp_path / "me" / ".local/share/robot_memory"
    monkeypatch.setenv("ROBOT_MEMORY_HOME", "~/robot")
    assert home() == tmp_path / "me" / "robot"
    assert StoreSettings().store_path() == tmp_path / "me" / "robot" / "memory.sqlite"
    assert StoreSettings().spool_path() == tmp_path / "me" / "robot" / "memory.spool"
    assert StoreSettings(path="~/m.sqlite").spool_path() == tmp_path / "me" / "m.spool"
    assert StoreSettings(path="/x/m.sqlite", spool="~/s").spool_path() == tmp_path / "me" / "s"
